"""Small models of every family, with weights drawn from a fixed seed, and the packaged SmolLM2."""

from functools import cache

import numpy as np
import pytest
import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

import hydralab as hl
from hydralab.attention import LanguageModel, load_language_model
from hydralab.attention.hook import running_as

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SIZE = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "max_position_embeddings": 4096}
FEED = {"intermediate_size": 48}
GROUPED = {"num_key_value_heads": 2}

FAMILIES = {
    "llama": lambda: transformers.LlamaConfig(**SIZE, **FEED, **GROUPED),
    "qwen2": lambda: transformers.Qwen2Config(**SIZE, **FEED, **GROUPED),
    "qwen2 sliding": lambda: transformers.Qwen2Config(
        **SIZE, **FEED, **GROUPED, use_sliding_window=True, sliding_window=24, max_window_layers=1
    ),
    "qwen3": lambda: transformers.Qwen3Config(**SIZE, **FEED, **GROUPED, head_dim=16),
    "mistral": lambda: transformers.MistralConfig(**SIZE, **FEED, **GROUPED, sliding_window=24),
    "gemma": lambda: transformers.GemmaConfig(**SIZE, **FEED, num_key_value_heads=1, head_dim=8),
    "gemma2": lambda: transformers.Gemma2Config(
        **SIZE, **FEED, **GROUPED, head_dim=8, sliding_window=24, attn_logit_softcapping=2.0
    ),
    "gemma3": lambda: transformers.Gemma3TextConfig(**SIZE, **FEED, **GROUPED, head_dim=8, sliding_window=24),
    "gpt2": lambda: transformers.GPT2Config(n_embd=32, n_layer=3, n_head=4, n_positions=4096),
    "bert": lambda: transformers.BertConfig(**SIZE, **FEED),
}


@cache
def byte_tokenizer(template=CHATML):
    whole = Tokenizer(models.BPE())
    whole.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    whole.decoder = decoders.ByteLevel()
    texts = (
        hl.read(hl.example("launch_en"))["text"].to_list()
        + hl.read(hl.example("launch_zh"))["text"].to_list()
    )
    special = ["<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    whole.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=600, special_tokens=special, initial_alphabet=alphabet)
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=whole, chat_template=template, eos_token="<|im_end|>"
    )


@cache
def tiny_model(family):
    tokenizer = byte_tokenizer()
    config = FAMILIES[family]()
    config.vocab_size = len(tokenizer)
    for name in ("bos_token_id", "eos_token_id", "pad_token_id"):
        setattr(config, name, 1)
    torch.manual_seed(3)
    kind = transformers.AutoModel if family == "bert" else transformers.AutoModelForCausalLM
    network = kind.from_config(config)
    with torch.no_grad():
        for weight in network.parameters():  # the first weights are so small that attention is uniform
            weight.mul_(4 if weight.ndim > 1 else 1)
    return LanguageModel(family, network.eval(), tokenizer)


@pytest.fixture
def tiny():
    """Return a small model of a family by name."""
    return tiny_model


@pytest.fixture(scope="session")
def contexts():
    """Return the packed context of a bundled dialogue, by language."""
    asked = {
        "en": ("launch_en", "What was the marketing budget we mentioned earlier?"),
        "zh": ("launch_zh", "之前提到的市场推广预算是多少？"),
    }
    return {
        language: hl.Lab(hl.read_all(hl.example(name))).hydrate(query, budget=400)
        for language, (name, query) in asked.items()
    }


@pytest.fixture(scope="session")
def smollm2():
    """Return the real model of the package, loaded once."""
    return load_language_model("smollm2")


def weights_of(model, ids):
    """Return the attention that the model itself returns, (L, H, n, n): slow, and large."""
    with torch.inference_mode(), running_as(model.network, "eager"):
        found = model.network(input_ids=torch.tensor(ids)[None], output_attentions=True).attentions
    return np.stack([layer[0].float().numpy() for layer in found])


def summed_slowly(weights, segments, count):
    sums = np.zeros((*weights.shape[:-1], count))
    for key, segment in enumerate(segments):
        sums[..., segment] += weights[..., key]
    return sums


@pytest.fixture
def equals_eager():
    """Compare an `Attention` with what the model returns, summed over the same segments."""

    def compare(model, found):
        weights = weights_of(model, found.tokens["token_id"].to_numpy())
        places = found.rows["position"].to_numpy()
        segments = found.tokens["to"].to_numpy()
        rows = weights[:, :, places]
        np.testing.assert_allclose(found.mass, summed_slowly(rows, segments, found.mass.shape[-1]), atol=1e-5)
        np.testing.assert_allclose(found.mass.sum(-1), 1, atol=1e-5)
        np.testing.assert_allclose(found.sums.token_mass, rows.mean(axis=2), atol=1e-5)
        dropped = summed_slowly(rows * found.sums.sink_keys[:, :, None], segments, found.mass.shape[-1])
        np.testing.assert_allclose(found.sums.sink, dropped, atol=1e-5)
        np.testing.assert_allclose(found.sums.top_mass, rows.max(axis=-1), atol=1e-5)

    return compare
