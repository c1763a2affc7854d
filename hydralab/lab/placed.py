"""The boundaries and checkpoints of a lab's dialogues, as triggers placed them and hands changed them."""

from __future__ import annotations

import json

import polars as pl

from hydralab.checkpoints import Span, extract_checkpoint
from hydralab.errors import HydralabError
from hydralab.lab.settings import Settings
from hydralab.stores import Store
from hydralab.texts import Tokenizer
from hydralab.triggers import Trigger, default_trigger, from_json, get_trigger, to_json

__all__ = ["Placed"]

PLACED_TABLES = ("boundaries", "checkpoints")


class Placed:
    """Boundaries and checkpoints by dialogue, the trigger they were placed by, and which were written by hand.

    Everything is in the store when a method returns, or, where it raises, nothing.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._tables = {table: store.read(table) for table in PLACED_TABLES}
        self._triggers: dict[str, Trigger] = {}

    def of(self, table: str, dialogue_id: str) -> pl.DataFrame:
        """Return the rows of a dialogue: of "boundaries" or "checkpoints"."""
        return self._tables[table].filter(pl.col("dialogue_id") == dialogue_id)

    def trigger(self, dialogue_id: str) -> Trigger:
        """Return the trigger that cuts this dialogue as it is cut now.

        Raises
        ------
        HydralabError
            It was made of functions that this session hasn't registered.
        """
        if dialogue_id not in self._triggers:
            text = self._settings.get("trigger", dialogue_id)
            try:
                self._triggers[dialogue_id] = default_trigger() if text is None else from_json(text)
            except HydralabError as error:
                raise HydralabError(
                    f"the checkpoints of {dialogue_id!r} were placed by a trigger that isn't there now ({error}); "
                    "register it again, or say which: lab.replay(hl.Hydration(trigger))"
                ) from error
        return self._triggers[dialogue_id]

    def edited(self, dialogue_id: str) -> pl.DataFrame:
        """Return the checkpoints whose text was written by hand."""
        names = json.loads(self._settings.get("edited", dialogue_id) or "[]")
        return self.of("checkpoints", dialogue_id).filter(pl.col("checkpoint_id").is_in(names))

    def place(
        self, dialogue_id: str, trigger: Trigger, boundaries: pl.DataFrame, checkpoints: pl.DataFrame
    ) -> None:
        """Put what a trigger placed in the place of what is there."""
        with self._store.transaction():
            self._remember(dialogue_id, trigger)
            self._settings.set("edited", "[]", dialogue_id)
            self._write(dialogue_id, {"boundaries": boundaries, "checkpoints": checkpoints})

    def recut(self, dialogue_id: str, checkpoints: pl.DataFrame) -> None:
        """Take checkpoints that were marked, merged or split by hand, and cut as they do from now on."""
        boundaries = _as_cut(checkpoints, self.of("boundaries", dialogue_id))
        with self._store.transaction():
            self._remember(dialogue_id, get_trigger("marks", positions=boundaries["position"].to_list()))
            self._write(dialogue_id, {"boundaries": boundaries, "checkpoints": checkpoints})

    def rewrite(self, dialogue_id: str, checkpoints: pl.DataFrame, checkpoint_id: str) -> None:
        """Take checkpoints of which one was written by hand."""
        known = self.edited(dialogue_id)["checkpoint_id"].to_list()
        with self._store.transaction():
            self._settings.set("edited", json.dumps(sorted({*known, checkpoint_id})), dialogue_id)
            self._write(dialogue_id, {"checkpoints": checkpoints})

    def reach_the_ends(self, turns: pl.DataFrame, tokenizer: Tokenizer) -> None:
        """Make the last span reach the last turn, where turns were added since it was stored."""
        ends = turns.group_by("dialogue_id").agg(pl.col("position").max().alias("last_turn"))
        spans = self._tables["checkpoints"].sort("end").group_by("dialogue_id", maintain_order=True).last()
        grown = spans.join(ends, on="dialogue_id").filter(pl.col("end") < pl.col("last_turn"))
        for row in grown.iter_rows(named=True):
            name = row["dialogue_id"]
            span = Span(row["start"], row["last_turn"], row["trigger"], row["score"], None)
            own = turns.filter(pl.col("dialogue_id") == name)
            opened = extract_checkpoint(own, span, tokenizer=tokenizer)
            before = self.of("checkpoints", name).filter(pl.col("start") < row["start"])
            self._write(name, {"checkpoints": pl.concat([before, opened])})

    def _remember(self, dialogue_id: str, trigger: Trigger) -> None:
        self._triggers[dialogue_id] = trigger
        self._settings.set("trigger", to_json(trigger), dialogue_id)

    def _write(self, dialogue_id: str, tables: dict[str, pl.DataFrame]) -> None:
        for table, frame in tables.items():
            self._store.replace(table, frame, dialogue_id=dialogue_id)
        for table, frame in tables.items():
            others = self._tables[table].filter(pl.col("dialogue_id") != dialogue_id)
            self._tables[table] = pl.concat([others, frame], how="vertical_relaxed")


def _as_cut(checkpoints: pl.DataFrame, boundaries: pl.DataFrame) -> pl.DataFrame:
    """Return the boundaries between checkpoints; those that were not there before are manual ones."""
    starts = checkpoints.filter(pl.col("start") > 0).select("dialogue_id", position="start")
    manual = starts.join(boundaries, on=["dialogue_id", "position"], how="anti").select(
        "dialogue_id",
        "position",
        trigger=pl.lit("manual"),
        score=pl.lit(1.0),
        decided_at=pl.col("position"),
    )
    kept = boundaries.join(starts, on=["dialogue_id", "position"], how="semi")
    return pl.concat([kept, manual]).sort("dialogue_id", "position")
