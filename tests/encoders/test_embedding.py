"""Texts to unit rows, each text encoded once."""

import numpy as np
import pytest

from hydralab.encoders import FunctionEncoder, embed, get_encoder
from hydralab.errors import HydralabError


class Letters:
    """Counts a, b and c, and how many texts it was asked for."""

    name = "letters"
    dim = 3

    def __init__(self, cache_key=None):
        self.asked = []
        self.cache_key = cache_key

    def encode(self, texts):
        self.asked += texts
        return np.array([[text.count(letter) for letter in "abc"] for text in texts], dtype=float)


class Searching(Letters):
    def encode_queries(self, texts):
        return -self.encode(texts)


def test_rows_stand_in_the_order_of_the_texts():
    found = embed(["ccc", "a", "", "a", "bb"], Letters())
    assert found.vectors.tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert found.windows.tolist() == [1, 1, 0, 1, 1]
    assert found.vectors.dtype == np.float32
    assert found.windows.dtype == np.int64
    assert found.events.height == 0


def test_no_texts_are_no_rows():
    assert embed([], Letters()).vectors.shape == (0, 3)


def test_equal_texts_are_encoded_once_and_known_ones_not_again():
    letters = Letters()
    embed(["a", "b", "a", "a\r\n"], letters)
    embed(["b", "a\n", "c"], letters)
    assert sorted(letters.asked) == ["a", "a\n", "b", "c"]
    embed(["a"], letters, cache=False)
    assert len(letters.asked) == 5


def test_queries_are_encoded_as_queries_and_kept_apart():
    searching = Searching()
    assert embed(["a"], searching).vectors.tolist() == [[1, 0, 0]]
    assert embed(["a"], searching, kind="query").vectors.tolist() == [[-1, 0, 0]]
    assert embed(["a"], searching).vectors.tolist() == [[1, 0, 0]]
    assert embed(["a"], Letters(), kind="query").vectors.tolist() == [[1, 0, 0]]


def test_a_long_text_tells_its_windows():
    found = embed(["a" * 9000, "b"], Letters())
    assert found.windows.tolist() == [3, 1]


def test_a_text_that_fails_is_an_event_and_is_tried_again():
    tries = []

    def choosy(texts):
        tries.append(texts)
        if "👍" in texts and len(tries) < 4:
            raise RuntimeError("no emoji")
        return np.ones((len(texts), 2))

    encoder = get_encoder(choosy)
    found = embed(["a", "👍"], encoder)
    assert found.vectors[1].tolist() == [0, 0]
    assert found.events["status"].to_list() == ["failed"]
    assert "'👍' could not be encoded: RuntimeError: no emoji" in found.events["detail"][0]
    assert embed(["a", "👍"], encoder).vectors[1].any()


def test_a_text_without_a_direction_is_an_event():
    found = embed(["a", "xyz"], Letters())
    assert found.vectors[1].tolist() == [0, 0, 0]
    assert found.events["status"].to_list() == ["salvaged"]


def test_when_nothing_can_be_encoded_it_is_an_error():
    def broken(texts):
        if texts == ["hydralab"]:
            return np.ones((1, 2))
        raise OSError("disk full")

    with pytest.raises(HydralabError, match=r"'broken' could encode no text; .* OSError: disk full"):
        embed(["a", "b"], broken)


def test_work_done_before_an_interruption_is_kept():
    letters = Letters()
    stop = 300

    def interrupted(texts):
        if len(letters.asked) >= stop:
            raise KeyboardInterrupt
        return letters.encode(texts)

    encoder = FunctionEncoder(interrupted, "interrupted", 3)
    texts = [f"a{k}" for k in range(1000)]
    with pytest.raises(KeyboardInterrupt):
        embed(texts, encoder)
    stop = 10_000
    embed(texts, encoder)
    assert len(letters.asked) < 1000 + 128


def test_the_progress_bar_is_shown_when_there_is_something_to_do(capfd):
    letters = Letters()
    embed(["a"], letters, progress=True)
    assert "encoding with letters" in capfd.readouterr().err
    embed(["a"], letters, progress=True)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("texts", "message"),
    [("one string", "got one string"), (["a", None], "text 1 is NoneType, expected str"), (5, "got int")],
)
def test_what_is_no_list_of_texts_is_refused(texts, message):
    with pytest.raises(HydralabError, match=message):
        embed(texts, Letters())
