"""What a TriggerLab shows for a grid of thresholds and shortest spans, for its page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import polars as pl

from hydralab.widgets.controls import Controls, controls_of
from hydralab.widgets.pages import Fitting
from hydralab.widgets.parameters import spread, with_value
from hydralab.widgets.payloads import role_words
from hydralab.widgets.triggerlab_state import TriggerLabState

__all__ = ["triggerlab_recording"]

THRESHOLDS = 40
SHORTEST = 8
TITLES = 300
TURN = 300
"""Characters of a turn that are told."""

TEXTS, GRID = 0.5, 0.9
"""Shares of the room: of the texts of the turns, and of what is left for the grid."""


def triggerlab_recording(tuning: TriggerLabState) -> dict[str, Any]:
    """Return what a trigger lab shows at each threshold of the first signal with each shortest span.

    Thresholds are 41, from the lowest to the highest; shortest spans are 1 to 8 turns and the present one;
    the present one first, and as many others as fit. A trigger that no slider can say is told alone.
    """
    fitting = Fitting()
    result = tuning.result()
    controls = controls_of(tuning.trigger)
    turns = tuning.cutting.dialogue.turns
    words = turns.select(
        who=pl.coalesce("speaker", pl.col("role").replace(role_words(turns))),
        text=pl.col("text").str.slice(0, TURN),
    )
    texts = dict(fitting.take(((str(at), row) for at, row in enumerate(words.iter_rows(named=True))), TEXTS))
    grid = {} if controls is None else dict(fitting.take(_grid(tuning, controls), GRID))
    swept = {
        each["name"]: tuning.sweep(each["name"], each["values"])["rows"] for each in result["parameters"]
    }
    return {
        "result": result,
        "curve": b64encode(tuning.curve()).decode(),
        "thresholds": _thresholds(result) if grid else [],
        "shortest": _shortest(controls) if grid and controls else [],
        "grid": grid,
        "swept": swept,
        "tokens": turns["tokens"].to_list(),
        "titles": _titles(tuning, result, grid),
        "texts": texts,
    }


def _grid(tuning: TriggerLabState, controls: Controls) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield cells by "number of the threshold, shortest span": where the trigger cuts and how well."""
    thresholds = _thresholds(tuning.result())
    shortest = sorted(_shortest(controls), key=lambda least: least != controls.min_turns)
    for least in shortest:
        placed = with_value(controls, "min_turns", least)
        for number, value in enumerate(thresholds):
            tried = with_value(placed, "threshold 0", value) if controls.rules else placed
            yield f"{number} {least}", _cell(tuning, tried)


def _cell(tuning: TriggerLabState, controls: Controls) -> dict[str, Any]:
    trigger = controls.trigger()
    boundaries = tuning.cutting.boundaries(trigger)
    return {
        "text": repr(trigger),
        "controls": controls.to_json(),
        "boundaries": boundaries["position"].to_list(),
        "starts": [span["start"] for span in tuning.cutting.spans(boundaries)],
        "scores": tuning.scored.of(boundaries) if tuning.scored else None,
        "fired": tuning.fired(trigger, boundaries),
    }


def _thresholds(result: dict[str, Any]) -> list[float]:
    first = result["parameters"][0]
    if first["name"] != "threshold 0":
        return [0.0]
    finest = (first["high"] - first["low"]) / THRESHOLDS
    return [round(value, 6) for value in spread(first["low"], first["high"], finest or 1.0, THRESHOLDS)]


def _shortest(controls: Controls) -> list[int]:
    return sorted({*range(1, SHORTEST + 1), controls.min_turns})


def _titles(tuning: TriggerLabState, result: dict[str, Any], grid: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the titles of the present spans, and of others in the order of the grid, so many as are told."""
    shown = [(span["start"], span["end"]) for span in result["spans"]]
    last = result["turns"] - 1
    tried = [
        (start, end - 1)
        for cell in grid.values()
        for start, end in zip(cell["starts"], [*cell["starts"][1:], last + 1], strict=True)
    ]
    wanted = list(dict.fromkeys([*shown, *tried]))[:TITLES]
    return list(tuning.titles(wanted)["titles"])
