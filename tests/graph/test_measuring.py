"""How often relations are right, by the judgements that are bundled."""

import polars as pl
import pytest

import hydralab as hl
from hydralab.benchmarks.relations import measure_bundled_relations
from hydralab.errors import HydralabError
from hydralab.graph import measure_relations


def judged(*rows):
    return pl.DataFrame(rows, schema=["sentence", "source", "type", "target", "right"], orient="row")


def test_what_nobody_judged_counts_as_wrong():
    texts = pl.Series(["Lena works at Brava.", "I live in Leeds.", "I live in Cardiff."])
    known = judged(
        ("Lena works at Brava.", "Lena", "works_at", "Brava", True),
        ("I live in Leeds.", "I", "lives_in", "Leeds", False),
    )
    measured = measure_relations(texts, known)
    assert measured.filter(type="lives_in").row(0) == ("lives_in", 2, 0, 1, 0.0)
    assert measured.filter(type="all").row(0) == ("all", 3, 1, 1, pytest.approx(1 / 3))


def test_judgements_need_their_columns():
    with pytest.raises(HydralabError, match="column 'right' is missing"):
        measure_relations(pl.Series(["a"]), judged().drop("right"))


def test_bundled_judgements_cover_what_is_found_and_most_is_right():
    measured = measure_bundled_relations().filter(type="all").row(0, named=True)
    assert measured["unjudged"] == 0
    assert measured["precision"] >= 0.9
    assert measured["found"] == pl.read_ndjson(hl.example("relations")).height
