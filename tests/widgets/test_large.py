"""What a dialogue of 5,000 turns costs: FAULTS 46."""

from time import perf_counter

import polars as pl
import pytest

import hydralab as hl
from hydralab.frames import build
from hydralab.widgets.controls import Controls, Rule
from hydralab.widgets.payloads import BLOCK, transcript_block
from hydralab.widgets.pictures import triggerlab_picture
from hydralab.widgets.triggerlab_state import TriggerLabState

TURNS = 5_000


@pytest.fixture(scope="module")
def tuning():
    said = hl.read(hl.example("long_en")).select("role", "text")
    frame = pl.concat([said] * (TURNS // said.height + 1)).head(TURNS)
    lab = hl.Lab(hl.from_frame(frame))
    gold = [{"dialogue_id": lab.dialogue_id(), "position": turn} for turn in range(17, TURNS, 23)]
    return TriggerLabState(lab, gold=build("gold", gold))


def test_a_threshold_is_answered_at_once(tuning):
    tuning.set_controls(Controls(rules=(Rule("shift", 0.5),)))
    times = []
    for threshold in (0.6, 0.7, 0.8, 0.9):
        start = perf_counter()
        tuning.set_controls(Controls(rules=(Rule("shift", threshold),)))
        tuning.result()
        times.append(perf_counter() - start)
    assert min(times) < 0.4


def test_the_picture_stays_small(tuning):
    assert len(triggerlab_picture(tuning).encode()) < 50_000


def test_the_transcript_comes_in_blocks(tuning):
    turns = tuning.cutting.dialogue.turns
    assert len(transcript_block(turns, 100)) == BLOCK
    assert [row["position"] for row in transcript_block(turns, TURNS // BLOCK - 1)][-1] == TURNS - 1
