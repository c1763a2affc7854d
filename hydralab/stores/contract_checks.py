"""The promises of a store, one check each: a check takes a store and the name of a dialogue of its own.

A check raises AssertionError. `hydralab.stores.contract.check_store` runs them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import polars as pl

from hydralab.frames import build, empty, event
from hydralab.schemas import SCHEMAS
from hydralab.stores.contract_rows import (
    NOON,
    checkpoint_of,
    expect,
    expect_equal,
    refused,
    turns_of,
    vectors_of,
)
from hydralab.stores.protocol import Store

__all__ = ["PROMISES"]


def an_unwritten_table_is_empty(store: Store, dialogue: str) -> None:
    """Every table reads as empty, with the columns of its schema."""
    for table in SCHEMAS:
        if table == "vectors":
            continue
        frame = store.read(table, dialogue_id=dialogue)
        expect(frame.height == 0, f"{table} has {frame.height} rows")
        expect(frame.columns[: len(SCHEMAS[table])] == list(SCHEMAS[table]), f"{table} has {frame.columns}")


def a_table_comes_back_as_it_was(store: Store, dialogue: str) -> None:
    """Text, times, lists, structs and unknown values survive."""
    turns, spans = turns_of(dialogue), checkpoint_of(dialogue)
    happened = build("events", [{**event("store", "ok", dialogue_id=dialogue), "milliseconds": float("inf")}])
    for table, frame in (("turns", turns), ("checkpoints", spans), ("events", happened)):
        store.append(table, frame)
        expect_equal(store.read(table, dialogue_id=dialogue), frame)


def appending_again_changes_nothing(store: Store, dialogue: str) -> None:
    """The same rows with the same content are passed over, beside new ones."""
    turns, spans = turns_of(dialogue), checkpoint_of(dialogue)
    for rows in (turns[:3], turns, turns[2:4]):
        store.append("turns", rows)
    for _ in range(2):
        store.append("checkpoints", spans)
    expect_equal(store.read("turns", dialogue_id=dialogue), turns)
    expect_equal(store.read("checkpoints", dialogue_id=dialogue), spans)


def other_content_is_refused(store: Store, dialogue: str) -> None:
    """A known key with other content is an error that names `replace`, and nothing of the call is kept."""
    turns, spans = turns_of(dialogue), checkpoint_of(dialogue)
    store.append("turns", turns[:2])
    store.append("checkpoints", spans)
    edited = turns.with_columns(text=pl.col("text") + "!")
    with refused("replace"):
        store.append("turns", pl.concat([turns[2:], edited[:1]]).sort("position"))
    with refused("replace"):
        store.append("checkpoints", spans.with_columns(keywords=pl.col("keywords").list.reverse()))
    expect_equal(store.read("turns", dialogue_id=dialogue), turns[:2])


def two_turns_never_share_a_place(store: Store, dialogue: str) -> None:
    """Another turn at a position that is taken is refused."""
    turns = turns_of(dialogue)
    store.append("turns", turns)
    with refused("position 2"):
        store.append("turns", turns[2:3].with_columns(turn_id=pl.lit(f"{dialogue}:other")))


def positions_rise(store: Store, dialogue: str) -> None:
    """Turns that come late are read at their place, dialogues apart."""
    turns, other = turns_of(dialogue), turns_of(f"{dialogue}#2")
    for rows in (turns[3:], other[:2], turns[:3], other[2:]):
        store.append("turns", rows)
    expect_equal(store.read("turns", dialogue_id=[dialogue, f"{dialogue}#2"]), pl.concat([turns, other]))
    expect_equal(store.read("turns", dialogue_id=f"{dialogue}#2"), other)


def the_newest_turns_are_read_alone(store: Store, dialogue: str) -> None:
    """They come in order of position, also after late and edited turns; of no dialogue there are none."""
    turns = turns_of(dialogue)
    expect(store.recent(dialogue, 2).equals(turns[:0]), "there are turns in a dialogue that is not there")
    for rows in (turns[3:], turns[:2]):
        store.append("turns", rows)
        expect_equal(store.recent(dialogue, 1), turns[4:])
    store.append("turns", turns[2:3])
    expect_equal(store.recent(dialogue, 3), turns[2:])
    edited = turns[4:].with_columns(text=pl.lit("edited"))
    store.replace("turns", edited)
    expect_equal(store.recent(dialogue, 9), pl.concat([turns[:4], edited]))
    expect(store.recent(dialogue, 0).height == 0, "no turns were asked for")


def replace_returns_what_was_there(store: Store, dialogue: str) -> None:
    """Rows are replaced in their place; a row that isn't there is refused."""
    turns = turns_of(dialogue)
    store.append("turns", turns)
    edited = turns[1:3].with_columns(text=pl.lit("edited"))
    expect_equal(store.replace("turns", edited), turns[1:3])
    expect_equal(store.read("turns", dialogue_id=dialogue), pl.concat([turns[:1], edited, turns[3:]]))
    with refused("append"):
        store.replace("turns", turns[:1].with_columns(turn_id=pl.lit(f"{dialogue}:none")))


