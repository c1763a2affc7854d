"""On an encrypted file no text and no vector stands in clear, and without its key nothing is lost."""

import sqlite3
from contextlib import closing

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import hydralab as hl
from hydralab.errors import StoreError
from hydralab.frames import build, vectors_schema
from hydralab.graph import DialogueGraph
from hydralab.schemas import SCHEMAS, VALUES
from hydralab.stores import RedisWindow, SqliteStore, TieredStore, check_store, open_store

KEY = "correct horse battery staple"
WORDS = "die Königin trinkt 乌龙茶"


def vectors(value):
    rows = {
        "item_id": ["a:0", "a:1"],
        "item_kind": ["turn"] * 2,
        "dialogue_id": ["a"] * 2,
        "source_hash": [None] * 2,
    }
    numbers = np.array([[value, 0.25], [0.125, 0.75]], dtype=np.float32)
    return pl.DataFrame({**rows, "vector": numbers}, schema=vectors_schema(2))


def bytes_in(folder):
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_it_keeps_the_promises_of_a_store(path):
    with open_store(path, key=KEY) as store:
        assert check_store(store)


def test_texts_and_vectors_come_back_and_no_byte_of_them_is_in_the_file(path, dialogue):
    with open_store(path, key=KEY) as store:
        for _ in range(2):  # nonces differ, an append is idempotent all the same
            store.append("turns", dialogue(text=WORDS))
            store.append("vectors", vectors(0.5), model="use")
        during = bytes_in(path.parent)
    with open_store(path, key=KEY) as store:
        assert_frame_equal(store.read("turns"), dialogue(text=WORDS))
        assert_frame_equal(store.read("vectors", model="use"), vectors(0.5))
        assert store.audit("乌龙茶")["found"].sum() == 4  # in the rows as they are read, in no file
        assert store.audit("乌龙茶").filter(pl.col("kind") == "file")["found"].sum() == 0
        with pytest.raises(StoreError, match="another 'text'"):
            store.append("turns", dialogue(text="other"))
    for content in (during, bytes_in(path.parent)):
        for words in ("Königin", "乌龙茶"):
            assert words.encode() not in content
        for row in vectors(0.5)["vector"].to_numpy():
            assert row.tobytes() not in content
        assert b"a:0" in content  # ids stay clear


def test_a_lab_writes_nothing_in_clear_text_anywhere(path, tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    monkeypatch.setenv("HYDRALAB_CACHE", str(cache))
    monkeypatch.setenv("HYDRALAB_KEY", KEY)
    with hl.Lab(hl.read_all(hl.example("launch_en")), store=str(path)) as lab:
        prompt = lab.hydrate("What was the marketing budget?", budget=600).prompt
        lab.checkpoints()
        rows = lab.vectors()
        lab.replay(budget=600)
    with hl.Lab(store=str(path)) as again:
        assert again.hydrate("What was the marketing budget?", budget=600).prompt == prompt
        assert np.array_equal(again.vectors(), rows)
    assert not (cache / "vectors").exists()
    content = bytes_in(tmp_path)
    for text in hl.read(hl.example("launch_en"))["text"]:
        assert text[:24].encode() not in content
    assert all(row.tobytes() not in content for row in rows)
    with monkeypatch.context() as without:
        without.delenv("HYDRALAB_KEY")
        with hl.Lab(hl.read_all(hl.example("launch_en")), store=str(tmp_path / "clear.db")) as lab:
            lab.hydrate("What was the marketing budget?", budget=600)
    assert (cache / "vectors").exists()  # so that the test would have seen it


@pytest.mark.parametrize(
    ("key", "says"),
    [("wrong", "is encrypted with another key"), (None, "is encrypted, expected its key in HYDRALAB_KEY")],
)
def test_a_wrong_or_lost_key_is_named_and_nothing_is_touched(path, dialogue, key, says):
    """FAULTS 21."""
    with open_store(path, key=KEY) as store:
        store.append("turns", dialogue())
    before = path.read_bytes()
    with pytest.raises(StoreError, match=says):
        open_store(path, key=key)
    assert path.read_bytes() == before
    with open_store(path, key=KEY) as store:
        assert store.read("turns").equals(dialogue())


def test_a_key_for_a_file_in_clear_text_is_refused(path, dialogue):
    with open_store(path) as store:
        store.append("turns", dialogue())
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"is not encrypted and a key is given .* nothing was changed"):
        open_store(path, key=KEY)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "tamper",
    [
        "UPDATE turns SET text = (SELECT text FROM turns WHERE position = 1) WHERE position = 0",
        "UPDATE turns SET speaker = text",
        "UPDATE turns SET text = 'clear'",
        "UPDATE turns SET turn_id = 'a:9' WHERE position = 0",
    ],
)
def test_a_cell_that_was_moved_or_written_by_others_is_refused(path, dialogue, tamper):
    with open_store(path, key=KEY) as store:
        store.append("turns", dialogue())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(tamper)
    with open_store(path, key=KEY) as store, pytest.raises(StoreError, match=r"is damaged: turns\.\w+ of a:"):
        store.read("turns")


