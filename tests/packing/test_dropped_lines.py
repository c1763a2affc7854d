"""What was left out, in one line a reason: in the table of a cell and in `explain`."""

import re

import pytest

from hydralab.packing import Packing, Recalled, pack


@pytest.fixture
def context(make_turns, make_candidates):
    """Return a prompt with room for next to nothing of what is recalled."""

    def make(query, packing=None):
        talk = [(role, f"{role} {at} " + "word " * 60) for at in range(12) for role in ("user", "assistant")]
        offered = make_candidates({at: 1 - at / 100 for at in range(20)})
        return pack(query, make_turns(*talk), budget=100, recalled=Recalled.of(offered), packing=packing)

    return make


def test_explain_tells_what_was_dropped_in_one_line_a_reason(context):
    lines = context("budget?").explain().splitlines()
    folded = [line for line in lines if "dropped" in line]
    assert folded == [
        "20 dropped: no room left in the budget; the best: turn 0 user, turn 1 assistant, turn 2 user",
        "4 dropped: older than the newest rounds that fit their share",
    ]


def test_explain_speaks_the_language_of_the_query(context):
    assert (
        "20 条未采用：预算已用完；最好的：turn 0 user、turn 1 assistant" in context("预算是多少？").explain()
    )


def test_reasons_that_differ_in_their_numbers_are_one(context):
    weak = context("budget?", Packing(least=0.9)).explain()
    assert re.search(r"^9 dropped: its score is far below the best; the best: turn 11 assistant", weak, re.M)


def test_the_table_folds_them_and_keeps_each_within(context):
    html = context("budget?")._repr_mimebundle_()["text/html"]
    outer, _, folded = html.partition('<tr class="hl-dropped hl-folded">')
    assert "dropped</td>" not in outer
    assert re.match(r'<td colspan="\d+"><details><summary>20 dropped: no room left in the budget · ', folded)
    assert folded.count("</i> dropped</td>") == 24


def test_two_of_a_reason_stay_rows_of_their_own(make_turns, make_candidates):
    turns = make_turns(*[("user", "word " * 60), ("assistant", "word " * 60)] * 2)
    ctx = pack("q", turns, budget=60, recalled=Recalled.of(make_candidates({0: 0.9, 1: 0.8})),
               packing=Packing(recent_rounds=0))  # fmt: skip
    assert "hl-folded" not in ctx._repr_mimebundle_()["text/html"].split("</style>")[1]
    assert (
        ctx.explain().splitlines()[-1] == "recalled    turn 1 assistant: dropped: no room left in the budget"
    )
