"""The documents of a lab: read, cut into passages, kept with their vectors, and shown to the dialogues they are for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.encoders.turn_vectors import TurnVectors
from hydralab.errors import FrameError, HydralabError, ReadError, brief, check_value
from hydralab.frames import build, empty, event
from hydralab.privacy import redact
from hydralab.readers.documents import Document, read_documents
from hydralab.recall.items import document_text
from hydralab.stores import Store
from hydralab.stores.settings import LAB
from hydralab.texts import Tokenizer, scrub
from hydralab.texts.passages import passages

__all__ = ["Documents", "Given"]

Given = str | Path | Sequence[str] | Mapping[str, str] | pl.DataFrame
"""A path, texts, texts by title, or a table with a column `text`."""

LEAST_TOKENS = 16


class Documents:
    """Passages of documents, of all dialogues of a lab, of one dialogue, or of one user's.

    What is for all dialogues has `dialogue_id` "". A document that is added again, by the same name for the same
    dialogue or user, takes the place of the one before.
    """

    def __init__(
        self, tokenizer: Tokenizer, vectors: TurnVectors, store: Store | None, *, redact: Sequence[str] = ()
    ) -> None:
        self._tokenizer = tokenizer
        self._redact = redact
        self._vectors = vectors
        self._store = store
        stored = empty("documents") if store is None else store.read("documents")
        counts = pl.Series("tokens", tokenizer.counts(stored["text"].to_list()), pl.Int64)
        self.frame = stored.with_columns(counts)
        self._rows: dict[tuple[str, str], NDArray[np.float32]] = {}

    def add(
        self, given: Given, *, title: str | None, dialogue_id: str | None, user_id: str | None, tokens: int
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Take documents in; returns their rows, and events of those that couldn't be read.

        Raises
        ------
        HydralabError
            What was given is no document, or none of them could be read.
        """
        check_value("add_documents: tokens", tokens, "int", least=LEAST_TOKENS)
        check_value("add_documents: title", title, "str | None")
        check_value("add_documents: user", user_id, "str | None")
        scope = LAB if dialogue_id is None else dialogue_id
        read: list[Document] = []
        failed: list[dict[str, object]] = []
        for each in _documents(given, title):
            if isinstance(each, Document):
                parts = (each.title, each.text, each.source)
                read.append(Document(*(redact(part, self._redact) for part in parts)))
            else:
                failed.append(event("read", "failed", detail=str(each)))
        if not read:
            told = "; ".join(str(each["detail"]) for each in failed[:3]) or "got none"
            raise ReadError(f"add_documents: no document could be read: {told}")
        rows = build("documents", [row for each in read for row in self._cut(each, scope, user_id, tokens)])
        self._put(rows, scope)
        return rows, build("events", failed)

    def remove(self, document_id: str) -> pl.DataFrame:
        """Take a document out, with its vectors; returns the rows that were there.

        Raises
        ------
        HydralabError
            There is no such document.
        """
        gone = self.frame.filter(pl.col("document_id") == document_id)
        if not gone.height:
            known = ", ".join(map(repr, self.frame["document_id"].unique(maintain_order=True)[:12]))
            raise HydralabError(f"no document {document_id!r}; known: {known or 'none'}")
        self._put(empty("documents"), gone["dialogue_id"][0], gone=[document_id])
        return gone

    def of(self, dialogue_id: str, user_id: str | None) -> tuple[pl.DataFrame, NDArray[np.float32]]:
        """Return the passages that a dialogue may recall, with their unit rows."""
        theirs = pl.col("user_id").is_null()
        if user_id is not None:
            theirs |= pl.col("user_id") == user_id
        shown = self.frame.filter(pl.col("dialogue_id").is_in([LAB, dialogue_id]) & theirs)
        return shown, self._vectors_of(shown)

    def _cut(
        self, document: Document, scope: str, user_id: str | None, tokens: int
    ) -> Iterator[dict[str, object]]:
        owners = {"dialogue": scope, "user": user_id}
        owner = "".join(f"{what}:{quote(each, safe='')}/" for what, each in owners.items() if each)
        document_id = f"{owner}{document.source}"
        for number, piece in enumerate(passages(document.text, self._tokenizer, most=tokens)):
            yield {
                "passage_id": f"{document_id}#{number}",
                "document_id": document_id,
                "dialogue_id": scope,
                "user_id": user_id,
                "passage": number,
                "title": document.title,
                "heading": "" if piece.heading == document.title else piece.heading,
                "text": piece.text,
                "tokens": self._tokenizer.count(piece.text),
                "source": document.source,
            }

    def _put(self, rows: pl.DataFrame, scope: str, gone: Sequence[str] = ()) -> None:
        """Put rows in the place of those of the same documents, here and in the store."""
        replaced = [*rows["document_id"].unique().to_list(), *gone]
        stays = ~pl.col("document_id").is_in(replaced)
        if self._store is not None:
            with self._store.transaction():
                present = self._store.read("documents", dialogue_id=scope)
                kept = pl.concat([present.filter(stays), rows])
                self._store.replace("documents", kept, dialogue_id=scope)
                left = present.filter(~stays)["passage_id"]
                self._vectors.forget(scope, left.filter(~left.is_in(rows["passage_id"].implode())).to_list())
        self.frame = pl.concat([self.frame.filter(stays), rows])

    def _vectors_of(self, shown: pl.DataFrame) -> NDArray[np.float32]:
        texts = [document_text(*each) for each in shown.select("title", "heading", "text").iter_rows()]
        keys = [
            (name, sha256(text.encode()).hexdigest())
            for name, text in zip(shown["passage_id"], texts, strict=True)
        ]
        missing = [row for row, key in enumerate(keys) if key not in self._rows]
        keyed = shown.select("dialogue_id", item_id="passage_id").with_columns(
            pl.Series("key_text", texts, pl.String), row=pl.int_range(pl.len())
        )
        for (scope,), part in keyed[missing].partition_by("dialogue_id", as_dict=True).items():
            made = self._vectors.of_texts(str(scope), part, kind="document")
            self._rows |= {keys[row]: vector for row, vector in zip(part["row"], made, strict=True)}
        if not keys:
            return np.empty((0, self._vectors.encoder.dim), np.float32)
        return np.stack([self._rows[key] for key in keys])


