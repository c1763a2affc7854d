"""Trying triggers on a dialogue, without a browser: a trigger's text, where it cuts, and how well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from hydralab.checkpoints import extract_checkpoint, extract_checkpoints
from hydralab.checkpoints.spans import Span, find_spans
from hydralab.errors import HydralabError
from hydralab.frames import empty
from hydralab.lab import Lab
from hydralab.metrics import score_boundaries
from hydralab.signals import Signal
from hydralab.triggers import Trigger, default_trigger, find_boundaries, parse_trigger
from hydralab.triggers.facts import lookahead_of
from hydralab.widgets.controls import Controls, controls_of
from hydralab.widgets.known import known_signals
from hydralab.widgets.payloads import curve_bytes, role_words

__all__ = ["Tuning"]

MEASURES = {"pk": "Pk", "window_diff": "WindowDiff", "f1": "F1", "score": "Score", "ratio": "ratio"}
PEEK = 2


class Tuning:
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

    Attributes
    ----------
    text
        The trigger as text.
    trigger
        The trigger of that text. A text that is none leaves it as it was.
    boundaries
        Where it starts new spans.
    signal_choices
        The signals a slider may be of: name, lowest and highest value, step, unit.

    >>> import hydralab as hl
    >>> tuning = Tuning(hl.Lab(hl.read_all(hl.example("launch_zh"))))
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
    ) -> None:
        if not isinstance(lab, Lab):
            raise HydralabError(f"TriggerLab: got {type(lab).__name__}, expected a lab")
        if not lab.dialogues.height:
            raise HydralabError("TriggerLab: the lab has no dialogue, expected at least one")
        self.lab = lab
        self.trigger: Trigger
        self.boundaries: pl.DataFrame
        self._gold = lab.gold if gold is None else gold
        self.text = ""
        self._before: pl.DataFrame | None = None
        self._titles: dict[tuple[str, int, int], str] = {}
        self._sweeps: dict[tuple[str, str], dict[str, Any]] = {}
        self.open(dialogue or lab.dialogues["dialogue_id"][0])
        self.write(self._to_begin_with() if trigger is None else trigger)

    def open(self, dialogue: str) -> None:
        """Go to another dialogue, by id or title, with the same trigger."""
        self.dialogue_id = self.lab.dialogue_id(dialogue)
        names = dict(self.lab.dialogues.select("dialogue_id", "title").iter_rows())
        self.title = names[self.dialogue_id] or self.dialogue_id
        self.turns = self.lab.dialogue_turns(self.dialogue_id)
        self.vectors = self.lab.vectors(self.dialogue_id)
        self._take_signals()
        self.gold_rows = self._gold.filter(pl.col("dialogue_id") == self.dialogue_id)
        self._before = None
        if self.text:
            self.boundaries = self._cut(self.trigger)

    def write(self, trigger: Trigger | str, *, keep_previous: bool = False) -> None:
        """Take a trigger or its text.

        Parameters
        ----------
        trigger
            An expression such as ``(hl.col.shift > 0.8).place(min_turns=4, max_turns=40)``, a
            registered name, or a trigger.
        keep_previous
            Compare with the same previous trigger as before; for the many values of one slider's way.

        Raises
        ------
        HydralabError
            When the text is no trigger; everything is as it was.
        """
        if self.lab.named_signals() != self._named:
            self._take_signals()
        parsed = parse_trigger(trigger) if isinstance(trigger, str) else trigger
        boundaries = self._cut(parsed)
        if not keep_previous and self.text:
            self._before = self.boundaries
        self.trigger, self.boundaries, self.text = parsed, boundaries, repr(parsed)

    def set_controls(self, controls: Controls, *, keep_previous: bool = False) -> None:
        """Take what the sliders say."""
        self.write(controls.trigger(), keep_previous=keep_previous)

    def result(self) -> dict[str, Any]:
        """Return everything that is shown of the trigger, but the curve and the titles."""
        controls = controls_of(self.trigger)
        cuts = self.boundaries["position"].to_list()
        rule = controls.rules[0] if controls and controls.rules else None
        turns = self.turns.height
        decided = _decided(lookahead_of(self.trigger, self._known))
        return {
            "dialogue": self.title,
            "dialogue_id": self.dialogue_id,
            "dialogues": self.lab.dialogues.select("dialogue_id", pl.col("title").fill_null("")).rows(),
            "turns": turns,
            "text": self.text,
            "controls": controls.to_json() if controls else None,
            "signal": rule.signal if rule else "shift",
            "threshold": rule.value if rule else None,
            "choices": self.signal_choices,
            "boundaries": cuts,
            "previous": [] if self._before is None else self._before["position"].to_list(),
            "gold": self.gold_rows["position"].unique().sort().to_list(),
            "fired": f"{len(cuts):,} of {turns:,} turns start a new span, {decided}",
            "scores": self._scores(),
            "spans": self._spans(),
        }

    def curve(self) -> bytes:
        """Return the signal of the first slider as float32, a value a turn, NaN where unknown."""
        controls = controls_of(self.trigger)
        signal = controls.rules[0].signal if controls and controls.rules else "shift"
        return curve_bytes(self.signals[signal] if signal in self.signals.columns else None)

    def checkpoints(self) -> pl.DataFrame:
        """Return the checkpoints table of the trigger."""
        return extract_checkpoints(self.turns, self.boundaries, tokenizer=self.lab.tokenizer)

    def titles(self, wanted: Sequence[tuple[int, int]]) -> dict[str, Any]:
        """Return the titles of spans given by first and last turn; a title takes some milliseconds."""
        return {
            "titles": [
                {"start": start, "end": end, "title": self._title(start, end)} for start, end in wanted
            ]
        }

    def sweep(self, values: Sequence[float]) -> dict[str, Any]:
        """Return what other thresholds of the first slider would give: checkpoints and Score a value.

        Score is None without gold; there is nothing where no slider can say the trigger.
        """
        controls = controls_of(self.trigger)
        if controls is None or not controls.rules:
            return {"rows": []}
        first, *others = controls.rules
        tried = [
            replace(controls, rules=(replace(first, value=value), *others)).trigger() for value in values
        ]
        return {"rows": [self._tried(value, trigger) for value, trigger in zip(values, tried, strict=True)]}

    def peek(self, position: int) -> dict[str, Any]:
        """Return the turns around a position."""
        near = self.turns.slice(max(position - PEEK, 0), 2 * PEEK)
        rows = near.select(
            "position",
            pl.coalesce("speaker", pl.col("role").replace(role_words(self.turns))).alias("who"),
            pl.col("text").str.slice(0, 400),
        )
        return {"position": position, "rows": rows.to_dicts()}

    def save_module(self, path: str | Path) -> Path:
        """Write the trigger as a Python module that defines `trigger`; returns its path.

        Raises
        ------
        HydralabError
            When the file is there and not one that this wrote.
        """
        target = Path(path)
        if target.suffix != ".py" or not target.stem.isidentifier():
            raise HydralabError(
                f"{target.name!r} is no name of a module, expected one such as 'my_trigger.py'"
            )
        if target.exists() and not target.read_text(encoding="utf-8").startswith(MODULE_HEAD):
            raise HydralabError(f"{target} exists and was not written here; expected a new name")
        target.write_text(
            f"{MODULE_HEAD}\n\nimport hydralab as hl\n\ntrigger = {self.text}\n", encoding="utf-8"
        )
        return target

    def _to_begin_with(self) -> Trigger:
        """Return the trigger that cuts the dialogue in the lab; where that is the default, one with sliders."""
        try:
            own = self.lab.trigger(self.dialogue_id)
        except HydralabError:  # placed by a function that this session doesn't have
            return Controls().trigger()
        return Controls().trigger() if own == default_trigger() else own

    def _tried(self, value: float, trigger: Trigger) -> dict[str, Any]:
        key = (self.dialogue_id, repr(trigger))
        if key not in self._sweeps:
            boundaries = self._cut(trigger)
            score = None
            if self.gold_rows.height:
                scored = score_boundaries(boundaries, self.gold_rows, self.turns, annotator="each", seeds=1)
                score = round(scored.means["score"][0], 3)
            self._sweeps[key] = {"checkpoints": boundaries.height + 1, "score": score}
        return {"value": value, **self._sweeps[key]}

    def _title(self, start: int, end: int) -> str:
        key = (self.dialogue_id, start, end)
        if key not in self._titles:
            row = extract_checkpoint(self.turns, Span(start, end), tokenizer=self.lab.tokenizer)
            self._titles[key] = row["title"].item() or ""
        return self._titles[key]

    def _take_signals(self) -> None:
        """Compute what the lab's signals say of the dialogue, once for all the thresholds to be tried."""
        self._named = self.lab.named_signals()
        self._sweeps.clear()
        self.signals = self.lab.signals(self.dialogue_id)
        self._known = known_signals(self._named, self.signals)
        self.signal_choices = [
            _choice(name, signal, self.signals[name]) for name, signal in self._named.items()
        ]

    def _cut(self, trigger: Trigger) -> pl.DataFrame:
        if not self.turns.height:
            return empty("boundaries")
        return find_boundaries(
            trigger, self.turns, self.vectors, signals=self._known, encoder=self.lab.encoder.name
        )

    def _spans(self) -> list[dict[str, Any]]:
        """Return the spans with their tokens, without titles."""
        tokens = np.concatenate([[0], np.cumsum(self.turns["tokens"].to_numpy())])
        return [
            {
                "start": span.start,
                "end": span.end,
                "tokens": int(tokens[span.end + 1] - tokens[span.start]),
                "title": "",
                "status": "open" if span.decided_at is None else "ready",
            }
            for span in find_spans(self.turns, self.boundaries)
        ]

    def _scores(self) -> list[dict[str, Any]]:
        """Return a row for this trigger, the one before, and the floors; none without gold."""
        if not self.gold_rows.height:
            return []
        this, *floors = self._scored(self.boundaries)
        before = [] if self._before is None else [{**self._scored(self._before)[0], "name": "the one before"}]
        return [{**this, "name": "this trigger"}, *before, *floors]

    def _scored(self, boundaries: pl.DataFrame) -> list[dict[str, Any]]:
        means = score_boundaries(boundaries, self.gold_rows, self.turns, annotator="each").means
        interval = max(1, round(self.turns.height / (self.gold_rows["position"].n_unique() + 1)))
        names = {"none": "no boundary", "every": "every turn", "every_n": f"every {interval} turns"}
        return [
            {
                "name": names.get(row["method"], row["method"]),
                "scores": {shown: row[name] for name, shown in MEASURES.items()},
            }
            for row in means.to_dicts()
        ]


MODULE_HEAD = '"""A trigger written by hydralab\'s TriggerLab."""'


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


def _choice(name: str, signal: Signal, values: pl.Series) -> dict[str, Any]:
    """Return what a slider of a signal needs: its lowest and highest value, a step, the unit.

    The range is the one the signal declares; where it declares none, or one without an end, the
    slider goes as far as the dialogue's own values.
    """
    known = values.drop_nulls()
    seen = (float(known.min()), float(known.max())) if known.len() else (0.0, 1.0)  # type: ignore[arg-type]
    low, high = signal.range or seen
    if not np.isfinite([low, high]).all():
        low, high = seen
    return {"name": name, "low": low, "high": high, "step": _step(low, high), "unit": signal.unit}


def _step(low: float, high: float) -> float:
    """Return a round step of about a hundredth of the range."""
    if high <= low:
        return 0.01
    return float(10.0 ** np.floor(np.log10((high - low) / 50)))
