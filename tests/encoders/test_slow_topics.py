import numpy as np
import polars as pl
import pytest

import hydralab as hl
from hydralab.core.slow_topics import project_slowly, slow_directions
from hydralab.encoders import SlowTopics, cross_fitted, get_encoder
from hydralab.errors import HydralabError


def stream(sizes, dim=16, seed=0):
    """Dialogues about a few recurring topics, in noise that is stronger than they are."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((4, dim))
    names, parts = [], []
    for number, size in enumerate(sizes):
        topics = np.repeat(random.integers(4, size=size), 6)[:size]
        parts.append(centres[topics] + 1.5 * random.standard_normal((size, dim)))
        names += [f"d{number}"] * size
    rows = np.concatenate(parts)
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return pl.DataFrame({"dialogue_id": names}), rows.astype(np.float32)


def test_vectors_are_those_of_the_core():
    turns, vectors = stream([120, 150])
    topics = SlowTopics.fit(turns, vectors, rank=5)
    found = slow_directions(vectors, [120, 150], rank=5)
    assert topics.transform(vectors) == pytest.approx(project_slowly(vectors, found.mean, found.projection))
    assert topics.trusted
    assert topics.dim == 5


def test_few_turns_are_not_trusted_and_it_says_so():
    """FAULTS 42."""
    turns, vectors = stream([100, 99])
    with pytest.warns(UserWarning, match="199 turns, expected at least 200; vectors are left as they are"):
        topics = SlowTopics.fit(turns, vectors)
    assert not topics.trusted
    assert topics.transform(vectors) is vectors


def test_it_is_an_encoder_that_a_lab_takes_and_signals_see(tmp_path):
    corpus = hl.read_all(hl.example("long_en"))
    topics = SlowTopics.fit(corpus.turns)
    hl.check_encoder(topics)
    lab = hl.Lab(corpus, encoder=topics)
    raw = get_encoder("use").encode(corpus.turns["text"].to_list())
    assert lab.vectors() == pytest.approx(topics.transform(raw), abs=1e-6)
    assert lab.signals(shift_raw=hl.ShiftRaw())["shift_raw"].null_count() == 1
    assert lab.checkpoints().height > 5
    again = get_encoder(f"slow_topics:{topics.save(tmp_path / 'topics.npz')}")
    assert again.cache_key == topics.cache_key
    assert again.encode(["The venue is booked."]) == pytest.approx(topics.encode(["The venue is booked."]))


def test_the_untrusted_one_is_saved_and_read_as_such(tmp_path):
    with pytest.warns(UserWarning, match="20 turns"):
        topics = SlowTopics.fit(hl.read(hl.example("launch_zh")))
    read = SlowTopics.load(topics.save(tmp_path / "few.npz"))
    assert (read.trusted, read.dim, read.cache_key) == (False, 512, get_encoder("use").cache_key)


def test_what_cannot_be(tmp_path):
    turns, vectors = stream([120, 150])
    topics = SlowTopics.fit(turns, vectors)
    with pytest.raises(HydralabError, match="shape \\(270, 3\\), expected \\(n, 16\\)"):
        topics.transform(vectors[:, :3])
    with pytest.raises(HydralabError, match="vectors of an unnamed encoder"):
        topics.encode(["hello"])
    with pytest.raises(HydralabError, match="expected one row a turn"):
        SlowTopics.fit(turns, vectors[1:])
    with pytest.raises(HydralabError, match="stand apart"):
        SlowTopics.fit(pl.concat([turns, turns]), np.concatenate([vectors, vectors]))
    with pytest.raises(HydralabError, match="rank is 0"):
        SlowTopics.fit(turns, vectors, rank=0)
    (tmp_path / "broken.npz").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(HydralabError, match="can't be read"):
        get_encoder(f"slow_topics:{tmp_path / 'broken.npz'}")


def test_cross_fitting_never_uses_a_dialogue_for_itself():
    turns, vectors = stream([90] * 6)
    moved = cross_fitted(turns, vectors, folds=3, rank=4)
    changed = vectors.copy()
    changed[:90] = np.roll(changed[:90], 1, axis=1)
    others = cross_fitted(turns, changed, folds=3, rank=4)
    same_fold = slice(270, 360)
    assert others[same_fold] == pytest.approx(moved[same_fold], abs=1e-5)
    assert np.abs(others[90:180] - moved[90:180]).max() > 0.01


def test_too_few_dialogues_to_cross_fit():
    turns, vectors = stream([300])
    with pytest.raises(HydralabError, match="1 folds of 1 dialogues"):
        cross_fitted(turns, vectors)
    turns, vectors = stream([60, 60, 60])
    assert cross_fitted(turns, vectors) is vectors
