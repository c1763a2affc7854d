"""The graph of a dialogue: what is read of its turns, and what of it is known when."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.frames import validate
from hydralab.graph import DialogueGraph
from tests.graph.dialogues import turns_of


def triples(graph, at=None):
    stated = graph.relations(at).filter(pl.col("type") != "mentioned_with")
    return stated.select("source", "type", "target").rows()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lena works at Brava.", ("Lena", "works_at", "Brava")),
        ("I work for the local library.", ("user", "works_at", "library")),
        ("张伟在京东工作。", ("张伟", "works_at", "京东")),
        ("Priya is a data engineer at Ocado.", ("Priya", "works_at", "Ocado")),
        ("I've lived in Leeds since May.", ("user", "lives_in", "Leeds")),
        ("我现在住在成都。", ("user", "lives_in", "成都")),
        ("We bought a red bike yesterday.", ("user", "owns", "red bike")),
        ("昨天我买了一台咖啡机。", ("user", "owns", "咖啡机")),
        ("My landlord Marek called.", ("Marek", "kin", "user")),
        ("张伟是我的同事。", ("张伟", "kin", "user")),
        ("我妈妈叫王秀兰。", ("王秀兰", "kin", "user")),
        ("The marketing budget is 84,500 euros.", ("marketing budget", "amount", "84,500 euros")),
        ("市场推广预算是 48.6 万元。", ("市场推广预算", "amount", "48.6 万元")),
        ("The wedding is on 12 June.", ("wedding", "date", "12 June")),
        ("婚礼定在10月6日。", ("婚礼", "date", "10月6日")),
        ("I'm allergic to shrimp.", ("user", "allergic_to", "shrimp")),
        ("我对花生过敏。", ("user", "allergic_to", "花生")),
    ],
)
def test_what_is_stated(text, expected):
    assert expected in triples(DialogueGraph(turns_of(text)))


@pytest.mark.parametrize(
    "text",
    [
        "Does Lena work at Brava?",
        "If Lena works at Brava, ask her.",
        "Lena never worked at Brava.",
        "I want to live in Leeds.",
        "张伟不在京东工作。",
        "如果张伟在京东工作就好了。",
        "你住在成都吗？",
        "```\nLena works at Brava\n```",
    ],
)
def test_what_is_asked_denied_or_wished_is_not_stated(text):
    assert triples(DialogueGraph(turns_of(text))) == []


def test_who_speaks_is_an_entity_by_name_or_by_role():
    spoken = turns_of("I live in Leeds.", "I live in Cardiff.", speakers=["Ann", "Bob"])
    assert triples(DialogueGraph(spoken)) == [("Ann", "lives_in", "Leeds"), ("Bob", "lives_in", "Cardiff")]
    answered = turns_of("Hello.", "You live in Leeds.", roles=["user", "assistant"])
    assert triples(DialogueGraph(answered)) == [("user", "lives_in", "Leeds")]


def test_one_name_is_one_entity_and_a_short_name_is_an_alias_where_it_can_mean_one_person_only():
    graph = DialogueGraph(turns_of("Lena Ortiz wrote.", "Lena's car broke.", "We saw LENA ORTIZ."))
    assert graph.entities().filter(pl.col("type") == "person").select("name", "mentions").rows() == [
        ("Lena Ortiz", 2),
        ("Lena", 1),
    ]
    assert triples(graph) == [("Lena", "alias", "Lena Ortiz")]
    two = DialogueGraph(turns_of("Lena Ortiz wrote.", "Lena Koch wrote.", "We saw Lena there."))
    assert triples(two) == []


def test_entities_of_a_sentence_are_related_and_no_others():
    graph = DialogueGraph(turns_of("Marek met Priya in Cardiff. Helen stayed in Leeds."))
    pairs = {frozenset(pair) for pair in graph.relations().select("source", "target").rows()}
    assert frozenset({"Marek", "Priya"}) in pairs
    assert frozenset({"Marek", "Helen"}) not in pairs


@given(
    st.permutations(["Lena works at Brava.", "Lena Ortiz called.", "我住在成都。", "Brava is in Leeds."]),
    st.integers(0, 4),
)
def test_nothing_from_later_is_seen(texts, at):
    """The tables as of a moment are those of a dialogue that ends there."""
    whole, begun = DialogueGraph(turns_of(*texts)), DialogueGraph(turns_of(*texts[:at]))
    assert whole.relations(at).equals(begun.relations())
    assert whole.entities(at).equals(begun.entities())
    grown = DialogueGraph()
    for row in range(len(texts)):
        grown.extend(turns_of(*texts)[row : row + 1])
    assert grown.relations().equals(whole.relations())


def test_tables_are_valid_and_networkx_has_the_same_with_time_and_source():
    graph = DialogueGraph(hl.read(hl.example("long_en")))
    validate("entities", graph.entities())
    relations = validate("relations", graph.relations())
    view = graph.networkx()
    assert view.number_of_edges() == relations.height > 0
    assert {about["turn_id"] for _, _, about in view.edges(data=True)} == set(relations["turn_id"])
    assert all(about["time"] is not None for _, _, about in view.edges(data=True))


def test_turns_of_another_dialogue_are_refused():
    graph = DialogueGraph(turns_of("Hello."))
    with pytest.raises(HydralabError, match="turns of dialogue 'b', expected 'a'"):
        graph.extend(turns_of("Hello.", dialogue="b"))


def test_a_lab_hands_out_both():
    lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
    assert ("市场推广预算", "amount", "48.6 万元") in lab.relations().select(
        "source", "type", "target"
    ).rows()
    assert lab.relations(at=0).height == lab.graph(at=0).number_of_edges() == 0
    assert "48.6 万元" in lab.graph()
