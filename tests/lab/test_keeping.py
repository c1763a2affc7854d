"""What a lab must not lose: failed writes and encodings, two labs on one store, changes by hand."""

from uuid import uuid4

import numpy as np
import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError, StoreError
from hydralab.frames import build


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "lab.db")


@pytest.fixture
def corpus():
    return hl.read_all(hl.example("launch_zh"))


class Server:
    """An encoder that fails on some texts for a while."""

    name, dim, cache_key = "server", 3, "server-1"
    down: frozenset = frozenset()

    def encode(self, texts):
        if any(text in self.down for text in texts):
            raise ConnectionError("the server is down")
        return np.array([[1.0, len(text), text.count("预") + 1] for text in texts])


def test_a_text_that_could_not_be_encoded_is_tried_again_when_the_lab_is_opened_again(
    corpus, path, monkeypatch
):
    monkeypatch.setattr(Server, "down", frozenset(corpus.turns["text"].head(2)))
    model = f"server-{uuid4()}"  # nothing of an earlier run is in the cache on disk
    monkeypatch.setattr(Server, "cache_key", model)
    with hl.Lab(corpus, store=path, encoder=Server()) as first:
        assert (~first.vectors().any(axis=1)).tolist() == [True, True] + [False] * 18
    monkeypatch.setattr(Server, "down", frozenset())
    with hl.Lab(store=path, encoder=Server()) as again:
        assert again.events.filter(pl.col("status") == "failed").height == 2
        assert again.vectors().any(axis=1).all()
    with hl.Lab(store=path, encoder=Server()) as third:
        assert third.store.read("vectors", model=model).height == 20


def test_two_labs_on_one_store_keep_the_steps_of_both(corpus, path):
    with hl.Lab(corpus, store=path) as one, hl.Lab(store=path) as other:
        one.replay("sliding_window", budget=500)
        other.replay("full_history", budget=500)
    with hl.Lab(store=path) as again:
        assert set(again.steps["strategy"]) == {"sliding_window", "full_history"}


def test_what_another_lab_changed_is_not_written_over(corpus, path):
    with hl.Lab(corpus, store=path) as one:
        one.checkpoints("every")
        with hl.Lab(store=path) as other:
            one.edit(one.checkpoints()["checkpoint_id"][0], title="发布会")
            before = other.checkpoints()
            with pytest.raises(
                StoreError, match=r"checkpoints of 'launch_zh' were changed in .*; open the lab again"
            ):
                other.mark(4)
            assert other.checkpoints().equals(before)
            with pytest.raises(StoreError, match="nothing was written"):
                other.checkpoints("every(n=5)")
    with hl.Lab(store=path) as again:
        assert again.checkpoints()["title"][0] == "发布会"


def test_gold_that_another_lab_marked_is_not_written_over(corpus, path):
    mine = build("gold", [{"dialogue_id": "launch_zh", "position": 4, "annotator": "me"}])
    with hl.Lab(corpus, store=path) as one, hl.Lab(store=path) as other:
        one.annotate(mine)
        with pytest.raises(StoreError, match="gold of 'launch_zh' were changed"):
            other.annotate(mine.with_columns(annotator=pl.lit("you")))


def test_the_last_mark_of_an_annotator_can_be_taken_back(corpus):
    lab = hl.Lab(corpus)
    mine = build("gold", [{"dialogue_id": "launch_zh", "position": 4, "annotator": "me"}])
    lab.annotate(mine)
    lab.annotate(mine.clear(), dialogue="launch_zh", annotator="me")
    assert lab.gold.equals(corpus.gold)


def test_an_opening_that_fails_changes_nothing_in_the_store(corpus, path):
    hl.Lab(corpus, store=path).close()
    with pytest.raises(HydralabError, match="unknown tokenizer 'nope'"):
        hl.Lab(corpus, store=path, encoder=lambda texts: np.ones((len(texts), 2)), tokenizer="nope")
    with hl.Lab(store=path) as again:
        assert again.encoder.name == "use"


def test_a_placing_that_fails_leaves_the_trigger_as_it_was(corpus, path):
    with hl.Lab(corpus, store=path) as one:
        one.checkpoints("every")
        with hl.Lab(store=path) as other:
            assert other.trigger() == hl.get_trigger("every")
            one.mark(4)
            with pytest.raises(StoreError):
                other.checkpoints("every(n=5)")
            assert other.trigger() == hl.get_trigger("every")


def test_text_written_by_hand_outlives_growth_split_and_merge(corpus, path):
    with hl.Lab(hl.Corpus(dialogues=corpus.dialogues, turns=corpus.turns.head(16)), store=path) as lab:
        lab.checkpoints("every")
        lab.edit(lab.checkpoints()["checkpoint_id"][-1], title="手写", kind="decision")
    with hl.Lab(corpus, store=path) as lab:
        last = lab.checkpoints().row(-1, named=True)
        assert (last["start"], last["end"], last["title"], last["kind"]) == (10, 19, "手写", "decision")
        split = lab.split(last["checkpoint_id"], 14)
        assert split["title"].to_list().count("手写") == 1
        merged = lab.merge(split["checkpoint_id"][0], split["checkpoint_id"][1])
        assert merged["title"][0] == "手写"
        assert lab.replay(budget=2000).checkpoints["title"][0] == "手写"


def test_the_kind_of_a_mark_is_that_of_a_replay_too(corpus):
    lab = hl.Lab(corpus)
    lab.checkpoints("every")
    lab.mark(4, kind="decision")
    assert lab.replay(budget=1000).checkpoints["kind"].to_list()[:2] == ["decision", "topic"]


def test_a_signal_given_anew_says_which_checkpoints_are_those_of_before(corpus):
    lab = hl.Lab(corpus)
    lab.signals(mine=hl.Shift(window=3, lag=1))
    lab.checkpoints((hl.col.mine > 0.8).place(min_turns=2))
    lab.signals(mine=hl.Shift(window=3, lag=1))
    assert lab.events.height == 0
    lab.signals(mine=hl.Shift(window=1, lag=1))
    assert "signals given anew: the checkpoints are those placed before" in lab.events["detail"][-1]


def test_another_encoder_says_which_checkpoints_are_those_of_before(corpus, path):
    with hl.Lab(corpus, store=path) as lab:
        lab.checkpoints("every")
    with hl.Lab(store=path, encoder=Server()) as again:
        assert "another encoder" in again.events["detail"][-1]


def test_the_same_failure_is_one_event_however_often_a_cell_runs(corpus):
    lab = hl.Lab(corpus)
    for _ in range(2):
        lab.replay("full_history", budget=3)
    assert lab.events["item_id"].n_unique() == lab.events.height > 0
