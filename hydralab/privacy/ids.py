"""Ids that say nothing, in the place of those that say something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b

import polars as pl

from hydralab.errors import HydralabError, check_kind, check_value
from hydralab.frames import Corpus

__all__ = ["hashed_ids"]

PLAIN = ("dialogue_id", "user_id", "session", "question_id")
LISTS = {"evidence": True, "evidence_sessions": False}
"""Column → whether it holds ids of turns."""

LONGEST_KEY = 64
"""Bytes that BLAKE2 takes."""


def hashed_ids(corpus: Corpus, key: str) -> Corpus:
    """Return a corpus whose dialogues, users, sessions, turns and questions are known by keyed hashes of their ids.

    Ids are never redacted or encrypted, and some readers take them from names of files, channels and people. The
    same ids and key give the same hashes, so that what is read again is known again.

    Parameters
    ----------
    corpus
        As it was read.
    key
        A secret: who knows it can try names against the hashes.

    Raises
    ------
    HydralabError
        No corpus, or a key that is empty or longer than 64 bytes.

    Notes
    -----
    BLAKE2b with a key, 96 bits. Titles stay; a store hides them where it is encrypted. A detail of an event may name
    an id, so events are left out.

    >>> import hydralab as hl
    >>> corpus = hl.read_all(hl.example("launch_en"))
    >>> hashed = hashed_ids(corpus, "a secret")
    >>> len(hashed.dialogues["dialogue_id"].item()), hashed.turns["text"].equals(corpus.turns["text"])
    (24, True)
    """
    check_kind("hashed_ids: corpus", corpus, Corpus, "a corpus, such as hl.read_all returns")
    check_value("hashed_ids: key", key, "str")
    if not 0 < len(key.encode()) <= LONGEST_KEY:
        raise HydralabError(
            f"hashed_ids: key has {len(key.encode())} bytes, expected a secret of 1 to {LONGEST_KEY}"
        )

    def hashed(name: str) -> str:
        return blake2b(name.encode(), digest_size=12, key=key.encode()).hexdigest()

    owners = dict(corpus.turns.select("turn_id", "dialogue_id").iter_rows())

    def hashed_turn(name: str) -> str:
        # A turn's id begins with that of its dialogue, as stores look for it there first.
        return f"{hashed(owners.get(name, name.rpartition(':')[0]))}:{hashed(name)}"

    tables = {
        table: _renamed(getattr(corpus, table), hashed, hashed_turn)
        for table in ("dialogues", "turns", "questions", "gold")
    }
    return replace(corpus, **tables, events=corpus.events.clear())


def _renamed(
    frame: pl.DataFrame, hashed: Callable[[str], str], hashed_turn: Callable[[str], str]
) -> pl.DataFrame:
    columns = [_mapped(frame[name], hashed) for name in PLAIN if name in frame.columns]
    if "turn_id" in frame.columns:
        columns.append(_mapped(frame["turn_id"], hashed_turn))
    for name, of_turns in LISTS.items():
        if name in frame.columns:
            change = hashed_turn if of_turns else hashed
            lists = [None if each is None else [change(part) for part in each] for each in frame[name]]
            columns.append(pl.Series(name, lists, dtype=frame.schema[name]))
    return frame.with_columns(columns)


def _mapped(column: pl.Series, change: Callable[[str], str]) -> pl.Series:
    values = [None if name is None else change(name) for name in column]
    return pl.Series(column.name, values, dtype=column.dtype)
