import numpy as np
import polars as pl
import pytest

from hydralab import frames
from hydralab.errors import HydralabError, UnknownNameError
from hydralab.plots import plot_shift


def signals(values, dialogue="a"):
    rows = [{"dialogue_id": dialogue, "position": t, "shift": value} for t, value in enumerate(values)]
    return frames.build("signals", rows) if rows else frames.empty("signals").with_columns(shift=pl.lit(0.0))


def boundaries(positions, dialogue="a"):
    rows = [
        {"dialogue_id": dialogue, "position": t, "trigger": "x", "score": 1.0, "decided_at": t}
        for t in positions
    ]
    return frames.build("boundaries", rows)


def gold(positions):
    return frames.build("gold", [{"dialogue_id": "a", "position": t, "annotator": None} for t in positions])


def line(ax, label):
    (found,) = (line for line in ax.lines if line.get_label() == label)
    return found


def test_curve_boundaries_gold_and_threshold_stand_at_their_turns():
    ax = plot_shift(
        signals([None, 0.2, 0.9, 0.1, 0.95]), boundaries=boundaries([2, 4]), gold=gold([2]), threshold=0.8
    )
    np.testing.assert_array_equal(line(ax, "shift").get_ydata(), [np.nan, 0.2, 0.9, 0.1, 0.95])
    assert list(line(ax, "2 boundaries").get_xdata()) == [2, 4]
    assert list(line(ax, "1 gold").get_xdata()) == [2]
    assert set(line(ax, "threshold 0.8").get_ydata()) == {0.8}


def test_a_share_is_shown_on_its_whole_scale_and_another_unit_on_its_own():
    assert plot_shift(signals([0.4, 0.5])).get_ylim() == (-0.03, 1.03)
    assert plot_shift(signals([100.0, 500.0])).get_ylim()[1] > 500


@pytest.mark.parametrize("values", [[], [None], [0.5], [None, None]])
def test_dialogues_of_almost_nothing_are_drawn(values):
    ax = plot_shift(signals(values), boundaries=boundaries([]), gold=gold([]), threshold=0.5)
    assert ax._repr_png_()[0].startswith(b"\x89PNG")
    low, high = ax.get_xlim()
    assert [tick for tick in ax.get_xticks() if low < tick < high] == list(range(len(values)))


def test_5000_turns_are_drawn_as_mean_and_range_of_groups():
    values = np.random.default_rng(0).random(5000)
    ax = plot_shift(signals(values.tolist()), boundaries=boundaries(range(10, 5000, 20)))
    mean = line(ax, "mean of 8 turns")
    assert len(mean.get_xdata()) <= 600
    assert mean.get_ydata()[3] == pytest.approx(values[27:36].mean())
    assert len(ax._repr_png_()[0]) < 300_000


def test_an_unknown_signal_is_named_with_those_there_are():
    with pytest.raises(UnknownNameError, match="unknown signal 'shfit'; known: 'shift'"):
        plot_shift(signals([0.1]), signal="shfit")


def test_boundaries_of_another_dialogue_are_refused():
    with pytest.raises(HydralabError, match="boundaries: of dialogue 'b', expected 'a'"):
        plot_shift(signals([0.1, 0.2]), boundaries=boundaries([1], "b"))


def test_a_dialogue_without_gold_has_no_gold_in_its_legend():
    ax = plot_shift(signals([0.1, 0.2, 0.9]), boundaries=boundaries([2]), gold=gold([]))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["shift", "1 boundary"]


def test_a_title_keeps_clear_of_the_strip_of_boundaries_and_of_the_legend():
    ax = plot_shift(signals([0.1, 0.99] * 10), boundaries=boundaries([1, 2, 5]), gold=gold([5]))
    ax.set_title("A short title", loc="left")
    ax._repr_png_()
    title = next(text for text in (ax._left_title, ax.title) if text.get_text()).get_window_extent()
    assert title.y0 >= line(ax, "3 boundaries").get_window_extent().y1
    assert not title.overlaps(ax.get_legend().get_window_extent())


def test_the_legend_keeps_clear_of_the_curve_and_of_the_strip_of_boundaries():
    ax = plot_shift(signals([0.1, 0.99] * 10), boundaries=boundaries([5, 19]), gold=gold([5]), threshold=0.8)
    ax._repr_png_()
    legend = ax.get_legend().get_window_extent()
    marks = line(ax, "2 boundaries").get_window_extent()
    assert legend.y0 >= marks.y1
