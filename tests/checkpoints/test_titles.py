import os
import subprocess
import sys

import pytest

from hydralab.checkpoints.phrases import candidate_phrases
from hydralab.checkpoints.titles import key_phrases, title_length, write_title


def phrases_of(*turns, count=4):
    return key_phrases([[candidate_phrases(turn)] for turn in turns], count)


def test_what_is_said_again_and_again_leads():
    said = ["The kiln needs a permit.", "Is the kiln loud?", "A kiln draws 8 kW.", "The landlord agreed."]
    assert phrases_of(*said)[0] == "kiln"


def test_a_compound_is_preferred_to_its_parts():
    assert phrases_of("市场推广预算是多少？", "市场推广预算已定。", count=1) == ["市场推广预算"]


def test_no_two_phrases_share_a_word():
    chosen = phrases_of("The marketing budget.", "A marketing plan.", "Our budget rises.", count=8)
    words = [word for phrase in chosen for word in phrase.split()]
    assert len(words) == len(set(words))


@pytest.mark.parametrize("vague", ["The first thing is the same idea.", "这个问题的意思大家都明白。"])
def test_words_of_any_dialogue_make_no_title(vague):
    assert phrases_of(vague) == []


@pytest.mark.parametrize("chinese", [True, False])
def test_a_title_keeps_its_length_by_leaving_phrases_out(chinese):
    title = write_title(["abcdefgh" * 2, "ijklmnop" * 3, "qr"], chinese=chinese, count=4)
    assert len(title) <= title_length(chinese=chinese)
    assert title.endswith("qr")
    assert write_title(["x" * 200], chinese=chinese, count=4) == ("x" if chinese else "X") + "x" * (
        title_length(chinese=chinese) - 1
    )


def test_no_phrases_no_title():
    assert write_title([], chinese=False, count=4) == ""


def test_ties_fall_the_same_way_whatever_the_hash_seed():
    code = """
from hydralab.checkpoints.phrases import candidate_phrases
from hydralab.checkpoints.titles import key_phrases
for said in ("带上退烧药、创可贴、碘伏、口罩和雨伞。", "Pack plasters, bandages, iodine and ointment."):
    print(ascii(key_phrases([[candidate_phrases(said)]], 8)))
"""
    written = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(written) == 1
