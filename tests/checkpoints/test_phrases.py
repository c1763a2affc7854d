import pytest

from hydralab.checkpoints.phrases import candidate_phrases


def surfaces(text):
    return {phrase.surface for phrase in candidate_phrases(text)}


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("With a marketing budget of €84,500 we start.", {"marketing budget"}),
        ("Brewly One opens for Jolanda in Rotterdam.", {"Brewly One", "Jolanda", "Rotterdam"}),
        ("市场推广预算就报 48.6 万元", {"市场推广预算"}),
        ("弹性工作制呼声最高", {"弹性工作制"}),
        ("先熟悉 Flink 链路", {"Flink", "链路"}),
    ],
)
def test_names_and_compounds_are_found(text, there):
    assert there <= surfaces(text)


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("We'll carve the budget up", "carve"),
        ("to rewrite our page", "rewrite"),
        ("I'll ask them", "ask"),
        ("They surprisingly agree", "surprisingly"),
    ],
)
def test_english_verbs_are_told_by_the_words_around_them(text, absent):
    assert absent not in surfaces(text)


def test_what_opens_a_clause_names_the_topic():
    by_surface = {phrase.surface: phrase.naming for phrase in candidate_phrases("目标客户收到，看了目标客户")}
    assert by_surface["目标客户"] > 0
    opening, later = [
        phrase for phrase in candidate_phrases("预算定了，我看预算") if phrase.surface == "预算"
    ]
    assert opening.naming > later.naming


def test_a_phrase_has_at_most_three_words():
    assert max(len(phrase.words) for phrase in candidate_phrases("big red paper boat race trophy stand")) == 3
