import numpy as np
import polars as pl
import pytest

from hydralab.recall import Recall, Recaller

CAT = "Why does my pet tear up the couch?"


def test_turns_beside_the_best_come_into_the_close_look_with_a_score_of_their_own(recaller_of):
    found = recaller_of(Recall(pool=1, feedback=0)).candidates(CAT)
    assert set(found["item_id"]) == {"d:6", "d:7", "d:8"}
    assert found["score"].n_unique() == 3


def test_turns_under_a_recalled_checkpoint_are_pulled_in_and_told_by_its_score(recaller_of, talk):
    recaller = recaller_of(Recall(pool=1))
    recaller.add_checkpoints(talk.checkpoints((0, 5, "Launch of the kettle"), (6, 9, "The cat and the sofa")))
    found = recaller.candidates(CAT)
    turns = found.filter(kind="turn")
    assert {"d:8", "d:9"} <= set(turns["item_id"])
    by_turn = dict(turns.select("item_id", "checkpoint").rows())
    assert by_turn["d:9"] > 0.9
    assert by_turn.get("d:3", 0) < 0.3
    best = found.filter(kind="checkpoint").head(1)
    assert best["item_id"].item() == "d#6-9"
    assert best["source_turn_ids"].to_list() == [["d:6", "d:7", "d:8", "d:9"]]


def test_an_item_is_scored_like_a_turn(recaller_of, talk):
    recaller = recaller_of()
    recaller.add_checkpoints(talk.checkpoints((0, 5, "Launch of the kettle"), (6, 9, "The cat and the sofa")))
    recaller.add_memories(talk.memories(("m", "The cat Mimi scratches the sofa.", [6], None)))
    found = recaller.candidates("Which of my animals scratches the sofa?")
    assert found["kind"].unique().sort().to_list() == ["checkpoint", "memory", "turn"]
    assert found["item_id"].head(3).is_in(["m", "d:6", "d#6-9"]).sum() >= 2
    assert found.filter(kind="memory")["tokens"].item() == 7


def test_feedback_lifts_what_resembles_the_best_matches(recaller_of):
    question = "What do you know of Mimi?"
    plain, lifted = (recaller_of(Recall(feedback=count)).candidates(question) for count in (0, 2))
    assert plain["feedback"].max() == 0
    assert lifted["feedback"].max() == 1
    assert dict(lifted.select("item_id", "feedback").rows())["d:6"] > 0.9


def test_evidence_that_comes_in_similar_turns_is_kept_together_unless_asked(talk):
    """FAULTS 31: diversity is off by default, and takes one of two needed turns away."""
    lines = [
        ("user", "The kettle costs 49 euros."), ("assistant", "Noted."), ("user", "My aunt lives in Graz."),
        ("assistant", "Nice."), ("user", "The kettle now costs 45 euros."), ("assistant", "Noted, thanks."),
    ]  # fmt: skip
    turns, vectors = talk.turns(lines), talk.vectors(lines)
    assert Recall().mmr is None
    plain, diverse = (
        Recaller(turns, vectors, config=Recall(mmr=mmr)).candidates("What does the kettle cost?")
        for mmr in (None, 0.3)
    )
    assert set(plain["item_id"].head(2)) == {"d:0", "d:4"}
    assert set(diverse["item_id"].head(2)) != {"d:0", "d:4"}
    assert diverse["score"].is_sorted(descending=True)


@pytest.mark.parametrize("apart", ["pause", "session"])
def test_what_was_said_in_another_sitting_is_no_neighbour(talk, apart):
    lines = [("user", "Let us talk about the budget."), ("user", "Hm."), ("user", "What now?")]
    turns = talk.turns(lines).with_columns(session=pl.lit("s"))
    hour = pl.col("time").first() + pl.duration(hours=pl.col("position"))
    together = turns.with_columns(time=hour)
    if apart == "pause":
        parted = turns.with_columns(time=hour + pl.duration(days=2 * (pl.col("position") > 0)))
    else:
        parted = together.with_columns(session=(pl.col("position") > 0).cast(pl.String))
    around = {}
    for name, table in (("together", together), ("parted", parted)):
        found = Recaller(table, talk.vectors(lines)).candidates("the budget").sort("item_id")
        around[name] = found["lexical_around"].to_list()
    assert around["together"][1] > around["parted"][1] == 0
    assert around["parted"][0] > 0


def test_of_equal_scores_the_later_turn_comes_first(recaller_of):
    found = recaller_of(Recall(blend=pl.col("speaker"))).candidates("anything")
    np.testing.assert_array_equal(found["score"], 0)
    assert found["item_id"].to_list() == [f"d:{place}" for place in reversed(range(12))]


@pytest.mark.parametrize("query", ["kettle", "zebra"])
def test_of_more_equal_turns_than_the_pool_holds_the_latest_are_found(talk, query):
    lines = [("user", f"kettle number {place}") for place in range(40)]
    config = Recall(blend="lexical", pool=8, turns=8, feedback=0)
    recaller = Recaller(talk.turns(lines), talk.vectors(lines), config=config)
    found = recaller.candidates(query)
    assert found["score"].n_unique() == 1
    assert found["item_id"].to_list() == [f"d:{place}" for place in reversed(range(32, 40))]


def test_of_equal_turns_the_later_is_nearer_the_top_for_a_part_of_a_query(talk):
    lines = [("user", f"kettle number {place}") for place in range(6)]
    config = Recall(blend="lexical", decompose="rules")
    recaller = Recaller(talk.turns(lines), talk.vectors(lines), config=config)
    found = recaller.candidates("What of the kettle? What of the zebra?")
    assert found["parts"].is_sorted(descending=True)
    assert found.filter(parts=1)["item_id"].to_list() == ["d:5"]


def test_who_is_named_speaks_and_is_no_entity_of_what_others_say(talk):
    lines = [
        ("user", "Hi Ann, I bought a boat."),
        ("user", "Great, Bob! I sold my bike."),
        ("user", "Why, Ann?"),
    ]
    recaller = Recaller(talk.turns(lines, speakers=["Bob", "Ann", "Bob"]), talk.vectors(lines))
    found = recaller.candidates("What did Ann sell?").sort("item_id")
    assert found["speaker"].to_list() == [0, 1, 0]
    assert found["entity"].max() == 0
    assert recaller.candidates("What do Ann and Bob own?")["speaker"].sum() == 0


def test_the_time_that_a_query_names_is_a_score(recaller_of):
    found = recaller_of().candidates("What was said on 5 March 2026?").filter(pl.col("time") > 0)
    assert found["item_id"].to_list() == ["d:3"]
