"""A timeline that grows turn by turn knows at every moment what one of the whole dialogue knows."""

import polars as pl
import pytest

import hydralab as hl
from hydralab.encoders import get_encoder
from hydralab.replay import Timeline
from hydralab.texts import tokenizer

TURNS = hl.read(hl.example("long_en")).head(120)


def timeline(turns, vectors, strategy):
    return Timeline(turns, vectors, strategy, encoder=get_encoder("use"), tokenizer=tokenizer())


@pytest.mark.parametrize(
    "strategy", [hl.Hydration(), hl.Hydration(hl.get_trigger("drift")), hl.ExplicitMemory(), hl.ThreeTier()]
)
def test_it_is_the_timeline_of_the_whole(strategy):
    vectors = hl.embed(TURNS["text"].to_list()).vectors
    whole, growing = timeline(TURNS, vectors, strategy), timeline(TURNS.clear(), vectors[:0], strategy)
    for position in range(TURNS.height):
        whole.observe(position)
        growing.extend(TURNS[position : position + 1], vectors[position : position + 1])
        growing.observe(position)
    for table, rows in whole.tables.items():
        assert rows.equals(growing.tables[table])
    for at in range(10, TURNS.height, 27):
        one, other = (each.context(each.view(at), TURNS["text"][at], 700) for each in (whole, growing))
        assert one.messages == other.messages
        assert one.frame.equals(other.frame)


def test_turns_must_follow_and_be_of_the_dialogue():
    vectors = hl.embed(TURNS["text"].to_list()).vectors
    growing = timeline(TURNS.head(4), vectors[:4], hl.Hydration())
    with pytest.raises(hl.HydralabError, match="has position 5, expected 4"):
        growing.extend(TURNS[5:6], vectors[5:6])
    with pytest.raises(hl.HydralabError, match="turns of 2 dialogues"):
        growing.extend(TURNS[4:5].with_columns(dialogue_id=pl.lit("another")), vectors[4:5])


def test_what_is_forgotten_is_known_no_more_but_was_before():
    vectors = hl.embed(TURNS["text"].to_list()).vectors
    known = timeline(TURNS, vectors, hl.Hydration())
    for position in range(TURNS.height):
        known.observe(position)
    last = TURNS.height - 1
    name = known.tables["checkpoints"]["checkpoint_id"][0]
    known.forget("checkpoints", [name], last)
    assert name not in known.tables["checkpoints"]["checkpoint_id"].to_list()
    assert name not in known.view(last, now=last).checkpoints["checkpoint_id"].to_list()
    assert name in known.view(last - 1).checkpoints["checkpoint_id"].to_list()
