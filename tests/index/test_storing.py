import json

import numpy as np
import pytest

from hydralab.index import Exact, Hnsw, IndexFileError, get_index, open_index

IDS = [f"turn {number}" for number in range(30)]


def rows(count=30, dim=6, seed=0):
    return np.random.default_rng(seed).standard_normal((count, dim)).astype(np.float32)


@pytest.fixture(params=["exact", "hnsw"])
def saved(request, tmp_path):
    index = get_index(request.param, 6)
    index.add(rows())
    index.save(tmp_path / "index", model="use", ids=IDS)
    return type(index), tmp_path / "index"


@pytest.mark.parametrize("harm", ["cut", "flip", "remove"])
def test_a_damaged_file_is_refused_before_it_is_read(saved, harm):
    """FAULTS 26."""
    kind, folder = saved
    for file in sorted(folder.iterdir()):
        if file.name == "index.json":
            continue
        whole = file.read_bytes()
        if harm == "remove":
            file.unlink()
        else:
            file.write_bytes(
                whole[: len(whole) // 2] if harm == "cut" else whole[:-1] + bytes([whole[-1] ^ 1])
            )
        with pytest.raises(IndexFileError, match=f"file {file.name} has .* it is damaged, rebuild it"):
            kind.load(folder)
        file.write_bytes(whole)
    assert len(kind.load(folder)) == 30


@pytest.mark.parametrize("manifest", [b"", b"{", b"[]", b'{"format": 9}', b'{"format": 1}'])
def test_a_damaged_manifest_is_refused(saved, manifest):
    """FAULTS 26."""
    kind, folder = saved
    (folder / "index.json").write_bytes(manifest)
    with pytest.raises(IndexFileError, match="rebuild it"):
        kind.load(folder)


def test_another_model_or_kind_is_refused_with_both_named(saved, tmp_path):
    """FAULTS 19."""
    kind, folder = saved
    with pytest.raises(IndexFileError, match="model 'use', expected 'minilm'; rebuild it"):
        kind.load(folder, model="minilm")
    other = Hnsw if kind is Exact else Exact
    with pytest.raises(IndexFileError, match=r"is of kind '\w+', expected '\w+'"):
        other.load(folder)
    with pytest.raises(IndexFileError, match=r"no index\.json there"):
        kind.load(tmp_path / "elsewhere")


def test_an_index_of_other_rows_is_rebuilt_from_the_table_and_says_so(saved):
    """FAULTS 23 and 19: the table is the truth."""
    kind, folder = saved
    name = kind.__name__.lower()
    index, events = open_index(folder, rows(), IDS, model="use", name=name)
    assert (len(index), events.height) == (30, 0)
    for vectors, ids, model, reason in (
        (rows(29), IDS[:29], "use", "30 other rows than the 29"),
        (rows(), ["new", *IDS[1:]], "use", "other rows"),
        (rows(), IDS, "e5", "expected 'e5'"),
        (rows(dim=4), IDS, "e5", "dimension 6, expected 4"),
    ):
        index, events = open_index(folder, vectors, ids, model=model, name=name)
        assert len(index) == len(ids)
        assert reason in events["detail"][0]
        assert events["status"].to_list() == ["salvaged"]
        again, quiet = open_index(folder, vectors, ids, model=model, name=name)
        assert quiet.height == 0
        np.testing.assert_array_equal(again.search(vectors, 3)[1], index.search(vectors, 3)[1])


def test_an_index_of_the_first_rows_grows(saved):
    """FAULTS 38."""
    kind, folder = saved
    more = np.concatenate([rows(), rows(5) + 1])
    ids = [*IDS, *"abcde"]
    for _ in range(2):
        index, events = open_index(folder, more, ids, model="use", name=kind.__name__.lower())
        assert (len(index), events.height) == (35, 0)
        np.testing.assert_array_equal(index.search(more, 1)[1][:, 0], np.arange(35))


def test_an_index_that_cannot_be_written_serves_all_the_same(tmp_path):
    (tmp_path / "file").touch()
    index, events = open_index(tmp_path / "file" / "index", rows(), IDS, model="use", name="hnsw")
    assert len(index) == 30
    assert events["status"].to_list() == ["salvaged", "failed"]
    assert "can't be written" in events["detail"][1]


def test_saving_takes_the_place_of_an_index_but_of_nothing_else(saved, tmp_path):
    kind, folder = saved
    index = kind(6)
    index.save(folder)
    assert len(kind.load(folder)) == 0
    assert [each.name for each in tmp_path.iterdir()] == ["index"]
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "diary.txt").write_text("mine")
    with pytest.raises(IndexFileError, match="holds something else"):
        index.save(tmp_path / "notes")
    with pytest.raises(IndexFileError, match="2 ids for 0 rows"):
        index.save(folder, ids=["a", "b"])


def test_the_manifest_names_what_it_vouches_for(saved):
    _, folder = saved
    manifest = json.loads((folder / "index.json").read_text())
    assert manifest["model"] == "use"
    assert manifest["rows"] == 30
    assert manifest["settings"]["dim"] == 6
    assert set(manifest["files"]) == {each.name for each in folder.iterdir()} - {"index.json"}
