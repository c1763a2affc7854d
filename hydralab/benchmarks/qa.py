"""Whether a chat model answers gold questions rightly from the prompts of each strategy, and at what cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from hydralab.benchmarks.budget import METHODS, timelines
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.errors import unknown_name
from hydralab.llms import LLM, LLMError, ask, get_llm, record_calls
from hydralab.llms.prompting import fence, prompt, prompt_language
from hydralab.metrics import answer_exact, answer_excluded, answer_f1, contains_answer, mean_interval
from hydralab.packing import Context
from hydralab.readers import example, read_all
from hydralab.strategies import Hydration, SlidingWindow

__all__ = ["measure_qa"]

BUNDLED = ("long_en",)
STRATEGIES = ("hydration", "bm25 fills the budget", "sliding_window")
ANSWER_TOKENS, GRADE_TOKENS = 48, 4
RIGHT = ("right", "对")


def measure_qa(
    sets: Mapping[str, Path] | None = None,
    *,
    llm: Any = "smollm2",
    judge: Any = None,
    methods: Sequence[str] = STRATEGIES,
    budgets: Sequence[int] = (1_000,),
    encoder: str = "use",
    limit: int | None = None,
    progress: bool = False,
) -> pl.DataFrame:
    """Answer each gold question from the prompt of each strategy, and score the answers.

    Parameters
    ----------
    sets
        Name → file or folder with dialogues and questions; the long English dialogue when None.
    llm
        What answers: anything that `hl.get_llm` takes.
    judge
        What grades answers as right or wrong; nothing does when None.
    methods
        Of `hydralab.benchmarks.budget.METHODS`.
    budgets
        Tokens a prompt.
    limit
        So many questions of each set, spread over it; all when None.

    Returns
    -------
    DataFrame
        A row a set, method, budget and metric: "exact", "f1" and "contains" against the gold answer, "judged" where
        there is a judge; value, lo, hi (95 %, bootstrap over questions), n, excluded (questions without an answer
        that can be compared), failed (questions without a reply; they count as wrong), calls, prompt_tokens, cost
        (of the model and the judge; null where a price isn't known).
    """
    from tqdm.auto import tqdm

    unknown = [name for name in methods if name not in METHODS]
    if unknown:
        raise unknown_name("method", unknown[0], METHODS)
    answering, grading = get_llm(llm), None if judge is None else get_llm(judge)
    paths = {name: example(name) for name in BUNDLED} if sets is None else sets
    rows: list[dict[str, Any]] = []
    for name, path in paths.items():
        corpus = read_all(path)
        for method in methods:
            ready = list(timelines(corpus, METHODS[method](), encoder))
            asked = [(each, timeline) for questions, timeline in ready for each in questions.to_dicts()]
            fit = [(each, timeline) for each, timeline in asked if not answer_excluded(each["answer"])]
            chosen = fit[:: max(1, -(-len(fit) // limit))] if limit else fit
            for budget in budgets:
                head = {"set": name, "method": method, "model": answering.name, "budget": budget}
                with record_calls() as calls:
                    scores = [
                        _answered(
                            timeline.context(
                                timeline.view_after(each["asked_at"], explain=False), each["text"], budget
                            ),
                            each["answer"],
                            answering,
                            grading,
                        )
                        for each, timeline in tqdm(chosen, disable=not progress, unit="question")
                    ]
                costs = [call.cost for call in calls]
                told = {
                    "excluded": len(asked) - len(fit),
                    "failed": sum(score is None for score in scores),
                    "calls": len(calls),
                    "prompt_tokens": sum(call.usage.prompt for call in calls),
                    "cost": None if None in costs else sum(cost for cost in costs if cost is not None),
                }
                rows += [head | measured | told for measured in _measured(scores, judged=grading is not None)]
    return pl.DataFrame(rows, infer_schema_length=None)


def _answered(context: Context, gold: str, llm: LLM, judge: LLM | None) -> dict[str, float] | None:
    """Return the scores of one answer; None where there is none, or no grade."""
    instruction = {"role": "system", "content": prompt("answer", prompt_language(context.query))}
    system, *rest = context.messages if context.messages[0]["role"] == "system" else ({}, *context.messages)
    told = "\n\n".join(filter(None, [system.get("content"), instruction["content"]]))
    try:
        given = ask(llm, [{**instruction, "content": told}, *rest], max_tokens=ANSWER_TOKENS, temperature=0.0)
        scores = {
            "exact": answer_exact(given.text, gold),
            "f1": answer_f1(given.text, gold),
            "contains": float(contains_answer(given.text, gold)),
        }
        return (
            scores if judge is None else scores | {"judged": _graded(judge, context.query, gold, given.text)}
        )
    except LLMError:
        return None


def _graded(judge: LLM, question: str, gold: str, given: str) -> float:
    parts = {"question": question, "right_answer": gold, "answer": given}
    messages = [
        {"role": "system", "content": prompt("grade", prompt_language(question))},
        {"role": "user", "content": "\n".join(fence(tag, text) for tag, text in parts.items())},
    ]
    reply = ask(judge, messages, max_tokens=GRADE_TOKENS, temperature=0.0)
    return float(reply.text.strip().casefold().startswith(RIGHT))


def _measured(scores: Sequence[Mapping[str, float] | None], *, judged: bool) -> Iterator[dict[str, Any]]:
    for metric in ("exact", "f1", "contains", *(["judged"] if judged else [])):
        values = [0.0 if score is None else score[metric] for score in scores]
        mean, lo, hi = (round(each, 4) for each in mean_interval(values))
        yield {"metric": metric, "value": mean, "lo": lo, "hi": hi, "n": len(values)}


BENCHES.add(
    "qa",
    Bench(
        measure_qa,
        lambda: {"hydration": Hydration(), "window": SlidingWindow()},
        "answers of a chat model from the prompts of each strategy",
    ),
)