def test_what_is_forgotten_is_gone_events_that_quote_it_too(path, dialogue):
    with open_store(path, key=KEY) as store:
        store.append("turns", dialogue(text=f"{WORDS} #"))
        store.append(
            "events", build("events", [{"stage": "read", "status": "failed", "detail": f"in {WORDS} 1"}])
        )
        store.forget(turn="a:1")
        assert store.audit(f"{WORDS} 1")["found"].sum() == 0
        assert store.read("turns")["text"].to_list() == [f"{WORDS} 0", "", f"{WORDS} 2", f"{WORDS} 3"]


IN_CLEAR = {
    "dialogues": {"dialogue_id", "user_id", "language"},
    "turns": {"dialogue_id", "turn_id", "session", "role"},
    "boundaries": {"dialogue_id", "trigger"},
    "signals": {"dialogue_id"},
    "checkpoints": {
        "checkpoint_id",
        "dialogue_id",
        "kind",
        "start_turn_id",
        "end_turn_id",
        "trigger",
        "status",
    },
    "memories": {"memory_id", "user_id", "dialogue_id", "kind", "source_turn_ids", "superseded_by"},
    "documents": {"passage_id", "document_id", "dialogue_id", "user_id"},
    "verdicts": {"verdict_id", "query_id", "dialogue_id", "status", "model", "item_ids", "used_ids"},
    "entities": {"entity_id", "dialogue_id", "type", "source_turn_ids"},
    "relations": {"dialogue_id", "type", "source_id", "target_id", "turn_id"},
    "questions": {"question_id", "dialogue_id", "evidence", "evidence_sessions", "category"},
    "gold": {"dialogue_id", "annotator"},
    "candidates": {"query_id", "dialogue_id", "item_id", "kind", "source_turn_ids"},
    "context": {
        "query_id",
        "dialogue_id",
        "section",
        "item_id",
        "role",
        "drop_reason",
        "source_turn_ids",
    },
    "steps": {"run_id", "strategy", "dialogue_id", "query_id"},
    "events": {"stage", "dialogue_id", "item_id", "status"},
    "settings": {"dialogue_id", "name"},
}
"""Ids, and names of kinds, triggers, models and people; what a column holds that isn't here is encrypted."""


def filled(table):
    """Return a row with WORDS in every column that may hold some, and something short in the others."""
    row = {}
    for name, kind in SCHEMAS[table].items():
        words = WORDS if name not in IN_CLEAR[table] else VALUES.get((table, name), ("x",))[0]
        if kind == pl.String:
            row[name] = words
        elif kind == pl.List(pl.String):
            row[name] = [words]
        elif isinstance(kind, pl.List):
            row[name] = [{"type": "person", "text": words}]
        elif kind in (pl.Int64, pl.Float64, pl.Boolean):
            row[name] = 1
    return build(table, [row])


@pytest.mark.parametrize("table", sorted(IN_CLEAR))
def test_every_column_with_words_is_hidden(path, table):
    """Bytes of the file are looked at; a column that comes later is taken for one with words."""
    assert SCHEMAS.keys() - IN_CLEAR.keys() == {"vectors"}
    with open_store(path, key=KEY) as store:
        store.append(table, filled(table))
        assert_frame_equal(store.read(table), filled(table))
        assert not any(words in bytes_in(path.parent) for words in (b"nigin", "乌龙茶".encode()))
    assert not any(words in bytes_in(path.parent) for words in (b"nigin", "乌龙茶".encode()))


def test_entities_and_relations_are_known_by_ids_that_hold_no_name(path):
    row = {"dialogue_id": "a", "turn_id": "a:0", "position": 0, "round": 0, "role": "user", "tokens": 9}
    graph = DialogueGraph(build("turns", [{**row, "text": "Zanzibarina Ortiz works at Quokkabrava."}]))
    with open_store(path, key=KEY) as store:
        store.append("entities", graph.entities())
        store.append("relations", graph.relations())
        assert "Quokkabrava" in store.read("entities")["name"].to_list()
    content = bytes_in(path.parent).lower()
    assert not any(name in content for name in (b"zanzibarina", b"quokkabrava"))


def test_nothing_but_a_file_is_encrypted_here(path):
    with pytest.raises(StoreError, match="key given for 'memory', expected an SQLite file"):
        open_store("memory", key=KEY)
    with (
        open_store(path, key=KEY) as store,
        pytest.raises(StoreError, match="Redis would hold its turns in clear text"),
    ):
        TieredStore(short=RedisWindow("redis://localhost:1/0"), long=store)
    assert SqliteStore(path, key=KEY).encrypted
