import json
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.frames import build
from hydralab.triggers import LearnedTrigger, find_boundaries, fit_trigger, from_json, parse_trigger, to_json
from hydralab.triggers.learning import learnable_signals
from hydralab.widgets.annotating import Annotating


@pytest.fixture
def marked(dialogue, topics):
    """Make dialogues that turn where vectors jump, with the turns that say so."""

    def make(count=12, first=0, noise=0.4):
        turns, gold, vectors = [], [], []
        for number in range(first, first + count):
            sizes = np.random.default_rng(number).integers(3, 8, size=5).tolist()
            starts = np.cumsum([0, *sizes[:-1]]).tolist()
            texts = ["By the way, next?" if i in starts else "fine" for i in range(sum(sizes))]
            turns.append(dialogue(*texts, name=f"d{number}"))
            gold += [{"dialogue_id": f"d{number}", "position": start} for start in starts[1:]]
            vectors.append(topics(*sizes, seed=number, noise=noise))
        return pl.concat(turns), build("gold", gold), np.concatenate(vectors)

    return make


def test_what_is_learned_holds_for_dialogues_that_it_has_not_seen(marked):
    turns, gold, vectors = marked()
    model = fit_trigger(turns, gold, vectors)
    others, truth, rows = marked(first=50)
    found = find_boundaries(model.trigger(), others, rows)
    assert hl.score_boundaries(found, truth, others).means["f1"][0] > 0.9
    assert model.boundaries == gold.height


def test_a_boundary_lies_at_the_first_turn_of_its_span(marked):
    """FAULTS 39."""
    turns, gold, vectors = marked()
    found = find_boundaries(fit_trigger(turns, gold, vectors).trigger(), turns, vectors)
    shifted = gold.with_columns(pl.col("position") + 1)
    assert hl.score_boundaries(found, gold, turns).means["f1"][0] > 0.9
    assert hl.score_boundaries(found, shifted, turns).means["f1"][0] < 0.1


def test_probabilities_are_calibrated(marked):
    turns, gold, vectors = marked(60, noise=3.0)
    quiet = turns.with_columns(text=pl.lit("fine"))
    model = fit_trigger(quiet, gold, vectors)
    others, truth, rows = marked(60, first=100, noise=3.0)
    others = others.with_columns(text=pl.lit("fine"))
    told = np.concatenate(
        [
            model.probabilities(part, rows[part["row"].to_numpy()])
            for part in others.with_row_index("row").partition_by("dialogue_id", maintain_order=True)
        ]
    )
    assert told.sum() == pytest.approx(truth.height, rel=0.15)


def test_it_is_a_trigger_like_any_other(marked):
    turns, gold, vectors = marked()
    signals = {name: each for name, each in learnable_signals().items() if not each.needs_vectors}
    trigger = fit_trigger(turns, gold, vectors, signals=signals, pairs=False).trigger()
    hl.check_trigger(trigger)
    hl.check_trigger(fit_trigger(turns, gold, vectors, pairs=False).trigger().place(min_turns=3))
    assert parse_trigger(repr(trigger)) == trigger == from_json(to_json(trigger))
    assert trigger.lookahead == 0
    assert (trigger | (hl.col.shift_raw > 0.8)).lookahead == 1
    eager = fit_trigger(turns, gold, vectors).trigger(threshold=0.0)
    assert find_boundaries(eager, turns, vectors).height > 2 * gold.height


@pytest.mark.parametrize("size", [0, 1, 2])
def test_hardly_any_turns_and_identical_ones(marked, dialogue, topics, size):
    """FAULTS 40."""
    trigger = fit_trigger(*marked()).trigger()
    rows = topics(*[1] * size) if size else np.zeros((0, 16), np.float32)
    assert find_boundaries(trigger, dialogue(*["x"] * size), rows)["position"].to_list() in ([], [1])
    same = np.repeat(topics(1), 50, axis=0)
    assert find_boundaries(trigger, dialogue(*["好的"] * 50), same).height == 0


def test_a_saved_model_is_read_without_scikit_learn(marked, tmp_path):
    turns, gold, vectors = marked()
    model = fit_trigger(turns, gold, vectors)
    path = model.save(tmp_path / "mine.json")
    assert LearnedTrigger.load(path) == model
    code = (
        "import sys; import hydralab as hl; "
        f"print(hl.get_trigger('learned', model={str(path)!r}).lookahead, 'sklearn' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["1", "False"]
    named = hl.get_trigger("learned", model=str(path))
    assert find_boundaries(named, turns, vectors)["position"].equals(
        find_boundaries(model.trigger(), turns, vectors)["position"]
    )


def test_gold_marked_in_the_stepper_can_be_fitted_at_once():
    lab = hl.Lab(hl.read_all(hl.example("long_en")))
    # What the Stepper marks with; `stepper.gold` is its gold.
    annotating = Annotating(lab.turns, lab.gold.clear(), lab.questions, "me")
    for position in lab.gold["position"].unique().sort()[:8]:
        annotating.mark("boundary", position)
    model = fit_trigger(lab.turns, annotating.gold, pairs=False)
    assert model.boundaries == 8
    assert lab.checkpoints(model.trigger()).height > 1


def test_what_cannot_be_learned_is_said(marked, tmp_path):
    turns, gold, vectors = marked()
    with pytest.raises(HydralabError, match=r"2 boundaries and .* expected at least 5 of each"):
        fit_trigger(turns, gold[:2], vectors)
    with pytest.raises(HydralabError, match="expected positions of turns"):
        fit_trigger(turns, gold.with_columns(pl.col("position") + 900), vectors)
    with pytest.raises(HydralabError, match="'deep' needs the whole dialogue"):
        fit_trigger(turns, gold, vectors, signals={"deep": hl.Depth(reach=None)})
    model = fit_trigger(turns, gold, vectors)
    with pytest.raises(
        HydralabError, match="vectors of 3 dimensions, expected those of 'use', 16 dimensions"
    ):
        find_boundaries(model.trigger(), turns, vectors[:, :3])
    with pytest.raises(HydralabError, match="expected the file of a saved LearnedTrigger"):
        find_boundaries(hl.get_trigger("learned", model="nowhere.json"), turns, vectors)
    with pytest.raises(HydralabError, match="threshold is 50"):
        find_boundaries(model.trigger(threshold=50), turns, vectors)
    record = json.loads(model.to_json())
    record["weights"] = record["weights"][1:]
    (tmp_path / "cut.json").write_text(json.dumps(record))
    with pytest.raises(HydralabError, match=r"weights for .* features"):
        LearnedTrigger.load(tmp_path / "cut.json")
