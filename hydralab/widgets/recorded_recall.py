"""What a RecallLab shows for many queries, for its page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hydralab.widgets.pages import Fitting
from hydralab.widgets.recalllab_state import RecallLabState
from hydralab.widgets.sliders import Sliders

__all__ = ["recalllab_recording"]

STAYS = ("dialogue", "dialogue_id", "turns", "columns")
PRESENT = "\x01present"
"""Stands for the query and the place that are shown, in the place of a gold question's id."""


def recalllab_recording(
    recalling: RecallLabState, *, queries: Sequence[str], blends: Sequence[str], questions: int
) -> dict[str, Any]:
    """Return candidates and prompt of the present query, of others and of gold questions, as many as fit.

    Parameters
    ----------
    recalling
        What is shown; it stays as it is.
    queries
        Further queries, each asked at the end of the dialogue.
    blends
        Further blends by name, for each query beside the present settings.
    questions
        The most gold questions.
    """
    present = recalling.result()
    guide = RecallLabState(recalling.lab, "", recalling.dialogue.dialogue_id, strategy=recalling.strategy)
    asked = [name for name, _ in present["questions"][:questions]]
    settings = [recalling.sliders, *(_blended(recalling.sliders, name) for name in blends)]
    told = dict(Fitting().take(_told(guide, recalling, [*queries], asked, settings)))
    names = dict(present["questions"])
    held = list(dict.fromkeys(key.split("\n", 1)[1] for key in told))
    return {
        "stays": {name: present[name] for name in STAYS},
        "queries": [(key, names.get(key, recalling.query if key == PRESENT else key)) for key in held],
        "blends": [sliders.blend for sliders in settings],
        "first": next(iter(told)),
        "told": told,
        "missing": len(asked) - sum(name in held for name in asked),
    }


def _told(
    guide: RecallLabState,
    shown: RecallLabState,
    queries: Sequence[str],
    asked: Sequence[str],
    settings: Sequence[Sliders],
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is shown, by "blend, line feed, query or question"."""
    others = [name for name in asked if name != shown.question]
    for sliders in settings:
        guide.set(sliders)
        if shown.question:
            guide.pick(shown.question)
            yield f"{sliders.blend}\n{shown.question}", _shown(guide)
        else:
            guide.ask(shown.query, shown.at)
            yield f"{sliders.blend}\n{PRESENT}", _shown(guide)
        for query in queries:
            guide.ask(query)
            yield f"{sliders.blend}\n{query}", _shown(guide)
        for name in others:
            guide.pick(name)
            yield f"{sliders.blend}\n{name}", _shown(guide)


def _shown(guide: RecallLabState) -> dict[str, Any]:
    result = guide.result()
    left_out = {*STAYS, "dialogues", "questions", "blends"}
    told = {name: value for name, value in result.items() if name not in left_out}
    return {**told, "messages": guide.prompt()["messages"]}


def _blended(sliders: Sliders, blend: str) -> Sliders:
    return Sliders.named(blend, turns=sliders.turns, checkpoints=sliders.checkpoints, budget=sliders.budget)
