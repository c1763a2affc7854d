"""The boundaries and checkpoints of a lab's dialogues, as triggers placed them and hands changed them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from hydralab.checkpoints import EDITABLE, Span, extract_checkpoint
from hydralab.errors import HydralabError
from hydralab.frames import empty
from hydralab.lab.corpora import check_unchanged
from hydralab.stores import Store
from hydralab.stores.settings import LAB, Settings
from hydralab.texts import Tokenizer
from hydralab.triggers import LearnedTrigger, Trigger, default_trigger, from_json, get_trigger, to_json
from hydralab.triggers.learned import models_in

__all__ = ["Placement", "Placements"]

PLACED_TABLES = ("boundaries", "checkpoints")

MODEL = "model:"
"""What the name of a setting begins with that holds a learned trigger's model."""

Tables = Mapping[str, pl.DataFrame]
"""Table name → the rows of one dialogue."""


@dataclass(frozen=True)
class Placement:
    """What a trigger placed in one dialogue."""

    trigger: Trigger
    boundaries: pl.DataFrame
    checkpoints: pl.DataFrame


class Placements:
    """Boundaries and checkpoints by dialogue, the trigger they were placed by, and which were written by hand.

    Everything is in the store when a method returns, or, where it raises, nothing; what another lab on the
    same store has changed meanwhile is not written over.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._rows = {table: _by_dialogue(store.read(table)) for table in PLACED_TABLES}
        self._triggers: dict[str, Trigger] = {}
        for name, model in settings.all().items():
            if name.startswith(MODEL):
                LearnedTrigger.from_json(model).trigger()  # from now on its name is known

    def of(self, table: str, dialogue_id: str) -> pl.DataFrame:
        """Return the rows of a dialogue: of "boundaries" or "checkpoints"."""
        rows = self._rows[table].get(dialogue_id)
        return empty(table) if rows is None else rows

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

    def place(self, placements: Mapping[str, Placement]) -> None:
        """Put what triggers placed, dialogue → placement, in the place of what is there."""
        settings = {}
        for name, placement in placements.items():
            settings[name, "trigger"] = written = to_json(placement.trigger)
            settings |= {
                (LAB, f"{MODEL}{each}"): model.to_json() for each, model in models_in(written).items()
            }
            settings[name, "edited"] = "[]"
        self._write(
            {
                name: {"boundaries": each.boundaries, "checkpoints": each.checkpoints}
                for name, each in placements.items()
            },
            settings,
        )
        self._triggers |= {name: each.trigger for name, each in placements.items()}

    def recut(self, dialogue_id: str, checkpoints: pl.DataFrame) -> None:
        """Take checkpoints that were marked, merged or split by hand, and cut as they do from now on.

        What was written by hand in a span that is there no more goes to the first span that holds its start.
        """
        before = self.of("checkpoints", dialogue_id)
        boundaries = _as_cut(checkpoints, self.of("boundaries", dialogue_id))
        trigger = get_trigger("marks", positions=boundaries["position"].to_list())
        written = self.edited(dialogue_id)
        carried = _carry_over(checkpoints, written)
        named = checkpoints.join(before, on=["checkpoint_id", "kind"], how="anti").filter(
            pl.col("kind") != "topic"
        )
        edited = [*_holding(carried, written), *named["checkpoint_id"]]
        self._write(
            {dialogue_id: {"boundaries": boundaries, "checkpoints": carried}},
            {(dialogue_id, "trigger"): to_json(trigger), (dialogue_id, "edited"): _listed(edited)},
        )
        self._triggers[dialogue_id] = trigger

    def rewrite(self, dialogue_id: str, checkpoints: pl.DataFrame, checkpoint_id: str) -> None:
        """Take checkpoints of which one was written by hand."""
        known = self.edited(dialogue_id)["checkpoint_id"].to_list()
        self._write(
            {dialogue_id: {"checkpoints": checkpoints}},
            {(dialogue_id, "edited"): _listed([*known, checkpoint_id])},
        )

    def reach_the_ends(self, turns: pl.DataFrame, tokenizer: Tokenizer) -> None:
        """Make the last span reach the last turn, where turns were added since it was stored."""
        ends = dict(turns.group_by("dialogue_id").agg(pl.col("position").max()).rows())
        for name in list(self._rows["checkpoints"]):
            before = self.of("checkpoints", name)
            row = before.sort("end").row(-1, named=True)
            if row["end"] >= ends.get(name, -1):
                continue
            # Where the dialogue was had with an agent, its last checkpoint is closed, and a span opens behind it.
            is_open = row["status"] == "open"
            start = row["start"] if is_open else row["end"] + 1
            trigger, score = (row["trigger"], row["score"]) if is_open else (None, None)
            span = Span(start, ends[name], trigger, score, None)
            own = turns.filter(pl.col("dialogue_id") == name)
            opened = extract_checkpoint(own, span, tokenizer=tokenizer)
            written = self.edited(name)
            grown = _carry_over(pl.concat([before.filter(pl.col("start") < start), opened]), written)
            self._write({name: {"checkpoints": grown}}, {(name, "edited"): _listed(_holding(grown, written))})

    def _write(self, tables: Mapping[str, Tables], settings: Mapping[tuple[str, str], str]) -> None:
        with self._store.transaction():
            for table in PLACED_TABLES:
                names = [name for name, own in tables.items() if table in own]
                if names:
                    known = pl.concat([self.of(table, name) for name in names])
                    check_unchanged(self._store, table, known, names)
                    rows = pl.concat([tables[name][table] for name in names])
                    self._store.replace(table, rows, dialogue_id=names)
            self._settings.write(settings)
        for name, own in tables.items():
            for table, frame in own.items():
                self._rows[table][name] = frame


def _by_dialogue(frame: pl.DataFrame) -> dict[str, pl.DataFrame]:
    parts = frame.partition_by("dialogue_id", as_dict=True) if frame.height else {}
    return {str(name): rows for (name,), rows in parts.items()}


def _listed(names: Iterable[str]) -> str:
    return json.dumps(sorted(set(names)))


def _holding(checkpoints: pl.DataFrame, written: pl.DataFrame) -> list[str]:
    """Return the ids of the checkpoints that hold the starts of those written by hand."""
    starts = written["start"].to_list()
    inside = [pl.lit(start).is_between("start", "end") for start in starts]
    return checkpoints.filter(pl.any_horizontal(inside))["checkpoint_id"].to_list() if inside else []


def _carry_over(checkpoints: pl.DataFrame, written: pl.DataFrame) -> pl.DataFrame:
    """Return checkpoints with what was written by hand; of two in one span the later one stays."""
    for row in written.sort("start").iter_rows(named=True):
        holds = pl.lit(row["start"]).is_between("start", "end")
        columns = [
            pl.when(holds).then(pl.lit(row[name], dtype=checkpoints.schema[name])).otherwise(name).alias(name)
            for name in (*EDITABLE, "tokens")
        ]
        checkpoints = checkpoints.with_columns(columns)
    return checkpoints


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
