import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydralab.errors import HydralabError, UnknownNameError
from hydralab.triggers import StateMachine, check_trigger, col, cue, find_boundaries
from hydralab.triggers.running import run_machine

STATES = "abc"


def run_slowly(machine, conditions):
    """Go turn by turn."""
    state, fires, scores = machine.states[0], [], []
    for row in range(len(conditions[0][0]) if conditions else 0):
        leaving = [i for i, (source, _, _) in enumerate(machine.transitions) if source == state]
        taken = next((i for i in leaving if conditions[i][0][row]), None)
        scores.append(max((conditions[i][1][row] for i in leaving), default=0.0))
        fires.append(taken is not None)
        state = state if taken is None else machine.transitions[taken][1]
    return fires, scores


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(STATES), st.sampled_from(STATES)), max_size=5), st.integers(0, 9999)
)
def test_the_scan_takes_the_first_transition_that_holds(ends, seed):
    machine = StateMachine(STATES, [(*pair, cue("x")) for pair in ends])
    random = np.random.default_rng(seed)
    conditions = [(random.random(30) < 0.15, random.random(30)) for _ in ends]
    fires, scores = run_machine(machine, conditions)
    expected = run_slowly(machine, conditions)
    assert fires.tolist() == expected[0]
    assert scores.tolist() == pytest.approx(expected[1])


def test_a_machine_over_signals_and_cues(dialogue):
    machine = StateMachine(
        ["plan", "work", "review"],
        {
            ("plan", "work"): cue("开始吧|let's start"),
            ("work", "review"): (col.question > 0.5) & (col.tokens > 3),
            ("review", "work"): cue("继续"),
        },
    )
    turns = dialogue("计划一下？", "好", "开始吧", "嗯", "行？", "好", "这样对不对？", "对", "继续", "好")
    assert find_boundaries(machine, turns)["position"].to_list() == [2, 6, 8]
    assert find_boundaries(machine.place(min_turns=3), turns)["position"].to_list() == [6]
    assert machine.lookahead == 0
    check_trigger(machine | cue("另外"))


def test_a_machine_looks_ahead_as_far_as_its_conditions():
    assert StateMachine("ab", {("a", "b"): col.shift > 0.5}).lookahead == 1


@pytest.mark.parametrize(
    ("states", "transitions", "error", "message"),
    [
        ([], [], HydralabError, "no states"),
        (["a", "a"], [], HydralabError, "repeat a name"),
        (["a"], [("a", "b", cue("x"))], UnknownNameError, "unknown state 'b'; known: 'a'"),
        (["a"], [("a", "a", col.shift)], HydralabError, "expected a trigger without"),
        (["a"], [("a", "a", cue("x").place())], HydralabError, "expected a trigger without"),
        (["a"], [("a", "a")], HydralabError, r"expected \(from, to, condition\)"),
    ],
)
def test_what_is_no_machine_says_so(states, transitions, error, message):
    with pytest.raises(error, match=message):
        StateMachine(states, transitions)