def an_edited_turn_leaves_nothing_stale_behind(store: Store, dialogue: str) -> None:
    """Checkpoints that cover it are stale; its vectors, theirs and those of rounds are gone."""
    turns, spans = turns_of(dialogue), checkpoint_of(dialogue)
    names = [*turns["turn_id"], spans["checkpoint_id"][0], f"{dialogue}:round"]
    store.append("turns", turns)
    store.append("checkpoints", spans)
    store.append("vectors", vectors_of(dialogue, names), model=dialogue)
    store.replace("turns", turns[4:].with_columns(text=pl.lit("outside the span")))
    expect(
        store.read("checkpoints", dialogue_id=dialogue)["status"][0] == "ready", "a span beside it is stale"
    )
    store.replace("turns", turns[1:2].with_columns(text=pl.lit("inside the span")))
    expect(
        store.read("checkpoints", dialogue_id=dialogue)["status"][0] == "stale", "a span over it is not stale"
    )
    left = store.read("vectors", dialogue_id=dialogue, model=dialogue)["item_id"].to_list()
    expect(left == [names[0], *names[2:4]], f"vectors of {left} are left")


def a_dialogue_is_replaced_as_a_whole(store: Store, dialogue: str) -> None:
    """With dialogue_id what the table held of it goes; turns are never thrown away so."""
    other = build("gold", [{"dialogue_id": f"{dialogue}#2", "position": 1}])
    before = build("gold", [{"dialogue_id": dialogue, "position": each} for each in (2, 5)])
    after = build("gold", [{"dialogue_id": dialogue, "position": 3, "annotator": "ann"}])
    store.append("gold", pl.concat([before, other]))
    expect_equal(store.replace("gold", after, dialogue_id=dialogue), before)
    expect_equal(store.read("gold", dialogue_id=dialogue), after)
    expect_equal(store.read("gold", dialogue_id=f"{dialogue}#2"), other)
    with refused("never thrown away"):
        store.replace("turns", empty("turns"), dialogue_id=dialogue)


def a_transaction_is_all_or_nothing(store: Store, dialogue: str) -> None:
    """What raises leaves nothing; what was caught inside leaves only its own part out."""
    turns, spans = turns_of(dialogue), checkpoint_of(dialogue)
    try:
        with store.transaction():
            store.append("turns", turns)
            store.append("checkpoints", spans)
            raise _InterruptionError
    except _InterruptionError:
        pass
    expect(not store.read("turns", dialogue_id=dialogue).height, "turns were kept")
    expect(not store.read("checkpoints", dialogue_id=dialogue).height, "checkpoints were kept")
    with store.transaction():
        store.append("turns", turns[:1])
        with refused("replace"):
            store.append("turns", pl.concat([turns[:1].with_columns(text=pl.lit("edited")), turns[1:]]))
        store.append("turns", turns[:2])
    expect_equal(store.read("turns", dialogue_id=dialogue), turns[:2])


def vectors_are_kept_by_model(store: Store, dialogue: str) -> None:
    """One frame a model; another dimension or an unknown model is refused with both named."""
    small, large = f"{dialogue}:small", f"{dialogue}:large"
    vectors = {small: vectors_of(dialogue, ["a", "b"]), large: vectors_of(dialogue, ["a", "b"], dim=5)}
    for model, frame in vectors.items():
        store.append("vectors", frame, model=model)
        store.append("vectors", frame, model=model)
    for model, frame in vectors.items():
        expect_equal(store.read("vectors", dialogue_id=dialogue, model=model), frame)
    held = store.models()
    expect((held.get(small), held.get(large)) == (3, 5), f"models are {held}")
    with refused("3 dimensions"):
        store.append("vectors", vectors[large], model=small)
    with refused(f"{dialogue}:none"):
        store.read("vectors", model=f"{dialogue}:none")
    with refused("model="):
        store.read("vectors")


def further_columns_grow(store: Store, dialogue: str) -> None:
    """A signal that comes later is null before; its type is kept, another is refused."""
    first = build("signals", [{"dialogue_id": dialogue, "position": 0, "check_store_shift": 0.25}])
    later = build("signals", [{"dialogue_id": dialogue, "position": 1, "check_store_depth": float("nan")}])
    store.append("signals", first)
    store.append("signals", later)
    names = ["dialogue_id", "position", "check_store_shift", "check_store_depth"]
    frame = store.read("signals", dialogue_id=dialogue).select(names)
    expect_equal(frame, pl.concat([first, later], how="diagonal"))
    with refused("check_store_shift"):
        store.append("signals", later.with_columns(pl.col("position") + 1, check_store_shift=pl.lit("high")))


