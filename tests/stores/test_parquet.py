"""A store goes into a folder of Parquet files and comes out equal, in a store of any kind."""

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from hydralab.errors import StoreError
from hydralab.frames import build, vectors_schema
from hydralab.schemas import SCHEMAS
from hydralab.stores import MemoryStore, import_store, parquet_import, sql, sql_parts
from tests.stores.earlier.contents import MODEL, contents, fill


def same(one, other):
    for table in SCHEMAS:
        for model in one.models() if table == "vectors" else [None]:
            assert_frame_equal(one.read(table, model=model), other.read(table, model=model), check_exact=True)
    assert one.models() == other.models()


@pytest.fixture
def exported(tmp_path):
    """Return the folder of a store with everything in it."""
    with MemoryStore() as filled:
        fill(filled)
        return filled.export(tmp_path / "out")


def test_every_table_comes_out_equal(store, tmp_path):
    fill(store)
    wide = {"item_id": ["q"], "item_kind": ["turn"], "dialogue_id": ["a"], "source_hash": [None]}
    wide["vector"] = np.ones((1, 5), np.float32)
    store.append("vectors", pl.DataFrame(wide, schema=vectors_schema(5)), model="http://host/e5 (large)")
    store.append("context", build("context", [CONTEXT]).with_columns(scores=pl.struct(dense=pl.lit(0.5))))
    folder = store.export(tmp_path / "out")
    with import_store(folder, "memory") as kept, import_store(folder, tmp_path / "kept.db") as file:
        same(store, kept)
        same(store, file)


def test_tables_of_many_parts_come_out_equal(store, dialogue, tmp_path, monkeypatch):
    for module, rows in ((sql, 3), (sql_parts, 5), (parquet_import, 4)):
        monkeypatch.setattr(module, "PART", rows)
    fill(store)
    for numbers in (range(7, 13), range(7)):  # a dialogue is read in order of position, whatever came first
        store.append("turns", dialogue(numbers, dialogue_id="long"))
        store.append("turns", dialogue(numbers, dialogue_id="another"))
    folder = store.export(tmp_path / "out")
    assert_frame_equal(pl.read_parquet(folder / "turns.parquet"), store.read("turns"), check_exact=True)
    with import_store(folder, tmp_path / "kept.db") as file:
        same(store, file)
        assert file.read("turns", dialogue_id="long").height == 13


def test_a_contradiction_in_a_later_part_leaves_nothing(store, dialogue, monkeypatch):
    """FAULTS 15."""
    monkeypatch.setattr(sql, "PART", 3)
    store.append("turns", dialogue([11]))
    with pytest.raises(StoreError, match=r"'a:11' is in .* with another 'text'"):
        store.append("turns", dialogue(range(13), text="other #"))
    assert store.read("turns").height == 1


CONTEXT = {
    "query_id": "q",
    "dialogue_id": "a",
    "section": "recent",
    "text": "x",
    "tokens": 1,
    "order": 0,
    "kept": True,
}


def test_an_import_can_be_repeated(exported, store):
    """FAULTS 15."""
    for _ in range(2):
        assert import_store(exported, store) is store
    for table, frame in contents().items():
        assert store.read(table, model=MODEL if table == "vectors" else None).height == frame.height


def test_an_import_that_contradicts_leaves_nothing(exported, store):
    store.append("memories", contents()["memories"].with_columns(text=pl.lit("drinks coffee")))
    with pytest.raises(StoreError, match=r"memories: memory_id 'm' is in .* with another 'text'"):
        import_store(exported, store)
    assert store.read("turns").height == 0


def test_a_damaged_file_is_refused(exported, store):
    """FAULTS 21."""
    path = exported / "turns.parquet"
    path.write_bytes(path.read_bytes()[:-9] + b"something")
    with pytest.raises(StoreError, match=r"turns\.parquet is damaged .* nothing was imported"):
        import_store(exported, store)
    path.unlink()
    with pytest.raises(StoreError, match=r"turns\.parquet is damaged \(checksum missing"):
        import_store(exported, store)
    assert store.read("memories").height == 0


def test_folders_that_are_none_of_ours(exported, tmp_path):
    with pytest.raises(StoreError, match="out holds something already, expected a new or empty folder"):
        MemoryStore().export(exported)
    with pytest.raises(StoreError, match=r"is no exported store .* a folder that holds hydralab\.json"):
        import_store(tmp_path, "memory")
    manifest = exported / "hydralab.json"
    manifest.write_text(manifest.read_text().replace('"format": 2', '"format": 9'))
    with pytest.raises(StoreError, match="has format 9, expected at most 2: upgrade hydralab"):
        import_store(exported, "memory")


def test_what_was_forgotten_is_not_brought_back_by_a_copy(store, dialogue, tmp_path):
    """FAULTS 18: a folder is a late writer, whether it is of before the forgetting or after."""
    store.append("turns", pl.concat([dialogue(), dialogue(dialogue_id="b")]))
    before = store.export(tmp_path / "before")
    store.forget(dialogue="a")
    store.forget(turn="b:1")
    import_store(before, store)
    assert store.read("turns")["text"].to_list() == ["turn 0", "", "turn 2", "turn 3"]
    assert "5 late rows of turns" in store.read("events")["detail"].str.join(" ").item()
    with import_store(store.export(tmp_path / "after"), "memory") as copy:
        assert_frame_equal(copy.tombstones(), store.tombstones())
        copy.append("turns", pl.concat([dialogue(), dialogue([1], "b")]))
        assert copy.read("turns").equals(store.read("turns"))


def test_a_copy_does_not_forget_what_a_store_holds(store, dialogue, tmp_path):
    with MemoryStore() as other:
        other.append("turns", dialogue(dialogue_id="b"))
        other.forget(dialogue="a")
        folder = other.export(tmp_path / "out")
    store.append("turns", dialogue())
    with pytest.raises(
        StoreError, match=r"holds dialogue 'a', which was forgotten where the folder comes from"
    ):
        import_store(folder, store)
    assert store.read("turns").equals(dialogue())
    store.forget(dialogue="a")
    assert import_store(folder, store).read("turns").equals(dialogue(dialogue_id="b"))


def test_a_user_takes_over_their_own_tombstones_alone(store, dialogue):
    store.append("dialogues", build("dialogues", [{"dialogue_id": "a", "user_id": "ann"}]))
    store.append("turns", dialogue())
    store.forget(turn="a:1")
    store.forget(turn="b:1")
    told = store.for_user("ann").tombstones()
    assert told["name"].to_list() == ["a:1"]
    store.for_user("ann").set_tombstones(told)
    with pytest.raises(StoreError, match="user 'bob' has no turn 'a:1'"):
        store.for_user("bob").set_tombstones(told)
