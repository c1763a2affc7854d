"""The score column "graph": computed where a blend reads it, told of in explanations, and only as of the moment."""

import polars as pl
import pytest

from hydralab.encoders import embed
from hydralab.frames import build
from hydralab.recall import BLENDS, SCORE_COLUMNS, Recall, Recaller
from hydralab.recall.blending import Blend

TEXTS = [
    "Lena works at Brava.",
    "It rains again today.",
    "Brava moved to the old mill in Leeds.",
    "Soup for dinner?",
    "Where is the mill?",
]


@pytest.fixture
def recaller():
    turns = build(
        "turns",
        [
            {"dialogue_id": "a", "turn_id": f"a:{at}", "position": at, "round": at, "role": "user", "text": text,
             "tokens": 9}
            for at, text in enumerate(TEXTS)
        ],
    )  # fmt: skip
    return Recaller(turns, embed(TEXTS).vectors)


def graph_column(found):
    return dict(found.select("item_id", "graph").rows())


def test_the_default_blend_reads_no_graph_and_none_is_made(recaller):
    found = recaller.candidates("Where is Lena?")
    assert "graph" not in Blend("default").reads
    assert found["graph"].to_list() == [0.0] * found.height
    assert len(recaller._history._graph) == 0


def test_a_blend_that_reads_it_finds_turns_over_relations(recaller):
    walking = recaller.reconfigured(Recall(blend="graph"))
    column = graph_column(walking.candidates("Where is Lena?"))
    assert column["a:2"] == 1
    assert column["a:0"] > 0 == column["a:1"]


def test_the_way_stands_in_the_explanation(recaller):
    walking = recaller.reconfigured(Recall(blend="graph"))
    found = walking.candidates("Where is Lena?")
    assert "Lena → works at → Brava → turn 2" in walking.explain("Where is Lena?", found)["a:2"]
    plain = recaller.explain("Where is Lena?", recaller.candidates("Where is Lena?"))
    assert "→" not in plain["a:2"]


def test_as_of_an_earlier_turn_nothing_later_is_walked(recaller):
    walking = recaller.reconfigured(Recall(blend="graph"))
    walking.candidates("Where is Lena?")
    assert graph_column(walking.candidates("Where is Lena?", at=2)) == {"a:0": 1.0, "a:1": 0.0}


def test_an_expression_of_ones_own_may_read_it(recaller):
    found = recaller.reconfigured(Recall(blend=pl.col("dense").max() * 0 + pl.col("graph"))).candidates(
        "Lena?"
    )
    assert found["score"].to_list() == pytest.approx(found["graph"].to_list())


def test_the_blend_is_the_default_with_the_graph_added():
    ones = pl.DataFrame({name: [1.0] for name in SCORE_COLUMNS})
    rest = ones.with_columns(graph=0.0)
    assert ones.select(BLENDS["graph"]).item() == pytest.approx(1)
    assert rest.select(BLENDS["graph"]).item() < 1
