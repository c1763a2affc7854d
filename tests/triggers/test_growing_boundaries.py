"""What a trigger decides as turns come is what it decides over all of them, as a running dialogue would."""

from datetime import UTC, datetime, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.frames import build
from hydralab.signals import default_signals
from hydralab.triggers import TRIGGERS, find_boundaries, resolve_trigger
from hydralab.triggers.growing_boundaries import GrowingBoundaries, can_grow
from hydralab.triggers.recomputed_boundaries import RecomputedBoundaries

GROWING = (
    "default",
    '((hl.col.shift > 0.8) | hl.cue("换个话题|by the way")).place(min_turns=4, max_turns=40)',
    '(hl.col.depth > 0.2) & ~hl.cue("好|ok", cut="after")',
    'hl.cue("好|ok", role=None, cut="after").place(min_turns=2)',
    '(hl.col.shift_long > 0.9).place(max_turns=7, align="turn")',
    "hl.get_trigger('change_points', lookahead=0, scale='unit') | (hl.col.question > 0.5)",
    "((hl.col.tokens > 20) & (hl.col.gap_seconds > 60)).place(min_turns=2, max_turns=9)",
    "hl.get_trigger('drift').place(max_turns=12)",
    "hl.StateMachine('ab', [('a', 'b', hl.col.shift > 0.8), ('b', 'a', hl.cue('好|ok') & (hl.col.tokens < 30))])",
)


@pytest.fixture(scope="module", params=["long_zh", "launch_en"])
def material(request):
    turns = hl.read(hl.example(request.param)).head(260)
    return turns, hl.embed(turns["text"].to_list()).vectors


@pytest.mark.parametrize("text", GROWING)
def test_turn_by_turn_or_all_at_once_it_is_the_same(text, material):
    turns, vectors = material
    signals, trigger = default_signals(), resolve_trigger(text)
    assert can_grow(trigger, signals)
    wanted = find_boundaries(trigger, turns, vectors, signals=signals, closed=False)
    whole = GrowingBoundaries(trigger, signals).extend(turns, vectors)
    assert whole.equals(wanted)
    growing, steps = GrowingBoundaries(trigger, signals), []
    for end in [1, 2, 3, *range(10, turns.height), turns.height]:
        fresh = growing.extend(turns.head(end), vectors[:end])
        assert (fresh["decided_at"] < end).all()
        steps.append(fresh)
    assert pl.concat(steps).equals(wanted)


@pytest.mark.parametrize(
    "trigger",
    [
        hl.expr(pl.col("tokens").cum_sum() > 400, lookahead=0),
        hl.StateMachine("ab", {("a", "b"): hl.expr(pl.col("tokens").cum_sum() > 400, lookahead=0)}),
        hl.get_trigger("change_points"),  # sees the whole dialogue
    ],
)
def test_what_may_look_back_to_the_first_turn_is_told(trigger):
    assert not can_grow(trigger, default_signals())


def test_a_turn_without_a_vector_is_no_obstacle(material):
    turns, vectors = material
    vectors = vectors.copy()
    vectors[[5, 9]] = 0
    vectors[12] = np.nan
    trigger, signals = resolve_trigger("default"), default_signals()
    growing = GrowingBoundaries(trigger, signals)
    found = [growing.extend(turns.head(end), vectors[:end]) for end in range(1, 21)]
    wanted = find_boundaries(trigger, turns.head(20), vectors[:20], signals=signals, closed=False)
    assert pl.concat(found).equals(wanted)


@pytest.fixture(scope="module")
def steps():
    """Functions that go turn by turn: with a state that is changed in place, with signals, with vectors."""
    before = set(TRIGGERS)

    @hl.step_trigger(init=[], name="steps_seen")
    def seen(texts, row, *, often=3):
        texts.append(row["text"])
        count = texts.count(row["text"])
        return texts, count % often == 0, min(count / 9, 1.0)

    @hl.step_trigger(init=0.0, reads=("shift", "gap_seconds"), name="steps_signals")
    def signals(total, row):
        total += (row["shift"] or 0.0) + (row["gap_seconds"] is not None)
        return (0.0, True, 1.0) if total > 4 else (total, False, total / 4)

    @hl.step_trigger(init=None, vectors=True, name="steps_vectors")
    def vectors(last, row):
        cosine = 1.0 if last is None else float(last @ row["vector"])
        return row["vector"], cosine < 0, (1 - cosine) / 2

    yield seen, signals, vectors
    for name in set(TRIGGERS) - before:
        del TRIGGERS._entries[name]


@pytest.fixture(scope="module")
def looking_back():
    """What may look back to the first turn, and ahead: expressions, and functions of all signals."""
    before = set(TRIGGERS)

    @hl.trigger(lookahead=1, reads=("gap_seconds", "shift"), name="back_expression")
    def expression(signals, *, seconds=60.0):
        return (pl.col("gap_seconds") > seconds) & (pl.col("shift").cum_max() < 1)

    @hl.trigger(lookahead=0, reads=("tokens",), name="back_column")
    def column(signals):
        return signals["tokens"] > signals["tokens"].cum_sum() / (signals["position"] + 1)

    @hl.trigger(lookahead=0, reads=("tokens", "shift_long"), name="back_trigger")
    def tree(signals):
        return (hl.col.tokens > 3) | (hl.col.shift_long > 0.7)

    ahead = pl.col("shift").shift(-2) > pl.col("shift_raw")
    yield (
        expression, column, tree, hl.expr(ahead, lookahead=2),
        hl.expr(pl.col("turn_length").shift(-1) + pl.col("tokens").cum_sum() > 40, lookahead=1),
    )  # fmt: skip
    for name in set(TRIGGERS) - before:
        del TRIGGERS._entries[name]


