import pytest

from hydralab.recall import Recaller


def test_the_words_of_the_query_that_a_turn_holds_are_named(recaller_of):
    recaller, query = recaller_of(), "How many euros for ads?"
    why = recaller.explain(query, recaller.candidates(query))
    assert why["d:3"].startswith("names euros, ads")
    assert len(why) == 12
    assert all(why.values())


def test_a_neighbour_is_told_by_the_better_turn_and_an_answer_by_its_question(recaller_of):
    recaller, query = recaller_of(), "What could be spent on marketing?"
    why = recaller.explain(query, recaller.candidates(query))
    assert "answers turn 2" in why["d:3"]
    assert "neighbour of turn 2" in why["d:1"]
    assert "the turns around it name" in why["d:4"]


def test_only_those_asked_for_are_explained(recaller_of):
    recaller = recaller_of()
    found = recaller.candidates("cat")
    assert set(recaller.explain("cat", found, ["d:6", "d:7", "nobody"])) == {"d:6", "d:7"}
    assert recaller.explain("cat", found, []) == {}


def test_checkpoints_rounds_and_facts_are_explained_by_their_own_words(recaller_of, talk):
    from hydralab.recall import Recall

    recaller, query = recaller_of(Recall(rounds=3)), "What about the sofa of the cat?"
    recaller.add_checkpoints(talk.checkpoints((6, 9, "The cat and the sofa")))
    recaller.add_memories(talk.memories(("m", "Mimi is a cat.", [6], None)))
    why = recaller.explain(query, recaller.candidates(query))
    assert why["d#6-9"].startswith("names sofa, cat")
    assert why["m"].startswith("names cat")
    assert why["d@3"].startswith("names sofa, cat")
    assert "checkpoint" in why["d:7"]


def test_nothing_that_comes_later_is_named(recaller_of):
    recaller, query = recaller_of(), "the budget for Mimi"
    found = recaller.candidates(query, at=6)
    assert not any("Mimi" in each or "mimi" in each for each in recaller.explain(query, found, at=6).values())


def test_a_chinese_query_is_answered_in_chinese(talk):
    lines = [
        ("user", "发布会的市场推广预算怎么定？"), ("assistant", "大约四十万元，一半给线上投放。"),
        ("user", "员工福利有什么更新？"), ("assistant", "弹性工作时间从五月开始。"),
    ]  # fmt: skip
    recaller, query = Recaller(talk.turns(lines), talk.vectors(lines)), "之前提到的市场推广预算是多少？"
    why = recaller.explain(query, recaller.candidates(query))
    assert "含有市场推广、预算" in why["d:0"]
    assert "回答了第0条" in why["d:1"]


@pytest.mark.parametrize("query", ["", "🎉", "(((", "\\"])
def test_a_query_without_words_is_no_error(recaller_of, query):
    recaller = recaller_of()
    assert len(recaller.explain(query, recaller.candidates(query))) == 12
