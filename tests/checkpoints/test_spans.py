import json
from time import perf_counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.checkpoints import close_spans, find_spans
from hydralab.checkpoints.spans import find_closed
from hydralab.errors import FrameError


def edges(spans):
    return [(span.start, span.end) for span in spans]


@pytest.mark.parametrize(
    ("roles", "cut", "expected"),
    [
        ("user assistant tool assistant user", 2, [(0, 0), (1, 4)]),
        ("user assistant tool tool user", 3, [(0, 0), (1, 4)]),
        ("user assistant tool user", 3, [(0, 2), (3, 3)]),
        ("tool tool user", 1, [(0, 2)]),
    ],
)
def test_a_boundary_inside_a_call_and_its_results_moves_back_to_the_call(
    make_turns, make_cuts, roles, cut, expected
):
    """FAULTS 4: pairs stay together in checkpoints."""
    turns = make_turns(*((role, "text") for role in roles.split()))
    assert edges(find_spans(turns, make_cuts(cut))) == expected


def test_a_result_that_names_its_call_goes_with_it_across_other_turns(make_turns, make_cuts):
    """FAULTS 4: the user spoke between call and result; both known when the edge was decided, or not yet."""
    parts = {
        1: json.dumps([{"type": "tool_call", "id": "c1", "name": "weather", "arguments": {}}]),
        3: json.dumps([{"type": "tool_result", "id": "c1", "name": "weather"}]),
    }
    said = [("user", "a"), ("assistant", "b"), ("user", "c"), ("tool", "d"), ("user", "e")]
    turns = make_turns(*said, parts=parts)
    for decided_at in (2, 3, 4):
        assert edges(find_spans(turns, make_cuts((2, decided_at)))) == [(0, 0), (1, 4)]
    assert edges(find_spans(turns, make_cuts(3))) == [(0, 0), (1, 4)]
    assert edges(find_spans(turns, make_cuts(4))) == [(0, 3), (4, 4)]


def test_a_span_is_decided_when_both_its_edges_are(make_turns, make_cuts):
    spans = find_spans(make_turns(*"abcdefgh"), make_cuts((2, 6), (5, 5)))
    assert [(span.end, span.decided_at) for span in spans] == [(1, 6), (4, 6), (7, None)]


def test_of_two_boundaries_at_a_place_the_first_decided_counts(make_turns, make_cuts):
    spans = find_spans(make_turns(*"abcd"), make_cuts((2, 3, "shift"), (2, 2, "manual")))
    assert (spans[0].trigger, spans[0].decided_at) == ("manual", 2)


@pytest.mark.parametrize(("texts", "expected"), [("a", [(0, 0)]), ("ab", [(0, 1)]), ("", [])])
def test_the_shortest_dialogues_are_one_open_span(make_turns, make_cuts, texts, expected):
    """FAULTS 40: one- and two-turn dialogues."""
    assert edges(find_spans(make_turns(*texts), make_cuts())) == expected


def test_one_turn_topics_can_be_expressed(make_turns, make_cuts):
    """FAULTS 40: one-turn spans."""
    assert edges(find_spans(make_turns(*"abc"), make_cuts(1, 2))) == [(0, 0), (1, 1), (2, 2)]


def test_a_boundary_that_no_turn_has_is_refused(make_turns, make_cuts):
    with pytest.raises(
        FrameError, match="'position': 9, expected a position of the turns, which go from 0 to 2"
    ):
        find_spans(make_turns(*"abc"), make_cuts(9))


@given(
    roles=st.lists(st.sampled_from(["user", "assistant", "tool", "system"]), min_size=1, max_size=12),
    cuts=st.sets(st.integers(1, 11)),
)
def test_spans_tile_the_dialogue_and_never_start_with_a_result(make_turns, make_cuts, roles, cuts):
    """FAULTS 4 for any roles and boundaries."""
    turns = make_turns(*((role, "text") for role in roles))
    spans = find_spans(turns, make_cuts(*sorted(cut for cut in cuts if cut < len(roles))))
    assert [at for span in spans for at in range(span.start, span.end + 1)] == list(range(len(roles)))
    assert all(roles[span.start] != "tool" for span in spans[1:])


def called(at, name):
    """Return the parts of a turn that calls or answers."""
    kind = "tool_result" if at % 2 else "tool_call"
    return json.dumps([{"type": kind, "id": name, "name": "f"}], ensure_ascii=False)


@given(
    roles=st.lists(st.sampled_from(["user", "assistant", "tool"]), min_size=12, max_size=12),
    names=st.dictionaries(st.integers(0, 11), st.sampled_from(["a", 'b"', "查"]), max_size=8),
    cuts=st.dictionaries(
        st.integers(1, 11), st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=6
    ),
)
def test_the_spans_that_new_boundaries_close_are_those_that_all_give_and_the_old_did_not(
    make_turns, make_cuts, roles, names, cuts
):
    """FAULTS 4, for calls and results anywhere, and boundaries decided in any order."""
    turns = make_turns(
        *((role, "text") for role in roles), parts={at: called(at, name) for at, name in names.items()}
    )
    made = {
        late: [(at, at + lag) for at, (lag, fresh) in sorted(cuts.items()) if fresh is late]
        for late in (False, True)
    }
    before, fresh = make_cuts(*made[False]), make_cuts(*made[True])
    closed = find_spans(turns, pl.concat([before, fresh]))[:-1]
    known = {(span.start, span.end) for span in find_spans(turns, before)[:-1]}
    assert find_closed(turns, before, fresh) == [
        span for span in closed if (span.start, span.end) not in known
    ]


def test_a_long_dialogue_of_calls_is_read_once(make_turns, make_cuts):
    """Reading all calls anew for each edge would take minutes here."""
    count = 6_000
    parts = {at: called(at // 2, f"call-{at // 4}") for at in range(1, count, 2)}
    turns = make_turns(
        *([("user", "a"), ("assistant", "b"), ("user", "c"), ("tool", "d")] * (count // 4)), parts=parts
    )
    cuts = make_cuts(*((at, at + 1) for at in range(2, count, 4)))
    started = perf_counter()
    spans = find_spans(turns, cuts)
    closed = close_spans(turns, cuts.tail(1), before=cuts.head(-1))
    assert perf_counter() - started < 5
    assert edges(spans)[:3] == [(0, 0), (1, 4), (5, 8)]
    assert closed.select("start", "end").rows() == [(count - 7, count - 4)]
