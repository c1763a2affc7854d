"""Encoders from a folder of Hugging Face files."""

import json
from pathlib import Path

import numpy as np
import pytest

from hydralab.encoders import HuggingFace, embed, get_encoder
from hydralab.errors import HydralabError
from hydralab.texts import tokenizer

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A BERT with random weights, two layers of 16."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        "budget",
        "date",
        "pass",
        "quest",
        *"abcdefghij:[]",
    ]
    (folder / "vocab.txt").write_text("\n".join(words))
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt"), model_max_length=16).save_pretrained(folder)
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    BertModel(BertConfig(vocab_size=len(words), max_position_embeddings=16, **sizes)).save_pretrained(folder)
    return folder


def copy(folder, target):
    target.mkdir()
    for file in folder.iterdir():
        (target / file.name).write_bytes(file.read_bytes())
    return target


def test_minilm_knows_what_belongs_together():
    found = embed(["the marketing budget", "money for advertising", "the cat sleeps"], "minilm").vectors
    assert found.shape == (3, 384)
    assert found[0] @ found[1] > found[0] @ found[2] + 0.2


def test_minilm_windows_hold_256_word_pieces():
    minilm = get_encoder("minilm")
    text = "The unbelievable antidisestablishmentarianism 预算. " * 100
    found = embed([text, "short"], minilm)
    assert len(minilm.windows(text)) > 4
    assert found.windows.tolist() == [len(minilm.windows(text)), 1]
    counts = [minilm_pieces(window) for window in minilm.windows(text)]
    assert max(counts) <= 256
    assert "".join(minilm.windows(text)) == text


def minilm_pieces(text):
    return tokenizer(f"hf:{get_encoder('minilm').source}").count(text) + 2


def test_padding_does_not_move_a_vector(tiny):
    encoder = HuggingFace(str(tiny))
    alone = encoder.encode(["budget"])
    beside = encoder.encode(["budget", "a b c d e f g h"])
    np.testing.assert_allclose(alone[0], beside[0], atol=1e-5)


def test_a_text_that_spells_a_special_token_is_text(tiny):
    encoder = HuggingFace(str(tiny))
    spelt, plain = encoder.encode(["budget [SEP] date", "budget date"])
    assert np.abs(spelt - plain).max() > 1e-3


def test_pooling_is_that_of_the_model(tiny, tmp_path):
    mean = HuggingFace(str(tiny)).encode(["budget date"])
    folder = copy(tiny, tmp_path / "cls")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    cls = HuggingFace(str(folder)).encode(["budget date"])
    assert np.abs(mean - cls).max() > 1e-3


def test_prefixes_stand_before_texts_and_queries(tiny):
    plain = HuggingFace(str(tiny))
    prefixed = HuggingFace(str(tiny), prefix="pass ", query_prefix="quest ")
    np.testing.assert_allclose(prefixed.encode(["a"]), plain.encode(["pass a"]), atol=1e-6)
    np.testing.assert_allclose(prefixed.encode_queries(["a"]), plain.encode(["quest a"]), atol=1e-6)
    assert prefixed.cache_key != plain.cache_key
    assert max(len(window.split()) for window in prefixed.windows("a b c d " * 20)) <= 16 - 3


def test_the_cache_key_is_of_the_weights_and_not_of_the_folder(tiny, tmp_path):
    moved = copy(tiny, tmp_path / tiny.name)
    assert HuggingFace(str(moved)).cache_key == HuggingFace(str(tiny)).cache_key


def test_pickled_weights_are_refused(tiny, tmp_path):
    import torch
    from transformers import BertModel

    folder = copy(tiny, tmp_path / "pickled")
    (folder / "model.safetensors").unlink()
    torch.save(BertModel.from_pretrained(tiny).state_dict(), folder / "pytorch_model.bin")
    with pytest.raises(HydralabError, match="could not be loaded"):
        embed(["a"], str(folder))


def test_code_in_a_folder_is_not_run(tiny, tmp_path):
    folder = copy(tiny, tmp_path / "code")
    config = json.loads((folder / "config.json").read_text())
    config |= {
        "model_type": "mischief",
        "auto_map": {"AutoModel": "mischief.Model", "AutoConfig": "mischief.Config"},
    }
    (folder / "config.json").write_text(json.dumps(config))
    ran = tmp_path / "ran"
    (folder / "mischief.py").write_text(f"open({str(ran)!r}, 'w')\nclass Model: pass\nclass Config: pass\n")
    with pytest.raises(HydralabError, match="could not be loaded"):
        embed(["a"], str(folder))
    assert not ran.exists()


def test_a_folder_without_a_model_is_an_error_that_names_it(tmp_path):
    """FAULTS 42."""
    with pytest.raises(
        HydralabError, match=rf"encoder '{Path(tmp_path)}' could not be loaded .*model\.safetensors"
    ):
        embed(["a"], str(tmp_path))
