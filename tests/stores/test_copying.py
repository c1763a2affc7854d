"""Many rows at once into PostgreSQL keep every promise that few rows do."""

import numpy as np
import polars as pl
import psycopg
import pytest
from polars.testing import assert_frame_equal
from psycopg import sql

from hydralab.errors import StoreError
from hydralab.frames import build, vectors_schema
from hydralab.stores import MemoryStore, open_store
from hydralab.stores.copying import LEAST_COPIED
from tests.stores.earlier.contents import fill

MANY = 2 * LEAST_COPIED
ODD_TEXTS = ["", "a\tb\\N\r\n", "nul \x00 and \ue000", '"quoted", {}', "你好 🙂"]


@pytest.fixture
def many(dialogue):
    """Return turns of which each text is an odd one."""
    turns = dialogue(range(MANY))
    texts = [f"{ODD_TEXTS[row % len(ODD_TEXTS)]}{row}" for row in range(MANY)]
    return turns.with_columns(text=pl.Series(texts))


def vectors(turns):
    rows = np.random.default_rng(7).standard_normal((turns.height, 8)).astype(np.float32)
    rows[0, :3] = -0.0, 1e-45, 3.4e38
    named = turns.select(item_id="turn_id", item_kind=pl.lit("turn"), dialogue_id="dialogue_id")
    return named.with_columns(
        source_hash=pl.lit(None, pl.String), vector=pl.Series(rows, dtype=pl.Array(pl.Float32, 8))
    ).select(list(vectors_schema(8)))


@pytest.fixture
def store(postgres_url):
    with open_store(postgres_url) as opened:
        yield opened


def test_what_is_copied_comes_back_in_its_order(store, many):
    events = build("events", [{"stage": "store", "status": "ok", "detail": f"{row}"} for row in range(MANY)])
    scores = pl.DataFrame(
        {"dialogue_id": ["a"] * MANY, "position": range(MANY), "x": [float("nan"), None] * LEAST_COPIED}
    )
    store.append("turns", many)
    store.append("vectors", vectors(many), model="m")
    store.append("events", events)
    store.append("signals", scores)
    assert_frame_equal(store.read("turns"), many)
    assert_frame_equal(store.read("vectors", model="m"), vectors(many), check_exact=True)
    assert store.read("events")["detail"].to_list() == events["detail"].to_list()
    assert_frame_equal(store.read("signals"), scores, check_column_order=False)


def test_a_repetition_is_passed_over_and_a_contradiction_leaves_nothing(store, many):
    some = many[::3]
    store.append("turns", some)
    with pytest.raises(StoreError, match="with another 'text'; use replace"):
        store.append("turns", many.with_columns(text=pl.lit("other")))
    assert store.read("turns").height == some.height
    with pytest.raises(StoreError, match=r"position 0 of dialogue 'a' .* is another turn's"):
        store.append("turns", many.with_columns(turn_id="again " + pl.col("turn_id")))
    for _ in range(2):
        store.append("turns", many)
        assert_frame_equal(store.read("turns"), many)


def _append_and_contradict(store, many):
    store.append("turns", many)
    store.append("vectors", vectors(many), model="m")
    store.append("turns", many.with_columns(text=pl.lit("other")))


def test_what_is_copied_within_a_transaction_that_fails_is_undone(store, many):
    with pytest.raises(StoreError, match="with another 'text'"), store.transaction():
        _append_and_contradict(store, many)
    assert store.read("turns").is_empty()
    assert store.models() == {}


def test_a_user_copies_into_their_own_dialogues_alone(role, store, many):
    store.append("dialogues", build("dialogues", [{"dialogue_id": "a", "user_id": "lena"}]))
    store.protect(role)
    url = str(store.url.set(username=role, password="app").render_as_string(hide_password=False))
    with open_store(url, user="ben") as ben, pytest.raises(StoreError, match="row-level security"):
        ben.store.append("turns", many)  # past the view, to the server itself
    assert store.read("turns").is_empty()
    with open_store(url, user="lena") as lena:
        lena.append("turns", many)
    assert_frame_equal(store.read("turns"), many)


def test_rows_arrive_where_no_temporary_table_may_be_made(role, store, many, postgres):
    store.append("dialogues", build("dialogues", [{"dialogue_id": "a", "user_id": "lena"}]))
    store.protect(role)
    url = str(store.url.set(username=role, password="app").render_as_string(hide_password=False))
    database = sql.Identifier(str(store.url.database))
    with psycopg.connect(postgres.get_uri(), autocommit=True) as owner:
        owner.execute(sql.SQL("REVOKE TEMP ON DATABASE {} FROM PUBLIC").format(database))
        try:
            with open_store(url, user="lena") as lena:
                lena.append("turns", many)
        finally:
            owner.execute(sql.SQL("GRANT TEMP ON DATABASE {} TO PUBLIC").format(database))
    assert_frame_equal(store.read("turns"), many)


def test_an_id_that_no_index_takes_is_told_and_leaves_nothing(store, many):
    digits = np.random.default_rng(7).integers(0, 10, 20_000)  # what doesn't compress
    long = pl.DataFrame({"turn_id": ["".join(map(str, digits))]})
    with pytest.raises(StoreError, match="an id is longer than an index takes"):
        store.append("turns", many.with_columns(turn_id=pl.concat([many["turn_id"][1:], long["turn_id"]])))
    assert store.read("turns").is_empty()
    store.append("turns", many)
    assert_frame_equal(store.read("turns"), many)


def test_every_table_comes_out_equal_when_all_is_copied(store, monkeypatch):
    monkeypatch.setattr("hydralab.stores.copying.LEAST_COPIED", 1)
    with MemoryStore() as memory:
        for each in (memory, store):
            fill(each)
        for table in ("dialogues", "turns", "checkpoints", "memories", "context", "verdicts", "gold"):
            assert_frame_equal(store.read(table), memory.read(table), check_exact=True)
