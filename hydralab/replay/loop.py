"""Step through a dialogue as if it ran now, and keep one row a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.encoders import Encoder
from hydralab.errors import HydralabError
from hydralab.frames import build, event
from hydralab.metrics import evidence_met
from hydralab.packing import BudgetError, Context
from hydralab.replay.call_costs import CallCount, calls_that_failed
from hydralab.replay.naming import name_run
from hydralab.replay.run import Run
from hydralab.replay.stepping import step_row
from hydralab.replay.timeline import Timeline
from hydralab.signals import Signal
from hydralab.strategies import Strategy
from hydralab.texts import Tokenizer

__all__ = ["run_replay"]


def run_replay(
    turns: pl.DataFrame,
    vectors: NDArray[np.float32],
    strategy: Strategy,
    *,
    budget: int,
    encoder: Encoder,
    tokenizer: Tokenizer,
    questions: pl.DataFrame,
    gold: pl.DataFrame,
    title: str = "",
    signals: Mapping[str, Signal] | None = None,
    edited: pl.DataFrame | None = None,
    memories: pl.DataFrame | None = None,
    user_id: str | None = None,
    documents: pl.DataFrame | None = None,
    document_vectors: NDArray[np.float32] | None = None,
    progress: bool = False,
) -> Run:
    """Replay one dialogue under a strategy.

    At a user turn the strategy observes it, then makes the prompt that would answer it: of turns
    before it, and of rows decided by then. Other turns are only observed. A gold question is
    asked after the turn `asked_at` and is not remembered.

    Parameters
    ----------
    turns, vectors
        One dialogue and its unit rows.
    budget
        Tokens a prompt.
    questions, gold
        Of this dialogue; may be empty.
    signals
        Column → signal that triggers may name; the default signals when None.
    edited
        Checkpoints whose text was written by hand: each stands in the place of the one of the same span.
    memories, user_id
        Facts of the same user known before the dialogue began, and whose they are.
    documents, document_vectors
        Passages of documents that may be recalled, and a unit row for each; made when None.
    progress
        Show a progress bar.

    Returns
    -------
    Run
        With a steps row a prompt. A prompt that does not fit its budget, or fails, has no row but an event.

    Raises
    ------
    HydralabError
        No prompt could be made, for another reason than the budget; or the strategy can't observe a turn.
    """
    from tqdm.auto import tqdm

    timeline = Timeline(
        turns,
        vectors,
        strategy,
        encoder=encoder,
        tokenizer=tokenizer,
        title=title,
        signals=signals,
        edited=edited,
        memories=memories,
        user_id=user_id,
        documents=documents,
        document_vectors=document_vectors,
    )
    steps: list[dict[str, Any]] = []
    events: list[dict[str, Any]] = []
    prompts: dict[str, Context] = {}
    previous: Context | None = None
    observed = 0.0
    broken: HydralabError | None = None
    due = _due(questions, timeline)
    calls = CallCount()
    settings = (strategy, title, budget, encoder, tokenizer.name, timeline.signals, edited, questions)
    known = [each for each in (memories, documents) if each is not None and each.height]
    run_id = name_run(strategy.name, turns, *settings, *known)
    heads = turns.select("position", "role", "turn_id", "text").rows()
    for row, (position, role, turn_id, text) in enumerate(
        tqdm(heads, disable=not progress, unit="turn", leave=False)
    ):
        started = perf_counter()
        with calls.counting() as made:
            timeline.observe(position)
        events += calls_that_failed("observe", made, timeline.dialogue_id, turn_id)
        observed += (perf_counter() - started) * 1e3
        asked: list[tuple[str, str, int, dict[str, Any] | None]] = []
        if role == "user" and text.strip():
            asked.append((turn_id, text, row, None))
        asked += [(each["question_id"], each["text"], row + 1, each) for each in due.get(row, ())]
        for query_id, query, at, question in asked:
            timeline.recall.milliseconds, started = 0.0, perf_counter()
            try:
                with calls.counting() as made:
                    view = timeline.view(at, now=row, query_id=query_id)
                    context = timeline.context(view, query, budget)
            except HydralabError as error:
                calls.forget_last(len(made))
                broken = broken or (None if isinstance(error, BudgetError) else error)
                events.append(
                    event(
                        "replay",
                        "failed",
                        detail=str(error),
                        item_id=query_id,
                        dialogue_id=timeline.dialogue_id,
                    )
                )
                continue
            finally:
                events += calls_that_failed("context", made, timeline.dialogue_id, query_id)
            events += context.events
            if made:  # a prompt that a model has a say in can't be made again
                prompts[query_id] = context
            spent = (perf_counter() - started) * 1e3
            times = {
                "observe": observed,
                "recall": timeline.recall.milliseconds,
                "pack": spent - timeline.recall.milliseconds,
                "total": observed + spent,
            }
            met = _evidence(context, question, turns, questions)
            told = step_row(context, run_id, row, times, previous, met, tokenizer=tokenizer)
            steps.append(told | calls.since_last())
            previous, observed = context, 0.0
    if broken is not None and not steps:
        raise broken
    return Run(
        run_id=run_id,
        strategy=strategy,
        budget=budget,
        dialogue_id=timeline.dialogue_id,
        title=title,
        turns=turns,
        vectors=vectors,
        gold=gold,
        questions=questions,
        steps=build("steps", steps),
        events=build("events", [*timeline.events, *events, *timeline.recall_events.to_dicts()]),
        timeline=timeline,
        prompts=prompts,
    )


def _due(questions: pl.DataFrame, timeline: Timeline) -> dict[int, list[dict[str, Any]]]:
    due: dict[int, list[dict[str, Any]]] = {}
    for question in questions.to_dicts():
        due.setdefault(timeline.last_asked(question["asked_at"]), []).append(question)
    return due


def _evidence(
    context: Context, question: dict[str, Any] | None, turns: pl.DataFrame, questions: pl.DataFrame
) -> tuple[float | None, float | None]:
    if question is None:
        return None, None
    one = questions.filter(pl.col("question_id") == question["question_id"])
    found = evidence_met(replace(context, reasons=None).frame, one, turns).questions.row(0, named=True)
    return found["verbatim"], None if found["answer"] is None else float(found["answer"])
