"""Each user's dialogues are unreachable for another, through the protocol and on PostgreSQL by raw SQL."""

import psycopg
import pytest
from polars.testing import assert_frame_equal

from hydralab.errors import StoreError
from hydralab.frames import build, event
from hydralab.stores import PostgresStore, check_store, open_store
from hydralab.stores.schema import TABLES
from hydralab.stores.settings import LAB, Settings


def own(name, user):
    return build("dialogues", [{"dialogue_id": name, "user_id": user, "title": name}])


def fact(name, dialogue, user, text="likes tea"):
    return build("memories", [{"memory_id": name, "dialogue_id": dialogue, "user_id": user, "text": text}])


@pytest.fixture
def shared(store, dialogue):
    """Return a store with a dialogue of each of two users."""
    for name, user in (("a", "lena"), ("b", "ben")):
        store.append("dialogues", own(name, user))
        store.append("turns", dialogue(dialogue_id=name))
        store.append("memories", fact(f"{name}:m", name, user))
        store.append("gold", build("gold", [{"dialogue_id": name, "position": 1}]))
    store.append("memories", fact("loose", None, "lena"))
    return store


def test_each_reads_their_own_rows_alone(shared):
    lena, ben = shared.for_user("lena"), shared.for_user("ben")
    assert lena.read("dialogues")["dialogue_id"].to_list() == ["a"]
    assert set(lena.read("memories")["memory_id"]) == {"a:m", "loose"}
    assert ben.read("memories")["memory_id"].to_list() == ["b:m"]
    for table in ("turns", "gold", "memories", "dialogues"):
        assert lena.read(table, dialogue_id="b").height == 0
        assert set(lena.read(table)["dialogue_id"].drop_nulls()) == {"a"}
        assert_frame_equal(lena.read(table, dialogue_id=["a", "b"]), shared.read(table, dialogue_id="a"))
    assert lena.recent("b", 4).height == 0
    assert lena.recent("a", 2)["turn_id"].to_list() == ["a:2", "a:3"]
    assert lena.audit("likes tea")["found"].sum() == 2


def test_nothing_of_others_can_be_written_replaced_or_forgotten(shared, dialogue):
    """FAULTS 17."""
    lena, before = shared.for_user("lena"), shared.read("turns", dialogue_id="b")
    attempts = (
        lambda: lena.append("turns", dialogue([4], dialogue_id="b")),
        lambda: lena.replace("turns", before),
        lambda: lena.replace("gold", build("gold", []), dialogue_id="b"),
        lambda: lena.append("dialogues", own("c", "ben")),
        lambda: lena.append("dialogues", own("b", None)),
        lambda: lena.append("memories", fact("x", "a", "ben")),
        lambda: lena.replace("memories", fact("b:m", "a", "lena", "hates tea")),
        lambda: lena.forget(dialogue="b"),
        lambda: lena.forget(turn="b:1"),
        lambda: lena.forget(memory="b:m"),
        lambda: lena.forget(user="ben"),
        lambda: lena.for_user("ben"),
    )
    for attempt in attempts:
        with pytest.raises(StoreError, match="lena"):
            attempt()
    assert_frame_equal(shared.read("turns", dialogue_id="b"), before)
    assert shared.read("memories")["text"].unique().to_list() == ["likes tea"]
    assert shared.read("gold", dialogue_id="b").height == 1


def test_settings_and_events_of_no_dialogue_are_each_users_own(shared):
    lena, ben = shared.for_user("lena"), shared.for_user("ben")
    Settings(lena).write({(LAB, "encoder"): "use"})
    lena.append("events", build("events", [event("read", "failed", detail="line 3")]))
    assert Settings(lena).get("encoder") == "use"
    assert lena.read("events")["dialogue_id"].to_list() == [None]
    assert Settings(ben).get("encoder") is None
    assert ben.read("events").height == 0
    shared.forget(user="lena")
    assert shared.audit("line 3")["found"].sum() == 0


def test_the_place_of_another_users_settings_is_no_dialogue_to_be_had(shared):
    Settings(shared.for_user("lena")).write({(LAB, "encoder"): "secret"})
    ben = shared.for_user("ben")
    with pytest.raises(
        StoreError, match="'user:lena' of user 'ben' begins with 'user:', expected another id"
    ):
        ben.append("dialogues", own("user:lena", None))
    shared.append("dialogues", own("user:lena", "ben"))  # though it were there already
    assert ben.read("settings", dialogue_id="user:lena").height == ben.read("settings").height == 0
    with pytest.raises(StoreError, match="has no such dialogue"):
        ben.forget(dialogue="user:lena")


