"""Every table comes back as it was: from memory, and from a file and a server, closed in between."""

import string
from datetime import UTC, datetime
from itertools import groupby

import numpy as np
import polars as pl
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from hydralab.frames import build, empty, vectors_schema
from hydralab.schemas import KEYS, OPEN_TABLES, REQUIRED, SCHEMAS, VALUES
from hydralab.stores import MemoryStore, open_store
from hydralab.stores.servers import fresh_schema

names = st.text(string.ascii_lowercase, min_size=1, max_size=3)
floats = st.floats()
FINITE = st.floats(width=32, allow_nan=False, allow_infinity=False)
numbers = st.integers(-(2**63), 2**63 - 1)
scalars = {
    pl.String: st.text(max_size=12),
    pl.Int64: numbers,
    pl.Float64: floats,
    pl.Boolean: st.booleans(),
}
SCORES = pl.Struct({"dense": pl.Float64, "why": pl.String})
MODEST = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def values(kind):
    """Return a strategy for the values of a column type."""
    if isinstance(kind, pl.Datetime):
        return st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))
    if isinstance(kind, pl.List):
        return st.lists(st.none() | values(kind.inner), max_size=3)
    if isinstance(kind, pl.Struct):
        return st.fixed_dictionaries({part.name: st.none() | values(part.dtype) for part in kind.fields})
    return scalars[kind]


@st.composite
def tables(draw, name):
    """Return a valid table: unique keys, rising positions, a dialogue's rows together."""
    columns = {}
    for column, kind in SCHEMAS[name].items():
        known = VALUES.get((name, column))
        kind = SCORES if kind is pl.Struct else kind
        each = st.sampled_from(known) if known else values(kind)
        optional = column not in (*KEYS[name], *REQUIRED.get(name, ())) or (name, column) == (
            "gold",
            "annotator",
        )
        columns[column] = st.none() | each if optional else each
    further = {}
    if name in OPEN_TABLES:
        further = draw(st.dictionaries(names.map("x_{}".format), st.sampled_from(list(scalars)), max_size=3))
        columns |= {column: st.none() | scalars[kind] for column, kind in further.items()}
    rows = draw(st.lists(st.fixed_dictionaries(columns), min_size=1, max_size=5))
    if "position" in KEYS[name] or name == "turns":
        rows.sort(key=lambda row: row["dialogue_id"])
        for _, group in groupby(rows, key=lambda row: row["dialogue_id"]):
            for i, row in enumerate(group):
                row["position"] = 3 * i
    if name == "checkpoints":
        for row in rows:
            row["start"], row["end"] = sorted((row["start"], row["end"]))
    unique = {tuple(row[column] for column in KEYS[name]) or i: row for i, row in enumerate(rows)}
    scores = {"scores": SCORES} if "scores" in SCHEMAS[name] else {}
    schema = {**empty(name).schema, **scores, **further}
    return build(name, pl.from_dicts(list(unique.values()), schema=schema))


@st.composite
def vectors(draw):
    """Return a vectors table of one dimension."""
    dim, ids = draw(st.integers(1, 5)), draw(st.lists(names, unique=True, min_size=1, max_size=4))
    flat = draw(
        st.lists(
            st.floats(width=32, allow_nan=False, allow_infinity=False),
            min_size=dim * len(ids),
            max_size=dim * len(ids),
        )
    )
    rows = {
        "item_id": ids,
        "item_kind": ["turn"] * len(ids),
        "dialogue_id": ["a"] * len(ids),
        "source_hash": [None] * len(ids),
        "vector": np.array(flat, dtype=np.float32).reshape(len(ids), dim),
    }
    return pl.DataFrame(rows, schema=vectors_schema(dim))


@pytest.fixture(scope="module")
def server_url(postgres):
    with fresh_schema(postgres) as url:
        yield url


@pytest.fixture
def comes_back(path, server_url):
    """Return a function that appends a frame to empty stores and compares what they give back after closing."""

    def compare(table, frame, model=None):
        with MemoryStore() as memory:
            memory.append(table, frame, model=model)
            assert_frame_equal(memory.read(table, model=model), frame, check_exact=True)
        path.unlink(missing_ok=True)
        with psycopg.connect(server_url) as connection:
            for (name,) in connection.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
            ):
                connection.execute(f'DELETE FROM "{name}"') if name != "hydralab_schema" else None
        for url in (f"sqlite:///{path}", server_url):
            with open_store(url) as store:
                store.append(table, frame, model=model)
                store.append(table, frame if KEYS[table] else frame.clear(), model=model)
            with open_store(url) as store:
                assert_frame_equal(store.read(table, model=model), frame, check_exact=True)

    return compare


@pytest.mark.parametrize("table", [name for name in SCHEMAS if name != "vectors"])
def test_tables(table, comes_back):
    @MODEST
    @given(tables(table))
    def check(frame):
        comes_back(table, frame)

    check()


def test_vectors(comes_back):
    @MODEST
    @given(vectors())
    def check(frame):
        comes_back("vectors", frame, model="use")

    check()


def test_lists_without_a_type_take_the_declared_one(store):
    frame = build("memories", [{"memory_id": "m", "text": "likes tea"}]).with_columns(
        source_turn_ids=pl.Series([[]], dtype=pl.List(pl.Null))
    )
    store.append("memories", frame)
    assert store.read("memories").schema == empty("memories").schema


@pytest.mark.parametrize("table", SCHEMAS)
def test_an_empty_table_is_taken_and_given(table, store):
    model = "use" if table == "vectors" else None
    store.append(table, empty(table), model=model)
    assert_frame_equal(store.read(table, model=model), empty(table))
