"""What a user may write for a store."""

from pathlib import Path

import pytest

from hydralab.errors import StoreError
from hydralab.stores import MemoryStore, SqliteStore, open_store


def test_memory_is_the_default():
    assert isinstance(open_store(), MemoryStore)
    assert repr(open_store("memory")) == "MemoryStore()"


def test_a_store_is_itself(store):
    assert open_store(store) is store


@pytest.mark.parametrize("spec", ["lab.db", "sqlite:///lab.db", Path("lab"), "./lab", "lab.sqlite3"])
def test_a_file_by_its_name(spec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open_store(spec) as store:
        assert isinstance(store, SqliteStore)
        assert repr(store) == f"SqliteStore({str(store.path)!r})"
    assert [each.name for each in tmp_path.iterdir()] == [store.path.name]


def test_an_absolute_url(path):
    with open_store(f"sqlite:///{path}") as store:
        assert store.path == path


@pytest.mark.parametrize("as_given", ["copy", "copy/", "./copy"])
def test_an_exported_folder_is_refused_with_what_makes_a_store_of_it(as_given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    open_store("memory").export("copy")
    with pytest.raises(
        StoreError, match=r"copy is an exported folder, .*hl.import_store\('copy', 'lab.db'\)"
    ):
        open_store(as_given)


@pytest.mark.parametrize(
    "spec",
    [
        "memroy",
        "postgresql",
        "redis",
        "x" * 5_000,
        "mongodb://host",
        "sqlite://",
        "sqlite:///",
        "sqlite:lab",
        "",
        7,
        None,
    ],
)
def test_anything_else_is_refused(spec):
    with pytest.raises(StoreError, match="is no store; expected 'memory', "):
        open_store(spec)


def test_a_closed_store_says_so(store, dialogue):
    store.close()
    store.close()
    for call in (
        lambda: store.append("turns", dialogue()),
        lambda: store.read("turns"),
        store.models,
        lambda: store.replace("turns", dialogue()),
        lambda: store.transaction().__enter__(),
    ):
        with pytest.raises(StoreError, match="is closed, expected an open"):
            call()


@pytest.mark.parametrize("spec", ["~/lab.db", Path("~/lab.db")])
def test_a_tilde_is_the_home_folder(spec, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    with open_store(spec) as store:
        assert store.path == tmp_path / "lab.db"
