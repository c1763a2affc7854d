"""What changes with the query stands right before it, so that the rest is a prefix that a provider can keep."""

import polars as pl
import pytest

import hydralab as hl
from hydralab.texts import tokenizer


def packed(name, query, **settings):
    lab = hl.Lab(hl.read_all(hl.example(name)))
    candidates = lab.recall(query)
    return hl.pack(
        query,
        lab.dialogue_turns(),
        budget=900,
        recalled=hl.Recalled.of(candidates, checkpoints=lab.checkpoints()),
        packing=hl.Packing(system="Be brief. 请简短回答。", recent_rounds=2, **settings),
    )


@pytest.mark.parametrize(
    ("name", "query"),
    [("launch_en", "What was the marketing budget?"), ("launch_zh", "市场推广预算是多少？")],
)
def test_what_is_recalled_stands_between_recent_turns_and_query(name, query):
    """FAULTS 1, 5: the query byte for byte at the end, all tokens counted."""
    context = packed(name, query, stable_first=True)
    sections = context.kept["section"].unique(maintain_order=True).to_list()
    assert sections[:2] == ["system", "recent"]
    assert sections[-1] == "query"
    assert "recalled" in sections
    assert context.tokens == tokenizer().count_messages(context.messages) <= 900
    assert context.tokens == context.kept["tokens"].sum()
    assert "<recalled>" not in context.messages[0]["content"]
    assert context.messages[-1]["content"].endswith(f"</recalled>\n{query}")


def test_the_same_is_sent_in_another_order():
    query = "What was the marketing budget?"
    plain, moved = packed("launch_en", query), packed("launch_en", query, stable_first=True)
    assert set(plain.kept["item_id"]) == set(moved.kept["item_id"])
    assert plain.kept["section"].unique(maintain_order=True).to_list()[-2] == "recent"


def test_what_is_pinned_stays_in_the_system_message():
    query = "What was the marketing budget?"
    first = packed("launch_en", query).kept.filter(pl.col("section") == "recalled")["item_id"][0]
    context = packed("launch_en", query, stable_first=True, pinned=(first,))
    system = context.messages[0]["content"]
    assert system.count("<turn ") == 1
    assert context.kept["item_id"].to_list()[1] == first
    assert context.tokens == tokenizer().count_messages(context.messages)


@pytest.mark.parametrize("name", ["launch_en", "launch_zh"])
def test_a_layered_prompt_keeps_most_of_its_prefix_so(name):
    lab = hl.Lab(hl.read_all(hl.example(name)))
    plain, moved = (
        lab.replay(hl.Layered(stable_first=stable_first), budget=2_000) for stable_first in (False, True)
    )
    late = slice(-6, None)  # by then facts are recalled
    assert sum(moved.steps["stable_prefix_tokens"][late]) > 1.5 * sum(
        plain.steps["stable_prefix_tokens"][late]
    )
    assert moved.steps["tokens"].max() <= 2_000
    hl.check_strategy(hl.Layered(stable_first=True))
