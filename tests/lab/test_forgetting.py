"""A lab forgets what its store forgets, and keeps nothing private where it is asked not to."""

import polars as pl
import pytest

import hydralab as hl
from hydralab.encoders.vector_caches import forget_texts
from hydralab.errors import HydralabError

SECRET = "the code of the vault is quokka"
QUERY = "What is the code of the vault?"


@pytest.fixture
def corpus():
    said = ["hello there", SECRET, "and good bye", "see you tomorrow"]
    return hl.from_frame(pl.DataFrame({"text": said, "role": ["user", "assistant"] * 2}))


def test_a_turn_is_gone_from_the_prompt_the_store_and_the_disk_cache(corpus, tmp_path, monkeypatch):
    monkeypatch.setenv("HYDRALAB_CACHE", str(tmp_path / "cache"))
    with hl.Lab(corpus, store=str(tmp_path / "lab.db")) as lab:
        lab.checkpoints()
        lab.add_documents({"Refunds": "A refund takes ten working days."})
        assert SECRET in lab.hydrate(QUERY, budget=600).prompt
        told = lab.forget(turn=lab.turns["turn_id"][1])
        assert told.filter(pl.col("place") == "vectors of encoders")["rows"].item() > 0
        assert lab.audit(SECRET)["found"].sum() == 0
        assert SECRET not in lab.hydrate(QUERY, budget=600).prompt
        assert lab.documents.height == 1


def test_what_a_second_model_read_of_a_turn_is_gone_as_well(corpus, tmp_path, monkeypatch):
    """FAULTS 17: nothing that is forgotten is left in a cache."""
    monkeypatch.setenv("HYDRALAB_CACHE", str(tmp_path / "cache"))
    with hl.Lab(corpus, store=str(tmp_path / "lab.db")) as lab:
        reading = hl.Hydration(recall=hl.Recall(rerank="e5"))
        assert SECRET in lab.hydrate(QUERY, budget=600, strategy=reading).prompt
        lab.forget(turn=lab.turns["turn_id"][1])
    assert forget_texts([f"hello there\n{SECRET}", f"{SECRET}\nand good bye"]) == 0
    assert forget_texts(["and good bye\nsee you tomorrow"]) > 0


def test_a_dialogue_is_forgotten_by_its_title_or_id_and_a_lab_without_a_store_says_so(corpus):
    lab = hl.Lab(corpus, store="memory")
    lab.forget(dialogue=lab.dialogues["dialogue_id"][0])
    assert lab.turns.height == 0
    with pytest.raises(HydralabError, match="expected a lab with store="):
        hl.Lab(corpus).forget(turn="x")


@pytest.mark.parametrize("where", [None, "memory", "redacting", "user"])
def test_nothing_private_is_kept_or_encoded(where):
    seen = []

    def encoder(texts):
        seen.extend(texts)
        return [[1.0, float(len(text))] for text in texts]

    said = pl.DataFrame({"text": ["mail ann@example.org", "fine"], "role": ["user", "assistant"]})
    opened = {
        "redacting": hl.open_store("memory", redact=True),
        "user": hl.open_store("memory", redact=True, user="lena"),
    }
    store = opened.get(where, where)
    lab = hl.Lab(hl.from_frame(said), encoder=encoder, store=store, redact=where not in opened)
    lab.add_documents({"ann@example.org": "Write to bob@example.org about refunds."})
    prompt = lab.hydrate("Whom do I write to?", budget=600).prompt
    assert "[email]" in prompt
    assert "@example.org" not in f"{prompt} {seen} {lab.turns['text'].to_list()} {lab.documents.rows()}"


@pytest.mark.parametrize("where", ["memory", "sqlite", "user", "other process's view"])
def test_what_the_store_forgets_is_in_no_later_prompt_of_an_open_lab(corpus, tmp_path, where):
    path = "memory" if where in ("memory", "user") else str(tmp_path / "lab.db")
    store = hl.open_store(path)
    seen = store.for_user("ann") if where == "user" else store
    with hl.Lab(corpus, store=seen) as lab:
        turn = lab.turns["turn_id"][1]
        lab.mark(2)
        assert SECRET in lab.hydrate(QUERY, budget=600).prompt
        elsewhere = hl.open_store(path) if where.startswith("other") else store
        elsewhere.forget(turn=turn)
        assert SECRET not in lab.hydrate(QUERY, budget=600).prompt
        assert SECRET not in str(lab.recall(QUERY).to_dicts() + lab.checkpoints().to_dicts())
        assert lab.replay(budget=600).turns["text"][1] == ""
        elsewhere.forget(dialogue=lab.dialogues["dialogue_id"].item())
        with pytest.raises(HydralabError, match="dialogue"):
            lab.hydrate(QUERY, budget=600)


def test_vectors_of_what_the_store_forgot_leave_the_disk_cache(corpus, tmp_path, monkeypatch):
    monkeypatch.setenv("HYDRALAB_CACHE", str(tmp_path / "cache"))
    store = hl.MemoryStore()
    with hl.Lab(corpus, store=store) as lab:
        lab.hydrate(QUERY, budget=600)
        store.forget(turn=lab.turns["turn_id"][1])
        lab.hydrate(QUERY, budget=600)
        assert forget_texts([SECRET]) == 0
        assert forget_texts(["see you tomorrow"]) > 0
