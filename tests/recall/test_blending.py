import numpy as np
import polars as pl
import pytest

from hydralab.errors import HydralabError, UnknownNameError
from hydralab.recall import BLENDS, SCORE_COLUMNS, Recall, weighted
from hydralab.recall.blending import Blend

COLUMNS = {name: np.random.default_rng(7).random(20, dtype=np.float32) for name in SCORE_COLUMNS}


@pytest.mark.parametrize(
    "blend",
    [
        pl.col("dense"),
        weighted({"dense": 1, "lexical": 3, "recency": -0.5}),
        (pl.col("dense") + pl.col("lexical")) / 2 - pl.col("time"),
        pl.col("dense") * pl.col("lexical"),
        pl.col("dense") + 1,
        pl.col("dense") ** 2,
        pl.max_horizontal("dense", "lexical"),
        pl.when(pl.col("lexical") > 0.5).then(pl.col("dense")).otherwise(0.0),
        pl.col("dense").clip(0.2, 0.8),
        pl.col("dense").rank(),
        pl.col("entity") > 0.5,
    ],
)
def test_a_blend_gives_what_polars_gives(blend):
    expected = pl.DataFrame(COLUMNS).select(blend.cast(pl.Float32)).to_series().to_numpy()
    np.testing.assert_allclose(Blend(blend)(COLUMNS), expected, atol=1e-5)


@pytest.mark.parametrize(
    "blend",
    [
        pl.when(pl.col("time") == 1).then(2 * pl.col("dense")).otherwise(pl.col("dense")),
        pl.col("dense") * (pl.col("statement") == 1),
        pl.col("lexical") / pl.col("lexical").max() + pl.col("dense"),
        pl.col("dense") * pl.col("speaker").max(),
        pl.col("dense") - pl.col("dense").mean(),
    ],
)
def test_a_blend_that_asks_whether_or_looks_at_all_items_gives_what_polars_gives(blend):
    flags = np.arange(20) % 2 == 0
    columns = COLUMNS | {name: flags.astype(np.float32) for name in ("time", "statement", "speaker")}
    expected = pl.DataFrame(columns).select(blend.cast(pl.Float32)).to_series().to_numpy()
    np.testing.assert_allclose(Blend(blend)(columns), expected, atol=1e-5)


def test_a_weighted_sum_is_run_as_one():
    for name in BLENDS:
        assert Blend(name).weights is not None
    assert Blend((pl.col("dense") + 3 * pl.col("lexical")) / 4).weights is not None


def test_a_score_that_is_not_known_counts_nothing():
    blend = weighted({"dense": 1, "rerank": 1})
    unknown = COLUMNS | {"rerank": np.full(20, np.nan, np.float32)}
    zero = COLUMNS | {"rerank": np.zeros(20, np.float32)}
    np.testing.assert_allclose(Blend(blend)(unknown), Blend(blend)(zero))


def test_what_has_no_score_scores_zero():
    blend = pl.col("dense") / pl.when(pl.col("dense") > 2).then(1.0)
    assert not Blend(blend)(COLUMNS).any()


@pytest.mark.parametrize("name", list(BLENDS))
def test_every_registered_blend_is_between_zero_and_one(name):
    for value in (0, 1):
        scores = Blend(name)({column: np.full(3, value, np.float32) for column in SCORE_COLUMNS})
        np.testing.assert_allclose(scores, value, atol=1e-6)


def test_the_blend_decides_the_order(recaller_of):
    recency = recaller_of(Recall(blend=pl.col("recency"))).candidates("budget")
    assert recency["item_id"].to_list() == [f"d:{place}" for place in reversed(range(12))]
    np.testing.assert_allclose(recency["score"], recency["recency"])
    oldest = recaller_of(Recall(blend=1 - pl.col("recency"))).candidates("budget")
    assert oldest["item_id"][0] == "d:0"


def test_a_wrong_blend_is_refused_when_it_is_set():
    with pytest.raises(UnknownNameError, match="unknown blend 'lexicl'; known: 'lexical'"):
        Recall(blend="lexicl")
    with pytest.raises(UnknownNameError, match="unknown score column 'sparse'"):
        Recall(blend=pl.col("sparse"))
    with pytest.raises(HydralabError, match="blend is int"):
        Recall(blend=3)


def test_settings_that_mean_nothing_are_refused():
    with pytest.raises(HydralabError, match="turns is -1"):
        Recall(turns=-1)
    with pytest.raises(HydralabError, match="mmr is 2"):
        Recall(mmr=2)
    with pytest.raises(UnknownNameError, match="unknown index 'hnws'; known: 'hnsw'"):
        Recall(index="hnws")


def test_equal_settings_are_equal_and_can_be_keys():
    one, other = (Recall(blend=pl.col("dense") + pl.col("time")) for _ in range(2))
    assert one == other
    assert len({one, other, Recall(), Recall(), Recall(blend="dense")}) == 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (pl.col("dense").rank(), pl.col("dense").rank(descending=True)),
        (pl.col("dense").round(1), pl.col("dense").round(2)),
        (pl.col("dense") + pl.lit(pl.Series([1.0])), pl.col("dense") + pl.lit(pl.Series([2.0]))),
        (pl.lit("dense"), "dense"),
    ],
)
def test_settings_that_blend_otherwise_are_other_settings_and_read_otherwise(one, other):
    one, other = Recall(blend=one), Recall(blend=other)
    assert one != other
    assert len({one, other}) == len({repr(one), repr(other)}) == 2


def test_a_blend_that_carries_a_function_is_refused():
    with pytest.raises(HydralabError, match="blend: the expression carries a function"):
        Recall(blend=pl.col("dense").map_batches(lambda dense: dense * 2))


def test_the_repr_of_a_setting_has_no_address():
    shown = repr(Recall(blend=pl.col("dense") + pl.col("lexical")))
    assert " at 0x" not in shown
    assert 'col("dense")' in shown


@pytest.mark.parametrize("weights", [5, {}, {"dense": 0}, {"dense": "a"}, {"dense": float("inf")}, {5: 1}])
def test_weights_that_weigh_nothing_are_refused(weights):
    with pytest.raises(HydralabError, match=r"^weighted: .*expected"):
        weighted(weights)
