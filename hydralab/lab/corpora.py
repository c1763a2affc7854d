"""The dialogues of a lab: what it was given together with what its store holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from hydralab.errors import HydralabError, StoreError, brief, known_names
from hydralab.frames import Corpus, build, validate
from hydralab.privacy.tables import redact_table
from hydralab.schemas import KEYS
from hydralab.stores import Store
from hydralab.stores.events import keep_events
from hydralab.stores.opening import named_file
from hydralab.texts import language

__all__ = [
    "annotated",
    "as_corpus",
    "check_there",
    "check_unchanged",
    "find_dialogue",
    "keep_annotation",
    "keep_corpus",
    "overview",
    "redacted",
]

CORPUS_TABLES = ("dialogues", "turns", "questions", "gold")


def as_corpus(data: Corpus | pl.DataFrame) -> Corpus:
    """Return a corpus; of a turns table alone, with its dialogues listed."""
    if isinstance(data, Corpus):
        return data
    if not isinstance(data, pl.DataFrame):
        raise HydralabError(
            f"Lab: got {brief(data)}, expected a corpus or a turns table: hl.Lab(hl.read_all(path))"
        )
    turns = validate("turns", data)
    return Corpus(dialogues=_listed(turns), turns=turns)


def check_there(store: str | Path | Store) -> None:
    """Refuse a file that isn't there, which would be made and hold nothing.

    Raises
    ------
    StoreError
        Names the file.
    """
    file = named_file(store)
    if file is not None and not file.exists():
        raise StoreError(
            f"Lab: there is no file {file}, expected one that holds dialogues; "
            f"to make it, give what it is to hold: hl.Lab(hl.read_all(path), store={str(store)!r})"
        )


def redacted(corpus: Corpus, kinds: Sequence[str]) -> Corpus:
    """Return a corpus without what is private in its words."""
    tables = ("dialogues", "turns", "questions", "events")
    return replace(corpus, **{name: redact_table(name, getattr(corpus, name), kinds) for name in tables})


def keep_corpus(corpus: Corpus | None, store: Store | None) -> Corpus:
    """Put what was given into the store, and return all that the store holds; without one, what was given.

    A dialogue of which the store has turns alone is listed by how it begins.
    """
    if store is None:
        return corpus or Corpus()
    if corpus is not None:
        with store.transaction():
            for table in CORPUS_TABLES:
                store.append(table, getattr(corpus, table))
            keep_events(store, corpus.events)
    held = {table: store.read(table) for table in (*CORPUS_TABLES, "events")}
    unlisted = held["turns"].join(held["dialogues"], on="dialogue_id", how="anti")
    return Corpus(**held | {"dialogues": pl.concat([held["dialogues"], _listed(unlisted)])})


def _listed(turns: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each dialogue of these turns, with the language of how it begins."""
    listed = turns.group_by("dialogue_id", maintain_order=True).agg(pl.col("text").head(20).str.join("\n"))
    spoken = [language(text) for text in listed["text"]]
    rows = listed.select("dialogue_id").with_columns(pl.Series("language", spoken, dtype=pl.String))
    return build("dialogues", rows)


def annotated(
    corpus: Corpus,
    gold: pl.DataFrame | None,
    questions: pl.DataFrame | None,
    replaced: tuple[str, str | None] | None = None,
) -> Corpus:
    """Return a corpus with marks of a person in it.

    Gold takes the place of what its annotators had marked in its dialogues, and of what the dialogue and
    annotator `replaced` had; a question that of the one with its id; everything else stays.

    Raises
    ------
    FrameError
        A table that isn't as its schema declares, or of a dialogue that isn't there.
    """
    gold = build("gold", [] if gold is None else gold)
    questions = build("questions", [] if questions is None else questions)
    known = corpus.questions["question_id"].implode()
    pairs = gold.select("dialogue_id", "annotator")
    if replaced is not None:
        pairs = pairs.vstack(pl.DataFrame([replaced], schema=pairs.schema, orient="row"))
    changed = corpus.questions.update(questions, on="question_id", include_nulls=True)
    return replace(
        corpus,
        gold=pl.concat(
            [corpus.gold.join(pairs, on=["dialogue_id", "annotator"], how="anti", nulls_equal=True), gold]
        ).sort("dialogue_id", "position", maintain_order=True),
        questions=pl.concat([changed, questions.filter(~pl.col("question_id").is_in(known))]),
    )


def keep_annotation(before: Corpus, after: Corpus, store: Store, dialogue_ids: list[str]) -> None:
    """Write gold and questions of some dialogues into the store, in the place of what it holds of them.

    Raises
    ------
    StoreError
        The store holds something else than `before`: somebody else changed it.
    """
    own = pl.col("dialogue_id").is_in(dialogue_ids)
    with store.transaction():
        for table in ("gold", "questions"):
            check_unchanged(store, table, getattr(before, table).filter(own), dialogue_ids)
            store.replace(table, getattr(after, table).filter(own), dialogue_id=dialogue_ids)


def check_unchanged(store: Store, table: str, known: pl.DataFrame, dialogue_ids: list[str]) -> None:
    """Refuse to write over rows that another lab on the same store has changed since this one read them.

    Raises
    ------
    StoreError
        Names table and dialogue, and says to open the lab again.
    """
    key = list(KEYS[table])
    present = store.read(table, dialogue_id=dialogue_ids)
    if not present.sort(key).equals(known.sort(key)):
        raise StoreError(
            f"{table} of {', '.join(map(repr, dialogue_ids[:3]))} were changed in {store!r} since this lab read them; "
            "open the lab again to go on from there: nothing was written"
        )


def find_dialogue(dialogues: pl.DataFrame, dialogue: str | None) -> str:
    """Return the id of the dialogue that is meant by an id or a title, or by nothing where there is one only.

    Raises
    ------
    HydralabError
        Several and none named (the message lists their titles), several of that title, or none.
    """
    known = dialogues.select("dialogue_id", "title").rows()
    if dialogue is None:
        if len(known) == 1:
            return str(known[0][0])
        listed = ", ".join(repr(title or name) for name, title in known[:12]) or "none"
        raise HydralabError(f"dialogue= is needed, there are {len(known)} dialogues: {listed}")
    if isinstance(dialogue, str) and dialogue in (name for name, _ in known):
        return dialogue
    titled = [name for name, title in known if isinstance(dialogue, str) and title == dialogue]
    if len(titled) > 1:
        raise HydralabError(
            f"{len(titled)} dialogues have the title {dialogue!r}; expected one of their ids: "
            f"{', '.join(map(repr, titled[:12]))}"
        )
    if titled:
        return str(titled[0])
    nearest = known_names(dialogue, [name for pair in known for name in pair if name])[:5]
    raise HydralabError(f"no dialogue {brief(dialogue)}; nearest: {', '.join(map(repr, nearest)) or 'none'}")


def overview(corpus: Corpus) -> pl.DataFrame:
    """Return a row a dialogue: title, language, turns, tokens, time of the first and the last turn, id."""
    counts = corpus.turns.group_by("dialogue_id").agg(
        turns=pl.len().cast(pl.Int64),
        tokens=pl.col("tokens").sum(),
        first_time=pl.col("time").min(),
        last_time=pl.col("time").max(),
    )
    counted = corpus.dialogues.join(counts, on="dialogue_id", how="left", maintain_order="left")
    columns = ("title", "language", "turns", "tokens", "first_time", "last_time", "dialogue_id")
    return counted.with_columns(pl.col("turns", "tokens").fill_null(0)).select(columns)
