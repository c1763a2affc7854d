"""A query that asks several things is cut into them, and each is looked for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydralab.recall import SCORE_COLUMNS, Recall, Recaller
from hydralab.recall.decomposing import MOST_PARTS, split_query

SEVERAL = {
    "what did we agree on the budget and who books the venue?": [
        "what did we agree on the budget", "who books the venue?",
    ],
    "Which wood did we pick, and what would it cost?": ["Which wood did we pick", "what would it cost?"],
    "Where is the key? When does the shop close?": ["Where is the key?", "When does the shop close?"],
    "预算定了多少，谁订场地？": ["预算定了多少", "谁订场地？"],
    "装修款分几笔、按什么比例付？": ["装修款分几笔", "按什么比例付？"],
    "预算是多少以及谁负责场地": ["预算是多少", "谁负责场地"],
    "我们什么时候搬家？合同签了没有？": ["我们什么时候搬家？", "合同签了没有？"],
}  # fmt: skip

ONE = [
    "Which salt and pepper did Ann buy, the coarse ones?",
    "When did Tom and Anna move in?",
    "What is the name of the dog that barks and bites?",
    "夫妻俩对烹饪区格局意见不合，后来怎么解决的？",
    "苹果、香蕉和梨哪个便宜？",
    "你记得我说过几次要戒糖吗",
    "The budget.",
    "预算",
    "",
    "ok",
]  # fmt: skip


@pytest.mark.parametrize("query", SEVERAL)
def test_several_questions_are_parts(query):
    assert list(split_query(query)) == SEVERAL[query]


@pytest.mark.parametrize("query", ONE)
def test_one_question_is_left_whole(query):
    assert split_query(query) == (query,)


@given(st.text())
def test_parts_are_pieces_of_the_query(text):
    parts = split_query(text)
    assert 1 <= len(parts) <= MOST_PARTS
    assert parts == (text,) or all(part in text and part.strip() for part in parts)


@pytest.mark.parametrize("query", [query for query in ONE if query])
def test_a_query_that_asks_one_thing_is_as_before(recaller_of, query):
    assert recaller_of(Recall(decompose="rules")).candidates(query).equals(recaller_of().candidates(query))


@settings(deadline=None, max_examples=15)
@given(query=st.sampled_from([*SEVERAL, *ONE]), at=st.integers(0, 12))
def test_switched_off_all_is_as_before(talk, query, at):
    turns, vectors = talk.turns(), talk.vectors()
    plain = Recaller(turns, vectors).candidates(query, at=at)
    off = Recaller(turns, vectors, config=Recall(decompose=None, decompose_weight=3.0))
    assert off.candidates(query, at=at).equals(plain)
    nothing = Recaller(turns, vectors, config=Recall(decompose="rules", decompose_weight=0.0))
    assert nothing.candidates(query, at=at).equals(plain)


def test_each_part_has_its_best_at_the_top(recaller_of):
    found = recaller_of(Recall(decompose="rules")).candidates(
        "How much could we spend on marketing, and what does my cat scratch?"
    )
    by_turn = dict(found.select("item_id", "parts").rows())
    assert {name for name, score in by_turn.items() if score == 1} == {"d:2", "d:6"}
    assert found["parts"].is_between(0, 1).all()


def test_a_blend_that_reads_the_column_decomposes_by_rules(recaller_of):
    from polars import col

    found = recaller_of(Recall(blend=col("parts"))).candidates("How much for marketing? What of my cat?")
    assert found["parts"].max() == 1
    assert found["score"].to_list() == pytest.approx(found["parts"].to_list())


def test_another_future_changes_nothing(talk):
    config = Recall(decompose="rules", decompose_weight=1.0)
    lines = [*talk.lines[:7], ("user", "Marketing and cat!"), ("user", "Mimi, 84,500 euros")]
    one = Recaller(talk.turns(), talk.vectors(), config=config)
    other = Recaller(talk.turns(lines), talk.vectors(lines), config=config)
    query = "How much for marketing? What does my cat scratch?"
    assert one.candidates(query, at=7).equals(other.candidates(query, at=7))


def test_a_chat_model_cuts_it_once(talk):
    asked = []

    def model(messages):
        asked.append(messages[-1]["content"])
        return 'Here you are: ["How much is there for marketing?", "What does the cat scratch?"]'

    config = Recall(decompose=model)
    recaller = Recaller(talk.turns(), talk.vectors(), config=config)
    for _ in range(2):
        found = recaller.candidates("money + cat")
    assert asked == ["money + cat"]
    assert found["parts"].max() == 1
    assert not recaller.events.height


@pytest.mark.parametrize("reply", ["I don't know.", "[]", "[1, 2]", '{"parts": 3}', '["a", '])
def test_where_a_chat_model_fails_the_rules_serve_and_an_event_says_so(talk, reply):
    query = "预算定了多少，谁订场地？"
    failing = Recaller(talk.turns(), talk.vectors(), config=Recall(decompose=lambda messages: reply))
    ruled = Recaller(talk.turns(), talk.vectors(), config=Recall(decompose="rules"))
    assert (
        failing.candidates(query)
        .select(*SCORE_COLUMNS)
        .equals(ruled.candidates(query).select(*SCORE_COLUMNS))
    )
    assert failing.events["status"].to_list() == ["salvaged"]
    assert "split by rules" in failing.events["detail"][0]


def test_a_chat_model_that_cannot_be_asked_is_told_of(talk):
    def down(messages):
        raise ConnectionError("no route")

    recaller = Recaller(talk.turns(), talk.vectors(), config=Recall(decompose=down))
    assert recaller.candidates("Who came? When was it?").height
    assert "no route" in recaller.events["detail"][0]
