import polars as pl
import pytest

from hydralab.frames import build, empty
from hydralab.metrics import score_boundaries
from hydralab.widgets.scored import Scored
from hydralab.widgets.triggerlab_state import TriggerLabState


def marks(*positions, by):
    return build("gold", [{"dialogue_id": "launch_zh", "position": at, "annotator": by} for at in positions])


@pytest.fixture
def gold():
    return pl.concat([marks(4, 12, by="ann"), marks(0, 6, by="ann/decisions"), marks(8, by="bob")])


def test_scores_are_those_of_the_metrics(lab, gold):
    cuts = lab.boundaries("every(n=4)")
    scored = Scored(lab.turns, gold, "ann")
    means = score_boundaries(cuts, marks(4, 12, by="ann"), lab.turns).means.to_dicts()
    assert scored.of(cuts)["Score"] == means[0]["score"]
    assert [row["scores"]["Pk"] for row in scored.floors] == [row["pk"] for row in means[1:]]


def test_decisions_are_no_boundaries_but_can_be_chosen(lab, gold):
    assert Scored(lab.turns, gold).gold["position"].to_list() == [4, 8, 12]
    assert Scored(lab.turns, gold, "ann/decisions").gold["position"].to_list() == [6]
    assert Scored(lab.turns, marks(0, 6, by="ann/decisions")).gold["position"].to_list() == [6]


def test_a_trigger_lab_scores_against_the_annotator_that_is_chosen(lab, gold):
    tuning = TriggerLabState(lab, gold, trigger="every(n=4)")
    assert tuning.result()["annotators"] == ["ann", "ann/decisions", "bob"]
    of_all = tuning.result()["scores"][0]["scores"]
    tuning.score_by("ann")
    assert tuning.result()["gold"] == [4, 12]
    assert tuning.result()["scores"][0]["scores"] != of_all


def test_without_gold_there_is_no_score(lab):
    scored = Scored(lab.turns, empty("gold"))
    assert not scored
    assert scored.floors == []
