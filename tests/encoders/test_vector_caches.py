"""Vectors that were computed before."""

import pickle
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.encoders import embed, forget_texts
from hydralab.encoders.vector_caches import DiskVectors, MemoryVectors, text_keys


class Counting:
    """An encoder of random rows that knows how many texts it encoded."""

    name = "counting"

    def __init__(self, cache_key, dim=8):
        self.cache_key, self.dim, self.asked = cache_key, dim, 0

    def encode(self, texts):
        self.asked += len(texts)
        return np.random.default_rng(len(texts)).normal(size=(len(texts), self.dim))


def run_elsewhere(cache_key):
    """Embed three texts in a process of its own, whose memory is empty."""
    code = (
        "import numpy as np\nfrom hydralab.encoders import embed\n"
        f"class E:\n    name, dim, cache_key, asked = 'e', 8, {cache_key!r}, 0\n"
        "    def encode(self, texts):\n        E.asked += len(texts)\n        return np.ones((len(texts), 8))\n"
        "found = embed(['a', 'b', 'c'], E())\nprint(E.asked, found.events.height, int(found.vectors[0].any()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return [int(number) for number in done.stdout.split()]


def test_vectors_outlive_the_process():
    assert run_elsewhere("outlive") == [3, 0, 1]
    assert run_elsewhere("outlive") == [0, 0, 1]
    assert run_elsewhere("another version") == [3, 0, 1]


def test_an_encoder_that_does_not_name_its_model_is_not_kept_on_disk(cache_folder):
    embed(["a"], Counting(None))
    assert not list(cache_folder.rglob("*.db"))


@pytest.mark.parametrize("damage", ["garbage", "truncated"])
def test_a_damaged_cache_is_an_event_and_is_left_alone(cache_folder, damage):
    assert run_elsewhere("damaged")[0] == 3
    (database,) = cache_folder.rglob("cache.db")
    whole = database.read_bytes()
    database.write_bytes(b"garbage" * 1000 if damage == "garbage" else whole[: len(whole) // 3])
    for extra in ("cache.db-wal", "cache.db-shm"):
        database.with_name(extra).unlink(missing_ok=True)
    damaged = database.read_bytes()
    encoded, events, found = run_elsewhere("damaged")
    assert (encoded, found) == (3, 1)
    assert events >= 1
    assert database.read_bytes() == damaged


def test_a_cache_folder_that_cannot_be_made_is_an_event(cache_folder, monkeypatch):
    blocked = cache_folder.parent / "file"
    blocked.write_text("")
    monkeypatch.setenv("HYDRALAB_CACHE", str(blocked))
    encoder = Counting("blocked")
    found = embed(["a"], encoder)
    assert found.vectors[0].any()
    assert found.events["status"].to_list() == ["failed"]
    assert "vector cache" in found.events["detail"][0]


def test_rows_of_another_length_are_not_taken(tmp_path):
    """FAULTS 19: a cache of another dimension is as good as empty."""
    keys = text_keys(["a"])
    DiskVectors(tmp_path, 8).put(keys, np.ones((1, 8), np.float32), np.array([1]))
    assert not DiskVectors(tmp_path, 4).get(keys)[0].any()
    assert DiskVectors(tmp_path, 8).get(keys)[0].all()


def test_rows_that_are_no_numbers_are_not_taken(tmp_path):
    """FAULTS 27."""
    keys = text_keys(["a"])
    DiskVectors(tmp_path, 2).put(keys, np.array([[np.nan, 0]], np.float32), np.array([1]))
    assert not DiskVectors(tmp_path, 2).get(keys)[0].any()


def test_a_pickle_that_somebody_put_there_is_not_run(tmp_path):
    class Mischief:
        def __reduce__(self):
            return (open, (str(tmp_path / "ran"), "w"))

    disk = DiskVectors(tmp_path / "cache", 2)
    disk.put(text_keys(["a"]), np.ones((1, 2), np.float32), np.array([1]))
    with sqlite3.connect(tmp_path / "cache" / "cache.db") as connection:
        connection.execute("UPDATE Cache SET mode = 4, value = ?", (pickle.dumps(Mischief()),))
    assert not disk.get(text_keys(["a"]))[0].any()
    assert not (tmp_path / "ran").exists()


def test_what_is_forgotten_is_nowhere(cache_folder):
    first, second = Counting("first model"), Counting("second model", dim=4)
    for encoder in (first, second):
        embed(["secret plan", "other"], encoder)
    assert forget_texts(["secret plan"]) >= 4
    assert forget_texts(["secret plan"]) == 0
    for encoder in (first, second):
        embed(["secret plan", "other"], encoder)
        assert encoder.asked == 3


def test_ten_thousand_known_turns_take_no_time():
    encoder = Counting(None, dim=512)
    texts = [f"turn {k} about the marketing budget and the date of the launch" for k in range(10_000)]
    before = embed(texts, encoder).vectors
    started = time.perf_counter()
    after = embed(texts, encoder).vectors
    assert time.perf_counter() - started < 1
    np.testing.assert_array_equal(before, after)
    assert encoder.asked == 10_000


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=5), max_size=8))
def test_memory_answers_like_a_dict(batches):
    memory, plain = MemoryVectors(2), {}
    for count, batch in enumerate(batches):
        keys = text_keys(batch)
        if count % 3 == 2:
            memory.drop(keys)
            for key in keys:
                plain.pop(key, None)
            continue
        memory.put(keys, np.full((len(keys), 2), count, np.float32), np.full(len(keys), count))
        for key in keys:
            plain.setdefault(key, count)
    asked = text_keys("abcdefgh")
    known, rows, windows = memory.get(asked)
    expected = [plain[key] for key in asked if key in plain]
    assert known.tolist() == [key in plain for key in asked]
    assert rows[:, 0].tolist() == expected
    assert windows.tolist() == expected


def test_memory_lets_go_at_its_limit():
    memory = MemoryVectors(2, limit=8 * 10)
    for k in range(25):
        memory.put(text_keys([str(k)]), np.ones((1, 2), np.float32), np.array([1]))
    assert len(memory) <= 10
    assert memory.get(text_keys(["24"]))[0].all()
