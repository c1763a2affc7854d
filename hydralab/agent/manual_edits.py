"""What a person pinned, edited and forgot in a dialogue; it stands against whatever a model tells later."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from secrets import token_hex
from typing import Any, Self

import polars as pl

from hydralab.agent.stored_dialogue import StoredDialogue
from hydralab.checkpoints import EDITABLE, edit_checkpoint
from hydralab.schemas import KEYS
from hydralab.texts import Tokenizer, normalise

__all__ = ["ManualEdits"]

WRITTEN = {"checkpoints": (*EDITABLE, "tokens", "status"), "memories": ("text", "tokens")}
"""Columns that stay as a hand has written them."""


@dataclass
class ManualEdits:
    """Ids of items.

    Attributes
    ----------
    pinned
        Those that are to be in every prompt, in the order of pinning.
    edited
        Those whose text was written by hand.
    forgotten
        Those that must not come back.
    forgotten_texts
        Of forgotten facts: a hash of the normalised text, which tells nothing of it → the last turn at that time. Said
        again later, it is a new fact.
    secret
        What goes into these hashes, so that nobody tries texts against them without the store.
    """

    pinned: list[str] = field(default_factory=list)
    edited: set[str] = field(default_factory=set)
    forgotten: set[str] = field(default_factory=set)
    forgotten_texts: dict[str, int] = field(default_factory=dict)
    secret: str = field(default_factory=lambda: token_hex(16))

    @classmethod
    def of(cls, kept: StoredDialogue) -> Self:
        """Return what a store remembers of them."""
        return cls(
            kept.recalled("pinned", []),
            {*kept.recalled("edited", []), *kept.recalled("edited_memories", [])},
            set(kept.recalled("forgotten", [])),
            kept.recalled("forgotten_texts", {}),
            kept.recalled("secret", None) or token_hex(16),
        )

    def settings(self) -> dict[str, Any]:
        """Return them by the names under which a store remembers them; "edited" is what a lab reads too."""
        return {
            "pinned": self.pinned,
            "edited": sorted(self.edited),
            "edited_memories": sorted(self.edited),
            "forgotten": sorted(self.forgotten),
            "forgotten_texts": self.forgotten_texts,
            "secret": self.secret,
        }

    def rewritten(self, table: str, row: pl.DataFrame, text: str, tokenizer: Tokenizer) -> pl.DataFrame:
        """Return a row with another text."""
        if table == "checkpoints":
            name = row["checkpoint_id"].item()
            changed = edit_checkpoint(row, name, tokenizer=tokenizer, summary=text)
            return changed.with_columns(status=pl.lit("ready"))
        return row.with_columns(text=pl.lit(text), tokens=pl.lit(tokenizer.count(text), pl.Int64))

    def forget(self, table: str, row: pl.DataFrame, last: int) -> None:
        """Note an item as forgotten, and that it is pinned and edited no more."""
        item_id = str(row[KEYS[table][0]].item())
        self.forgotten.add(item_id)
        self.edited.discard(item_id)
        self.pinned = [name for name in self.pinned if name != item_id]
        if table == "memories":
            self.forgotten_texts[self._hash(row["text"].item())] = last

    def forgotten_in(self, table: str, frame: pl.DataFrame, turns: pl.DataFrame) -> list[str]:
        """Return the ids of rows that were forgotten: by id, or as a fact that says the same of the same turns."""
        if table not in WRITTEN:
            return []
        names = [name for name in frame[KEYS[table][0]] if name in self.forgotten]
        if table == "memories" and self.forgotten_texts:
            for name, text, sources in frame.select("memory_id", "text", "source_turn_ids").iter_rows():
                last = self.forgotten_texts.get(self._hash(text), -1)
                said = turns.filter(pl.col("turn_id").is_in(sources or []))["position"].to_list()
                if max(said, default=0) <= last:
                    names.append(name)
        return names

    def _hash(self, text: str) -> str:
        return blake2b(normalise(text).encode(), key=self.secret.encode(), digest_size=16).hexdigest()

    def over(self, table: str, frame: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
        """Return rows with what was written by hand in the place of what they say."""
        key = KEYS[table][0]
        names = self.edited & set(frame[key])
        if not names:
            return frame
        written = known.filter(pl.col(key).is_in(names)).select(key, *WRITTEN[table])
        return frame.update(written, on=key, include_nulls=True)
