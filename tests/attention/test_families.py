"""What is read equals what each family of models returns itself, summed over the same segments."""

import numpy as np
import pytest
import torch
import transformers

import hydralab as hl
from hydralab.attention import measures
from hydralab.attention.hook import running_as
from hydralab.core.segments import one_hot

pytestmark = pytest.mark.model

DECODERS = ["llama", "qwen2", "qwen2 sliding", "qwen3", "mistral", "gemma", "gemma2", "gemma3", "gpt2"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("family", DECODERS)
def test_a_decoder(tiny, contexts, equals_eager, family, language):
    answer = {"en": "It was 84,500.", "zh": "四十万。"}[language]
    found = hl.attend(tiny(family), contexts[language], answer, with_control=False)
    assert found.mass.shape[:2] == (3, 4)
    assert found.rows["text"].str.join("").item() == answer
    equals_eager(tiny(family), found)


def test_an_encoder(tiny, contexts, equals_eager):
    found = hl.attend(tiny("bert"), contexts["en"], source="query")
    assert "budget" in found.rows["text"].str.join("").item()
    equals_eager(tiny("bert"), found)


@pytest.mark.parametrize("source", ["answer", "query"])
def test_rollout_is_that_of_whole_matrices(tiny, contexts, source):
    model = tiny("llama")
    found = hl.attend(model, contexts["en"], "Yes.", source=source, with_rollout=True, with_control=False)
    ids = torch.tensor(found.tokens["token_id"].to_list())[None]
    with torch.inference_mode(), running_as(model.network, "eager"):
        whole = model.network(input_ids=ids, output_attentions=True).attentions
    mean = np.stack([layer[0].mean(dim=0).numpy() for layer in whole])
    membership = one_hot(found.tokens["to"].to_numpy(), found.mass.shape[-1], np.float64)
    rolled = measures.rollout(mean, membership)[found.rows["position"].to_numpy()]
    np.testing.assert_allclose(found.sums.rollout, rolled, atol=1e-5)


def test_sdpa_returns_no_weights_and_is_read_all_the_same(tiny, contexts, equals_eager):
    """FAULTS 32."""
    model = tiny("llama")
    assert model.network.config._attn_implementation == "sdpa"
    ids = torch.tensor([[5, 6, 7]])
    assert not any(
        each is not None for each in model.network(input_ids=ids, output_attentions=True).attentions or ()
    )
    equals_eager(model, hl.attend(model, contexts["en"], "Yes.", with_control=False))


def test_a_model_with_an_encoder_and_a_decoder_is_refused(tiny, contexts):
    config = transformers.T5Config(vocab_size=600, d_model=16, d_kv=4, d_ff=16, num_layers=1, num_heads=2)
    network = transformers.T5ForConditionalGeneration(config)
    with pytest.raises(hl.HydralabError, match="cross-attention, which is not read"):
        hl.attend((network, tiny("llama").tokenizer), contexts["en"])


def test_a_model_with_learned_sinks_is_refused_with_the_reason(tiny, contexts):
    """FAULTS 32: a clear message where weights can't be had."""
    config = transformers.GptOssConfig(
        vocab_size=600, hidden_size=32, intermediate_size=16, num_hidden_layers=1, num_attention_heads=4,
        num_key_value_heads=2, head_dim=8, num_local_experts=2, num_experts_per_tok=1, pad_token_id=1, eos_token_id=1,
    )  # fmt: skip
    network = transformers.GptOssForCausalLM(config)
    before = network.config._attn_implementation
    with pytest.raises(hl.HydralabError, match="learned sinks"):
        hl.attend((network, tiny("llama").tokenizer), contexts["en"], "Yes.")
    assert network.config._attn_implementation == before


def test_a_model_without_an_attention_function_to_replace_is_refused(tiny, contexts):
    config = transformers.BloomConfig(vocab_size=600, hidden_size=32, n_layer=1, n_head=4)
    network = transformers.BloomForCausalLM(config)
    with pytest.raises(hl.HydralabError, match="does not let its attention function be replaced"):
        hl.attend((network, tiny("llama").tokenizer), contexts["en"], "Yes.")
