"""Ids, rounds, tokens and gold of what readers yield."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.readers import DialogueRecord, QuestionRecord, TurnRecord
from hydralab.readers.blocks import tool_call, tool_result
from hydralab.readers.tables import RecallResult, build_corpus
from hydralab.texts import tokenizer


def corpus_of(*records, reader="test"):
    return build_corpus(RecallResult(reader, "file", record) for record in records)


def user(text="hi", **about):
    return TurnRecord("user", text, **about)


def test_ids_are_the_sources_own():
    corpus = corpus_of(DialogueRecord([user(source_id="m1"), user()], "c1"))
    assert corpus.turns["turn_id"].to_list() == ["c1:m1", "c1:1"]


def test_an_id_is_made_of_the_first_turn_where_there_is_none():
    first, again, other = (corpus_of(DialogueRecord([user(text), user("b")])) for text in ("a", "a", "c"))
    name = first.dialogues["dialogue_id"][0]
    assert name == again.dialogues["dialogue_id"][0] != other.dialogues["dialogue_id"][0]
    assert name.startswith("test-")
    assert len(name) == len("test-") + 12


def test_the_same_turn_twice_is_one_turn():
    """FAULTS 15."""
    turns = [
        user("a", source_id="m1"),
        user("b", source_id="m2"),
        user("a", source_id="m1"),
        user("c", source_id="m1"),
    ]
    corpus = corpus_of(
        DialogueRecord(turns, "c", boundaries=[3], questions=[QuestionRecord("?", evidence=[1, "m1"])])
    )
    assert corpus.turns["turn_id"].to_list() == ["c:m1", "c:m2", "c:m1-2"]
    assert corpus.turns["position"].to_list() == [0, 1, 2]
    assert corpus.events["status"].to_list() == ["ok", "salvaged"]
    assert corpus.gold["position"].to_list() == [2]
    assert corpus.questions["evidence"][0].to_list() == ["c:m2", "c:m1"]


def test_the_same_dialogue_twice_is_one_dialogue():
    """FAULTS 15: the same id with other turns is kept and told."""
    corpus = corpus_of(
        DialogueRecord([user("a")], "c"), DialogueRecord([user("a")], "c"), DialogueRecord([user("b")], "c")
    )
    assert corpus.dialogues["dialogue_id"].to_list() == ["c", "c-2"]
    assert corpus.events["status"].to_list() == ["ok", "salvaged"]


def test_dialogues_without_ids_that_begin_alike_are_both_kept():
    corpus = corpus_of(DialogueRecord([user("你好"), user("a")]), DialogueRecord([user("你好"), user("b")]))
    assert corpus.dialogues.height == 2
    assert corpus.turns.height == 4


def test_arguments_attachments_and_images_count_tokens():
    """FAULTS 6."""
    count = tokenizer().count
    call = tool_call("c1", "search", {"query": "北京 weather"})
    parts = [
        [call],
        [tool_result("c1", "search")],
        [{"type": "attachment", "name": "a.txt", "text": "four words of text"}],
        [{"type": "image", "url": "x.png"}],
        [{"type": "image", "text": "a red kite"}],
    ]
    roles = ["assistant", "tool", "user", "user", "user"]
    corpus = corpus_of(
        DialogueRecord([TurnRecord(role, "", parts=part) for role, part in zip(roles, parts, strict=True)])
    )
    assert corpus.turns["tokens"].to_list() == [
        count('search\n{"query": "北京 weather"}'),
        count("search"),
        count("a.txt\nfour words of text"),
        765,
        count("a red kite"),
    ]
    assert json.loads(corpus.turns["parts"][0]) == [call]


def test_an_orphaned_result_is_told():
    """FAULTS 4."""
    turns = [user(), TurnRecord("tool", "42", parts=[tool_result("lost")])]
    assert corpus_of(DialogueRecord(turns, "c")).events["detail"].to_list() == [
        "file: tool result 'lost' answers no call"
    ]


def test_one_bad_dialogue_loses_no_other():
    bad = [
        DialogueRecord([TurnRecord("narrator", "x")], line=7),
        DialogueRecord([TurnRecord("user", 5)]),
        DialogueRecord([user()], boundaries=[1]),
    ]
    corpus = corpus_of(DialogueRecord([user()], "a"), *bad, DialogueRecord([user()], "b"))
    assert corpus.dialogues["dialogue_id"].to_list() == ["a", "b"]
    assert corpus.events["status"].to_list() == ["failed"] * 3
    assert corpus.events["detail"][0].startswith(
        "file, line 7: turn 0: role 'narrator', expected one of system"
    )


def test_evidence_that_names_no_turn_is_told():
    question = QuestionRecord("?", "x", evidence=["m9", 0], asked_at="m8", source_id="q")
    corpus = corpus_of(DialogueRecord([user(), user()], "c", questions=[question, question]))
    assert corpus.questions["question_id"].to_list() == ["c:q", "c:q-2"]
    assert corpus.questions["evidence"][0].to_list() == ["c:0"]
    assert corpus.questions["asked_at"].to_list() == [1, 1]
    assert set(corpus.events["status"]) == {"salvaged"}


@pytest.mark.parametrize("position", [0, -1, 3])
def test_a_boundary_is_the_first_turn_of_a_new_span(position):
    """FAULTS 39: position 0 and what lies outside the dialogue are no boundaries."""
    corpus = corpus_of(
        DialogueRecord([user()] * 3, "c", boundaries=[position]), DialogueRecord([user()], "d")
    )
    assert "gold boundary" in corpus.events["detail"][0]
    assert corpus.dialogues["dialogue_id"].to_list() == ["d"]


@given(
    st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool"]), st.text()), min_size=1, max_size=12)
)
def test_any_turns_make_valid_tables(turns):
    corpus = corpus_of(DialogueRecord([TurnRecord(role, text) for role, text in turns]))
    assert corpus.turns.height == len(turns)
    assert corpus.turns["round"].is_sorted()
    assert corpus_of(DialogueRecord([TurnRecord(role, text) for role, text in turns])).turns.equals(
        corpus.turns
    )


def test_a_tokenizer_that_cannot_be_had_is_named():
    with pytest.raises(ValueError, match="unknown tokenizer 'abacus'"):
        build_corpus([], tokenizer_name="abacus")
