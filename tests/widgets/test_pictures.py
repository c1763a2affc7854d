import pytest

from hydralab.widgets.pictures import stepper_picture, stepper_text
from hydralab.widgets.stepping import Stepping


@pytest.fixture
def stepping(run):
    place = Stepping(run)
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
