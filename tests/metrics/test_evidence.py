"""Evidence is met word for word or by the answer, never by being listed alone."""

import html

import polars as pl
import pytest

from hydralab.errors import FrameError, HydralabError
from hydralab.frames import build, empty
from hydralab.metrics import evidence_met

TEXTS = ("市场推广预算约四十万。", "Our customers are <students> & parents.", "好的", "")


@pytest.fixture
def turns(dialogue):
    return dialogue("a", TEXTS)


@pytest.fixture
def question():
    def make(evidence, answer="四十万", question_id="q", **columns):
        return build(
            "questions",
            [
                {
                    "question_id": question_id,
                    "dialogue_id": "a",
                    "text": "?",
                    "answer": answer,
                    "evidence": evidence,
                    **columns,
                }
            ],
        )

    return make


def met(context, questions, turns, **options):
    return evidence_met(context, questions, turns, **options).questions.row(0, named=True)


def test_a_whole_turn_in_an_item_that_lists_it_is_verbatim(turns, question, item):
    found = met(item(f"[助手] {TEXTS[0]}", ["a:0"]), question(["a:0"]), turns)
    assert (found["verbatim"], found["verbatim_all"], found["answer"]) == (1.0, True, True)


def test_being_listed_is_not_enough(turns, question, item):
    found = met(item("预算谈过了", ["a:0"]), question(["a:0"]), turns)
    assert (found["verbatim"], found["answer"]) == (0.0, False)


@pytest.mark.parametrize("blank", ["", "   "])
def test_a_blank_turn_is_never_met_word_for_word(dialogue, question, item, blank):
    turns = dialogue("a", ("市场推广预算约四十万。", blank))
    scores = evidence_met(item(f"anything {blank}", ["a:0", "a:1"]), question(["a:0", "a:1"]), turns)
    assert scores.turns["verbatim"].to_list() == [False, False]
    assert scores.questions["evidence"].to_list() == [2]


def test_the_words_without_the_source_do_not_count(turns, question, item):
    found = met(item(TEXTS[0], ["a:1"]), question(["a:0"]), turns)
    assert (found["verbatim"], found["answer"]) == (0.0, False)


def test_a_summary_can_carry_the_answer_alone(turns, question, item):
    found = met(item("预算：四十万", ["a:0", "a:1"], section="checkpoint"), question(["a:0"]), turns)
    assert (found["verbatim"], found["answer"]) == (0.0, True)


def test_dropped_items_do_not_count_and_cut_ones_only_by_answer(turns, question, item):
    dropped = item(TEXTS[0], ["a:0"], kept=False, drop_reason="over the share")
    cut = item(TEXTS[0], ["a:0"], drop_reason="cut to 60 tokens")
    assert met(dropped, question(["a:0"]), turns)["answer"] is False
    found = met(cut, question(["a:0"]), turns)
    assert (found["verbatim"], found["answer"]) == (0.0, True)


def test_escaped_items_are_read_before_escaping(turns, question, item):
    escaped = item(html.escape(TEXTS[1]), ["a:1"])
    asked = question(["a:1"], answer="<students>")
    assert met(escaped, asked, turns)["verbatim"] == 0
    assert met(escaped, asked, turns, text=html.unescape)["verbatim"] == 1
    kept_apart = escaped.with_columns(pl.lit(TEXTS[1]).alias("plain"))
    assert met(kept_apart, asked, turns, text="plain")["verbatim"] == 1
    with pytest.raises(FrameError, match="context: no column 'plan'"):
        evidence_met(kept_apart, asked, turns, text="plan")


def test_pooled_over_turns_and_per_question(turns, question, item, context):
    asked = pl.concat(
        [
            question(["a:0", "a:1"], question_id="q1"),
            question(["a:0"], question_id="q2", category="single"),
        ]
    )
    packed = context(item(TEXTS[0], ["a:0"], query_id="q1"), item(TEXTS[0], ["a:0"], query_id="q2"))
    scores = evidence_met(packed, asked, turns)
    assert scores.turns["verbatim"].to_list() == [True, False, True]
    verbatim, answer = scores.summary.iter_rows(named=True)
    assert (verbatim["pooled"], verbatim["all_met"]) == (2 / 3, 0.5)
    assert (answer["pooled"], answer["all_met"]) == (1.0, 1.0)
    assert (verbatim["evidence_turns"], verbatim["questions"], verbatim["excluded"]) == (3, 2, 0)


def test_what_cannot_be_told_is_excluded_and_counted(turns, question, item, context):
    """FAULTS 29."""
    asked = pl.concat(
        [
            question(["a:0"], answer="是的", question_id="q1"),
            question(["a:0"], answer=None, question_id="q2"),
            question([], question_id="q3"),
            question(["a:0", "a:99"], question_id="q4"),
        ]
    )
    packed = context(*(item(TEXTS[0], ["a:0"], query_id=name) for name in ("q1", "q2", "q3", "q4")))
    scores = evidence_met(packed, asked, turns)
    assert scores.questions["excluded"].to_list() == ["yes or no", "empty", "no evidence", None]
    assert scores.questions["verbatim"].to_list() == [1.0, 1.0, None, 1.0]
    assert scores.summary["excluded"].to_list() == [1, 3]
    assert scores.summary["unknown"].to_list() == [1, 1]


def test_a_question_without_a_context_is_named(turns, question, item):
    with pytest.raises(
        FrameError, match="context: no item with query_id 'q9', expected the context of every"
    ):
        evidence_met(item(TEXTS[0], ["a:0"]), question(["a:0"], question_id="q9"), turns)


def test_no_questions_no_scores():
    scores = evidence_met(empty("context"), empty("questions"), empty("turns"))
    assert scores.summary.select("measure", "pooled", "questions").rows() == [
        ("verbatim", None, 0),
        ("answer", None, 0),
    ]


@pytest.mark.parametrize("wrong", ["context", "questions", "turns"])
def test_what_is_no_table_is_refused(wrong):
    tables = {name: empty(name) for name in ("context", "questions", "turns")}
    with pytest.raises(HydralabError, match=f"{wrong}.* expected a"):
        evidence_met(**(tables | {wrong: 5}))
