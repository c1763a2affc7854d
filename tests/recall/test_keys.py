"""Turns are found by what their parts say, and a query that is a turn needs no second encoding."""

import json

import numpy as np
import polars as pl

from hydralab.encoders import Encoder, embed, get_encoder
from hydralab.recall import Recaller
from hydralab.texts import key_texts

CALL = [{"type": "tool_call", "id": "c1", "name": "book_flight", "arguments": {"city": "Reykjavík"}}]
PICTURE = [{"type": "image", "name": "水彩画.jpg", "alt": "雪山"}]


def recaller_with_parts(talk):
    parts = {4: json.dumps(CALL), 8: json.dumps(PICTURE, ensure_ascii=False)}
    blank = pl.col("position").is_in(list(parts))
    turns = talk.turns().with_columns(
        pl.when(blank).then(pl.lit("")).otherwise("text").alias("text"),
        pl.col("position").replace_strict(parts, default=None, return_dtype=pl.String).alias("parts"),
    )
    return Recaller(turns, embed(key_texts(turns)).vectors)


def test_a_blank_turn_is_found_by_its_tool_call_and_by_its_picture(talk):
    recaller = recaller_with_parts(talk)
    for query, turn_id in (("Which flight to Reykjavík?", "d:4"), ("那张雪山水彩画", "d:8")):
        best = recaller.candidates(query).row(0, named=True)
        assert best["item_id"] == turn_id
        assert best["lexical"] > 0
        assert best["dense"] > 0.5


class Counted:
    """An encoder that notes what it is asked for."""

    def __init__(self, inner: Encoder) -> None:
        self.name, self.dim, self.inner, self.asked = "counted", inner.dim, inner, []

    def encode(self, texts):
        self.asked += texts
        return self.inner.encode(texts)


def test_a_query_that_is_a_turn_has_its_vector_already(talk):
    encoder = Counted(get_encoder("use"))
    recaller = Recaller(talk.turns(), talk.vectors(), encoder=encoder)
    known = recaller.candidates("And when do we start?", at=4)
    assert encoder.asked == []
    vector = embed(["And when do we start?"]).vectors[0]
    assert known.equals(recaller.candidates("And when do we start?", at=4, vector=vector))
    recaller.candidates("and when do we start?", at=4)
    assert encoder.asked == ["and when do we start?"]


def test_an_encoder_that_tells_queries_from_passages_is_asked_anyway(talk):
    class TwoSided(Counted):
        def encode_queries(self, texts):
            self.asked += texts
            return np.ones((len(texts), self.dim), np.float32)

    encoder = TwoSided(get_encoder("use"))
    Recaller(talk.turns(), talk.vectors(), encoder=encoder).candidates("And when do we start?", at=4)
    assert encoder.asked == ["And when do we start?"]


def test_a_query_too_long_for_the_encoder_is_noted(talk):
    recaller = Recaller(talk.turns(), talk.vectors())
    recaller.candidates("budget and cats. " * 2_000)
    assert "was cut into" in recaller.events["detail"].item()
