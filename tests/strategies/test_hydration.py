import polars as pl
import pytest

import hydralab as hl


@pytest.fixture(scope="module")
def lab():
    return hl.Lab(hl.read_all(hl.example("long_en")))


def test_the_preset_of_the_literature_recalls_two_turns_and_three_checkpoints_at_most(lab):
    run = lab.replay(hl.Hydration.literature(), budget=2000)
    for position in (60, 120, 200):
        kept = run.step(position).kept
        assert kept.filter(pl.col("section") == "recalled").height <= 2
        assert 1 <= kept.filter(pl.col("section") == "checkpoint").height <= 3


def test_a_quota_takes_the_best_by_its_own_score(lab):
    strategy = hl.Hydration(quotas=(hl.Quota("turn", "lexical", 3),), least=0.0)
    query = "what did lucinda quote for the kitchen?"
    ctx = lab.hydrate(query, strategy=strategy, budget=2000)
    best = (
        lab.recall(query).filter(pl.col("kind") == "turn").sort("lexical", descending=True)["item_id"].head(3)
    )
    recalled = ctx.frame.filter(pl.col("scores").is_not_null())["item_id"].to_list()
    assert set(recalled) <= set(best)


def test_limits_bound_what_is_recalled(lab):
    ctx = lab.hydrate("kitchen quote", strategy=hl.Hydration(turns=1, checkpoints=0), budget=4000)
    assert ctx.kept.filter(pl.col("section") == "recalled").height == 1
    assert ctx.kept.filter(pl.col("section") == "checkpoint").height == 0
    assert "over the limit of" in " ".join(ctx.dropped["drop_reason"])


def test_what_bears_little_on_the_query_is_left_out_though_there_be_room(lab):
    query = "what did lucinda quote for the kitchen?"
    ctx, filled = (
        lab.hydrate(query, strategy=hl.Hydration(least=least), budget=4000) for least in (0.7, 0.0)
    )
    assert ctx.tokens < 0.9 * filled.tokens
    assert "far below the best" in " ".join(ctx.dropped["drop_reason"])


def test_the_cut_is_that_of_the_default_blend_and_another_blend_fills_the_budget(lab):
    query = "what did lucinda quote for the kitchen?"
    for blend in ("lexical", pl.col("dense") + pl.col("lexical")):
        of_another, filled = (
            lab.hydrate(query, strategy=hl.Hydration(recall=hl.Recall(blend=blend), least=least), budget=1000)
            for least in (None, 0.0)
        )
        assert of_another.messages == filled.messages
    of_default = [
        lab.hydrate(query, strategy=hl.Hydration(least=least), budget=1000) for least in (None, 0.4)
    ]
    assert of_default[0].messages == of_default[1].messages
