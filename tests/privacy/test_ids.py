"""Ids that may say something are taken out of a corpus before anything of it is kept."""

import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.privacy import hashed_ids
from hydralab.stores import open_store

KEY = "a secret"


@pytest.fixture
def corpus():
    return hl.read_all(hl.example("long_en"))


def test_no_id_of_before_is_in_the_bytes_of_an_encrypted_file(corpus, tmp_path):
    name = corpus.dialogues["dialogue_id"].item()
    with open_store(tmp_path / "lab.db", key=KEY) as store:
        for table in ("dialogues", "turns", "questions", "gold"):
            store.append(table, getattr(hashed_ids(corpus, KEY), table))
    assert name.encode() not in b"".join(each.read_bytes() for each in tmp_path.iterdir())


def test_all_that_belongs_together_still_does(corpus):
    hashed = hashed_ids(corpus, KEY)
    places = dict(zip(hashed.turns["turn_id"], corpus.turns["turn_id"], strict=True))
    assert len(places) == corpus.turns.height
    evidence = [[places[turn] for turn in turns] for turns in hashed.questions["evidence"]]
    assert evidence == corpus.questions["evidence"].to_list()
    run = [hl.Lab(each).replay(hl.SlidingWindow(), budget=500) for each in (corpus, hashed)]
    measured = [each.steps["evidence_verbatim"].to_list() for each in run]
    assert measured[0] == measured[1]


def test_the_same_key_gives_the_same_ids_and_another_others(corpus):
    once, again, other = (hashed_ids(corpus, key).turns for key in (KEY, KEY, "another"))
    assert once.equals(again)
    assert set(once["turn_id"]).isdisjoint(other["turn_id"])


@pytest.mark.parametrize(("key", "says"), [("", "0 bytes"), ("a" * 65, "65 bytes"), (5, "key is 5")])
def test_a_key_that_is_none(corpus, key, says):
    with pytest.raises(HydralabError, match=says):
        hashed_ids(corpus, key)
