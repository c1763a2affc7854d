"""What is forgotten is gone from every table, does not come back, and takes nothing of others with it."""

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from hydralab.errors import StoreError
from hydralab.frames import build, event, vectors_schema
from hydralab.schemas import KEYS, SCHEMAS, TEXTS
from hydralab.stores import open_store
from hydralab.texts.hashing import source_hash

SECRET = 'Das Passwort der Königin lautet “Säbel"\n暗号”'


def vectors(names, dialogue, kind="turn", value=0.5):
    rows = {
        "item_id": names,
        "item_kind": [kind] * len(names),
        "dialogue_id": [dialogue] * len(names),
        "source_hash": [None] * len(names),
        "vector": np.full((len(names), 2), value, dtype=np.float32),
    }
    return pl.DataFrame(rows, schema=vectors_schema(2))


def checkpoint(dialogue, turns, summary):
    row = {
        "checkpoint_id": f"{dialogue}#0-2",
        "dialogue_id": dialogue,
        "start": 0,
        "end": 2,
        "status": "ready",
        "title": summary,
        "summary": summary,
        "keywords": [summary],
        "source_hash": source_hash(turns[:3]),
    }
    return build("checkpoints", [row])


def fact(name, dialogue, text, user="lena", sources=()):
    row = {"memory_id": name, "user_id": user, "dialogue_id": dialogue, "text": text}
    return build("memories", [{**row, "source_turn_ids": list(sources)}])


def fill(store, turns_of, dialogue, user, secret=SECRET):
    """Put a dialogue with the secret in its second turn, and all that is made of it, into a store."""
    turns = turns_of(dialogue_id=dialogue)
    turns = turns.with_columns(text=pl.when(pl.col("position") == 1).then(pl.lit(secret)).otherwise("text"))
    store.append(
        "dialogues", build("dialogues", [{"dialogue_id": dialogue, "user_id": user, "title": dialogue}])
    )
    store.append("turns", turns)
    store.append("checkpoints", checkpoint(dialogue, turns, f"says {secret}"))
    store.append("memories", fact(f"{dialogue}:m", dialogue, f"knows {secret}", user, [f"{dialogue}:1"]))
    store.append("memories", fact(f"{dialogue}:n", dialogue, "likes tea", user, [f"{dialogue}:0"]))
    store.append(
        "events", build("events", [event("read", "failed", dialogue_id=dialogue, detail=f"in {secret}")])
    )
    question = {"question_id": f"{dialogue}:q", "dialogue_id": dialogue, "text": "?", "answer": secret}
    store.append("questions", build("questions", [{**question, "evidence": [f"{dialogue}:1"]}]))
    query = {
        "query_id": f"{dialogue}:3",
        "dialogue_id": dialogue,
        "kept": True,
        "tokens": 1,
        "section": "recalled",
    }
    named = [(f"{dialogue}:1", secret), (f"{dialogue}:0", "turn 0")]
    prompt = [
        {**query, "order": i, "item_id": name, "text": text, "source_turn_ids": [name]}
        for i, (name, text) in enumerate(named)
    ]
    store.append("context", build("context", prompt))
    verdict = {
        "verdict_id": f"{dialogue}:v",
        "query_id": f"{dialogue}:3",
        "dialogue_id": dialogue,
        "query": "?",
    }
    verdict |= {"status": "ok", "missing": secret, "item_ids": [f"{dialogue}:1"]}
    store.append("verdicts", build("verdicts", [verdict]))
    items = [*turns["turn_id"], f"{dialogue}:m", f"{dialogue}#0-2"]
    store.append("vectors", vectors(items, dialogue), model="use")
    store.append("vectors", vectors([f"{dialogue}:r"], dialogue, "round"), model="use")
    return turns


def all_of(store, dialogue):
    """Return every row of a dialogue in every table."""
    return {
        table: store.read(table, dialogue_id=dialogue, model="use" if table == "vectors" else None)
        for table in SCHEMAS
    }


def found(store, text):
    return store.audit(text)["found"].sum()


@pytest.fixture
def filled(store, dialogue):
    for name, user in (("a", "lena"), ("b", "ben")):
        fill(store, dialogue, name, user, SECRET if name == "a" else "turn 1 of Ben")
    return store


def test_a_dialogue_is_gone_from_every_table_and_others_are_as_they_were(filled):
    """FAULTS 17."""
    other = all_of(filled, "b")
    assert found(filled, SECRET) > 0
    told = filled.forget(dialogue="a")
    assert found(filled, SECRET) == 0
    assert all(frame.height == 0 for frame in all_of(filled, "a").values())
    for table, frame in all_of(filled, "b").items():
        assert_frame_equal(frame, other[table])
    rows = dict(told.select("place", "rows").rows())
    touched = (
        "turns",
        "dialogues",
        "checkpoints",
        "memories",
        "events",
        "questions",
        "context",
        "verdicts",
        "vectors of use",
    )
    assert [rows[place] for place in touched] == [4, 1, 1, 2, 1, 1, 2, 1, 7]


