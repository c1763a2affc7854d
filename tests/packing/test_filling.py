import polars as pl
import pytest

from hydralab.errors import HydralabError
from hydralab.frames import build
from hydralab.packing import Packing, Recalled, pack

QUERY = "预算？"
DIALOGUE = [
    ("user", "预算多少？"),
    ("assistant", "四十八万六。"),
    ("user", "谢谢"),
    ("assistant", "不客气"),
] * 4


def recalled(turns, scores, spans=()):
    """Candidates: turns by position, checkpoints by (start, end) with their score."""
    ids = turns["turn_id"].to_list()
    rows = [("turn", ids[at], score, [ids[at]]) for at, score in scores.items()]
    rows += [("checkpoint", f"#{start}-{end}", score, ids[start : end + 1]) for start, end, score in spans]
    rows.sort(key=lambda row: -row[2])
    candidates = build(
        "candidates",
        [
            {"query_id": "query", "dialogue_id": "a", "item_id": item, "kind": kind, "score": score,
             "rank": rank, "tokens": 20, "source_turn_ids": held}
            for rank, (kind, item, score, held) in enumerate(rows, start=1)
        ],
    )  # fmt: skip
    checkpoints = build(
        "checkpoints",
        [
            {"checkpoint_id": f"#{start}-{end}", "dialogue_id": "a", "start": start, "end": end, "status": "ready",
             "title": f"第{start}到{end}轮", "summary": "预算四十八万六。", "tokens": 20}
            for start, end, _ in spans
        ],
    )  # fmt: skip
    return Recalled.of(candidates, checkpoints)


def reason(ctx, item_id):
    return ctx.frame.filter(pl.col("item_id") == item_id)["drop_reason"][0]


def test_what_scores_far_below_the_best_is_left_out_and_says_so(make_turns):
    turns = make_turns(*DIALOGUE)
    found = recalled(turns, {0: 0.9, 1: 0.5, 2: 0.2})
    ctx = pack(QUERY, turns, budget=2000, recalled=found, packing=Packing(recent_rounds=1, least=0.4))
    ids = turns["turn_id"]
    assert reason(ctx, ids[0]) is reason(ctx, ids[1]) is None
    assert reason(ctx, ids[2]) == "得分远低于最高分（0.20，最高 0.90）"
    whole = pack(QUERY, turns, budget=2000, recalled=found, packing=Packing(recent_rounds=1))
    assert reason(whole, ids[2]) is None
    assert ctx.tokens < whole.tokens


def test_a_best_score_of_zero_or_less_leaves_nothing_out(make_turns):
    turns = make_turns(*DIALOGUE)
    found = recalled(turns, {0: 0.0, 1: -0.5})
    ctx = pack(QUERY, turns, budget=2000, recalled=found, packing=Packing(recent_rounds=1, least=1.0))
    assert ctx.kept.filter(pl.col("section") == "recalled").height == 2


def test_a_checkpoint_whose_turns_are_all_in_the_prompt_is_left_out(make_turns):
    turns = make_turns(*DIALOGUE)
    found = recalled(turns, {0: 0.9, 1: 0.8}, [(0, 1, 1.0), (2, 5, 0.7)])
    packing = Packing(recent_rounds=1, drop_covered=True)
    ctx = pack(QUERY, turns, budget=2000, recalled=found, packing=packing)
    assert reason(ctx, "#0-1") == "它的各轮都已在提示中"
    assert reason(ctx, "#2-5") is None
    kept = pack(QUERY, turns, budget=2000, recalled=found, packing=Packing(recent_rounds=1))
    assert reason(kept, "#0-1") is None


def test_a_checkpoint_of_the_recent_turns_is_left_out_too(make_turns):
    turns = make_turns(*DIALOGUE)
    last = turns.height - 1
    found = recalled(turns, {}, [(last - 1, last, 1.0)])
    packing = Packing(recent_rounds=2, drop_covered=True)
    ctx = pack(QUERY, turns, budget=2000, recalled=found, packing=packing)
    assert ctx.kept["section"].unique().sort().to_list() == ["query", "recent"]


def test_a_share_outside_0_to_1_is_refused():
    for wrong in (-0.1, 1.5, float("nan")):
        with pytest.raises(
            HydralabError, match=r"Packing: least is .*, expected a (number|share of the best score)"
        ):
            Packing(least=wrong)
