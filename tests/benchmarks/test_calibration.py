"""The calibration's measurement on small sets, and its coefficients against a new fit."""

import json
from importlib.resources import files

import numpy as np
import pytest

import hydralab as hl
from hydralab.benchmarks.calibration import _auc, gold_candidates, measure_calibration
from hydralab.strategies.calibration import fit_calibration

SETS = {name: hl.example(name) for name in ("launch_zh", "launch_en")}


def test_folds_and_languages_are_measured():
    measured = measure_calibration(SETS)
    assert measured["split"].unique(maintain_order=True).to_list() == ["5 folds", "zh to en", "en to zh"]
    assert measured["auc"].is_between(0, 1).all()
    assert (measured["evidence"] < measured["candidates"]).all()


def test_auc_is_the_share_of_pairs_in_order():
    random = np.random.default_rng(1)
    chances, labels = random.integers(0, 5, 40) / 5, random.random(40) < 0.3
    pairs = [(a > b) + (a == b) / 2 for a in chances[labels] for b in chances[~labels]]
    assert _auc(chances, labels) == pytest.approx(np.mean(pairs))


def test_the_shipped_coefficients_are_those_that_the_script_fits():
    """Slow reference: whoever changes recall sees here that the calibration wants a new fit."""
    shipped = json.loads(files("hydralab.strategies").joinpath("calibration.json").read_text())["kinds"]
    found = gold_candidates()
    for kind, stored in shipped.items():
        own = found.filter(kind=kind)
        fitted = fit_calibration(own, own["evidence"].to_numpy())
        assert fitted.constant == pytest.approx(stored["constant"], abs=0.3)
