"""Tables are redacted in every column with words, before they are written."""

import json

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from hydralab.frames import build, event
from hydralab.privacy import redact_json, redact_table
from hydralab.stores import MemoryStore, RedactingStore, check_store

MAIL, MOBILE = "ann@example.org", "13900006642"


def rows():
    """Return a table of each sort with the same private words in every column that takes words."""
    said = f"{MAIL}，电话{MOBILE}"
    place = {"dialogue_id": "a"}
    return {
        "turns": build(
            "turns",
            [
                {
                    **place,
                    "turn_id": "a:0",
                    "position": 0,
                    "round": 0,
                    "role": "user",
                    "text": said,
                    "tokens": 9,
                    "parts": json.dumps([{"type": "text", "text": said}]),
                    "meta": json.dumps({"phone": int(MOBILE), "sent": 1717382400}),
                }
            ],
        ),
        "checkpoints": build(
            "checkpoints",
            [
                {
                    **place,
                    "checkpoint_id": "a#0-0",
                    "start": 0,
                    "end": 0,
                    "status": "ready",
                    "title": said,
                    "summary": said,
                    "keywords": [MAIL, "launch"],
                    "entities": [{"type": "email", "text": MAIL}],
                    "decisions": [said],
                    "open_tasks": [said],
                }
            ],
        ),
        "memories": build("memories", [{**place, "memory_id": "m", "text": said}]),
        "questions": build("questions", [{**place, "question_id": "q", "text": said, "answer": said}]),
        "events": build("events", [event("read", "failed", detail=f"could not parse {said!r}")]),
    }


@pytest.mark.parametrize("table", list(rows()))
def test_no_column_with_words_keeps_it(table):
    store = RedactingStore(MemoryStore())
    given = rows()[table]
    store.append(table, given)
    kept = store.read(table)
    assert MAIL not in kept.write_json()
    assert MOBILE not in kept.write_json()
    assert kept.schema == given.schema
    assert "[email]" in kept.write_json()


def test_ids_times_and_other_words_stay():
    turns = rows()["turns"]
    kept = redact_table("turns", turns)
    assert_frame_equal(kept.drop("text", "parts", "meta"), turns.drop("text", "parts", "meta"))
    assert json.loads(kept["meta"].item()) == {"phone": "[phone]", "sent": 1717382400}
    assert redact_table("turns", turns, False) is turns


def test_the_name_of_a_field_tells_what_its_value_is():
    assert redact_json('{"password":"Autumn_77"}') == '{"password": "[secret]"}'
    assert redact_json('{"colour":"Autumn_77"}') == '{"colour":"Autumn_77"}'
    assert redact_json("not json, ann@example.org") == "not json, [email]"


def test_a_replacement_is_redacted_and_an_append_stays_idempotent():
    store, notes = RedactingStore(MemoryStore(), ["email"]), rows()["memories"]
    for _ in range(2):
        store.append("memories", notes)
    store.replace("memories", notes.with_columns(text=pl.lit(f"now bob@example.org, {MOBILE}")))
    assert store.read("memories")["text"].to_list() == [f"now [email], {MOBILE}"]


def test_it_keeps_the_promises_of_a_store():
    assert check_store(RedactingStore(MemoryStore()))