def test_a_turn_leaves_its_place_and_nothing_that_was_made_of_it(filled):
    other = all_of(filled, "b")
    filled.forget(turn="a:1")
    assert found(filled, SECRET) == 0
    left = all_of(filled, "a")
    assert left["turns"]["text"].to_list() == ["turn 0", "", "turn 2", "turn 3"]
    assert left["turns"]["position"].to_list() == [0, 1, 2, 3]
    assert left["memories"]["text"].to_list() == ["likes tea"]
    assert left["checkpoints"].select("title", "summary", "status").rows() == [(None, None, "stale")]
    assert left["context"]["text"].to_list() == ["turn 0"]
    assert left["vectors"]["item_id"].to_list() == ["a:0", "a:2", "a:3"]
    for table, frame in all_of(filled, "b").items():
        assert_frame_equal(frame, other[table])


def test_a_fact_goes_with_its_vector_and_stays_superseding_what_it_replaced(filled):
    """FAULTS 16: what a forgotten fact had replaced is not current again."""
    old = fact("a:old", "a", "lived in Oslo").with_columns(superseded_by=pl.lit("a:m"))
    filled.append("memories", old)
    filled.forget(memory="a:m")
    left = all_of(filled, "a")
    assert left["memories"].select("memory_id", "superseded_by").rows() == [("a:n", None), ("a:old", "a:m")]
    assert "a:m" not in left["vectors"]["item_id"]
    assert left["turns"]["text"][1] == SECRET


def test_a_user_goes_with_their_dialogues_and_nobody_else(filled):
    """FAULTS 17."""
    filled.append("memories", fact("loose", None, f"still {SECRET}"))
    other = all_of(filled, "b")
    filled.forget(user="lena")
    assert found(filled, SECRET) == 0
    assert filled.read("dialogues")["dialogue_id"].to_list() == ["b"]
    assert filled.read("memories")["user_id"].unique().to_list() == ["ben"]
    for table, frame in all_of(filled, "b").items():
        assert_frame_equal(frame, other[table])


def test_titles_settings_relations_and_steps_lose_a_turn_too(store, dialogue):
    secret = "The quokka's number is 4711, and it is called Zanzibar"
    store.append("dialogues", build("dialogues", [{"dialogue_id": "a", "title": f"{secret[:30]}…"}]))
    store.append("turns", dialogue(text=secret + " #"))
    place = {"dialogue_id": "a", "turn_id": "a:1", "position": 1}
    relation = {"source_id": "q", "type": "is", "target_id": "n", "target": "4711", "sentence": f"{secret} 1"}
    entity = {"entity_id": "q", "dialogue_id": "a", "name": "4711", "source_turn_ids": ["a:1"]}
    step = {"run_id": "r", "dialogue_id": "a", "query_id": "a:1", "decision": f"asked for {secret}"}
    rows = {"relations": {**place, **relation}, "entities": entity, "steps": step}
    setting = {"dialogue_id": "a", "name": "agent", "value": f'{{"said": "{secret.casefold()} 1"}}'}
    for table, row in {**rows, "settings": setting}.items():
        store.append(table, build(table, [row]))
    store.forget(turn="a:1")
    for table, row in rows.items():
        store.append(table, build(table, [row]))
        assert store.read(table).height == 0
    assert store.read("settings").height == 0
    assert store.read("dialogues")["title"].to_list() == [None]


def test_documents_of_a_forgotten_user_go_with_their_vectors(store):
    passage = {"passage_id": "p", "document_id": "d", "dialogue_id": "", "user_id": "lena", "passage": 0}
    store.append("documents", build("documents", [{**passage, "text": "140 euros", "tokens": 2}]))
    store.append("vectors", vectors(["p"], "", "document"), model="use")
    store.forget(user="lena")
    assert store.read("documents").height == store.read("vectors", model="use").height == 0


WORDLESS = {
    "manner",
    "language",
    "role",
    "kind",
    "status",
    "trigger",
    "type",
    "category",
    "section",
    "drop_reason",
    "stage",
    "strategy",
    "annotator",
    "model",
    "session",
    "source_hash",
    "superseded_by",
    "passage_id",
    "item_kind",
    "item_scores",
    "value",
}


def test_every_column_of_text_is_an_id_a_choice_or_named_as_words():
    """A column that is added later must say whether it is to be redacted, hidden and emptied."""
    for table, schema in SCHEMAS.items():
        texts = {name for name, kind in schema.items() if kind == pl.String} - set(TEXTS.get(table, ()))
        named = {name for name in texts if name.endswith("_id") or name in KEYS[table]}
        assert texts - named <= WORDLESS, table


def test_a_late_write_brings_nothing_back(filled, dialogue):
    """FAULTS 18."""
    filled.forget(dialogue="a")
    fill(filled, dialogue, "a", "lena")
    filled.replace("gold", build("gold", [{"dialogue_id": "a", "position": 1}]), dialogue_id="a")
    assert all(frame.height == 0 for frame in all_of(filled, "a").values())
    told = filled.read("events").filter(pl.col("stage") == "store")
    assert (told["status"] == "failed").all()
    assert set(told["item_id"]) >= {"a", "a:0", "a:m", "a#0-2"}
    assert found(filled, SECRET) == 0


