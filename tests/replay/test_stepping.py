"""What of a prompt stands as it stood in the prompt before, against the tokens of both as they are sent."""

from itertools import pairwise, takewhile

import polars as pl
import pytest

import hydralab as hl
from hydralab.replay.stepping import stable_prefix
from hydralab.texts import tokenizer

EDGE = 4
"""The header of the first message that differs is charged to what follows it."""

END = 2
"""The end of a message, where the other prompt goes on with the same message."""

STRATEGIES = (
    hl.FullHistory(),
    hl.SlidingWindow(),
    hl.Hydration(),
    hl.RunningSummary(),
    hl.Layered(system="Be brief. 请简短回答。"),
    hl.ThreeTier(),
)


def rendered(context):
    """Return the tokens of a prompt as OpenAI counts them: start, role and line break before a message, its end."""
    return [
        token
        for each in context.messages
        for token in ("start", each["role"], "break", *tokenizer().encode(each["content"]), "end")
    ]


def common(one, other):
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@pytest.mark.parametrize("name", ["launch_zh", "launch_en"])
@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
@pytest.mark.parametrize("budget", [400, 2_000])
def test_stable_tokens_are_the_leading_tokens_that_both_prompts_share(name, strategy, budget):
    run = hl.Lab(hl.read_all(hl.example(name))).replay(strategy, budget=budget)
    asked = run.steps.filter(~pl.col("query_id").is_in(run.questions["question_id"].implode()))
    contexts = [run.step(position) for position in asked["position"]]
    for before, now in pairwise(contexts):
        shared = common(rendered(now), rendered(before))
        assert shared - EDGE <= stable_prefix(now, before, tokenizer()) <= shared + END, now.at


def test_nothing_is_stable_before_the_first_prompt_and_all_of_one_that_is_asked_again():
    run = hl.Lab(hl.read_all(hl.example("launch_en"))).replay(hl.Hydration(), budget=500)
    context = run.step(12)
    assert stable_prefix(context, None, tokenizer()) == 0
    assert stable_prefix(context, context, tokenizer()) == context.tokens


def test_an_item_that_moved_ends_what_is_stable():
    """The same items in another order share no prefix beyond the system text."""
    lab = hl.Lab(hl.read_all(hl.example("launch_en")))
    context = lab.hydrate("What was the marketing budget?", budget=500)
    kept = context.kept_rows
    moved = [kept[0], *reversed([row for row in kept if row["section"] == "recalled"])]
    other = [row for row in kept[1:] if row["section"] != "recalled"]
    swapped = type(context)(
        rows=[*moved, *other], query=context.query, query_id="q", dialogue_id=context.dialogue_id,
        budget=500, reserve=0, tokens=context.tokens, at=context.at,
    )  # fmt: skip
    assert stable_prefix(context, swapped, tokenizer()) < kept[0]["tokens"] + 8


def test_what_a_strategy_decided_stands_in_the_steps():
    steps = hl.Lab(hl.read_all(hl.example("launch_zh"))).replay(hl.Auto(), budget=1_000).steps
    assert steps["decision"][0].startswith("sliding_window: 0 轮，不到 10 轮")
    assert (
        hl.Lab(hl.read_all(hl.example("launch_zh"))).replay(hl.Hydration()).steps["decision"].null_count() > 0
    )