def _documents(given: Given, title: str | None) -> Iterator[Document | ReadError]:
    if isinstance(given, str | Path):
        documents = list(read_documents(given))
        if title is not None and len(documents) == 1 and isinstance(documents[0], Document):
            documents = [Document(title, documents[0].text, documents[0].source)]
        yield from documents
    elif isinstance(given, pl.DataFrame):
        yield from _of_table(given)
    elif isinstance(given, Mapping):
        for name, text in given.items():
            yield _of_text(name, text, str(name))
    elif isinstance(given, Sequence):
        for text in given:
            yield _of_text(title or "", text, None)
    else:
        raise HydralabError(
            f"add_documents: got {brief(given)}, expected a path, texts, texts by title, or a table with text"
        )


def _of_table(given: pl.DataFrame) -> Iterator[Document | ReadError]:
    if "text" not in given.columns or given.schema["text"] != pl.String:
        raise FrameError(
            f"add_documents: a table with {', '.join(given.columns)}, expected a column text of String"
        )
    for row in given.iter_rows(named=True):
        yield _of_text(row.get("title") or "", row["text"], row.get("document_id") or row.get("source"))


def _of_text(title: str, text: object, source: str | None) -> Document | ReadError:
    if not isinstance(text, str) or not text.strip():
        return ReadError(f"{title or 'a document'}: got {brief(text)}, expected a text that says something")
    name = source or title or f"text {sha256(text.encode('utf-8', 'replace')).hexdigest()[:12]}"
    return Document(title, scrub(text), name)