def test_late_work_on_a_forgotten_turn_is_dropped_and_new_work_is_kept(filled, dialogue):
    """FAULTS 18: a summary that was being written when its turn was forgotten."""
    turns = filled.read("turns", dialogue_id="a")
    filled.forget(turn="a:1")
    late = checkpoint("a", turns, f"says {SECRET}")
    filled.replace("checkpoints", late, dialogue_id="a")
    filled.append("checkpoints", late)
    filled.append("turns", turns[:2])
    filled.append("memories", fact("late", "a", SECRET, sources=["a:1"]))
    filled.append("vectors", vectors(["a:1"], "a"), model="use")
    assert found(filled, SECRET) == 0
    assert filled.read("turns", dialogue_id="a")["text"][1] == ""
    assert "a:1" not in filled.read("vectors", model="use", dialogue_id="a")["item_id"]
    anew = checkpoint("a", filled.read("turns", dialogue_id="a"), "about turns 0 and 2")
    filled.replace("checkpoints", anew, dialogue_id="a")
    assert_frame_equal(filled.read("checkpoints", dialogue_id="a"), anew)


@pytest.mark.parametrize("what", [{"turn": "a:1"}, {"memory": "a:m"}, {"dialogue": "a"}, {"user": "lena"}])
def test_a_receipt_counts_every_row_that_went(filled, what):
    def rows():
        return {
            **{table: filled.read(table).height for table in SCHEMAS if table != "vectors"},
            "vectors of use": filled.read("vectors", model="use").height,
        }

    before = rows()
    told = filled.forget(**what).filter(pl.col("kind").is_in(["table", "index"]))
    counted = {name: told.filter(place=name)["rows"].sum() for name in before}
    emptied = {"turn": {"turns": 1, "checkpoints": 1}}.get(next(iter(what)), {})
    for name, height in rows().items():
        assert counted[name] == before[name] - height + emptied.get(name, 0), name
    assert counted["vectors of use"] > 0


def test_a_receipt_says_that_nothing_was_there(filled):
    before = all_of(filled, "a")
    for what in ({"turn": "a:99"}, {"memory": "none"}, {"user": "none"}, {"dialogue": "none"}):
        told = filled.forget(**what).filter(kind="tombstone")
        assert told["detail"].to_list() == ["nothing of this id was there; late writes are dropped"]
    for table, frame in all_of(filled, "a").items():
        assert_frame_equal(frame, before[table])


def test_what_is_not_there_yet_may_be_forgotten(store, dialogue):
    """FAULTS 18: a turn that is on its way."""
    store.forget(turn="a:1")
    store.append("turns", dialogue())
    assert store.read("turns")["turn_id"].to_list() == ["a:0", "a:2", "a:3"]


def test_exactly_one_thing_is_named(store):
    with pytest.raises(
        StoreError, match="forget: got nothing, expected one of dialogue=, turn=, memory=, user="
    ):
        store.forget()
    with pytest.raises(StoreError, match="forget: got turn, user, expected one of"):
        store.forget(turn="a", user="b")
    with pytest.raises(StoreError, match="audit: text is '', expected a text with something in it"):
        store.audit("")


def test_the_newest_turns_are_without_it(filled):
    assert SECRET in filled.recent("a", 4)["text"].to_list()
    filled.forget(turn="a:1")
    assert filled.recent("a", 4)["text"].to_list() == ["turn 0", "", "turn 2", "turn 3"]


def test_tombstones_outlive_the_process_and_hold_for_others(url, dialogue):
    """FAULTS 18: the late writer is another process."""
    with open_store(url) as late, open_store(url) as store:
        fill(store, dialogue, "a", "lena")
        assert late.read("turns").height == 4
        store.forget(dialogue="a")
        late.append("turns", dialogue())
        assert late.read("turns").height == 0
    with open_store(url) as again:
        again.append("turns", dialogue())
        assert again.read("turns").height == 0


def test_a_file_holds_no_byte_of_it_even_where_it_was_edited_before(path, dialogue):
    with open_store(path) as store:
        turns = fill(store, dialogue, "a", "lena", SECRET * 400)
        fill(store, dialogue, "b", "ben", "kept")
        store.replace("turns", turns[1:2].with_columns(text=pl.lit(f"{SECRET} edited")))
        files = store.audit(SECRET).filter(pl.col("kind") == "file")
        assert files["found"].sum() > 0
        store.forget(turn="a:1")
        told = store.audit(SECRET)
        assert told["found"].sum() == 0
        assert {"lab.db", "lab.db-wal"} <= set(told["place"])
    remains = b"".join(each.read_bytes() for each in path.parent.iterdir())
    for word in (SECRET, SECRET[:16], "Säbel", "暗号"):
        assert word.encode() not in remains
    assert b"kept" in remains


def test_forgetting_within_a_transaction_is_refused(path):
    with (
        open_store(path) as store,
        store.transaction(),
        pytest.raises(StoreError, match="forget within a transaction"),
    ):
        store.forget(dialogue="a")
