import polars as pl
import pytest
from matplotlib.figure import Figure

from hydralab.errors import UnknownNameError
from hydralab.plots import plot_attention
from hydralab.plots.attention import MOST_ITEMS
from hydralab.theme import SECTION_COLOURS
from tests.plots.attentions import attention

TEXTS = [
    "the launch is planned for the autumn of this year",
    "the marketing budget is 84,500 euros with all agency fees",
    "staff benefits come next and they want a learning allowance",
    "core hours are from ten to three on every normal day",
]


def found(**more):
    return attention(TEXTS, effects=[0.2, 7.5, -0.4, 0.1], **more)


def labels(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def bars(ax, row):
    return [bar for bar in ax.patches if abs(bar.get_y() + bar.get_height() / 2 - row) < 0.1]


def written(ax):
    return [text.get_text() for text in ax.texts]


def test_a_row_an_item_in_prompt_order_then_what_is_no_item():
    ax = plot_attention(found())
    assert labels(ax) == [
        "system", "turn 0", "turn 1", "turn 2", "turn 3", "query",
        "chat template", "the answer itself", "sinks, dropped",
    ]  # fmt: skip
    assert [tick.get_text() for tick in ax.get_xticklabels()] == [
        "sink-free mass",
        "lift",
        "leave one out, nats",
    ]


def test_bars_are_as_long_as_their_values_say():
    result = found()
    ax = plot_attention(result, measures=["sink_free"])
    table = result.measures()
    widths = [bars(ax, row)[0].get_width() for row in range(table.height)]
    shares = table["sink_free"].to_list()
    assert [width / widths[0] for width in widths] == pytest.approx([share / shares[0] for share in shares])


def test_the_sinks_have_a_bar_of_their_own_that_is_hatched():
    ax = plot_attention(found())
    (dropped,) = bars(ax, labels(ax).index("sinks, dropped"))
    assert dropped.get_hatch()
    assert found().measures()["sink_free"][-1] > 0


def test_an_item_has_the_colour_of_its_section_in_every_column():
    ax = plot_attention(found())
    rgb = tuple(bytes.fromhex(SECTION_COLOURS["recent"][1:]))
    for bar in bars(ax, labels(ax).index("turn 1")):
        assert tuple(round(255 * part) for part in bar.get_facecolor()[:3]) == rgb
    assert len(bars(ax, labels(ax).index("turn 1"))) == 3


def test_the_rank_correlation_with_the_control_stands_in_the_corner():
    result = found()
    corner = written(plot_attention(result))[-1]
    assert f"lift {result.agreement('lift'):+.2f}".replace("-", "−") in corner
    assert "4 items" in corner
    assert "+7.5" in written(plot_attention(result))


def test_without_the_control_the_figure_says_what_is_missing():
    ax = plot_attention(attention(TEXTS))
    assert "leaving items out was not tried" in written(ax)[-1]
    assert len(ax.get_xticklabels()) == 2


def test_of_many_items_those_with_most_of_the_measure_are_drawn():
    result = attention([f"turn number {t} says something about it" for t in range(90)])
    ax = plot_attention(result)
    shown = [
        name for name in labels(ax) if name not in ("chat template", "the answer itself", "sinks, dropped")
    ]
    most = result.measures().filter(pl.col("lift").is_not_null()).top_k(MOST_ITEMS, by="lift").sort("to")
    assert shown == most.select(pl.coalesce("label", "section")).to_series().to_list()
    assert "52 more items are not drawn" in written(ax)[-1]


def test_lift_of_a_short_item_is_pale_and_the_reason_is_given():
    ax = plot_attention(attention(["yes", *TEXTS]))
    lifted = [bar for bar in bars(ax, labels(ax).index("turn 0")) if bar.get_alpha() == 0.4]
    assert len(lifted) == 1
    assert "under 5 tokens" in written(ax)[-1]


def test_an_unknown_measure_is_refused_and_given_axes_are_used():
    with pytest.raises(UnknownNameError, match="unknown measure of attention 'lfit'"):
        plot_attention(found(), measures=["lfit"])
    ax = Figure().subplots()
    assert plot_attention(found(), ax=ax) is ax
