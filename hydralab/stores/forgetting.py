"""What has to go when something is forgotten, and what may not come back; the same on every store.

A dialogue goes with every row that is of it. A turn's row stays where it is, empty, since the positions of
the others are counted from it; what was made of it goes: vectors, facts, verdicts, gold questions, rows of
prompts, entities and relations, signals of its dialogue, the title that was taken from it, settings of its
dialogue that quote it, and the words of the checkpoints that cover it, which stay as stale spans.
A fact goes with its vectors and the rows of prompts that held it; the turns that it came from stay. A user
goes with their dialogues, facts and documents. Rows of others don't change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree

import polars as pl

from hydralab.errors import StoreError, check_value
from hydralab.schemas import SCHEMAS, TEXTS
from hydralab.stores.protocol import Store
from hydralab.stores.row_rules import own_place
from hydralab.stores.tombstones import Removal, Tombstone, Values, holds
from hydralab.texts import normalise

__all__ = [
    "RECEIPT",
    "Erase",
    "Target",
    "drop_caches",
    "find_target",
    "forget_rows",
    "receipt",
]

RECEIPT = {"place": pl.String, "kind": pl.String, "rows": pl.Int64, "detail": pl.String}
"""Columns of a receipt: what was touched; a table, index, cache, file, log or tombstone; how many rows; a remark."""

Erase = Callable[[str, Removal, str | None], int]
"""(table, removal, model) → how many rows were deleted."""

LEAST_QUOTED = 4
"""Characters from which the text of a turn is looked for in titles, settings and the details of events."""


@dataclass(frozen=True)
class Target:
    """What is to be forgotten, and what was made of it.

    Attributes
    ----------
    tombstones
        What gets a tombstone.
    dialogues, users
        Ids of those that go as a whole.
    turns
        The turns that are emptied, as the store holds them.
    spans
        The checkpoints that cover these and lose their words, as the store holds them.
    items
        Ids of turns, facts, checkpoints and rounds that go, or whose vectors do.
    memories
        Ids of facts that go.
    """

    tombstones: tuple[Tombstone, ...]
    dialogues: Values
    users: Values
    turns: pl.DataFrame
    spans: pl.DataFrame
    items: Values
    memories: Values

    @property
    def reach(self) -> list[str]:
        """The dialogues of which a row changes."""
        return sorted({*self.dialogues, *self.turns["dialogue_id"].unique()})


def find_target(
    store: Store, *, dialogue: str | None, turn: str | None, memory: str | None, user: str | None
) -> Target:
    """Return what is meant by exactly one of these ids, and what derives from it.

    Raises
    ------
    StoreError
        None of them is given, or several.
    """
    given = {"dialogue": dialogue, "turn": turn, "memory": memory, "user": user}
    named = {kind: name for kind, name in given.items() if name is not None}
    if len(named) != 1:
        raise StoreError(
            f"forget: got {', '.join(named) or 'nothing'}, expected one of dialogue=, turn=, memory=, user="
        )
    ((kind, name),) = named.items()
    check_value(f"forget: {kind}", name, "str")
    tombstones = [Tombstone(kind, name)]
    dialogues, users = {name} if kind == "dialogue" else set(), {name} if kind == "user" else set()
    if kind == "user":
        owned = store.read("dialogues").filter(pl.col("user_id") == name)["dialogue_id"]
        dialogues = {*owned, own_place(name)}
        tombstones += [Tombstone("dialogue", each) for each in sorted(dialogues)]
    turns = (
        store.read("turns", dialogue_id=sorted(dialogues))
        if dialogues
        else store.read("turns", dialogue_id=[])
    )
    gone = set(turns["turn_id"])
    emptied = turns.clear()
    if kind == "turn":
        emptied = _turn(store, name)
        gone.add(name)
        tombstones = [
            Tombstone(kind, name, *place) for place in emptied.select("dialogue_id", "position").rows()
        ] or tombstones
    beside = emptied["dialogue_id"].to_list()
    spans = store.read("checkpoints", dialogue_id=[*dialogues, *beside])
    covering = pl.lit(False)
    for where, position in emptied.select("dialogue_id", "position").rows():
        covering |= (pl.col("dialogue_id") == where) & pl.lit(position).is_between("start", "end")
    covers = spans.filter(covering)
    of_gone = set(spans.filter(pl.col("dialogue_id").is_in(list(dialogues)))["checkpoint_id"])
    memories = _memories(store, name if kind == "memory" else None, dialogues, users, gone, beside)
    if kind == "memory":
        tombstones = []
    tombstones += [Tombstone("memory", each, where) for each, where in memories.items()]
    rounds = _rounds(store, beside)
    passages = store.read("documents").filter(
        pl.col("user_id").is_in(list(users)) | pl.col("dialogue_id").is_in(list(dialogues))
    )["passage_id"]
    return Target(
        tombstones=tuple(tombstones),
        dialogues=frozenset(dialogues),
        users=frozenset(users),
        turns=emptied,
        spans=covers,
        items=frozenset({*gone, *memories, *of_gone, *covers["checkpoint_id"], *rounds, *passages}),
        memories=frozenset(memories),
    )


def forget_rows(store: Store, target: Target, erase: Erase) -> pl.DataFrame:
    """Delete and empty what a target is, within the transaction that is open, and return the receipt of it."""
    # An emptied turn takes its vectors along, so these go first, to be counted.
    removals = {table: _meant(removal) for table, removal in _removals(target).items()}
    lines: list[tuple[str, str, int, str | None]] = [
        (f"vectors of {model}", "index", erase("vectors", removals["vectors"], model), None)
        for model in store.models()
    ]
    if target.turns.height:
        _empty(store, "turns", target.turns)
        lines.append(("turns", "table", target.turns.height, "emptied; the row keeps the place"))
    if target.spans.height:
        _empty(store, "checkpoints", target.spans)
        lines.append(("checkpoints", "table", target.spans.height, "words taken out; stale"))
    lines += _take_quotes(store, target, erase)
    for table, removal in reversed(removals.items()):  # dialogues, which own the rest, last
        if removal and table != "vectors":
            lines.append((table, "table", erase(table, removal, None), None))
    touched = [line for line in lines if line[2]]
    late = "late writes are dropped" if touched else "nothing of this id was there; late writes are dropped"
    return receipt([*touched, ("tombstones", "tombstone", len(target.tombstones), late)])


def drop_caches(folder: Path | None) -> list[tuple[str, str, int, str | None]]:
    """Delete indexes and the like that a store keeps beside its tables, and return lines of the receipt."""
    if folder is None or not folder.is_dir():
        return []
    files = sum(path.is_file() for path in folder.rglob("*"))
    rmtree(folder)
    return [(folder.name, "cache", files, "files deleted; made again of what is left")]


def receipt(lines: Sequence[tuple[str, str, int, str | None]]) -> pl.DataFrame:
    """Return lines of (place, kind, rows, remark) as a receipt."""
    return pl.DataFrame(list(lines), schema=RECEIPT, orient="row")


def _turn(store: Store, name: str) -> pl.DataFrame:
    turns = store.read("turns", dialogue_id=name.rpartition(":")[0]).filter(pl.col("turn_id") == name)
    return turns if turns.height else store.read("turns").filter(pl.col("turn_id") == name)


def _memories(
    store: Store,
    name: str | None,
    dialogues: set[str],
    users: set[str],
    turns: set[str],
    beside: Sequence[str],
) -> dict[str, str | None]:
    """Return the ids of the facts that go, each with its dialogue."""
    known = store.read("memories")
    gone = (
        (pl.col("memory_id") == pl.lit(name, pl.String)).fill_null(False)
        | pl.col("dialogue_id").is_in(list(dialogues)).fill_null(False)
        | pl.col("user_id").is_in(list(users)).fill_null(False)
    )
    if turns:
        gone |= holds("memories", "source_turn_ids", frozenset(turns))
    # What says not where it is from may be from the turn.
    unsaid = pl.col("source_turn_ids").list.len().fill_null(0) == 0
    gone |= pl.col("dialogue_id").is_in(list(beside)).fill_null(False) & unsaid
    unknown: dict[str, str | None] = {} if name is None else {name: None}
    return unknown | dict(known.filter(gone).select("memory_id", "dialogue_id").iter_rows())


def _rounds(store: Store, dialogues: Sequence[str]) -> list[str]:
    if not dialogues:
        return []
    kept = [store.read("vectors", dialogue_id=list(dialogues), model=model) for model in store.models()]
    return [name for frame in kept for name in frame.filter(pl.col("item_kind") == "round")["item_id"]]


def _removals(target: Target) -> dict[str, Removal]:
    """Return for each table what goes from it; facts and vectors before what they hang on."""
    whole, turns = target.dialogues, target.items
    beside = frozenset(target.turns["dialogue_id"])
    removals: dict[str, dict[str, Values]] = {table: {"dialogue_id": whole} for table in SCHEMAS}
    removals["signals"] = {"dialogue_id": whole | beside}
    for table in ("dialogues", "documents", "memories"):
        removals[table]["user_id"] = target.users
    removals["memories"]["memory_id"] = target.memories
    removals["vectors"]["item_id"] = target.items
    removals["questions"]["evidence"] = turns
    removals["candidates"] |= {"item_id": target.items, "query_id": turns}
    removals["context"] |= {"item_id": target.items, "query_id": turns, "source_turn_ids": turns}
    removals["verdicts"] |= {"item_ids": target.items, "used_ids": target.items, "query_id": turns}
    removals["events"]["item_id"] = target.items
    removals["entities"]["source_turn_ids"] = turns
    removals["relations"]["turn_id"] = turns
    removals["steps"]["query_id"] = turns
    return removals  # type: ignore[return-value]


def _meant(removal: Removal) -> Removal:
    """Return the columns of a removal that name something."""
    return {column: values for column, values in removal.items() if values}


def _take_quotes(store: Store, target: Target, erase: Erase) -> list[tuple[str, str, int, str | None]]:
    """Take out what quotes a turn that goes: the title, settings and events of its dialogue, events of none."""
    if not target.turns.height:
        return []
    beside = target.turns["dialogue_id"].unique().to_list()
    texts = [text for text in target.turns["text"] if len(text) >= LEAST_QUOTED]
    titled = store.read("dialogues", dialogue_id=beside)
    places = [*beside, *(own_place(each) for each in titled["user_id"].drop_nulls().unique())]
    titles = titled.filter([any(_is_of(title, text) for text in texts) for title in titled["title"]])
    store.replace("dialogues", titles.with_columns(title=pl.lit(None, pl.String)))
    lines: list[tuple[str, str, int, str | None]] = [("dialogues", "table", titles.height, "title taken out")]

    settings = store.read("settings", dialogue_id=places)
    quoting = settings.filter(
        _holds_any("value", [json.dumps(normalise(each))[1:-1] for each in texts] + texts)
    )
    if quoting.height:
        kept = settings.join(quoting, on=("dialogue_id", "name"), how="anti")
        store.replace("settings", kept, dialogue_id=places)
    lines.append(("settings", "table", quoting.height, None))

    # An event of the dialogue that is of no item may quote what the turn said before it was edited.
    events = store.read("events")
    quoted = _holds_any("detail", texts)
    untold = (
        pl.col("item_id").is_null() & pl.col("detail").is_not_null() & pl.col("dialogue_id").is_in(beside)
    )
    theirs = events.filter(pl.col("dialogue_id").is_in(places))
    kept = theirs.filter(~(quoted | untold))
    if kept.height < theirs.height:
        store.replace("events", kept, dialogue_id=places)
    lines.append(("events", "table", theirs.height - kept.height, None))
    nowhere = frozenset(events.filter(pl.col("dialogue_id").is_null() & quoted)["detail"])
    others = frozenset(events.filter(pl.col("dialogue_id").is_not_null())["detail"].drop_nulls())
    if nowhere - others:
        lines.append(
            ("events", "table", erase("events", {"detail": nowhere - others}, None), "of no dialogue")
        )
    return lines


def _is_of(title: str | None, text: str) -> bool:
    """Say whether a title quotes a text, or is how it begins."""
    stem, whole = normalise((title or "").rstrip("…")), normalise(text)
    return len(stem) >= LEAST_QUOTED and (whole.startswith(stem) or whole in stem)


def _holds_any(column: str, texts: Sequence[str]) -> pl.Expr:
    found = (pl.col(column).str.contains(text, literal=True) for text in texts)
    return pl.any_horizontal(pl.lit(False), *found).fill_null(False)


def _empty(store: Store, table: str, rows: pl.DataFrame) -> None:
    blank = {name: pl.lit(None, dtype=rows.schema[name]) for name in TEXTS[table]}
    if table == "turns":
        blank |= {"text": pl.lit(""), "tokens": pl.lit(0, pl.Int64)}
    else:
        blank |= {"status": pl.lit("stale"), "source_hash": pl.lit(None, pl.String)}
    store.replace(table, rows.with_columns(**blank))
