import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.plots import plot_attention_stream
from hydralab.plots.attended import ITEM_COLOURS, OTHER_COLOUR, item_colours, word_rows
from tests.plots.attentions import ANSWERS, attention

TEXTS = ["the launch is in autumn", "市场推广 预算 是 48.6 万元", "staff benefits come next now"]
SENTENCE = ["The", " fee", " is", " 29", ",", "50", " a", " month", ".\n", "Sure"]


def heights(ax, names):
    by_name = {bars.get_label(): [bar.get_height() for bar in bars] for bars in ax.containers}
    return np.asarray([by_name[name] for name in names])


def words(ax):
    return [tick.get_text() for tick in ax.get_xticklabels()]


def test_a_stack_a_word_as_high_as_what_the_items_get():
    found = attention(TEXTS, answer=SENTENCE)
    ax = plot_attention_stream(found)
    assert words(ax) == ["The", "fee", "is", "29,50", "a", "month.⏎Sure"]
    kept = (found.mass - found.sums.sink).mean(axis=(0, 1))[:, 1:4]
    assert heights(ax, ["turn 0", "turn 1", "turn 2"])[:, 3] == pytest.approx(kept[3:6].mean(axis=0))


def test_chinese_words_are_characters_and_can_be_read():
    ax = plot_attention_stream(attention(TEXTS, answer=ANSWERS["zh"]))
    assert words(ax) == ["预", "算", "是", "48.6", "万"]


def test_by_lift_every_stack_has_the_height_of_one():
    ax = plot_attention_stream(attention(TEXTS), measure="lift")
    assert heights(ax, ["turn 0", "turn 1", "turn 2"]).sum(axis=0) == pytest.approx(np.ones(3))


def test_a_word_has_the_colour_of_the_item_that_it_looked_at_most_for_its_length():
    found = attention(TEXTS, answer=["one", " two"])
    ax = plot_attention_stream(found)
    kept = (found.mass - found.sums.sink).mean(axis=(0, 1))[:, 1:4] / found.items["tokens"][1:4].to_numpy()
    colours = item_colours(found)
    expected = [colours[1 + place] for place in kept.argmax(axis=1)]
    assert [tick.get_color() for tick in ax.get_xticklabels()] == expected


def test_of_many_items_six_have_a_colour_and_the_others_one_together():
    found = attention([f"turn {t} says something" for t in range(30)])
    colours = item_colours(found)
    assert sorted(set(colours)) == sorted([*ITEM_COLOURS, OTHER_COLOUR])
    assert len(colours) - colours.count(OTHER_COLOUR) == len(ITEM_COLOURS)
    ax = plot_attention_stream(found)
    assert [bars.get_label() for bars in ax.containers][-1] == "24 other items"


def test_a_dollar_sign_starts_no_formula():
    ax = plot_attention_stream(attention(TEXTS, answer=["It", " is", " $5", " or", " $6"]))
    assert ax._repr_png_()[0].startswith(b"\x89PNG")


@given(st.lists(st.text(max_size=4), max_size=20))
def test_words_hold_every_row_once_in_order(pieces):
    rows = [row for word in word_rows(pieces) for row in word]
    assert rows == list(range(len(pieces)))
