import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.checkpoints.llm_notes import Notes, read_notes
from hydralab.checkpoints.salvage import find_object
from tests.checkpoints.replies import GOOD, MENDABLE, corpus, cut_off

KEYS = ("title", "summary", "keywords")


@pytest.mark.parametrize("change", MENDABLE, ids=lambda change: change.__name__)
@pytest.mark.parametrize("meant", GOOD, ids=["english", "chinese", "quotes", "emoji"])
def test_what_is_there_comes_through(change, meant):
    """FAULTS 12."""
    notes, _whole = read_notes(change(json.dumps(meant, ensure_ascii=False), random.Random(1)))
    assert letters(notes.title) == letters(meant["title"])
    assert letters(notes.summary).endswith(letters(meant["summary"])[-20:])
    assert [each.text for each in notes.entities or []] == [each["text"] for each in meant["entities"]]


def test_only_a_reply_that_is_the_object_is_whole():
    text = json.dumps(GOOD[0])
    assert find_object(text, KEYS).whole
    assert not find_object(f"```json\n{text}\n```", KEYS).whole


def test_what_was_cut_in_the_middle_is_left_out():
    """FAULTS 12: of 84,500 cut to 84 nothing is left, as it is another number."""
    cut = '{"title": "Budget", "decisions": ["Launch on 13 May.", "The budget is 84,'
    assert find_object(cut, ["title", "decisions"]).value == {
        "title": "Budget",
        "decisions": ["Launch on 13 May."],
    }


def test_of_two_objects_the_one_that_was_asked_for_is_taken():
    reply = '{"thought": "a draft"}\n{"title": "T", "summary": "S"}\n{"title": "other"}'
    assert find_object(reply, KEYS).value == {"title": "T", "summary": "S"}


def test_a_refusal_has_no_object():
    assert find_object("I'm sorry, but I can't help with {that}.", KEYS).value is None


@given(st.text(max_size=200) | st.sampled_from(GOOD).map(json.dumps).flatmap(lambda t: st.just(t[::-1])))
def test_no_text_at_all_raises(reply):
    read_notes(reply)


@given(st.sampled_from(GOOD), st.integers(0, 10_000))
def test_no_cut_invents(meant, seed):
    """FAULTS 12."""
    text = json.dumps(meant, ensure_ascii=False)
    notes, _whole = read_notes(cut_off(text, random.Random(seed)))
    for name in Notes.model_fields:
        found = notes.model_dump()[name]
        if isinstance(found, list):
            assert all(each in meant[name] for each in found)
        else:
            assert found is None or letters(found) == letters(meant[name])


def test_the_corpus_is_as_large_as_it_should_be():
    made = corpus()
    assert len(made) >= 200
    assert made == corpus()


def letters(text):
    return "".join(character for character in text if character.isalnum())
