import numpy as np
import pytest

from hydralab.attention import lift, retrieval_heads
from hydralab.errors import HydralabError, UnknownNameError
from hydralab.plots import plot_attention_head, plot_attention_layers
from hydralab.plots.attended import compared_items
from tests.plots.attentions import ANSWERS, attention

TEXTS = ["the launch is in autumn", "市场推广 预算 是 48.6 万元", "staff benefits come next now"]


def picture(ax):
    (image,) = ax.images
    return np.ma.filled(image.get_array(), np.nan)


def labels(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_a_column_is_a_layer_and_a_row_an_item():
    found = attention(TEXTS, layers=4)
    ax = plot_attention_layers(found)
    assert picture(ax).shape == (5, 4)
    assert labels(ax) == ["system", "turn 0", "turn 1", "turn 2", "query"]
    for layer in range(4):
        told = found.measures(layers=layer)["lift"][:5].to_numpy()
        assert picture(ax)[:, layer] == pytest.approx(told)


def test_the_dot_marks_the_remembered_item_that_a_layer_looks_at_most():
    found = attention(TEXTS, layers=4)
    ax = plot_attention_layers(found, measure="sink_free")
    layers, items = np.asarray(ax.collections[0].get_offsets()).T
    compared = compared_items(found)
    assert compared.tolist() == [1, 2, 3]
    expected = compared[picture(ax)[compared].argmax(axis=0)]
    assert (layers.tolist(), items.tolist()) == ([0, 1, 2, 3], expected.tolist())


def test_heads_can_be_picked_and_wrong_ones_are_refused():
    found = attention(TEXTS)
    one = picture(plot_attention_layers(found, heads=1))
    shares = (found.mass - found.sums.sink)[:, 1].mean(axis=1)[:, :5]
    lengths = found.items["tokens"][:5].to_numpy()
    assert one.T.tolist() == [pytest.approx(lift(row, lengths)) for row in shares]
    with pytest.raises(HydralabError, match="heads=9, expected numbers from 0 to 1"):
        plot_attention_layers(found, heads=9)
    with pytest.raises(UnknownNameError, match="retrieval"):
        plot_attention_layers(found, measure="retrieval")


def test_a_head_s_rows_add_up_to_all_of_its_attention():
    found = attention(TEXTS, answer=ANSWERS["zh"])
    ax = plot_attention_head(found, 1, 0)
    assert labels(ax)[-3:] == ["chat template", "the answer itself", "sinks"]
    assert picture(ax).sum(axis=0) == pytest.approx(np.ones(6), abs=1e-5)
    assert [tick.get_text() for tick in ax.get_xticklabels()] == [piece.strip() for piece in ANSWERS["zh"]]


def test_without_a_layer_and_a_head_the_one_that_copies_most_is_drawn():
    found = attention(TEXTS, layers=6, heads=4, seed=3)
    copies = retrieval_heads(found.sums.top_key, found.layout.ids, found.rows["token_id"].to_numpy())
    often = copies.sum(axis=2)
    layer, head = np.unravel_index(often.argmax(), often.shape)
    assert plot_attention_head(found).get_xlabel() == f"answer  ·  layer {layer}, head {head}"
    assert plot_attention_head(found, layer=2).get_xlabel() == f"answer  ·  layer 2, head {often[2].argmax()}"
    assert (
        plot_attention_head(found, head=3).get_xlabel() == f"answer  ·  layer {often[:, 3].argmax()}, head 3"
    )


def test_a_head_that_there_is_not_is_refused():
    with pytest.raises(HydralabError, match="plot_attention_head: head 2, expected 0 to 1"):
        plot_attention_head(attention(TEXTS), 0, 2)
