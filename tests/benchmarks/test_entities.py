"""Precision and recall of entities on labelled sentences."""

import json

import polars as pl
import pytest

from hydralab.benchmarks.entities import measure_entities, score_entities
from hydralab.errors import HydralabError


def labelled(*pairs):
    return pl.DataFrame(
        [
            {"text": text, "entities": [{"type": kind, "text": said} for kind, said in gold]}
            for text, gold in pairs
        ],
        schema={"text": pl.String, "entities": pl.List(pl.Struct({"type": pl.String, "text": pl.String}))},
    )


def row(frame, kind):
    return frame.filter(pl.col("type") == kind).row(0, named=True)


def test_right_found_and_labelled_are_counted_by_type():
    scored = score_entities(
        labelled(
            ("Write to ann@example.org", [("email", "ann@example.org")]),
            ("Write to bob@example.org", [("email", "carl@example.org")]),
            ("Call me", [("email", "dan@example.org")]),
        )
    )
    email = row(scored, "email")
    assert (email["labelled"], email["found"], email["right"]) == (3, 2, 1)
    assert (email["precision"], email["recall"], email["f1"]) == (1 / 2, 1 / 3, 2 / 5)


def test_what_was_never_labelled_has_no_recall():
    """FAULTS 29: empty gold does not count as recall 1."""
    scored = score_entities(labelled(("Hello there", [])))
    assert scored["recall"].null_count() == scored.height
    assert scored["f1"].null_count() == scored.height


def test_width_and_case_do_not_matter_and_repeats_count():
    scored = score_entities(labelled(("A@X.ORG and a@x.org", [("email", "ａ@ｘ.org"), ("email", "a@x.org")])))
    assert row(scored, "email")["right"] == 2


def test_the_bundled_sentences_are_the_default():
    measured = measure_entities()
    pooled = measured.filter(pl.col("type") == "all")
    assert set(pooled.select("set", "split").rows()) == {
        (name, split) for name in ("zh", "en") for split in ("dev", "test")
    }
    assert pooled.group_by("set").agg(pl.sum("labelled"))["labelled"].min() >= 200
    assert pooled["f1"].min() > 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [(json.dumps({"text": "a"}), "has no entities, split"), ("not json", "can't be read as JSON lines")],
)
def test_files_that_are_no_labelled_sentences_are_refused(tmp_path, text, message):
    path = tmp_path / "set.jsonl"
    path.write_text(text)
    with pytest.raises(HydralabError, match=message):
        measure_entities({"mine": path})


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(HydralabError, match=r"'mine': .*nowhere.jsonl can't be read"):
        measure_entities({"mine": tmp_path / "nowhere.jsonl"})
