"""Trying triggers on a dialogue, without a browser: a trigger's text, where it cuts, and how well."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from hydralab.checkpoints import extract_checkpoints
from hydralab.errors import HydralabError
from hydralab.lab import Lab
from hydralab.packing import DEFAULT_BUDGET
from hydralab.triggers import Trigger, default_trigger, parse_trigger
from hydralab.triggers.tree_needs import lookahead_of
from hydralab.widgets import user_triggers
from hydralab.widgets.controls import Controls, controls_of
from hydralab.widgets.dialogues import check_lab, open_dialogue
from hydralab.widgets.parameters import parameters_of, with_value
from hydralab.widgets.payloads import curve_bytes, role_words
from hydralab.widgets.scored import Scored
from hydralab.widgets.sweep_state import SweepState
from hydralab.widgets.trial_boundaries import TrialBoundaries

__all__ = ["TriggerLabState"]

PEEK = 2


class TriggerLabState:
    """A trigger under trial on one dialogue of a lab.

    Parameters
    ----------
    lab
        Turns, vectors and signals come from it.
    gold
        A gold table; the lab's when None.
    dialogue
        Id or title; the first of several when None.
    trigger
        The trigger, or its text, to start with. When None, the one that the lab's checkpoints were placed
        by, if it is another than the default; else the sliders' own.
    budget
        Tokens of a prompt, for the evidence of gold questions under a trigger.

    Attributes
    ----------
    text
        The trigger as text.
    source
        The Python that made the trigger's functions; "" where it was not written here.
    trigger
        The trigger of that text. A text that is none leaves it as it was.
    boundaries
        Where it starts new spans.
    cutting, scored
        The open dialogue with its signals, and its gold.

    >>> import hydralab as hl
    >>> tuning = TriggerLabState(hl.Lab(hl.read_all(hl.example("launch_zh"))))
    >>> tuning.write("hl.cue('另外').place(min_turns=2, max_turns=40)")
    >>> tuning.boundaries["position"].to_list()
    [8]
    """

    def __init__(
        self,
        lab: Lab,
        gold: pl.DataFrame | None = None,
        dialogue: str | None = None,
        trigger: Trigger | str | None = None,
        budget: int = DEFAULT_BUDGET,
    ) -> None:
        self.lab = check_lab(lab, "TriggerLab")
        self.budget = budget
        self.trigger: Trigger
        self.boundaries: pl.DataFrame
        self.text = self.source = ""
        self._gold = lab.gold if gold is None else gold
        self._annotator = ""
        self._before: pl.DataFrame | None = None
        self._is_kept = False
        self._swept: dict[str, Sequence[float]] = {}
        self.open(dialogue)
        self.write(self._to_begin_with() if trigger is None else trigger)

    def open(self, dialogue: str | None) -> None:
        """Go to another dialogue, by id or title, with the same trigger."""
        self.cutting = TrialBoundaries(open_dialogue(self.lab, dialogue))
        self._take_gold()
        self._before, self._is_kept = None, False
        if self.text:
            self.boundaries = self.cutting.boundaries(self.trigger)

    def score_by(self, annotator: str) -> None:
        """Score against the gold of one annotator, "" for all."""
        self._annotator = annotator
        self._take_gold()

    def write(self, trigger: Trigger | str, *, keep_previous: bool = False, source: str = "") -> None:
        """Take a trigger or its text.

        Parameters
        ----------
        trigger
            An expression such as ``(hl.col.shift > 0.8).place(min_turns=4, max_turns=40)``, a
            registered name, or a trigger.
        keep_previous
            Compare with the same previous trigger as before; for the many values of one slider's way.
        source
            What made its functions.

        Raises
        ------
        HydralabError
            When the text is no trigger; everything is as it was.
        """
        if not self.cutting.is_fresh:
            self.cutting = TrialBoundaries(self.cutting.dialogue)
            self._take_gold()
        parsed = parse_trigger(trigger) if isinstance(trigger, str) else trigger
        boundaries = self.cutting.boundaries(parsed)
        if not keep_previous and not self._is_kept and self.text:
            self._before = self.boundaries
        self.trigger, self.boundaries, self.text, self.source = parsed, boundaries, repr(parsed), source

    def run(self, source: str) -> None:
        """Run Python that makes a trigger, such as a function under ``@hl.step_trigger``, and take it."""
        self.write(user_triggers.run_source(source), source=source)

    def set_controls(self, controls: Controls, *, keep_previous: bool = False) -> None:
        """Take what the sliders say."""
        self.write(controls.trigger(), keep_previous=keep_previous)

    def keep(self, on: bool) -> None:
        """Go on comparing with the trigger that is shown now, whatever comes after it; or no longer."""
        self._is_kept = on
        self._before = self.boundaries if on else None

    def result(self) -> dict[str, Any]:
        """Return everything that is shown of the trigger, but the curve and the titles."""
        dialogue, controls = self.cutting.dialogue, controls_of(self.trigger)
        cuts = self.boundaries["position"].to_list()
        rule = controls.rules[0] if controls and controls.rules else None
        turns = dialogue.turns.height
        return {
            "dialogue": dialogue.title,
            "dialogue_id": dialogue.dialogue_id,
            "dialogues": dialogue.listed,
            "turns": turns,
            "text": self.text,
            "source": self.source,
            "controls": controls.to_json() if controls else None,
            "signal": rule.signal if rule else "shift",
            "threshold": rule.value if rule else None,
            "choices": self.cutting.choices,
            "parameters": parameters_of(controls, turns, self.cutting.choices),
            "boundaries": cuts,
            "previous": [] if self._before is None else self._before["position"].to_list(),
            "kept": self._is_kept,
            "gold": self.scored.gold["position"].unique().sort().to_list(),
            "annotators": self.scored.annotators,
            "annotator": self.scored.annotator,
            "asked": dialogue.questions.filter(pl.col("evidence").list.len() > 0).height,
            "budget": self.budget,
            "fired": self.fired(self.trigger, self.boundaries),
            "scores": self._scores(),
            "spans": self.cutting.spans(self.boundaries),
        }

    def fired(self, trigger: Trigger, boundaries: pl.DataFrame) -> str:
        """Say how often a trigger cuts, and when it decides."""
        decided = _decided(lookahead_of(trigger, self.cutting.known))
        turns = self.cutting.dialogue.turns.height
        return f"{boundaries.height:,} of {turns:,} turns start a new span, {decided}"

    def curve(self) -> bytes:
        """Return the signal of the first slider as float32, a value a turn, NaN where unknown."""
        controls, signals = controls_of(self.trigger), self.cutting.signals
        signal = controls.rules[0].signal if controls and controls.rules else "shift"
        return curve_bytes(signals[signal] if signal in signals.columns else None)

    def checkpoints(self) -> pl.DataFrame:
        """Return the checkpoints table of the trigger."""
        return extract_checkpoints(self.cutting.dialogue.turns, self.boundaries, tokenizer=self.lab.tokenizer)

    def titles(self, wanted: Sequence[tuple[int, int]]) -> dict[str, Any]:
        """Return the titles of spans given by first and last turn; a title takes some milliseconds."""
        return {
            "titles": [
                {"start": start, "end": end, "title": self.cutting.title(start, end)} for start, end in wanted
            ]
        }

    def sweep(self, parameter: str, values: Sequence[float]) -> dict[str, Any]:
        """Return what other values of a parameter would give; there is nothing where no slider can say the trigger."""
        tried = self._with(parameter, values)
        self._note_swept(parameter, [value for value, _ in tried])
        return {"rows": [self._sweeping.row(value, trigger) for value, trigger in tried]}

    def ask(self, parameter: str, value: float) -> dict[str, Any]:
        """Go on asking the gold questions under a trigger with another value of a parameter; a moment's work."""
        tried = self._with(parameter, [value])
        if not tried:
            raise HydralabError(
                f"{self.text} has no parameter {parameter!r}, expected one that a slider moves"
            )
        self._note_swept(parameter, [value])
        return {"row": self._sweeping.ask(*tried[0])}

    @property
    def swept(self) -> pl.DataFrame:
        """What was tried of the present trigger's parameters, a row a value."""
        known = [
            self._sweeping.table(parameter, self._with(parameter, values))
            for parameter, values in self._swept.items()
        ]
        return pl.concat([self._sweeping.table("", []), *known])

    def peek(self, position: int) -> dict[str, Any]:
        """Return the turns around a position."""
        turns = self.cutting.dialogue.turns
        near = turns.slice(max(position - PEEK, 0), 2 * PEEK)
        rows = near.select(
            "position",
            pl.coalesce("speaker", pl.col("role").replace(role_words(turns))).alias("who"),
            pl.col("text").str.slice(0, 400),
        )
        return {"position": position, "rows": rows.to_dicts()}

    def save_module(self, path: str | Path) -> Path:
        """Write the trigger as a Python module that defines `trigger`, with its functions; returns its path."""
        return user_triggers.save_module(self.text, path, self.source)

    def _to_begin_with(self) -> Trigger:
        """Return the trigger that cuts the dialogue in the lab; where that is the default, one with sliders."""
        try:
            own = self.lab.trigger(self.cutting.dialogue.dialogue_id)
        except HydralabError:  # placed by a function that this session doesn't have
            return Controls().trigger()
        return Controls().trigger() if own == default_trigger() else own

    def _take_gold(self) -> None:
        self.scored = Scored(self.cutting.dialogue.turns, self._gold, self._annotator)
        self._sweeping = SweepState(self.cutting, self.scored, self.budget)

    def _with(self, parameter: str, values: Sequence[float]) -> list[tuple[float, Trigger]]:
        """Return values and the triggers that have them."""
        controls = controls_of(self.trigger)
        names = [each["name"] for each in parameters_of(controls, 0, [])]
        if controls is None or parameter not in names:
            return []
        return [(value, with_value(controls, parameter, value).trigger()) for value in values]

    def _note_swept(self, parameter: str, values: Sequence[float]) -> None:
        self._swept[parameter] = sorted({*self._swept.get(parameter, ()), *values})

    def _scores(self) -> list[dict[str, Any]]:
        """Return a row for this trigger, the one before, and the floors; none without gold."""
        if not self.scored:
            return []
        rows = {
            "this trigger": self.boundaries,
            "the kept one" if self._is_kept else "the one before": self._before,
        }
        own = [
            {"name": name, "scores": self.scored.of(cuts)} for name, cuts in rows.items() if cuts is not None
        ]
        return [*own, *self.scored.floors]


def _decided(lookahead: int | str) -> str:
    """Say when a trigger decides.

    >>> _decided(0), _decided(1), _decided("all")
    ('decided at once', 'decided 1 turn later', 'decided when the dialogue is over')
    """
    if lookahead == "all":
        return "decided when the dialogue is over"
    return (
        f"decided {lookahead} turn{'' if lookahead == 1 else 's'} later" if lookahead else "decided at once"
    )
