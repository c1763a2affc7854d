"""Relevance judges: what they let through, what a prompt says of the rest, and what a failing model costs."""

import polars as pl
import pytest

import hydralab as hl
from hydralab.llms import LLMError
from hydralab.strategies.calibration import evidence_chance, fit_calibration

ASKED = {"launch_en": "What was the marketing budget?", "launch_zh": "市场推广预算是多少？"}
FIGURE = {"launch_en": "84,500", "launch_zh": "48.6 万元"}


@pytest.fixture(scope="module", params=sorted(ASKED))
def name(request):
    return request.param


@pytest.fixture(scope="module")
def lab(name):
    return hl.Lab(hl.read_all(hl.example(name)))


def test_what_holds_the_answer_has_the_best_chance(lab, name):
    found = lab.recall(ASKED[name]).with_columns(chance=pl.Series(evidence_chance(lab.recall(ASKED[name]))))
    best = found.filter(pl.col("kind") == "turn").sort("chance", descending=True).row(0, named=True)
    said = lab.turns.filter(pl.col("turn_id") == best["item_id"])["text"][0]
    assert FIGURE[name] in said
    assert found["chance"].is_between(0, 1).all()


def test_the_calibrated_judge_leaves_the_answer_and_says_what_it_drops(lab, name):
    plain = lab.hydrate(ASKED[name], budget=1000, strategy=hl.Hydration(least=0.0))
    strict = lab.hydrate(
        ASKED[name], budget=1000, strategy=hl.Hydration(least=0.0, judge=hl.CalibratedJudge(0.3))
    )
    assert FIGURE[name] in strict.prompt
    assert strict.tokens < plain.tokens
    reasons = strict.dropped["drop_reason"].drop_nulls()
    assert reasons.str.contains("评判认为|the judge gives it a chance").any()


def test_a_judge_that_lets_all_through_changes_nothing(lab, name):
    plain = lab.hydrate(ASKED[name], budget=600)
    judged = lab.hydrate(ASKED[name], budget=600, strategy=hl.Hydration(judge=hl.CalibratedJudge(0.0)))
    assert judged.messages == plain.messages


def test_the_model_is_asked_once_and_what_it_does_not_name_is_dropped(lab, name):
    asked = []

    def names_the_first(messages):
        asked.append(messages[-1]["content"])
        return "1"

    judge = hl.ModelJudge(names_the_first, items=5, fallback=hl.CalibratedJudge(1.0))
    context = lab.hydrate(ASKED[name], budget=1000, strategy=hl.Hydration(recent_rounds=0, judge=judge))
    assert len(asked) == 1
    assert "\n5. " in asked[0]
    assert "\n6. " not in asked[0]
    recalled = [row for row in context.kept_rows if row["section"] in ("recalled", "checkpoint")]
    assert len(recalled) == 1
    assert context.dropped["drop_reason"].str.contains("names_the_first|评判").any()


@pytest.mark.parametrize("failing", [LLMError("the server is down", "unreachable"), "I can't say."])
def test_a_failing_model_falls_back_to_the_calibrated_score(lab, name, failing):
    """FAULTS 14: one call a prompt, the chat goes on, and an event says why."""
    judge = hl.ModelJudge(hl.Scripted(lambda messages: failing))
    context = lab.hydrate(ASKED[name], budget=600, strategy=hl.Hydration(judge=judge))
    by_score = lab.hydrate(ASKED[name], budget=600, strategy=hl.Hydration(judge=hl.CalibratedJudge()))
    assert context.messages == by_score.messages
    assert [(row["stage"], row["status"]) for row in context.events] == [("judge", "failed")]
    assert "CalibratedJudge(least=0.01)" in context.events[0]["detail"]


def test_in_a_replay_the_event_is_kept(lab):
    judge = hl.ModelJudge(hl.Scripted(lambda messages: "who knows"))
    run = lab.replay(hl.Hydration(judge=judge), budget=400)
    failed = run.events.filter(pl.col("stage") == "judge")
    assert failed["status"].unique().to_list() == ["failed"]
    assert failed["item_id"].is_in(run.steps["query_id"].implode()).all()
    assert run.steps["llm_calls"].max() == 1


def test_none_and_nothing_are_answers_of_a_model():
    scores = pl.DataFrame({"kind": ["turn"], "score": [0.9]})
    for said in ("none", "无。", "None."):
        assert hl.ModelJudge(hl.Scripted([said])).judge("?", ["text"], scores).passes == [False]


def test_weights_never_fall_below_zero(lab, name):
    found = lab.recall(ASKED[name])
    worst = (found["lexical"] <= found["lexical"].median()).to_numpy()
    fitted = fit_calibration(found, worst)
    assert all(weight > 0 for weight in fitted.weights.values())
    with pytest.raises(hl.HydralabError, match=f"0 of {found.height} candidates are evidence"):
        fit_calibration(found, [False] * found.height)


def test_what_is_no_judge_is_refused():
    with pytest.raises(hl.HydralabError, match="judge is 'strict', expected a judge"):
        hl.Hydration(judge="strict")
    with pytest.raises(hl.HydralabError, match="least is 2"):
        hl.CalibratedJudge(least=2)


def test_the_long_term_items_of_three_tiers_fall_back_to_words_with_an_event(lab):
    strategy = hl.ThreeTier(hl.Scripted(lambda messages: "who knows"))
    run = lab.replay(strategy, budget=800)
    failed = run.events.filter(pl.col("stage") == "judge")
    assert failed.height
    assert failed["detail"].str.starts_with("judged by WordsJudge").all()
