"""The result: tables, measures beside controls, and clear errors."""

import numpy as np
import polars as pl
import pytest

import hydralab as hl
from hydralab.attention.shuffling import orders

pytestmark = pytest.mark.model


def test_the_table_has_a_row_a_layer_head_row_and_segment(tiny, contexts):
    found = hl.attend(tiny("llama"), contexts["en"], "Yes.", with_control=False)
    layers, heads, rows, segments = found.mass.shape
    assert found.frame.height == layers * heads * rows * segments
    assert found.frame.columns == ["layer", "head", "from", "to", "item_id", "mass", "sink", "mass_per_token"]
    sums = found.frame.group_by("layer", "head", "from").agg(pl.col("mass").sum())
    assert sums["mass"].is_between(1 - 1e-5, 1 + 1e-5).all()
    row = found.frame.filter(pl.col("mass") > 0).row(7, named=True)
    assert row["mass"] == found.mass[row["layer"], row["head"], row["from"], row["to"]]
    length = found.items.row(row["to"], named=True)["tokens"]
    assert row["mass_per_token"] == pytest.approx(row["mass"] / length)


def test_measures_stand_beside_the_control(tiny, contexts):
    found = hl.attend(tiny("llama"), contexts["en"], "Yes.", shuffles=2, ablations=6, with_rollout=True)
    table = found.measures()
    assert table["sink_free"].sum() == pytest.approx(1, abs=1e-5)
    assert table["mass"].sum() == pytest.approx(1, abs=1e-5)
    assert table["rollout"].sum() == pytest.approx(1, abs=1e-5)
    assert table["section"][-1] == "sink"
    recalled = table.filter(pl.col("section").is_in(["checkpoint", "recalled"]))
    for column in ("lift", "adjusted_lift", "leave_one_out", "ablation"):
        assert recalled[column].is_not_null().all()
    assert table.filter(section="query")["leave_one_out"].item() is None
    assert -1 <= found.agreement() <= 1
    assert found.log_probability < 0
    one = found.measures(layers=0, heads=[1, 2], rows=slice(0, 1))
    np.testing.assert_allclose(one["mass"].drop_nulls(), found.mass[0, 1:3, 0].mean(axis=0), atol=1e-6)


@pytest.mark.parametrize(("axis", "others"), [("layer", (1, 2)), ("head", (2,)), ("from", (0, 1))])
def test_mass_along_one_axis(tiny, contexts, axis, others):
    found = hl.attend(tiny("llama"), contexts["en"], "Yes.", with_control=False)
    table = found.by(axis, layers=[0, 2])
    mean = found.mass[[0, 2]].mean(axis=others)
    np.testing.assert_allclose(table["mass"].to_numpy().reshape(mean.shape), mean, atol=1e-6)
    if axis == "layer":
        assert table["layer"].unique(maintain_order=True).to_list() == [0, 2]
    with pytest.raises(hl.UnknownNameError, match="unknown axis 'row'"):
        found.by("row")


def test_the_tokens_of_an_item_carry_the_attention_that_each_got(tiny, contexts):
    found = hl.attend(tiny("llama"), contexts["zh"], "四十万。", with_control=False)
    for row in found.items.head(4).iter_rows(named=True):
        tokens = found.item_tokens(row["to"])
        assert tokens["text"].str.join("").item() == row["text"]
        assert tokens["mass"].sum() == pytest.approx(found.mass[..., row["to"]].mean(), abs=1e-6)
    assert found.tokens["text"].str.join("").item() == found.layout.text + "四十万。"


def test_an_answer_of_one_token_and_a_context_of_one_item(tiny, contexts, equals_eager):
    """FAULTS 47."""
    model = tiny("llama")
    found = hl.attend(model, contexts["en"], "!")
    assert found.rows.height == 1
    assert found.control["effect"].is_not_null().all()
    equals_eager(model, found)
    first = hl.Lab(hl.read(hl.example("launch_en"))).hydrate("Hm?", at=0, budget=50)
    alone = hl.attend(model, first, "!")
    assert alone.items["section"].to_list() == ["query", "template", "answer"]
    assert np.isnan(alone.agreement())
    assert alone.measures().filter(section="query")["lift"].item() == pytest.approx(0)
    equals_eager(model, alone)


def test_the_model_writes_the_answer_itself(tiny, contexts):
    found = hl.attend(tiny("gpt2"), contexts["en"], max_new_tokens=3, with_control=False)
    assert found.written
    assert 1 <= found.rows.height <= 3
    assert found.answer == found.rows["text"].str.join("").item()


def test_what_can_t_be_asked_is_said(tiny, contexts):
    ctx = contexts["en"]
    for options, reason in (
        ({"source": "system"}, "expected 'answer' or 'query'"),
        ({"answer": ""}, "answer is empty"),
        ({"max_new_tokens": 0}, "expected at least 1"),
    ):
        with pytest.raises(hl.HydralabError, match=reason):
            hl.attend(tiny("llama"), ctx, **options)
    with pytest.raises(hl.HydralabError, match="encoder and writes no answer"):
        hl.attend(tiny("bert"), ctx)
    found = hl.attend(tiny("llama"), ctx, "Yes.", with_control=False)
    with pytest.raises(hl.HydralabError, match="expected numbers from 0 to 2"):
        found.measures(layers=7)
    with pytest.raises(hl.HydralabError, match="unknown measure 'lfit'"):
        found.agreement("lfit")
    assert np.isnan(found.agreement())


def test_no_model_is_replaced_by_another(contexts):
    """FAULTS 42."""
    with pytest.raises(hl.HydralabError, match="could not be loaded"):
        hl.attend("/no/such/folder", contexts["en"])
    with pytest.raises(hl.HydralabError, match="got int"):
        hl.load_language_model(3)


@pytest.mark.parametrize("count", [2, 3, 4, 8])
def test_orders_give_each_item_each_place_equally_often(count):
    frame = pl.DataFrame({"section": ["system", *["checkpoint"] * 4, "recalled", "query"]})
    found = np.asarray(orders(frame, count))
    assert all(sorted(order) == list(range(7)) for order in found.tolist())
    assert (found[:, [0, 5, 6]] == [0, 5, 6]).all()
    if count % 4 == 0:
        for place in range(1, 5):
            assert np.bincount(found[:, place], minlength=5)[1:5].tolist() == [count // 4] * 4
