"""A committed figure holds as long as all that it rests on is as it was."""

import json

import polars as pl
import pytest

import hydralab.benchmarks.results as results
from hydralab.benchmarks import BENCHES, find_stale, make_result, write_result
from hydralab.benchmarks.fingerprints import source_fingerprints
from hydralab.benchmarks.release_check import main

CUT = 'def cut(text):\n    """Cut a text."""\n    return text[:LIMIT]\n'
FRAME = pl.DataFrame({"set": ["a"], "f1": [0.5]})


@pytest.fixture(scope="module")
def made():
    return {name: make_result(name, FRAME, command=["hydralab", "bench", name]) for name in BENCHES}


@pytest.fixture
def committed(made, tmp_path):
    """Write a result of every benchmark as if measured just now."""
    for name, result in made.items():
        write_result(tmp_path / f"{name}.json", result)
    return tmp_path


def change(folder, **parts):
    path = folder / "entities.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | parts), encoding="utf-8")
    return find_stale(folder).rows(named=True)


def test_what_was_measured_just_now_holds(committed, capsys):
    assert not find_stale(committed).height
    assert main(committed) == 0
    assert f"all {len(BENCHES)} committed results rest on the library as it is" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"defaults": {"types": "()"}}, "measured with other defaults (types)"),
        ({"defaults": None}, "measured with other defaults (types)"),
        ({"python": "3.9"}, "measured with other python"),
        ({"data": "0"}, "measured with other data"),
        ({"rows": []}, "no result with rows"),
        ({"benchmark": "gone"}, "no such benchmark"),
    ],
)
def test_a_figure_that_rests_on_something_else_is_stale(committed, parts, reason):
    stale = change(committed, **parts)
    assert reason in [row["reason"] for row in stale]
    assert stale[0]["command"].startswith("hydralab bench entities")


def test_other_versions_and_other_code_are_told_by_name(committed):
    now = make_result("entities", FRAME, command=[])
    (stale,) = change(
        committed,
        versions={**now["versions"], "jieba": "0.1"},
        sources={**now["sources"], "texts": "0", "gone": "0"},
    )
    assert stale["reason"] == "measured with other versions (jieba), sources (gone, texts)"


def test_a_broken_or_missing_result_is_told(committed, capsys):
    (committed / "entities.json").write_text("{")
    (committed / "speed.json").unlink()
    assert main(committed) == 1
    told = capsys.readouterr().err
    assert "stale: entities.json: no result with rows" in told
    assert "speed.json: there is no result of this benchmark; run `hydralab bench speed --out" in told


def test_an_empty_folder_is_no_success(tmp_path, capsys):
    assert main(tmp_path) == 1
    assert "no results in" in capsys.readouterr().err
    assert main(tmp_path / "missing") == 1


@pytest.fixture
def package(tmp_path):
    """Make a package of three rooms, the last of which is imported by none."""
    root = tmp_path / "hydralab"
    files = {
        "benchmarks/one.py": "from hydralab.texts import cut\ndef run(): return cut('a')\n",
        "texts/__init__.py": "from hydralab.texts.cutting import cut\n",
        "texts/cutting.py": '"""Cut."""\nLIMIT = 5\n"""So many."""\n' + CUT,
        "texts/words.json": "[1]",
        "plots/__init__.py": "SIZE = 5\n",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("name", "text", "changed"),
    [
        ("texts/cutting.py", "LIMIT = 6\ndef cut(text): return text[:LIMIT]\n", ["texts"]),
        (
            "texts/cutting.py",
            "# Less.\nLIMIT = 5\ndef cut(text):\n    '''Cut it.'''\n    return text[:LIMIT]\n",
            [],
        ),
        ("texts/words.json", "[2]", ["texts"]),
        ("plots/__init__.py", "SIZE = 6\n", []),
        ("benchmarks/one.py", "def run(): return 'a'\n", ["benchmarks", "texts"]),
    ],
)
def test_a_fingerprint_changes_with_what_decides_a_figure_and_with_nothing_else(package, name, text, changed):
    before = source_fingerprints("hydralab.benchmarks.one", package)
    assert list(before) == ["benchmarks", "texts"]
    (package / name).write_text(text)
    after = source_fingerprints("hydralab.benchmarks.one", package)
    assert [room for room in before if after.get(room) != before[room]] == changed


def test_every_benchmark_rests_on_its_own_rooms_alone():
    assert "packing" not in source_fingerprints("hydralab.benchmarks.entities")
    assert {"packing", "recall", "texts"} <= set(source_fingerprints("hydralab.benchmarks.budget"))
    assert results.results_folder().name == "results"
