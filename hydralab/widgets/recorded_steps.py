"""All that a Stepper and a Compare show, place by place, for their pages."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from hydralab.widgets.compare_state import CompareState
from hydralab.widgets.pages import Fitting
from hydralab.widgets.payloads import BLOCK
from hydralab.widgets.stepper_state import StepperState

__all__ = ["compare_recording", "stepper_recording"]

Record = dict[str, Any]


def stepper_recording(stepping: StepperState, prompts: int) -> Record:
    """Return all that a stepper shows at as many places as fit, those nearest to the present one first.

    Parameters
    ----------
    stepping
        A place in a run; it stays there.
    prompts
        The most prompts of turns, and the most of gold questions.
    """
    fitting = Fitting()
    blocks = range(-(-stepping.run.turns.height // BLOCK))
    near = sorted(blocks, key=lambda number: abs(number - stepping.position // BLOCK))
    shown = dict(fitting.take(((str(number), stepping.block(number)["rows"]) for number in near), 0.5))
    guide = StepperState(stepping.run, stepping.position)
    recorded = dict(fitting.take(_places(guide, prompts, lambda *place: _step(guide, *place))))
    return {
        "overview": stepping.overview(),
        "curve": b64encode(stepping.curve()).decode(),
        "position": stepping.position,
        "question": stepping.question,
        "blocks": shown,
        "prompts": recorded,
        "misses": stepping.losses(),
        "note": _note(stepping, recorded),
    }


def compare_recording(comparing: CompareState, prompts: int, questions: int) -> Record:
    """Return all that a comparison shows at as many places as fit, those nearest to the present one first.

    Parameters
    ----------
    comparing
        A place in some runs; it stays there.
    prompts
        The most prompts of turns.
    questions
        The most gold questions, and how many of them have a row of what was lost.
    """
    guide = CompareState(comparing.runs, comparing.position)
    guide.show(range(len(guide.runs)))
    first = StepperState(comparing.first, comparing.position)
    places = _places(first, prompts, lambda *place: _compared(guide, *place), questions=questions)
    recorded = dict(Fitting().take(places))
    return {
        "overview": comparing.overview(),
        "position": comparing.position,
        "question": comparing.question,
        "shown": comparing.shown,
        "prompts": recorded,
        "losses": comparing.losses(0, questions)["rows"],
        "note": _note(first, recorded),
    }


Recorder = Callable[[int, Iterable[int], str], Record]


def _places(
    at: StepperState, prompts: int, record: Recorder, *, questions: int | None = None
) -> Iterator[tuple[str, Record]]:
    """Yield each place's key and what is shown there: the present one, its neighbours, gold questions."""
    here, run, asked = at.position, at.run, at.asked
    names = run.questions["question_id"].to_list()[: prompts if questions is None else questions]
    ends = np.append(asked[1:], run.turns.height)
    near = np.argsort(np.abs(asked - here), kind="stable")[:prompts]
    for number in near.tolist():
        start, end = int(asked[number]), int(ends[number])
        yield str(start), record(start, range(start, end), "")
    first = int(asked[0]) if len(asked) else run.turns.height
    if first:
        yield "-1", record(0, range(first), "")
    guide = StepperState(run, 0)
    for name in names:
        guide.go(0, name)
        yield name, record(guide.position, (guide.position,), name)


def _step(guide: StepperState, position: int, positions: Iterable[int], question: str) -> Record:
    guide.go(position, question)
    told: Record = {
        "moment": guide.moment(),
        "prompt": guide.prompt(),
        "diff": guide.difference(),
        "places": {},
    }
    for each in positions:
        guide.go(each, question)
        told["places"][str(each)] = guide.place()
    return told


def _compared(guide: CompareState, position: int, positions: Iterable[int], question: str) -> Record:
    guide.go(position, question)
    told: Record = {"moment": guide.moment(), "places": {}}
    for each in positions:
        guide.go(each, question)
        told["places"][str(each)] = guide.place()
    return told


def _note(stepping: StepperState, recorded: Mapping[str, Any]) -> str:
    """Say what a page holds, where that isn't everything."""
    wanted = len(stepping.asked)
    held = sum(str(position) in recorded for position in stepping.asked.tolist())
    return (
        "" if held == wanted else f"this page holds {held:,} of {wanted:,} prompts, not the one of this turn"
    )