def some_rows_are_selected_alone(store: Store, dialogue: str) -> None:
    """They are those of one dialogue that have the values asked for, the newest of them, in order."""
    turns, spans = turns_of(dialogue), checkpoint_of(dialogue)
    store.append("turns", turns)
    store.append("turns", turns_of(f"{dialogue}#2"))
    store.append("checkpoints", spans)
    names = turns["turn_id"].to_list()
    expect_equal(
        store.select("turns", dialogue, where={"turn_id": [names[3], names[1], "none"]}), turns[1:4:2]
    )
    expect_equal(store.select("turns", dialogue, where={"role": ["user"]}, newest=2), turns[2:5:2])
    expect_equal(store.select("turns", dialogue, where={"position": [1, 2], "role": ["user"]}), turns[2:3])
    expect_equal(store.select("checkpoints", dialogue, where={"status": ["ready"]}, newest=1), spans)
    none = store.select("turns", dialogue, where={"position": []})
    expect(not none.height, "turns were selected with no position")
    expect(not store.select("turns", dialogue, newest=0).height, "turns were selected, the newest none")
    with refused("text"):
        store.select("turns", dialogue, where={"text": ["40 万"]})


def the_nearest_vectors_come_first(store: Store, dialogue: str) -> None:
    """They are of one model, of the kinds and dialogues asked for; of equal ones the first that was appended."""
    other, names = f"{dialogue}#2", [f"{dialogue}:{each}" for each in (0, 1, 2, 3, "round")]
    rows = np.array([[0, 1, 0], [3, 4, 0], [3, 4, 0], [0, 0, 0], [1, 0, 0]], np.float32)
    vectors = vectors_of(dialogue, names).with_columns(vector=rows)
    elsewhere = vectors_of(other, [f"{other}:0"]).with_columns(vector=np.array([[2, 0, 0]], np.float32))
    store.append("vectors", pl.concat([vectors, elsewhere]), model=dialogue)
    asked = {"model": dialogue, "dialogue_id": dialogue}
    found = store.nearest([2, 0, 0], 4, kind="turn", **asked)
    expect(found["item_id"].to_list() == [names[each] for each in (1, 2, 0, 3)], f"nearest are {found}")
    expect(np.allclose(found["score"], [0.6, 0.6, 0, 0], atol=1e-6), f"scores are {found['score'].to_list()}")
    both = store.nearest(np.array([2, 0, 0]), 2, model=dialogue, dialogue_id=[dialogue, other])
    expect(both["item_id"].to_list() == [names[4], f"{other}:0"], f"nearest of two dialogues are {both}")
    expect(both["item_kind"].to_list() == ["round", "turn"], f"kinds are {both}")
    expect(not store.nearest([2, 0, 0], 2, model=dialogue, dialogue_id=[]).height, "no dialogue has some")
    for wrong, word in (
        ([1.0, 2.0], "3"),
        ([float("nan"), 0, 0], "nan"),
        ([[1, 0, 0]], "shape"),
        ("a", "shape"),
    ):
        with refused(word):
            store.nearest(wrong, 1, **asked)
    with refused(f"{dialogue}:none"):
        store.nearest([2, 0, 0], 1, model=f"{dialogue}:none")


def bad_tables_are_refused(store: Store, dialogue: str) -> None:
    """What `validate` refuses never gets in."""
    turns = turns_of(dialogue)
    naive = turns.with_columns(time=pl.lit(NOON.replace(tzinfo=None)))
    for table, frame in (("turns", naive), ("turns", turns.drop("round")), ("turn", turns)):
        with refused(table):
            store.append(table, frame)
    expect(not store.read("turns", dialogue_id=dialogue).height, "a bad table was kept")


PROMISES: Mapping[str, Callable[[Store, str], None]] = MappingProxyType(
    {
        check.__name__: check
        for check in (
            an_unwritten_table_is_empty,
            a_table_comes_back_as_it_was,
            appending_again_changes_nothing,
            other_content_is_refused,
            two_turns_never_share_a_place,
            positions_rise,
            the_newest_turns_are_read_alone,
            replace_returns_what_was_there,
            an_edited_turn_leaves_nothing_stale_behind,
            a_dialogue_is_replaced_as_a_whole,
            a_transaction_is_all_or_nothing,
            vectors_are_kept_by_model,
            some_rows_are_selected_alone,
            the_nearest_vectors_come_first,
            further_columns_grow,
            bad_tables_are_refused,
        )
    }
)
"""Name → check(store, a dialogue of its own); a check raises AssertionError."""


class _InterruptionError(Exception):
    """Raised inside a transaction to undo it."""
