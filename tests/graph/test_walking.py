"""Walking the graph from a query to turns."""

import numpy as np
import pytest

from hydralab.graph import DialogueGraph, tell_path, walk
from hydralab.graph.growing_graph import RELATION_TYPES
from tests.graph.dialogues import turns_of

TEXTS = [
    "Lena works at Brava.",
    "It rains again.",
    "Brava moved to Leeds.",
    "Marek met Priya in Cardiff.",
    "我的同事张伟在京东工作。",
    "京东在北京。",
]


@pytest.fixture
def graph():
    return DialogueGraph(turns_of(*TEXTS))


def test_turns_are_reached_over_relations(graph):
    """Turn 2 doesn't name Lena, but where she works; turn 0 names no more than that beside her."""
    reached = walk(graph, "Where does Lena sit?").turns
    assert reached[2] == 1 >= reached[0] > 0
    assert reached[[1, 3, 4, 5]].tolist() == [0, 0, 0, 0]


def test_chinese_names_are_found_in_a_query(graph):
    assert walk(graph, "张伟的公司在哪").turns[5] > 0


def test_the_way_is_told_in_the_language_of_the_query(graph):
    assert tell_path(walk(graph, "Where does Lena sit?").path(2)) == "Lena → works at → Brava → turn 2"
    assert tell_path(walk(graph, "张伟在哪").path(5), chinese=True) == "张伟 → 就职于 → 京东 → 第5条"
    assert walk(graph, "Lena?").path(3) is None


def test_a_query_without_known_names_reaches_nothing(graph):
    found = walk(graph, "what about the weather?")
    assert found.seeds == ()
    assert not found.turns.any()


@pytest.mark.parametrize("at", range(len(TEXTS) + 1))
def test_nothing_from_later_is_walked(graph, at):
    """As of a moment the walk is that over a dialogue that ends there."""
    query = "Where do Lena and 张伟 work?"
    begun = walk(DialogueGraph(turns_of(*TEXTS[:at])), query)
    assert np.array_equal(walk(graph, query, at).turns, begun.turns)


def test_who_speaks_is_related_by_what_is_stated_alone():
    """Names of speakers stand in many turns and many queries, and say little of either."""
    speakers = ["Ann", "Bob", "Ann"]
    graph = DialogueGraph(
        turns_of("I live in Leeds.", "Ann met Priya in Cardiff.", "We like Leeds.", speakers=speakers)
    )
    reached = walk(graph, "Where is Ann?").turns
    assert reached[0] > 0 == reached[1] < reached[2]


def test_weights_are_those_of_repeated_matrix_products():
    """Against a slow walk over a dense matrix."""
    graph = DialogueGraph(turns_of(*TEXTS))
    found = walk(graph, "Lena and Marek")
    edges = graph.edges()
    passing = np.zeros((graph.size(), graph.size()))
    for source, target, kind in zip(edges.source, edges.target, edges.type, strict=True):
        worth = 1.0 if RELATION_TYPES[kind] == "mentioned_with" else 4.0
        passing[source, target] += worth
        passing[target, source] += worth
    sums = passing.sum(axis=1, keepdims=True)
    passing = np.divide(passing, sums, out=np.zeros_like(passing), where=sums > 0)
    start = np.zeros(graph.size())
    start[list(found.seeds)] = 1 / len(found.seeds)
    weights = start
    for _ in range(3):
        weights = 0.5 * start + 0.5 * weights @ passing
    assert np.allclose(found.weights, weights)
