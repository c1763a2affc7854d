"""Loading a tokenizer and a network of Hugging Face: safetensors only, and no code of a repository."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Literal

from hydralab.errors import HydralabError
from hydralab.optional import load_optional

__all__ = ["load_pretrained", "stamp"]

Kind = Literal["AutoModel", "AutoModelForSequenceClassification"]


def load_pretrained(source: str, kind: Kind, *, what: str, hint: str = "") -> tuple[Any, Any]:
    """Return the tokenizer and the network, in float32 and ready for inference, of an id or a folder.

    Parameters
    ----------
    kind
        The class of transformers that the network is loaded by.
    what
        What it is to be, for messages: "encoder".
    hint
        What else helps when it can't be loaded.

    Raises
    ------
    MissingExtraError
        transformers or torch isn't installed.
    HydralabError
        It could not be loaded; the message says why.
    """
    transformers = load_optional("transformers", extra="torch", purpose=f"the {what} {source!r}")
    torch = load_optional("torch", extra="torch", purpose=f"the {what} {source!r}")
    try:
        with _no_bars(transformers):
            tokenizer = transformers.AutoTokenizer.from_pretrained(source, trust_remote_code=False)
            network = getattr(transformers, kind).from_pretrained(
                source, trust_remote_code=False, use_safetensors=True, dtype=torch.float32
            )
    except Exception as error:  # the hub, the configuration and the weights each raise their own
        raise HydralabError(
            f"{what} {source!r} could not be loaded ({type(error).__name__}: "
            f"{' '.join(str(error).split())[:200]}); expected a Hugging Face id or a folder with config.json, a "
            f"tokenizer and model.safetensors{hint}"
        ) from error
    # A text that spells a special token is text.
    tokenizer.backend_tokenizer.encode_special_tokens = True
    return tokenizer, network.eval()


def stamp(network: Any, source: str) -> str:
    """Return what tells these weights from others: the sum of a few numbers of each tensor."""
    digest = sha256(network.config.to_json_string().replace(json.dumps(source), "").encode())
    for name, tensor in network.state_dict().items():
        digest.update(f"{name}{tuple(tensor.shape)}".encode())
        digest.update(tensor.flatten()[:64].float().numpy().tobytes())
    return digest.hexdigest()


@contextmanager
def _no_bars(transformers: Any) -> Iterator[None]:
    """Keep a progress bar over weights that are read in a moment out of the notebook."""
    logging = transformers.utils.logging
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
