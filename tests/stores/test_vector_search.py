"""The nearest vectors are the same on every engine, those of forgotten rows never among them."""

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hydralab.frames import build, vectors_schema
from hydralab.stores import PostgresStore, open_store
from hydralab.stores.servers import fresh_schema

KINDS = ("turn", "checkpoint")
DIM = 3


def table(rows, dialogue_id="a", kinds=("turn",)):
    columns = {
        "item_id": [f"{dialogue_id}:{i}" for i in range(len(rows))],
        "item_kind": [kinds[i % len(kinds)] for i in range(len(rows))],
        "dialogue_id": [dialogue_id] * len(rows),
        "source_hash": [None] * len(rows),
        "vector": np.asarray(rows, np.float32),
    }
    return pl.DataFrame(columns, schema=vectors_schema(len(rows[0])))


def slow_nearest(frames, query, count, kind):
    """Return (score, id) of the best, pair by pair; ties in order of appending."""
    pairs = []
    for row in pl.concat(frames).iter_rows(named=True):
        if kind in (None, row["item_kind"]):
            vector = np.asarray(row["vector"], np.float64)
            length = np.linalg.norm(vector) * np.linalg.norm(query)
            pairs.append((float(vector @ query / length) if length else 0.0, row["item_id"]))
    return sorted(pairs, key=lambda pair: -round(pair[0], 9))[:count]


@pytest.fixture(scope="module")
def engines(postgres, tmp_path_factory):
    """Return an open store of each engine, which examples share: each has a model and dialogues of its own."""
    folder = tmp_path_factory.mktemp("nearest")
    with (
        fresh_schema(postgres) as url,
        open_store("memory") as memory,
        open_store(f"sqlite:///{folder}/a.db") as sqlite,
        open_store(folder / "b.db", key="a key") as encrypted,
        open_store(url) as postgresql,
    ):
        yield [memory, sqlite, encrypted, postgresql]


numbers = st.sampled_from([-2.0, -1.0, 0.0, 0.5, 1.0, 3.0]) | st.floats(-9, 9, width=16)
rows = arrays(np.float64, st.tuples(st.integers(1, 9), st.just(DIM)), elements=numbers)
examples = iter(range(10**6))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows, rows, arrays(np.float64, DIM, elements=numbers), st.integers(0, 20), st.sampled_from([None, *KINDS])
)
def test_every_engine_agrees_with_the_slow_reference(engines, one, other, query, count, kind):
    name = f"例{next(examples)}"
    frames = [table(one, f"{name}甲", KINDS), table(other, f"{name} b", KINDS)]
    expected = slow_nearest(frames, query, count, kind)
    for store in engines:
        for frame in frames:
            store.append("vectors", frame, model=name)
        found = store.nearest(query, count, model=name, kind=kind)
        assert np.allclose(found["score"], [score for score, _ in expected], atol=2e-6), store
        own = {item: score for score, item in slow_nearest(frames, query, 99, kind)}
        assert np.allclose(found["score"], [own[item] for item in found["item_id"]], atol=2e-6), store
        alone = store.nearest(query, count, model=name, kind=kind, dialogue_id=f"{name}甲")
        assert set(alone["dialogue_id"]) <= {f"{name}甲"}
        assert alone.height == len(slow_nearest(frames[:1], query, count, kind))


def test_more_than_are_scored_at_once(store):
    """Equal vectors come in the order of appending also where they lie in several blocks."""
    rows = np.random.default_rng(0).normal(size=(5_000, 16))
    for row in (4_999, 2_047, 2_048, 3):
        rows[row] = rows[100]
    store.append("vectors", table(rows), model="use")
    found = store.nearest(rows[100], 6, model="use", dialogue_id="a")
    assert found["item_id"].head(5).to_list() == [f"a:{row}" for row in (3, 100, 2_047, 2_048, 4_999)]
    assert found["score"][0] == pytest.approx(1)
    assert [item for _, item in slow_nearest([table(rows)], rows[100], 6, None)][5] == found["item_id"][5]


def test_more_than_there_are_is_all_that_there_are(store, dialogue):
    """FAULTS 25: fewer rows come back, never an error, also once some were taken out."""
    store.append("turns", dialogue())
    store.append("vectors", table([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]), model="m")
    assert store.nearest([1, 0, 0], 1_000, model="m")["item_id"].to_list() == ["a:0", "a:3", "a:1", "a:2"]
    store.forget(turn="a:0")
    assert store.nearest([1, 0, 0], 1_000, model="m")["item_id"].to_list() == ["a:3", "a:1", "a:2"]
    store.forget(dialogue="a")
    assert store.nearest([1, 0, 0], 1_000, model="m", dialogue_id="a").height == 0


def test_what_is_forgotten_or_edited_is_found_no_more(store, dialogue):
    """FAULTS 17, 18, 20, 23: what is found is what the table holds."""
    for name in ("a", "b"):
        store.append("dialogues", build("dialogues", [{"dialogue_id": name, "user_id": name}]))
        store.append("turns", dialogue(range(3), name))
        store.append("vectors", table(np.eye(3), name), model="use")
    store.replace("turns", dialogue([0], "a", text="另一句话"))
    store.forget(turn="a:1")
    store.forget(dialogue="b")
    for name in ("a", "b"):  # a late writer
        store.append("vectors", table(np.eye(3), name)[1:2], model="use")
    assert store.nearest([1, 1, 1], 9, model="use")["item_id"].to_list() == ["a:2"]


def test_a_user_finds_their_own_alone(store, dialogue):
    ann, ben = store.for_user("ann"), store.for_user("本")
    for name, user in (("a", "ann"), ("b", "本"), ("c", "本")):
        own = store.for_user(user)
        own.append("dialogues", build("dialogues", [{"dialogue_id": name}]))
        own.append("turns", dialogue(range(2), name))
        own.append("vectors", table(np.eye(2), name), model="use")
    assert ann.nearest([1, 0], 9, model="use")["dialogue_id"].to_list() == ["a", "a"]
    assert ben.nearest([1, 0], 9, model="use")["dialogue_id"].to_list() == ["b", "c", "b", "c"]
    assert ben.nearest([1, 0], 9, model="use", dialogue_id=["a", "c"])["item_id"].to_list() == ["c:0", "c:1"]
    assert ann.nearest([1, 0], 9, model="use", dialogue_id="b").height == 0
    assert ann.select("turns", "b").height == 0
    assert ben.select("turns", "b", where={"position": [1]})["turn_id"].to_list() == ["b:1"]


def test_the_server_itself_keeps_users_apart(role, postgres_url):
    """Row security holds here, too: asked for all of the table, the application's role is given its user's rows."""
    with PostgresStore(postgres_url) as store:
        for name, user in (("a", "ann"), ("b", "本")):
            store.append("dialogues", build("dialogues", [{"dialogue_id": name, "user_id": user}]))
            store.append("vectors", table(np.eye(2), name), model="use")
        store.protect(role)
        url = store.url.set(username=role, password="app").render_as_string(hide_password=False)
    for user, own in (("ann", ["a:0", "a:1"]), ("本", ["b:0", "b:1"]), ("", [])):
        with PostgresStore(url, user=user) as seen:
            assert seen.nearest([1, 0], 9, model="use")["item_id"].to_list() == own
