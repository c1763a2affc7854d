"""Adaptive context: what makes a query hard, what that changes, and that it is told."""

import polars as pl
import pytest

import hydralab as hl
from hydralab.packing import BudgetError

ADAPTIVE = hl.Hydration(adaptive=hl.Adaptive())


@pytest.fixture(scope="module", params=["long_en", "long_zh"])
def lab(request):
    return hl.Lab(hl.read_all(hl.example(request.param)))


def question(lab, row=0):
    return lab.questions.row(row, named=True)["text"]


def decision(lab, query, strategy=ADAPTIVE, budget=1000):
    return lab.hydrate(query, budget=budget, strategy=strategy).decision


def test_without_the_setting_nothing_is_decided(lab):
    context = lab.hydrate(question(lab), budget=1000, strategy=hl.Hydration())
    assert context.decision == {}
    assert "adapted" not in context.explain()


def test_a_prompt_stays_in_its_part_and_keeps_the_budget_it_was_given(lab):
    for row in range(0, lab.questions.height, 7):
        context = lab.hydrate(question(lab, row), budget=1000, strategy=ADAPTIVE)
        assert context.tokens <= context.decision["budget"] <= context.budget == 1000
        assert context.tokens == lab.tokenizer.count_messages(context.messages)


def test_a_harder_query_may_use_more(lab):
    decided = pl.DataFrame([decision(lab, question(lab, row)) for row in range(lab.questions.height)])
    ordered = decided.sort("difficulty")
    assert ordered["budget"].is_sorted()
    assert ordered["turns"].is_sorted()
    assert ordered["least"].is_sorted(descending=True)
    assert ordered["difficulty"][-1] - ordered["difficulty"][0] > 0.2


@pytest.mark.parametrize(
    ("sign", "plain", "marked"),
    [
        ("back", "What was the plan?", "Remind me what the plan was, as we discussed."),
        ("critical", "什么时候去公园？", "合同什么时候付款？"),
        ("critical", "When do we paint?", "When is the deadline of the contract?"),
        ("names", "What did they say?", "What did Petra Klein say on 4 March 2025?"),
        ("sentiment", "周二可以吗？", "太糟糕了，完全错了，我很失望！"),
        ("back", "预算是多少？", "之前提到的预算是多少？"),
    ],
)
def test_each_sign_makes_a_query_harder(lab, sign, plain, marked):
    before, after = decision(lab, plain)["signs"][sign], decision(lab, marked)["signs"][sign]
    assert before == 0
    assert after > 0


def test_the_reason_is_told_in_the_language_of_the_query(lab):
    for query, told in (("合同的截止日期是哪天？", "出错代价高"), ("When is the contract due?", "costly")):
        context = lab.hydrate(query, budget=800, strategy=ADAPTIVE)
        assert told in context.decision["why"]
        assert context.explain().splitlines()[0].endswith(context.decision["why"])
        assert told in context._repr_mimebundle_()["text/html"]


def test_recall_that_is_sure_of_something_old_sends_fewer_newest_rounds(lab):
    never = hl.Hydration(adaptive=hl.Adaptive(sure=1.0))
    rounds = {
        (
            decision(lab, question(lab, row))["recent_rounds"],
            decision(lab, question(lab, row), never)["recent_rounds"],
        )
        for row in range(0, lab.questions.height, 5)
    }
    assert (1, 3) in rounds
    assert {plain for _, plain in rounds} == {3}


def test_a_query_that_its_part_can_not_hold_takes_the_whole_budget():
    lab = hl.Lab(hl.read_all(hl.example("launch_en")))
    query = "What was the marketing budget? " * 20
    strategy = hl.Hydration(adaptive=hl.Adaptive(low=0.1, weights=(0, 0, 0, 0, 0, 0)))
    context = lab.hydrate(query, budget=160, strategy=strategy)
    assert context.decision["budget"] == 160
    assert "all of the budget" in context.decision["why"]
    with pytest.raises(BudgetError):
        lab.hydrate(query, budget=40, strategy=strategy)


def test_the_reserve_is_left_as_it_is():
    lab = hl.Lab(hl.read_all(hl.example("launch_en")))
    strategy = hl.Hydration(reserve=300, adaptive=hl.Adaptive(low=0.2))
    context = lab.hydrate("What was the marketing budget?", budget=700, strategy=strategy)
    assert context.decision["budget"] >= 300 + 0.2 * 400
    assert context.tokens <= 400


def test_a_saved_run_tells_what_was_decided(tmp_path):
    run = hl.Lab(hl.read_all(hl.example("launch_zh"))).replay(ADAPTIVE, budget=500)
    again = hl.load_run(run.save(tmp_path / "run"))
    position = run.steps["position"][-1]
    assert again.step(position).decision == run.step(position).decision != {}


def test_settings_that_can_not_be_meant_are_refused():
    for settings in ({"low": 2}, {"turns": (1,)}, {"weights": (1, 1)}, {"least": (0.5, 3)}):
        with pytest.raises(hl.HydralabError, match="Adaptive"):
            hl.Adaptive(**settings)
    with pytest.raises(hl.HydralabError, match=r"expected an hl\.Adaptive"):
        hl.Hydration(adaptive=True)
