"""A lab with a store: what is there again when it is opened."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.signals import SIGNALS, ShiftRaw
from hydralab.stores import SqliteStore

TRIGGER = (hl.col.mine > 0.8).place(min_turns=4)


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "lab.db")


@pytest.fixture
def corpus():
    return hl.read_all(hl.example("launch_zh"))


def test_a_reopened_lab_replays_by_the_trigger_and_the_signals_it_was_left_with(corpus, path):
    with hl.Lab(corpus, store=path) as first:
        first.signals(mine=hl.Shift(window=2, lag=1))
        first.checkpoints(TRIGGER)
        left = first.replay(budget=500)
    with hl.Lab(store=path) as again:
        assert again.trigger() == TRIGGER
        run = again.replay(budget=500)
        assert run.boundaries.equals(left.boundaries)
        assert run.step(14).messages == left.step(14).messages


def test_encoder_and_tokenizer_are_those_it_was_left_with(corpus, path):
    hl.Lab(corpus, store=path, tokenizer="gpt-4").close()
    with hl.Lab(store=path) as again:
        assert (again.encoder.name, again.tokenizer.name) == ("use", "gpt-4")


def test_a_lab_left_with_a_function_as_encoder_asks_for_it(corpus, path):
    def letters(texts):
        return np.array([[text.count("预") + 1.0, len(text) + 1.0] for text in texts])

    hl.Lab(corpus, store=path, encoder=letters).close()
    with pytest.raises(HydralabError, match=r"left with the encoder 'letters', .*; pass encoder="):
        hl.Lab(store=path)
    with hl.Lab(store=path, encoder=letters) as again:
        again.vectors()
        assert again.store.models() == {}


@pytest.mark.parametrize("as_given", [str, Path, "sqlite:///{}".format])
def test_a_file_that_is_not_there_is_not_made_for_a_lab_of_nothing(corpus, tmp_path, as_given):
    path = tmp_path / "mispelt.db"
    with pytest.raises(HydralabError, match=r"there is no file .*mispelt.db, expected one that holds"):
        hl.Lab(store=as_given(path))
    assert not path.exists()
    hl.Lab(corpus, store=as_given(path)).close()
    with hl.Lab(store=as_given(path)) as again:
        assert again.turns.height == corpus.turns.height


def test_vectors_are_stored_and_not_encoded_again(corpus, path):
    class Counted:
        name, dim, cache_key, asked = "counted", 2, "counted-1", 0

        def encode(self, texts):
            Counted.asked += len(texts)
            return np.ones((len(texts), 2), np.float32)

    with hl.Lab(corpus, store=path, encoder=Counted()) as first:
        vectors = first.vectors()
        assert first.store.models() == {"counted-1": 2}
    with hl.Lab(store=path, encoder=Counted()) as again:
        assert np.array_equal(again.vectors(), vectors)
    assert Counted.asked <= corpus.turns.height


def test_a_turn_whose_text_was_replaced_is_encoded_again(corpus, path):
    """FAULTS 20."""
    with hl.Lab(corpus, store=path) as first:
        before = first.vectors()
    changed = corpus.turns.head(1).with_columns(text=pl.lit("完全不同的话题：猫。"))
    with SqliteStore(path) as store:
        store.replace("turns", changed)
    with hl.Lab(store=path) as again:
        after = again.vectors()
        assert not np.allclose(after[0], before[0])
        assert np.array_equal(after[1:], before[1:])
        assert again.store.read("vectors", model=again.encoder.cache_key).height == corpus.turns.height


def test_marks_are_boundaries_of_a_replay_from_their_turn_on(corpus, path):
    with hl.Lab(corpus, store=path) as first:
        first.checkpoints("every")
        first.mark(4)
    with hl.Lab(store=path) as again:
        run = again.replay(budget=500)
        assert run.boundaries["position"].to_list() == [4, 10]
        assert run.boundaries["decided_at"].to_list() == [4, 10]


def test_what_was_written_by_hand_stands_in_a_replay_once_its_span_is_closed(corpus, path):
    with hl.Lab(corpus, store=path) as first:
        first.checkpoints("every")
        first.edit(first.checkpoints()["checkpoint_id"][0], title="发布会", summary="预算一百万。")
    with hl.Lab(store=path) as again:
        run = again.replay(budget=2000)
        assert run.checkpoints["title"][0] == "发布会"
        assert "预算一百万。" in run.step(14).prompt
        assert "预算一百万。" not in run.step(8).prompt
        again.checkpoints("every")
        assert "预算一百万。" not in again.replay(budget=2000).step(14).prompt


def test_a_trigger_that_is_not_registered_any_more_is_asked_for_and_the_rest_works(corpus, path):
    @hl.trigger(name="gone_by_then", lookahead=0, reads=("tokens",))
    def gone(signals):
        return pl.col("tokens") > 40

    with hl.Lab(corpus, store=path) as first:
        placed = first.checkpoints(gone)
    from hydralab.triggers import TRIGGERS

    del TRIGGERS._entries["gone_by_then"]
    with hl.Lab(store=path) as again:
        assert again.checkpoints().equals(placed)
        assert "48.6" in again.hydrate("市场推广预算是多少？", budget=1000).prompt
        with pytest.raises(
            HydralabError, match=r"by a trigger that isn't there now .*'gone_by_then'.*register"
        ):
            again.replay()
        assert again.replay("sliding_window").steps.height == 15


def test_a_signal_that_cannot_be_written_down_leaves_an_event(corpus, path):
    @dataclass(frozen=True)
    class Own(ShiftRaw):
        pass

    with hl.Lab(corpus, store=path) as first:
        first.signals(own=Own(), raw=ShiftRaw(window=2))
        assert "Own(window=3, lag=1) can't be written down" in first.events["detail"][-1]
    with hl.Lab(store=path) as again:
        assert again.named_signals()["raw"] == ShiftRaw(window=2)
        assert "own" not in again.named_signals()
    assert "own" not in SIGNALS


def test_steps_and_events_are_kept_once_however_often_a_cell_runs(corpus, path):
    for _ in range(2):
        with hl.Lab(corpus, store=path) as lab:
            lab.replay("sliding_window", budget=500)
            lab.replay("full_history", budget=3)
    with hl.Lab(store=path) as again:
        assert again.steps["strategy"].unique().to_list() == ["sliding_window"]
        assert again.steps.height == 15
        failed = again.events.filter(pl.col("stage") == "replay")
        assert failed.height == failed["item_id"].n_unique() > 0


def test_checkpoints_of_a_learned_trigger_are_replayed_after_a_restart(path):
    script = (
        "import hydralab as hl\n"
        "corpus = hl.read_all(hl.example('long_en'))\n"
        "model = hl.fit_trigger(corpus.turns, corpus.gold, pairs=False)\n"
        f"with hl.Lab(corpus, store={path!r}) as lab:\n"
        "    lab.checkpoints(model.trigger().place(min_turns=2))\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    with hl.Lab(store=path) as lab:
        assert "learned" in repr(lab.trigger())
        replayed = set(lab.replay(budget=600).boundaries["position"])
        assert replayed
        assert replayed <= set(lab.boundaries(lab.trigger())["position"])


def test_turns_that_were_stored_alone_can_be_opened():
    store = hl.MemoryStore()
    store.append("turns", hl.read(hl.example("launch_zh")))
    lab = hl.Lab(store=store)
    assert lab.dialogues.select("dialogue_id", "language").rows() == [("launch_zh", "zh")]
    assert lab.hydrate("之前提到的市场推广预算是多少？", budget=1_000).tokens <= 1_000
