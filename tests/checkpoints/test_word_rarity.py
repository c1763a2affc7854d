import pytest

from hydralab.checkpoints.word_rarity import information


@pytest.mark.parametrize(
    ("rarer", "commoner"), [("预算", "问题"), ("福利", "公司"), ("budget", "people"), ("apixaban", "kitchen")]
)
def test_rare_words_tell_more(rarer, commoner):
    assert information(rarer) > information(commoner)


def test_scales_of_both_languages_meet():
    chinese = [information(word) for word in ("时间", "预算", "客户", "合同", "厨房")]
    english = [information(word) for word in ("time", "budget", "customer", "contract", "kitchen")]
    assert 0.6 < sum(english) / sum(chinese) < 1.6


def test_a_name_known_with_a_capital_is_a_known_word():
    assert information("rotterdam") < information("rotterdamx")


def test_numbers_are_all_alike():
    assert information("48.6") == information("2026-03-02") > 0