def test_what_one_user_forgets_takes_no_event_of_another(shared):
    told = [event("llm", "failed", dialogue_id=name, item_id="x", detail="saw turn 1") for name in ("a", "b")]
    shared.append("events", build("events", told))
    shared.for_user("ben").forget(turn="b:1")
    assert shared.read("events")["dialogue_id"].to_list() == ["a"]


def test_a_user_forgets_their_own_and_only_that(shared):
    """FAULTS 17."""
    before = {table: shared.read(table, dialogue_id="b") for table in ("turns", "memories", "gold")}
    shared.for_user("lena").forget(user="lena")
    assert shared.read("dialogues")["dialogue_id"].to_list() == ["b"]
    for table, frame in before.items():
        assert_frame_equal(shared.read(table), frame)


def test_a_dialogue_becomes_the_users_who_adds_it(store, dialogue):
    with open_store(store, user="lena") as lena:
        lena.append("dialogues", own("a", None))
        lena.append("turns", dialogue())
        assert store.read("dialogues")["user_id"].to_list() == ["lena"]
        assert lena.read("turns").equals(dialogue())


def test_the_server_keeps_users_apart_from_raw_sql_too(role, postgres_url, dialogue):
    with PostgresStore(postgres_url) as store:
        for name, user in (("a", "lena"), ("b", "ben")):
            store.append("dialogues", own(name, user))
            store.append("turns", dialogue(dialogue_id=name))
            store.append("memories", fact(f"{name}:m", name, user))
        store.protect(role)
        before = store.read("turns", dialogue_id="b")
        url = str(store.url.set(username=role, password="app").render_as_string(hide_password=False))
        with open_store(url, user="lena") as lena:
            lena.append("turns", dialogue([4], dialogue_id="a"))
            lena.append("dialogues", own("c", None))
            assert lena.read("turns")["dialogue_id"].unique().to_list() == ["a"]
            lena.forget(turn="a:1")
            raw = lena.store._database._connection.connection.driver_connection
            assert raw.execute("SELECT current_user").fetchone() == (role,)
            rights = "SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"
            assert raw.execute(rights).fetchone() == (False, False)
            for table in TABLES:
                assert raw.execute(f"SELECT count(*) FROM {table} WHERE dialogue_id = 'b'").fetchone() == (0,)
            assert raw.execute("SELECT count(*) FROM turns").fetchone() == (5,)
            assert raw.execute("UPDATE turns SET text = 'stolen' WHERE dialogue_id = 'b'").rowcount == 0
            assert raw.execute("UPDATE turns SET text = 'stolen' WHERE turn_id = 'b:1'").rowcount == 0
            assert raw.execute("DELETE FROM memories WHERE dialogue_id = 'b'").rowcount == 0
            raw.commit()
            for statement in (
                "INSERT INTO dialogues (dialogue_id, user_id) VALUES ('user:ben', 'lena')",
                "INSERT INTO hydralab_forgotten (kind, name, dialogue_id, position) VALUES ('turn', 'b:0', 'a', 0)",
                "INSERT INTO turns (dialogue_id, turn_id, position) VALUES ('b', 'b:9', 9)",
                "UPDATE turns SET dialogue_id = 'b' WHERE turn_id = 'a:0'",
                "UPDATE dialogues SET user_id = 'ben'",
                "INSERT INTO hydralab_forgotten (kind, name) VALUES ('dialogue', 'b')",
                "ALTER TABLE turns DISABLE ROW LEVEL SECURITY",
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    raw.execute(statement)
                raw.rollback()
        with psycopg.connect(url.replace("postgresql+psycopg", "postgresql")) as nobody:
            assert nobody.execute("SELECT count(*) FROM turns").fetchone() == (0,)
        assert_frame_equal(store.read("turns", dialogue_id="b"), before)
        forced = "SELECT bool_and(relrowsecurity AND relforcerowsecurity) FROM pg_class WHERE oid = ANY(%s::regclass[])"
        raw = store._database._connection.connection.driver_connection
        assert raw.execute(forced, (list(TABLES),)).fetchone() == (True,)
        raw.commit()


def test_a_protected_store_still_keeps_its_promises_to_its_owner(role, postgres_url):
    with PostgresStore(postgres_url) as store:
        store.protect(role)
        assert check_store(store)
