"""Precision and recall of what redaction finds."""

import polars as pl

from hydralab.benchmarks.privacy import measure_privacy, score_privacy


def labelled(*rows):
    spans = pl.List(pl.Struct({"start": pl.Int64, "end": pl.Int64, "type": pl.String}))
    named = [
        {"text": text, "spans": [dict(zip(("start", "end", "type"), each, strict=True)) for each in gold]}
        for text, gold in rows
    ]
    return pl.DataFrame(named, schema={"text": pl.String, "spans": spans})


def test_only_the_exact_span_is_right_and_what_is_left_over_leaks():
    scored = score_privacy(
        labelled(
            ("Ask ann@example.org", [(4, 19, "email")]),
            ("Ask bob@example.org", [(0, 19, "email")]),
            ("Ask cy@example.org", []),
        )
    )
    email = scored.filter(pl.col("kind") == "email").row(0, named=True)
    assert (email["labelled"], email["found"], email["right"], email["leaked"]) == (2, 3, 1, 1)
    assert (email["precision"], email["recall"]) == (1 / 3, 1 / 2)


def test_what_was_never_labelled_has_no_recall():
    """FAULTS 29: empty gold does not count as recall 1."""
    scored = score_privacy(labelled(("Hello there", [])))
    assert scored["recall"].null_count() == scored.height


def test_the_bundled_texts_are_the_default():
    measured = measure_privacy().filter(pl.col("kind") == "all")
    assert set(measured.select("language", "part").rows()) == {
        (language, part) for language in ("zh", "en") for part in ("dev", "test")
    }
    assert measured["recall"].min() > 0.8
    assert measured["precision"].min() > 0.8
