import json

import numpy as np
import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.widgets.controls import Controls, Rule
from hydralab.widgets.triggerlab_state import TriggerLabState

CUES = "hl.cue('另外|之前提到').place(min_turns=2, max_turns=40)"


@pytest.fixture
def tuning(lab):
    return TriggerLabState(lab)


def test_it_starts_with_the_trigger_of_its_sliders(tuning):
    assert tuning.text == repr(tuning.trigger)
    assert tuning.result()["controls"] == Controls().to_json()


def test_boundaries_are_those_that_the_lab_finds(tuning, lab):
    tuning.write(CUES)
    assert tuning.boundaries.equals(lab.boundaries(tuning.trigger))
    assert tuning.result()["boundaries"] == [8, 14]
    assert tuning.result()["fired"] == "2 of 20 turns start a new span, decided at once"


def test_sliders_and_text_say_the_same_trigger(tuning):
    tuning.set_controls(
        Controls(rules=(Rule("shift", 0.5), Rule("depth", 0.1)), cue="另外", every=False, min_turns=3)
    )
    tuning.write(tuning.text)
    rules = [(rule["signal"], rule["value"]) for rule in tuning.result()["controls"]["rules"]]
    assert rules == [("shift", 0.5), ("depth", 0.1)]
    assert (tuning.result()["signal"], tuning.result()["threshold"]) == ("shift", 0.5)


def test_a_text_that_is_no_trigger_changes_nothing(tuning):
    tuning.write(CUES)
    before = tuning.result()
    for text in ("hl.col.shift >", "hl.col.shfit > 0.5", "import os", ""):
        with pytest.raises(HydralabError):
            tuning.write(text)
    assert tuning.result() == before


def test_the_one_before_is_kept_while_a_slider_is_held(tuning):
    tuning.write(CUES)
    for number, threshold in enumerate((0.7, 0.6, 0.5)):
        tuning.set_controls(Controls(rules=(Rule("shift", threshold),)), keep_previous=number > 0)
    assert tuning.result()["previous"] == [8, 14]


def test_scores_stand_beside_the_floors_and_the_one_before(tuning):
    tuning.write(CUES)
    names = [row["name"] for row in tuning.result()["scores"]]
    assert names == ["this trigger", "the one before", "no boundary", "every turn", "every 5 turns", "random"]
    assert list(tuning.result()["scores"][0]["scores"]) == ["Pk", "WindowDiff", "F1", "Score", "ratio"]


def test_gold_given_takes_the_place_of_the_labs(lab):
    perfect = lab.gold.clear().vstack(lab.gold.head(0))
    assert TriggerLabState(lab, gold=perfect).result()["scores"] == []
    cuts = TriggerLabState(lab, trigger=CUES).boundaries
    gold = cuts.select("dialogue_id", "position", annotator=pl.lit(None, pl.String))
    assert TriggerLabState(lab, gold=gold, trigger=CUES).result()["scores"][0]["scores"]["F1"] == 1.0


def test_spans_are_the_checkpoints_and_get_their_titles_later(tuning):
    tuning.write(CUES)
    spans = tuning.result()["spans"]
    assert [(span["start"], span["end"]) for span in spans] == [(0, 7), (8, 13), (14, 19)]
    assert sum(span["tokens"] for span in spans) == tuning.cutting.dialogue.turns["tokens"].sum()
    titles = tuning.titles([(0, 7), (8, 13), (14, 19)])["titles"]
    assert [span["title"] for span in titles] == tuning.checkpoints()["title"].to_list()


def test_the_curve_is_that_of_the_first_slider(tuning):
    tuning.set_controls(Controls(rules=(Rule("tokens", 40),)))
    np.testing.assert_array_equal(
        np.frombuffer(tuning.curve(), "<f4"), tuning.cutting.signals["tokens"].to_numpy()
    )


def test_every_signal_can_be_chosen_with_a_range_of_its_own(tuning):
    choices = {choice["name"]: choice for choice in tuning.cutting.choices}
    assert (choices["shift"]["low"], choices["shift"]["high"]) == (0, 1)
    assert choices["tokens"]["high"] >= 40
    assert all(choice["low"] <= choice["high"] and choice["step"] > 0 for choice in choices.values())


def test_signals_named_in_the_lab_keep_their_range_unit_and_lookahead():
    """FAULTS 43."""
    lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
    tuning = TriggerLabState(lab)
    lab.signals(wide=hl.Shift(window=4, lag=2))
    with pytest.raises(HydralabError, match="wide is from 0 to 1"):
        tuning.write("(hl.col.wide > 80).place(min_turns=2)")
    tuning.write("(hl.col.wide > 0.5).place(min_turns=2)")
    trigger = tuning.trigger
    assert tuning.boundaries.equals(lab.boundaries(trigger))
    assert tuning.result()["fired"].endswith(f"decided {hl.Shift(window=4, lag=2).lookahead} turns later")
    choice = {each["name"]: each for each in tuning.cutting.choices}["wide"]
    assert (choice["low"], choice["high"], choice["unit"]) == (0, 1, hl.Shift().unit)


def test_sliders_reach_as_far_as_the_dialogue_that_is_open():
    lab = hl.Lab(hl.read_all(hl.example("launch_zh").parent / "*_en.jsonl"))
    tuning = TriggerLabState(lab, dialogue="long_en")

    def longest():
        return next(each["high"] for each in tuning.cutting.choices if each["name"] == "tokens")

    for name in ("long_en", "launch_en"):
        tuning.open(name)
        assert longest() == lab.dialogue_turns(name)["tokens"].max()


def test_the_turns_on_both_sides_of_a_boundary_are_shown(tuning):
    assert [row["position"] for row in tuning.peek(8)["rows"]] == [6, 7, 8, 9]
    assert [row["position"] for row in tuning.peek(0)["rows"]] == [0, 1, 2, 3]


def test_another_dialogue_keeps_the_trigger():
    lab = hl.Lab(hl.read_all(hl.example("launch_zh").parent / "launch_*.jsonl"))
    tuning = TriggerLabState(lab, trigger=CUES)
    assert len(tuning.result()["dialogues"]) == 2
    tuning.open("launch_en")
    assert tuning.cutting.dialogue.dialogue_id == "launch_en"
    assert tuning.text == repr(hl.parse_trigger(CUES))
    with pytest.raises(HydralabError, match="no dialogue 'launch_fr'"):
        tuning.open("launch_fr")


def test_everything_that_is_sent_is_json(tuning):
    for part in (tuning.result(), tuning.titles([(0, 7)]), tuning.peek(3)):
        json.dumps(part, allow_nan=False)


def test_it_opens_on_the_trigger_that_the_lab_was_cut_by():
    lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
    assert TriggerLabState(lab).text == repr(Controls().trigger())
    lab.checkpoints((hl.col.depth > 0.3).place(min_turns=3))
    opened = TriggerLabState(lab)
    assert opened.trigger == (hl.col.depth > 0.3).place(min_turns=3)
    assert opened.result()["controls"]["rules"][0]["signal"] == "depth"
    lab.mark(7)
    assert TriggerLabState(lab).text.startswith("hl.get_trigger('marks'")
    assert TriggerLabState(lab).result()["controls"] is None
