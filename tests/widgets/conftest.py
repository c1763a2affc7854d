import pytest

import hydralab as hl

TRIGGER = "hl.cue('另外|之前提到').place(min_turns=2, max_turns=40)"


@pytest.fixture(scope="session")
def lab():
    return hl.Lab(hl.read_all(hl.example("launch_zh")))


@pytest.fixture(scope="session")
def run(lab):
    return lab.replay(hl.Hydration(TRIGGER), budget=600)
