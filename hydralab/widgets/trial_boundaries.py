"""Cutting one dialogue by any trigger: its signals and the checkpoints of its spans are made once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from hydralab.checkpoints import extract_checkpoint
from hydralab.checkpoints.spans import Span, find_spans
from hydralab.frames import empty
from hydralab.signals import Signal, compute_signals
from hydralab.triggers import Trigger, find_boundaries
from hydralab.widgets.dialogues import OpenDialogue
from hydralab.widgets.signal_cache import known_signals

__all__ = ["TrialBoundaries"]


class TrialBoundaries:
    """A dialogue with the values of all signals that a trigger may name.

    Attributes
    ----------
    signals
        The signals table.
    known
        Name → signal with its values.
    choices
        What a slider of each signal needs: name, lowest and highest value, step, unit.

    >>> import hydralab as hl
    >>> from hydralab.widgets.dialogues import open_dialogue
    >>> cutting = TrialBoundaries(open_dialogue(hl.Lab(hl.read_all(hl.example("launch_zh")))))
    >>> cutting.boundaries(hl.cue("另外"))["position"].to_list()
    [8]
    """

    def __init__(self, dialogue: OpenDialogue) -> None:
        self.dialogue = dialogue
        self.named: Mapping[str, Signal] = dialogue.lab.named_signals()
        self.signals = dialogue.lab.signals(dialogue.dialogue_id)
        self.known = known_signals(self.named, self.signals)
        self.choices = [_choice(name, signal, self.signals[name]) for name, signal in self.named.items()]
        self._tokens = np.concatenate([[0], np.cumsum(dialogue.turns["tokens"].to_numpy())])
        self._rows: dict[tuple[int, int], pl.DataFrame] = {}

    @property
    def is_fresh(self) -> bool:
        """Whether the lab still has the signals that this was made of."""
        return self.dialogue.lab.named_signals() == self.named

    def boundaries(self, trigger: Trigger) -> pl.DataFrame:
        """Return where a trigger starts new spans, the dialogue being over."""
        return self._found(trigger, self.known, closed=True)

    def live_boundaries(self, trigger: Trigger) -> pl.DataFrame:
        """Return what a trigger has decided by the last turn, while the dialogue may go on: what a replay sees."""
        return self._found(trigger, self._known_live, closed=False)

    def spans(self, boundaries: pl.DataFrame) -> list[dict[str, Any]]:
        """Return the spans between boundaries with their tokens, without titles."""
        return [
            {
                "start": span.start,
                "end": span.end,
                "tokens": int(self._tokens[span.end + 1] - self._tokens[span.start]),
                "title": "",
                "status": "open" if span.decided_at is None else "ready",
            }
            for span in find_spans(self.dialogue.turns, boundaries)
        ]

    def checkpoint(self, span: Span) -> pl.DataFrame:
        """Return the checkpoint of a span, one row; what takes long of it is done once a stretch of turns."""
        key = (span.start, span.end)
        if key not in self._rows:
            bare = replace(span, trigger=None, score=None, decided_at=span.end)
            tokenizer = self.dialogue.lab.tokenizer
            self._rows[key] = extract_checkpoint(self.dialogue.turns, bare, tokenizer=tokenizer)
        return self._rows[key].with_columns(
            trigger=pl.lit(span.trigger, pl.String),
            score=pl.lit(span.score, pl.Float64),
            decided_at=pl.lit(span.decided_at, pl.Int64),
            ready_at=pl.lit(span.decided_at, pl.Int64),
        )

    def title(self, start: int, end: int) -> str:
        """Return the title of a span."""
        return self.checkpoint(Span(start, end))["title"].item() or ""

    @cached_property
    def _known_live(self) -> Mapping[str, Signal]:
        turns, vectors = self.dialogue.turns, self.dialogue.vectors
        return known_signals(self.named, compute_signals(turns, vectors, self.named, closed=False))

    def _found(self, trigger: Trigger, signals: Mapping[str, Signal], *, closed: bool) -> pl.DataFrame:
        turns = self.dialogue.turns
        if not turns.height:
            return empty("boundaries")
        encoder = self.dialogue.lab.encoder.name
        return find_boundaries(
            trigger, turns, self.dialogue.vectors, signals=signals, closed=closed, encoder=encoder
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