def triggers(functions):
    """Trees of these functions and of what else grows."""
    compared = st.builds(
        lambda column, above, threshold: column > threshold if above else column < threshold,
        st.sampled_from(
            [hl.col.tokens, hl.col.gap_seconds, hl.col.turn_length, hl.col.shift, hl.col.shift_long]
        ),
        st.booleans(),
        st.sampled_from([0.2, 0.8, 1.0]),
    )
    longer = st.sampled_from([hl.col.tokens > 4, hl.col.gap_seconds > 90, hl.col.depth > 0.2])
    cues = st.builds(
        hl.cue, st.sampled_from(["a", "b|c"]), role=st.sampled_from(["user", None]),
        cut=st.sampled_from(["before", "after"]),
    )  # fmt: skip

    def joined(parts):
        ends = st.sampled_from([("a", "b"), ("b", "a"), ("b", "c"), ("c", "a"), ("a", "a")])
        return st.one_of(
            st.tuples(parts, parts).map(lambda pair: pair[0] & pair[1]),
            st.tuples(parts, parts).map(lambda pair: pair[0] | pair[1]),
            parts.map(lambda part: ~part),
            st.lists(st.tuples(ends, parts), min_size=1, max_size=4).map(
                lambda moves: hl.StateMachine("abc", [(*pair, part) for pair, part in moves])
            ),
        )

    trees = st.recursive(st.one_of(compared, longer, cues, st.sampled_from(functions)), joined, max_leaves=5)
    placed = st.builds(
        lambda tree, least, more, align: tree.place(
            min_turns=least, max_turns=None if more is None else least + more, align=align
        ),
        trees, st.integers(1, 4), st.sampled_from([None, 0, 3, 9]), st.sampled_from(["round", "turn"]),
    )  # fmt: skip
    return st.one_of(trees, placed)


def random_dialogue(random, count):
    """Turns of uneven rounds, some without a time, and their vectors, some unknown."""
    rounds = np.cumsum(random.choice([0, 0, 1, 1, 1, 2], count))
    times = datetime(2026, 3, 2, tzinfo=UTC) + np.cumsum(random.integers(0, 200, count)) * timedelta(
        seconds=1
    )
    rows = [
        {
            "dialogue_id": "d", "turn_id": f"d:{i}", "position": i, "round": int(rounds[i]),
            "role": str(random.choice(["user", "assistant"])), "text": "".join(random.choice(list("abcd?"), 3)),
            "tokens": int(random.integers(0, 9)), "time": times[i] if random.random() < 0.9 else None,
        }
        for i in range(count)
    ]  # fmt: skip
    vectors = random.standard_normal((count, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors[random.random(count) < 0.05] = np.nan
    return build("turns", rows), vectors


@settings(deadline=None, max_examples=60)
@given(st.data(), st.integers(0, 2**32 - 1), st.integers(1, 90))
def test_any_tree_grows_to_what_it_is_of_all_turns(steps, data, seed, count):
    trigger, signals = data.draw(triggers(steps)), default_signals()
    random = np.random.default_rng(seed)
    turns, vectors = random_dialogue(random, count)
    assert can_grow(trigger, signals)
    growing, parts = GrowingBoundaries(trigger, signals), []
    ends = np.unique([*random.integers(1, count + 1, min(count, 25)), count]).tolist()
    for end in ends:
        parts.append(growing.extend(turns.head(end), vectors[:end]))
        wanted = find_boundaries(trigger, turns.head(end), vectors[:end], signals=signals, closed=False)
        assert pl.concat(parts).equals(wanted)


@settings(deadline=None, max_examples=40)
@given(st.data(), st.integers(0, 2**32 - 1), st.integers(1, 60))
def test_any_tree_over_signals_that_grow_is_what_it_is_over_those_of_all_turns(
    looking_back, data, seed, count
):
    trigger, signals = data.draw(triggers(looking_back)), default_signals()
    random = np.random.default_rng(seed)
    turns, vectors = random_dialogue(random, count)
    growing = RecomputedBoundaries(trigger, signals)
    for end in np.unique([*random.integers(1, count + 1, min(count, 15)), count]).tolist():
        found = growing.find(turns.head(end), vectors[:end])
        wanted = find_boundaries(trigger, turns.head(end), vectors[:end], signals=signals, closed=False)
        assert found.equals(wanted)


def test_a_step_that_fails_once_is_gone_through_again_from_the_first_turn(registered, dialogue, topics):
    fails_next = [False, True]

    @hl.step_trigger(init=[], name="fails_once")
    def fails(texts, row):
        texts.append(row["text"])
        if row["text"] == "c" and fails_next.pop():
            raise ValueError("no")
        return texts, len(texts) == 4, 1.0

    turns, vectors, growing = dialogue(*"abcde"), topics(5), GrowingBoundaries(fails, default_signals())
    assert not growing.extend(turns.head(2), vectors[:2]).height
    with pytest.raises(HydralabError, match="'fails_once' raised ValueError in dialogue 'd': no"):
        growing.extend(turns.head(3), vectors[:3])
    assert growing.extend(turns, vectors)["position"].to_list() == [3]
