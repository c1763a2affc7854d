import re

import pytest

import hydralab as hl
from hydralab.widgets.pictures import SHOWN_ROWS, stepper_picture, stepper_text, triggerlab_picture
from hydralab.widgets.stepper_state import StepperState
from hydralab.widgets.triggerlab_state import TriggerLabState


@pytest.fixture
def stepping(run):
    place = StepperState(run)
    place.go(14)
    return place


def test_the_picture_shows_the_turns_around_and_the_prompt(stepping, run):
    picture = stepper_picture(stepping)
    assert "▸ 14" in picture
    for text in run.turns["text"][10:18]:
        assert text[:20] in picture
    assert f"{run.step(14).tokens:,} / 600 tokens" in picture


def test_the_picture_says_in_words_what_its_image_shows(stepping):
    assert 'alt="shift over 20 turns, 2 boundaries, 3 gold"' in stepper_picture(stepping)


def test_the_picture_needs_no_script_and_no_other_file(stepping):
    """FAULTS 36, 45."""
    picture = stepper_picture(stepping)
    assert "<script" not in picture
    assert "http" not in picture


def test_the_line_of_text_names_the_place(stepping):
    assert stepper_text(stepping) == "Stepper(新品发布会筹备与员工福利, hydration, turn 14 of 20)"


def test_the_titles_in_a_picture_are_limited_by_number_not_by_time(lab):
    """FAULTS 36: the same notebook twice."""
    cut = "(hl.col.tokens > 0).place(min_turns=1, align='turn')"
    tuning = TriggerLabState(hl.Lab(hl.read_all(hl.example("long_en"))), trigger=cut)
    picture = triggerlab_picture(tuning)
    assert picture == triggerlab_picture(TriggerLabState(tuning.lab, trigger=cut))
    rows = picture.split("<tr>")[-SHOWN_ROWS:]
    assert all(re.search(r"<td[^>]*>\w", row.split("</td>")[-2]) for row in rows)
