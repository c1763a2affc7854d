"""The figure of entities and relations."""

import numpy as np
import pytest

from hydralab.errors import HydralabError
from hydralab.frames import build
from hydralab.graph import DialogueGraph
from hydralab.plots import plot_graph

TEXTS = [
    "My sister Lena works at Brava.",
    "Lena moved to Leeds last year.",
    "The rent is £950.",
    "Marek met Priya in Cardiff.",
    "王伟住在成都。",
]


@pytest.fixture
def graph():
    rows = [
        {"dialogue_id": "a", "turn_id": f"a:{at}", "position": at, "round": at, "role": "user", "text": text,
         "tokens": 9}
        for at, text in enumerate(TEXTS)
    ]  # fmt: skip
    return DialogueGraph(build("turns", rows)).networkx()


def written(ax):
    return [text.get_text() for text in ax.texts if text.get_text()]


def test_names_and_stated_relations_are_written_and_types_are_told_apart(graph):
    ax = plot_graph(graph)
    assert {"Lena", "Brava", "works at", "sister of", "lives in", "王伟", "成都"} <= set(written(ax))
    assert "mentioned_with" not in written(ax)
    assert {text.get_text() for text in ax.get_legend().get_texts()} == {
        "person",
        "organisation",
        "place",
        "thing",
    }


def test_no_two_entities_stand_in_one_spot(graph):
    places = np.concatenate([points.get_offsets() for points in plot_graph(graph).collections])
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + np.eye(len(places))
    assert len(places) == 11
    assert apart.min() > 0.05


def test_around_one_entity(graph):
    assert "£950" not in written(plot_graph(graph, about="Lena"))
    assert "Brava" in written(plot_graph(graph, about="Lena"))
    with pytest.raises(HydralabError, match="unknown entity 'Lema'; known: 'Lena'"):
        plot_graph(graph, about="Lema")


def test_so_many_entities_at_most(graph):
    assert sum(len(points.get_offsets()) for points in plot_graph(graph, most=4).collections) <= 4


def test_nothing_to_show_and_what_is_no_graph():
    assert written(plot_graph(DialogueGraph().networkx())) == ["no related entities"]
    with pytest.raises(HydralabError, match=r"graph is \[\], expected what lab.graph\(\) returns"):
        plot_graph([])


def test_the_same_figure_every_time(graph):
    assert plot_graph(graph)._repr_png_()[0] == plot_graph(graph)._repr_png_()[0]
