import json
from dataclasses import replace

import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.widgets.recalllab_state import RecallLabState
from hydralab.widgets.sliders import Sliders, weights_of


@pytest.fixture
def recalling(lab):
    return RecallLabState(lab)


def test_it_opens_with_the_first_gold_question_where_it_was_asked(recalling, lab):
    first = lab.questions.row(0, named=True)
    assert (recalling.question, recalling.query) == (first["question_id"], first["text"])
    assert recalling.at == first["asked_at"] + 1


def test_the_prompt_is_the_one_the_lab_makes(lab):
    recalling = RecallLabState(lab, "之前提到的市场推广预算是多少？", budget=600)
    assert recalling.context.messages == lab.hydrate(recalling.query, budget=600).messages
    assert recalling.candidates.drop("query_id").equals(lab.recall(recalling.query).drop("query_id"))


@pytest.mark.parametrize(
    "sliders", [Sliders.named("default"), Sliders(weights=(("dense", 1.0), ("lexical", 0.4)), turns=9)]
)
def test_a_gold_question_is_asked_as_a_replay_of_the_strategy_asks_it(recalling, lab, sliders):
    recalling.set(sliders)
    run = lab.replay(recalling.strategy, budget=1000)
    for name in run.questions["question_id"]:
        recalling.pick(name)
        asked = recalling.result()["moment"]["asked"][0]
        assert recalling.context.messages == run.ask(name).messages
        misses = run.misses().filter(pl.col("question_id") == name)
        assert [each["stage"] for each in asked["evidence"]] == misses["stage"].to_list()


def test_the_id_of_a_gold_question_stands_for_it(lab):
    second = lab.questions.row(1, named=True)
    recalling = RecallLabState(lab, second["question_id"])
    assert (recalling.question, recalling.query) == (second["question_id"], second["text"])
    recalling.ask(lab.questions["question_id"][0])
    assert recalling.question == lab.questions["question_id"][0]


def test_a_query_that_is_no_text_is_refused(lab):
    with pytest.raises(HydralabError, match="RecallLab: query is 5, expected a text"):
        RecallLabState(lab, 5)


def test_what_sliders_do_not_show_of_a_strategy_stays(lab):
    blend = pl.col("dense") + 2 * pl.col("lexical")
    given = hl.Hydration(
        recall=hl.Recall(blend=blend, turns=30, decompose="rules", mmr=0.7), recent_rounds=0, reserve=50
    )
    recalling = RecallLabState(lab, strategy=given, budget=700)
    assert recalling.strategy == replace(given, trigger=lab.trigger())
    assert dict(recalling.sliders.weights) == {"dense": 0.5, "lexical": 1.0}
    recalling.set(replace(recalling.sliders, weights=(("dense", 1.0),), turns=40))
    moved = recalling.strategy
    assert (moved.recall.decompose, moved.recall.mmr, moved.recall.turns) == ("rules", 0.7, 40)
    assert (moved.recent_rounds, moved.reserve) == (0, 50)
    assert recalling.context.tokens <= 650
    recalling.set(Sliders.of(given.recall, budget=700))
    assert recalling.strategy.recall == given.recall


@pytest.mark.parametrize(
    "strategy", [hl.SlidingWindow(), hl.Hydration(recall=hl.Recall(blend=pl.col("dense") ** 2))]
)
def test_a_strategy_that_sliders_cannot_show_is_refused(lab, strategy):
    with pytest.raises(HydralabError, match=r"expected an hl.Hydration|no weighted sum"):
        RecallLabState(lab, strategy=strategy)


def test_passages_of_documents_are_candidates_as_they_are_for_the_lab():
    lab = hl.Lab(hl.read_all(hl.example("launch_en")))
    lab.add_documents({"Travel rules": "A hotel may cost 140 euros a night."})
    recalling = RecallLabState(lab, "What may a hotel cost a night?", budget=600)
    shown = recalling.result()["candidates"][0]
    assert (shown["label"], shown["kind"], shown["fate"]) == ("Travel rules", "document", "in the prompt")
    assert "140 euros" in shown["text"]
    assert recalling.context.messages == lab.hydrate(recalling.query, budget=600).messages


