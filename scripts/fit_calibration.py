"""Fit the calibration of recall's score columns and write it into the package.

    python scripts/fit_calibration.py

`hydralab bench calibration` measures in folds what this fits on all.
"""

import json
from pathlib import Path

from hydralab.benchmarks.calibration import KINDS, gold_candidates
from hydralab.strategies import calibration

SOURCE = (
    "Logistic regressions from the score columns of candidates to whether they are, or stand for, evidence of a "
    "gold question: all {questions} questions of the bundled dialogues, the default encoder, hydration's default "
    "recall; weights held at 0 or above, ridge {ridge}. Written by scripts/fit_calibration.py; measured by "
    "`hydralab bench calibration` (data/results/calibration.json)."
)


def main() -> None:
    """Write the coefficients."""
    found = gold_candidates()
    kinds = {}
    for kind in KINDS:
        own = found.filter(kind=kind)
        fitted = calibration.fit_calibration(own, own["evidence"].to_numpy())
        weights = {name: round(weight, 3) for name, weight in fitted.weights.items() if round(weight, 3)}
        kinds[kind] = {"constant": round(fitted.constant, 3), "weights": weights}
    source = SOURCE.format(questions=found["query_id"].n_unique(), ridge=calibration.RIDGE)
    text = json.dumps({"source": source, "kinds": kinds}, indent=1)
    path = Path(calibration.__file__).with_name("calibration.json")
    path.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
