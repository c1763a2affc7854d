from hydralab import frames
from hydralab.packing import Packing, pack
from hydralab.plots import plot_budget
from hydralab.plots.budget import budget_parts
from hydralab.theme import SECTION_COLOURS


def context(reserve=0):
    rows = [
        {
            "dialogue_id": "a",
            "turn_id": f"a:{t}",
            "position": t,
            "round": t,
            "role": "user",
            "text": "hello",
            "tokens": 1,
        }
        for t in range(3)
    ]
    return pack(
        "And the date?",
        frames.build("turns", rows),
        budget=300,
        packing=Packing(system="Be brief.", reserve=reserve),
    )


def test_the_parts_of_the_bar_add_up_to_the_budget():
    for reserve in (0, 100):
        parts = budget_parts(context(reserve))
        assert sum(tokens for _, tokens in parts) == 300
        assert [name for name, _ in parts] == [
            "system",
            "recent",
            "query",
            *(["reserve"] if reserve else []),
            "free",
        ]


def test_bars_have_the_length_and_colour_of_their_section():
    ax = plot_budget(context())
    by_name = dict(budget_parts(context()))
    recent = ax.patches[1]
    assert recent.get_width() == by_name["recent"]
    assert tuple(round(255 * channel) for channel in recent.get_facecolor()[:3]) == tuple(
        bytes.fromhex(SECTION_COLOURS["recent"][1:])
    )


def test_title_and_legend_give_the_numbers():
    ax = plot_budget(context())
    assert ax.get_title(loc="left") == f"{context().tokens} of 300 tokens"
    assert ax.get_legend().get_texts()[-1].get_text() == f"free {300 - context().tokens}"


def test_an_empty_dialogue_is_a_query_and_room():
    ax = plot_budget(pack("Hi?", frames.empty("turns"), budget=100))
    assert [bar.get_label() for bar in ax.containers] == ["query 9", "free 91"]