def test_weights_change_the_order_and_stand_in_the_strategy(recalling):
    recalling.ask("预算是多少？")
    recalling.set(Sliders(weights=(("recency", 1.0),)))
    turns = recalling.candidates.filter(pl.col("kind") == "turn")["source_turn_ids"].list.first()
    assert [recalling.positions[name] for name in turns[:3]] == [19, 18, 17]
    assert "recency" in repr(recalling.strategy)


def test_only_turns_before_the_position_are_recalled(recalling):
    recalling.ask("预算是多少？", at=6)
    seen = recalling.candidates["source_turn_ids"].explode().to_list()
    assert max(recalling.positions[name] for name in seen) < 6


def test_every_candidate_says_what_became_of_it_and_evidence_is_marked(recalling):
    recalling.set(Sliders.named("default", budget=300))
    rows = recalling.result()["candidates"]
    kept = {item for item, kept in recalling.context.frame.select("item_id", "kept").rows() if kept}
    assert {row["id"] for row in rows if row["kept"]} == kept & {row["id"] for row in rows}
    assert any(row["gold"] for row in rows)
    assert any(not row["kept"] and row["fate"] for row in rows)


def test_a_budget_too_small_is_a_reason_and_no_error(recalling):
    recalling.set(Sliders.named("default", budget=10))
    shown = recalling.result()["moment"]
    assert "10" in shown["reason"]
    assert (shown["items"], recalling.prompt()) == ([], {"messages": []})
    recalling.ask("   ")
    assert recalling.result()["moment"]["reason"] == "type a query, or pick a gold question"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"weights": {"lexical": 0}}, "every weight is 0"),
        ({"weights": {"lexicl": 1}}, "unknown score column 'lexicl'; known: 'lexical'"),
        ({"blend": "nonsense"}, "nonsense"),
    ],
)
def test_wrong_sliders_are_refused_and_change_nothing(recalling, wrong, message):
    before = recalling.result()
    given = {**Sliders.named("default").to_json(), "blend": "", **wrong}
    with pytest.raises(HydralabError, match=message):
        recalling.set(Sliders.of_json(given))
    assert recalling.result() == before


def test_an_unknown_question_is_named_with_its_neighbours(recalling):
    with pytest.raises(HydralabError, match="nearest: 'launch_zh:q0"):
        recalling.pick("q1")


def test_named_blends_have_their_weights_and_other_expressions_none():
    assert dict(weights_of("recency")) == {"recency": 1.0}
    name = "square of dense, for a test"
    hl.BLENDS.add(name, pl.col("dense") ** 2)
    assert weights_of(name) == ()


def test_sliders_survive_the_way_through_the_browser():
    for sliders in (Sliders.named("default", budget=700), Sliders(weights=(("dense", 0.5),), turns=3)):
        assert Sliders.of_json(json.loads(json.dumps(sliders.to_json()))) == sliders


def test_everything_that_is_sent_is_json(recalling):
    json.dumps(recalling.result(), allow_nan=False)


def test_a_dialogue_of_one_turn_is_recalled_from_and_a_lab_of_none_refused(lab):
    one = hl.from_frame(pl.DataFrame({"role": ["user"], "text": ["好的"]}))
    assert len(RecallLabState(hl.Lab(one), "预算？").result()["candidates"]) == 1
    with pytest.raises(HydralabError, match="has no dialogue"):
        RecallLabState(hl.Lab(one.clear()))


def test_settings_that_were_moved_give_what_they_give_from_the_start(lab):
    moved = RecallLabState(lab)
    for weight in (0.1, 0.4):
        moved.set(Sliders(weights=(("dense", 1.0), ("lexical", weight)), turns=20, budget=500))
    fresh = RecallLabState(lab, strategy=moved.strategy, budget=500)
    assert moved.candidates.equals(fresh.candidates)
    assert moved.context.frame.equals(fresh.context.frame)
    assert moved.context.budget == 500
    assert moved._evidence() == fresh._evidence()


def test_checkpoints_that_the_lab_placed_since_are_recalled_from():
    lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
    recalling = RecallLabState(lab, "市场推广预算是多少？")
    lab.checkpoints("hl.get_trigger('every', n=5)")
    recalling.set(Sliders.named("dense"))
    kept = recalling.candidates.filter(pl.col("kind") == "checkpoint")["item_id"].to_list()
    assert set(kept) <= set(lab.checkpoints()["checkpoint_id"])
