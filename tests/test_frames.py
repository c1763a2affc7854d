from datetime import UTC, datetime

import polars as pl
import pytest

from hydralab.errors import FrameError
from hydralab.frames import KEYS, SCHEMAS, build, empty, event, number_rounds, validate
from hydralab.readers import example, read_all


def turns(**changed):
    columns = {
        "dialogue_id": ["d", "d"], "turn_id": ["d:0", "d:1"], "position": [0, 1], "round": [0, 0],
        "role": ["user", "assistant"], "text": ["hi", "hello"], "tokens": [1, 1],
    }  # fmt: skip
    return pl.DataFrame({**columns, **changed})


@pytest.mark.parametrize("table", SCHEMAS)
def test_an_empty_table_is_valid(table):
    frame = empty(table)
    assert validate(table, frame).equals(frame)
    assert build(table, []).columns == list(SCHEMAS[table])


@pytest.mark.parametrize("table", SCHEMAS)
def test_a_key_names_columns_of_its_table(table):
    assert set(KEYS[table]) <= set(SCHEMAS[table])


def test_build_fills_the_columns_that_rows_do_not_name():
    frame = build("turns", turns())
    assert frame.columns == list(SCHEMAS["turns"])
    assert frame["time"].dtype == pl.Datetime("us", "UTC")
    assert frame["speaker"].to_list() == [None, None]


def test_a_row_of_events_is_a_row_of_events():
    rows = build("events", [event("read", "failed", detail="line 3: no role")])
    assert rows["detail"].to_list() == ["line 3: no role"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"position": [0, "1"]}, None),
        ({"position": ["0", "1"]}, r"turns: column 'position' is String, expected Int64"),
        (
            {"turn_id": ["d:0", "d:0"]},
            r"turns: column 'turn_id', row 0: 'd:0' stands more than once, expected unique",
        ),
        ({"turn_id": ["d:0", None]}, r"turns: column 'turn_id', row 1: null, expected a value"),
        (
            {"position": [1, 0]},
            r"turns: column 'position', row 1: 0, expected positions from 0 that rise within",
        ),
        ({"position": [1, 1]}, r"turns: column 'position', row 1"),
        ({"position": [-1, 0]}, r"turns: column 'position', row 0: -1"),
        ({"role": ["user", "robot"]}, r"turns: column 'role', row 1: 'robot', expected one of system, user"),
        ({"txt": ["a", "b"]}, r"turns: unknown column 'txt'; nearest: 'text'"),
        ({"tokens": [1.5, 2.0]}, r"turns: column 'tokens' is Float64, expected Int64"),
        ({"time": [datetime(2026, 1, 1), None]}, r"turns: column 'time' is Datetime.*expected Datetime.*UTC"),
    ],
)
def test_what_is_wrong_is_named_with_table_column_row_and_what_was_expected(changed, message):
    if message is None:
        with pytest.raises(TypeError):
            turns(**changed)
        return
    with pytest.raises(FrameError, match=message):
        build("turns", turns(**changed))


def test_turns_of_a_dialogue_that_stand_apart_are_refused():
    frame = turns(dialogue_id=["a", "b"], turn_id=["a:0", "b:0"], position=[0, 0])
    frame = build("turns", frame)
    again = frame.head(1).with_columns(turn_id=pl.lit("a:1"), position=pl.lit(1, pl.Int64))
    assert validate("turns", pl.concat([frame.head(1), again, frame.tail(1)])).height == 3
    with pytest.raises(FrameError, match="column 'dialogue_id', row 2: dialogue 'a' goes on after another"):
        validate("turns", pl.concat([frame, again]))


def test_a_missing_column_is_named():
    with pytest.raises(FrameError, match="turns: column 'session' is missing; expected dialogue_id, session"):
        validate("turns", turns())


def test_a_table_that_is_none_is_refused():
    with pytest.raises(FrameError, match="gold: expected a polars DataFrame, got list"):
        validate("gold", [])
    with pytest.raises(FrameError, match="unknown table 'turn'; known: 'turns'"):
        empty("turn")


def test_a_span_that_ends_before_it_starts_is_refused():
    row = {"checkpoint_id": "c", "dialogue_id": "d", "start": 4, "end": 3, "status": "ready"}
    with pytest.raises(FrameError, match="checkpoints: column 'end', row 0: 3, expected at least start 4"):
        build("checkpoints", [row])


def test_signals_take_a_column_a_signal():
    frame = build("signals", [{"dialogue_id": "d", "position": 0, "shift": 0.5}])
    assert frame["shift"].to_list() == [0.5]


def test_aware_times_are_utc():
    """FAULTS 24."""
    when = datetime(2026, 3, 2, 9, tzinfo=UTC)
    assert (
        build("turns", turns().with_columns(time=pl.lit(when, dtype=SCHEMAS["turns"]["time"])))["time"][0]
        == when
    )


@pytest.mark.parametrize(
    ("roles", "speakers", "rounds"),
    [
        ([], [], []),
        (["assistant", "user", "assistant"], [None] * 3, [0, 0, 0]),
        (["user", "user", "assistant"], [None] * 3, [0, 1, 1]),
        (["user", "user", "assistant", "user"], ["a", "b", None, "a"], [0, 1, 1, 2]),
        (["user"] * 10, list("abcdefghij"), [0] * 8 + [1] * 2),
        (["user"] * 3, ["a", "b", "a"], [0, 0, 1]),
    ],
)
def test_rounds(roles, speakers, rounds):
    assert number_rounds(roles, speakers) == rounds


def test_a_corpus_selects_dialogues_by_id():
    corpus = read_all(example("launch_zh"))
    assert corpus.select("launch_zh").turns.equals(corpus.turns)
    with pytest.raises(FrameError, match="no dialogue 'launch'; nearest: 'launch_zh'"):
        corpus.select("launch")
