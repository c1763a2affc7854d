"""From texts of any length to unit rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hydralab.encoders.pooling import checked_rows, pooled_vectors, unit_rows
from hydralab.encoders.windows import cut_windows
from hydralab.errors import HydralabError

WORDS = ["budget", "date", "customers"]


def count_words(texts):
    """A bag of three words: an encoder whose every number can be worked out by hand."""
    return np.array([[text.count(word) for word in WORDS] for text in texts], dtype=np.float64)


def pooled(texts, encode=count_words, limit=1000, **options):
    windows = {"windows": lambda text: cut_windows(text, limit)}
    return pooled_vectors(texts, encode, dim=3, name="words", **windows, **options)


def test_a_long_text_is_the_mean_of_its_windows_weighted_by_their_length():
    text = "budget budget. date is set here."
    found = pooled([text], limit=18)
    parts = cut_windows(text, 18)
    rows = [count_words([part])[0] / np.linalg.norm(count_words([part])[0]) for part in parts]
    expected = sum(row * len(part) for row, part in zip(rows, parts, strict=True))
    np.testing.assert_allclose(found.vectors[0], expected / np.linalg.norm(expected), rtol=1e-6)
    assert found.windows.tolist() == [len(parts)]
    assert len(parts) == 2


def test_equal_windows_are_encoded_once_and_short_ones_together():
    batches = []

    def noting(texts):
        batches.append(list(texts))
        return count_words(texts)

    pooled(["date " * 9, "budget", "date", "budget", "date " * 9], noting, batch_size=2)
    assert sorted(text for batch in batches for text in batch) == sorted(["date " * 9, "budget", "date"])
    assert ["date", "budget"] in batches


def test_blank_texts_are_zero_rows_without_a_window():
    found = pooled(["", " \n", "\u200b\ufeff", "budget"])
    assert found.windows.tolist() == [0, 0, 0, 1]
    assert found.vectors.tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0]]


def test_one_text_at_fault_does_not_take_the_others_with_it():
    def choosy(texts):
        if any("👍" in text for text in texts):
            raise RuntimeError("no emoji")
        return count_words(texts)

    found = pooled(["budget", "👍", "date"], choosy, salvage=True)
    assert found.vectors.tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert found.failures == ((1, "RuntimeError: no emoji"),)
    with pytest.raises(RuntimeError, match="no emoji"):
        pooled(["budget", "👍"], choosy)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ([[1.0, 0, 0], [np.nan, 0, 0]], "NaN or infinity in row 1, for the text 'date'"),
        ([[1.0, 0, 0], [np.inf, 0, 0]], "NaN or infinity in row 1"),
        ([[1e300, 0, 0], [1, 0, 0]], "NaN or infinity in row 0, for the text 'budget'"),
        ([[1.0, 0, 0], [1.0, 0]], "rows of different lengths, expected 2 rows of 3 length"),
        ([[1.0, 0, 0]], r"shape \(1, 3\), expected \(2, 3\)"),
        ([[1.0, 0], [1.0, 0]], r"shape \(2, 2\), expected \(2, 3\)"),
        ([1.0, 0.0], r"shape \(2,\), expected \(2, 3\)"),
        ([["a", "b", "c"]] * 2, "expected floating-point numbers"),
        (None, "expected floating-point numbers"),
    ],
)
def test_what_an_encoder_returns_is_validated(returned, message):
    """FAULTS 27: NaN, infinity, ragged or wrong-shaped rows are refused with the row named."""
    with pytest.raises(HydralabError, match=f"encoder 'words' returned .*{message}"):
        checked_rows(returned, ["budget", "date"], dim=3, name="words")


@pytest.mark.parametrize("dtype", [np.float16, np.float64, np.int64])
def test_numbers_of_any_precision_become_float32(dtype):
    """FAULTS 27."""
    rows = checked_rows(np.ones((2, 3), dtype), ["a", "b"], dim=None, name="words")
    assert rows.dtype == np.float32


def test_torch_tensors_are_taken():
    import torch

    rows = checked_rows(torch.ones(1, 2, requires_grad=True), ["a"], dim=2, name="torch")
    assert rows.tolist() == [[1, 1]]


@given(hnp.arrays(np.float32, (3, 4), elements=st.floats(-(2.0**120), 2.0**120, width=32)))
def test_unit_rows_have_length_one_or_zero(matrix):
    lengths = np.linalg.norm(unit_rows(matrix).astype(np.float64), axis=1)
    expected = matrix.any(axis=1).astype(float)
    np.testing.assert_allclose(lengths, expected, atol=1e-5)
