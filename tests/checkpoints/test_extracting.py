import time

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import hydralab as hl
from hydralab.checkpoints import (
    close_spans,
    extract_checkpoint,
    extract_checkpoints,
    find_spans,
    source_hash,
)
from hydralab.errors import FrameError
from hydralab.frames import empty, validate


@pytest.fixture(scope="module")
def corpus():
    return hl.read_all(hl.example("launch_zh"))


@pytest.fixture(scope="module")
def cuts(corpus, make_cuts):
    return make_cuts(*corpus.gold["position"].to_list(), dialogue_id="launch_zh")


def test_a_row_a_span_and_the_last_one_is_open(corpus, cuts):
    table = validate("checkpoints", extract_checkpoints(corpus.turns, cuts))
    assert table["status"].to_list() == ["ready"] * (table.height - 1) + ["open"]
    assert table["start"].to_list() == [0, *cuts["position"]]
    assert table["checkpoint_id"][0] == f"launch_zh#0-{cuts['position'][0] - 1}"
    assert table["decided_at"].to_list() == [*cuts["decided_at"], None]
    assert table["ready_at"].to_list() == table["decided_at"].to_list()
    assert table["time"].null_count() == 0


def test_one_span_alone_gives_the_identical_row(corpus, cuts):
    table = extract_checkpoints(corpus.turns, cuts)
    rows = [extract_checkpoint(corpus.turns, span) for span in find_spans(corpus.turns, cuts)]
    assert_frame_equal(pl.concat(rows), table)


def test_closing_spans_while_the_dialogue_runs_gives_the_same_rows(corpus, cuts):
    """A checkpoint depends on nothing after it was decided."""
    rows, before = [], empty("boundaries")
    for at in range(corpus.turns.height):
        fresh = cuts.filter(pl.col("decided_at") == at)
        rows.append(close_spans(corpus.turns[: at + 1], fresh, before=before))
        before = pl.concat([before, fresh])
    closed = extract_checkpoints(corpus.turns, cuts).filter(pl.col("status") == "ready")
    assert_frame_equal(pl.concat(rows), closed)


def test_another_future_changes_nothing_before_it(corpus, cuts):
    table = extract_checkpoints(corpus.turns, cuts)
    first = table.row(0, named=True)
    changed = corpus.turns.with_columns(
        text=pl.when(pl.col("position") > first["decided_at"]).then(pl.lit("全新的内容")).otherwise("text")
    )
    assert extract_checkpoints(changed, cuts).row(0, named=True) == first


def test_a_manual_boundary_makes_a_manual_checkpoint(corpus, make_cuts):
    table = extract_checkpoints(corpus.turns, make_cuts((8, 9, "manual"), dialogue_id="launch_zh"))
    assert table.row(0, named=True)["kind"] == "manual"
    assert table["trigger"].to_list() == ["manual", None]


def test_several_dialogues_are_cut_each_by_its_own_boundaries(make_turns, make_cuts):
    turns = pl.concat([make_turns(*"abcd", dialogue_id="x"), make_turns(*"ab", dialogue_id="y")])
    table = extract_checkpoints(turns, make_cuts(2, dialogue_id="x"))
    assert table["checkpoint_id"].to_list() == ["x#0-1", "x#2-3", "y#0-1"]


def test_an_edited_text_has_another_hash(make_turns):
    """FAULTS 20: what was made of the old text can be told."""
    assert source_hash(make_turns("a", "b")) == source_hash(make_turns("a", "b"))
    assert source_hash(make_turns("a", "b")) != source_hash(make_turns("a", "c"))
    assert source_hash(make_turns(("user", "a"))) != source_hash(make_turns(("assistant", "a")))


def test_empty_tables_and_strange_boundaries(make_turns, make_cuts):
    assert extract_checkpoints(empty("turns"), empty("boundaries")).equals(empty("checkpoints"))
    with pytest.raises(FrameError, match="dialogue 'x' has no turns"):
        extract_checkpoints(make_turns("a"), make_cuts(1, dialogue_id="x"))


@pytest.mark.parametrize("texts", [["ok"] * 50, ["", " "], ["a"], ["好的"] * 3])
def test_identical_blank_and_single_turns(make_turns, make_cuts, texts):
    """FAULTS 40: fifty identical turns, one-turn dialogues."""
    table = extract_checkpoints(make_turns(*texts), make_cuts())
    assert table.height == 1
    assert table["title"].item()


def test_a_span_of_ten_turns_takes_milliseconds_once_its_texts_are_read():
    turns = hl.read(hl.example("long_zh"))
    spans = find_spans(turns, empty("boundaries"))
    extract_checkpoints(turns, empty("boundaries"))
    assert spans[0].end == turns.height - 1
    spent = []
    for start in range(0, 100, 10):
        began = time.perf_counter()
        extract_checkpoint(turns, type(spans[0])(start, start + 9))
        spent.append(time.perf_counter() - began)
    assert sorted(spent)[1] < 0.02
