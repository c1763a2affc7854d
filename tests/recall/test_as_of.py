"""What is recalled at a moment does not depend on what comes later, nor on how the past was handed in."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydralab.recall import Recall, Recaller

QUERIES = ["How much for marketing in March 2026?", "猫晚上无聊怎么办？", "ok"]
OTHER = [
    ("user", "Mimi and the budget: 84,500 euros for a sofa!"),
    ("assistant", "ok"),
    ("user", "euros euros"),
]


def known_at(recaller, at):
    return [recaller.candidates(query, at=at) for query in QUERIES]


def same(one, other):
    return all(a.equals(b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("index", ["exact", "hnsw"])
@pytest.mark.parametrize("at", [1, 5, 9])
def test_another_future_changes_nothing(talk, index, at):
    pasts = []
    for future in (talk.lines[at:], [], OTHER * 4):
        lines = [*talk.lines[:at], *future]
        recaller = Recaller(talk.turns(lines), talk.vectors(lines), config=Recall(index=index))
        pasts.append(known_at(recaller, at))
    assert same(pasts[0], pasts[1])
    assert same(pasts[0], pasts[2])


def test_a_dialogue_handed_in_turn_by_turn_is_the_same_dialogue(recaller_of, talk):
    whole, growing = recaller_of(), recaller_of(upto=0)
    turns, vectors = talk.turns(), talk.vectors()
    for at in range(1, 13):
        growing.extend(turns[at - 1 : at], vectors[at - 1 : at])
        assert same(known_at(growing, at), known_at(whole, at))


@settings(deadline=None, max_examples=15)
@given(moments=st.lists(st.integers(0, 12), min_size=2, max_size=6))
def test_the_order_of_asking_does_not_matter(talk, moments):
    turns, vectors = talk.turns(), talk.vectors()
    wandering = Recaller(turns, vectors)
    for at in moments:
        assert same(known_at(wandering, at), known_at(Recaller(turns, vectors), at))


def test_a_checkpoint_is_known_once_it_is_decided_and_ready(recaller_of, talk):
    recaller = recaller_of()
    recaller.add_checkpoints(talk.checkpoints((0, 5, "Launch of the kettle"), decided_at=8))
    recaller.add_checkpoints(talk.checkpoints((6, 9, "The cat"), status="open"))
    for at, known in ((7, 0), (8, 1), (12, 1)):
        assert (recaller.candidates("kettle", at=at)["kind"] == "checkpoint").sum() == known


def test_a_checkpoint_decided_later_changes_nothing_before(recaller_of, talk):
    alone, both = recaller_of(), recaller_of()
    for recaller in (alone, both):
        recaller.add_checkpoints(talk.checkpoints((0, 2, "Launch")))
    both.add_checkpoints(talk.checkpoints((3, 8, "Marketing money, cat, sofa")))
    assert same(known_at(alone, 9), known_at(both, 9))
    assert not same(known_at(alone, 11), known_at(both, 11))


def test_a_fact_is_known_after_its_turns_and_until_its_successor_is(recaller_of, talk):
    recaller = recaller_of()
    recaller.add_memories(
        talk.memories(
            ("old", "The budget is 80,000.", [1], "new"), ("new", "The budget is 84,500.", [3], None)
        )
    )
    recaller.add_memories(talk.memories(("own", "The user likes short answers.", [], None)))
    for at, known in ((1, {"own"}), (2, {"own", "old"}), (4, {"own", "new"})):
        found = recaller.candidates("What is the budget?", at=at)
        assert set(found.filter(kind="memory")["item_id"]) == known


def test_a_checkpoint_handed_in_again_takes_the_place_of_the_first(recaller_of, talk):
    recaller = recaller_of()
    recaller.add_checkpoints(talk.checkpoints((0, 5, "Launch")))
    recaller.add_checkpoints(talk.checkpoints((0, 5, "Kettle launch, budget and dates")))
    found = recaller.candidates("kettle budget", at=12).filter(kind="checkpoint")
    assert found.height == 1
    assert found["lexical"].item() > 0


def test_a_checkpoint_told_anew_leaves_what_was_known_before(recaller_of, talk):
    recaller = recaller_of()
    recaller.add_checkpoints(talk.checkpoints((0, 3, "Launch of the kettle"), decided_at=5), came=5)
    recaller.add_checkpoints(talk.checkpoints((0, 3, "A cat bored at night"), decided_at=5), came=9)
    for at, word in ((5, "kettle"), (8, "kettle"), (9, "cat")):
        found = recaller.candidates("kettle cat", at=at).filter(kind="checkpoint")
        assert word in recaller.explain("kettle cat", found, at=at)["d#0-3"]
        assert found.height == 1


def test_a_fact_without_turns_is_known_from_where_it_came(recaller_of, talk):
    recaller = recaller_of()
    recaller.add_memories(talk.memories(("own", "The user likes short answers.", [], "new")), came=6)
    recaller.add_memories(talk.memories(("new", "The user likes long answers.", ["?"], None)), came=8)
    for at, known in ((5, []), (6, ["own"]), (7, ["own"]), (8, ["new"])):
        assert recaller.candidates("answers", at=at).filter(kind="memory")["item_id"].to_list() == known
