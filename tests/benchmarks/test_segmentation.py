import json

import polars as pl
import pytest

import hydralab as hl
from hydralab.benchmarks.segmentation import METRICS, measure_segmentation
from hydralab.errors import HydralabError


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HYDRALAB_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def native(tmp_path):
    """Write dialogues about money and holidays in turn, with gold where the topic changes."""
    topics = (
        ["The budget is too small.", "How much money is left?", "Some thousand euros.", "Costs are rising."],
        ["I went to the beach.", "Was the sea warm?", "We swam every day.", "The sand was hot."],
        ["My cat is ill.", "Did you see the vet?", "It got a pill.", "Poor little cat."],
    )

    def make(name, count):
        for number in range(count):
            order = [topics[(number + k) % 3] for k in range(4)]
            head = {"hydralab": 1, "dialogue_id": f"{name}{number}", "title": name, "language": "en"}
            turns = [
                {
                    "turn": f"t{at}",
                    "role": ("user", "assistant")[at % 2],
                    "text": text,
                    **({"boundary": True} if at and at % 4 == 0 else {}),
                }
                for at, text in enumerate(text for topic in order for text in topic)
            ]
            folder = tmp_path / name
            folder.mkdir(exist_ok=True)
            lines = [json.dumps(each) for each in (head, *turns)]
            (folder / f"{number}.jsonl").write_text("\n".join(lines))
        return tmp_path / name

    return make


def cell(rows, **where):
    return rows.filter(*(pl.col(name) == value for name, value in where.items()))["value"].item()


def test_a_row_a_set_method_and_metric_with_floors_beside(native):
    rows = measure_segmentation({"toy": native("toy", 16)}, methods=["valleys", "learned, online"])
    assert set(rows["metric"]) == set(METRICS)
    assert set(rows["method"]) == {
        "valleys",
        "learned, online",
        *(f"floor: {name}" for name in hl.metrics.FLOORS),
    }
    assert rows.filter(pl.col("method") == "learned, online")["split"].unique().to_list() == [
        "half against half"
    ]
    assert cell(rows, method="learned, online", metric="score") > 0.9
    assert cell(rows, method="floor: every", metric="ratio") == pytest.approx(15 / 3)
    assert rows["n"].unique().to_list() == [16]
    kept = rows.filter(pl.col("metric") != "ratio")
    assert kept.filter((pl.col("lo") > pl.col("value")) | (pl.col("hi") < pl.col("value"))).is_empty()


def test_fitted_on_the_corpus_stands_beside_one_dialogue(native):
    methods = ["slow topics, change points", "change points", "default"]
    rows = measure_segmentation({"toy": native("toy", 16)}, methods=methods)
    splits = dict(rows.select("method", "split").unique().rows())
    assert splits["change points"] == splits["floor: none"] == "one dialogue"
    assert splits["slow topics, change points"] == "cross-fitted"
    assert rows.filter("default")["method"].unique().to_list() == ["default"]


def test_a_set_named_train_teaches_the_others_of_its_name(native):
    sets = {"toy_dev": native("dev", 4), "toy_train": native("train", 12)}
    rows = measure_segmentation(sets, methods=["learned, online"])
    learned = rows.filter(pl.col("method") == "learned, online", pl.col("metric") == "score")
    assert learned.select("set", "split").rows() == [
        ("toy_dev", "fitted on toy_train"),
        ("toy_train", "half against half"),
    ]


def test_a_trigger_of_ones_own_and_an_unknown_one(native):
    rows = measure_segmentation({"toy": native("toy", 2)}, methods=["every(n=4)"])
    assert cell(rows, method="every(n=4)", metric="boundary_similarity") == 1.0
    with pytest.raises(HydralabError, match="unknown"):
        measure_segmentation({"toy": native("toy", 2)}, methods=["no_such_method"])
