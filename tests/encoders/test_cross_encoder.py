"""Cross-encoders, by the mechanics of a tiny one with random weights: what it finds means nothing."""

import json

import numpy as np
import pytest

from hydralab.encoders import CrossEncoder, PairFunction, embed, score_pairs
from hydralab.encoders.vector_caches import DiskVectors, text_keys
from hydralab.errors import HydralabError
from hydralab.frames import build
from hydralab.recall import Recall, Recaller

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "budget", "date", *"abcdefghij:[]猫狗"]


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory):
    """Make a folder with a BERT of two layers of 16 that has so many labels."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    def make(labels):
        folder = tmp_path_factory.mktemp("tiny")
        (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
        BertTokenizerFast(vocab_file=str(folder / "vocab.txt"), model_max_length=24).save_pretrained(folder)
        torch.manual_seed(labels)
        sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
        config = BertConfig(vocab_size=len(WORDS), max_position_embeddings=24, num_labels=labels, **sizes)
        BertForSequenceClassification(config).save_pretrained(folder)
        return str(folder)

    return make


pytestmark = pytest.mark.model


@pytest.mark.parametrize("labels", [1, 2])
def test_a_pair_is_scored_alike_alone_and_among_others(folder_of, labels):
    scorer = CrossEncoder(folder_of(labels))
    pairs = [("budget", text) for text in ("date", "a b c d e f g", "猫狗", "j" * 500)]
    together = scorer.score(pairs)
    assert together.shape == (4,)
    assert together.dtype == np.float32
    alone = [scorer.score([pair])[0] for pair in pairs]
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert together.std() > 0


def test_it_scores_recall_by_its_folder(folder_of):
    texts = ["the budget", "a date", "猫", "abc"]
    told = {"dialogue_id": "a", "role": "user", "tokens": 3}
    rows = [
        told | {"turn_id": f"a:{at}", "position": at, "round": at, "text": text}
        for at, text in enumerate(texts)
    ]
    turns = build("turns", rows)
    config = Recall(rerank=f"cross:{folder_of(1)}", rerank_top=3)
    found = Recaller(turns, embed(texts).vectors, config=config).candidates("budget")
    assert found["rerank"].drop_nulls().len() == 3
    assert found["rerank"].max() == 1


def test_scores_are_kept_on_disk_under_the_weights(folder_of, cache_folder):
    scorer = CrossEncoder(folder_of(1))
    scores = score_pairs("budget", ["date", "a b", "date", " "], scorer)
    assert np.isnan(scores[3])
    assert scores[0] == scores[2]
    (folder,) = (cache_folder / "vectors").glob("*-pairs-*")
    kept = DiskVectors(folder, dim=1)
    known, rows, _ = kept.get(text_keys(["budget\0a b", "budget\0date", "date\0budget"], "pair"))
    assert known.tolist() == [True, True, False]
    np.testing.assert_array_equal(rows[:, 0], scores[[1, 0]])


def test_what_has_more_labels_or_is_no_model_is_refused(folder_of, tmp_path):
    with pytest.raises(HydralabError, match="3 labels"):
        CrossEncoder(folder_of(3)).score([("a", "b")])
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "none"}))
    with pytest.raises(HydralabError, match=r"cross-encoder .* could not be loaded"):
        CrossEncoder(str(tmp_path)).score([("a", "b")])


def test_a_function_is_asked_once_a_pair():
    asked = []

    def shared(pairs):
        asked.extend(pairs)
        return [len(set(query) & set(text)) for query, text in pairs]

    scorer = PairFunction(shared)
    for _ in range(2):
        assert score_pairs("猫 cat", ["猫", "act", "猫"], scorer).tolist() == [1, 3, 1]
    assert asked == [("猫 cat", "猫"), ("猫 cat", "act")]
    assert np.isnan(score_pairs(" ", ["猫"], scorer)).all()
    assert score_pairs("猫", [], scorer).shape == (0,)
