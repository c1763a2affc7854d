"""A context as the text of one prompt, and where in it each item stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from hydralab.attention.models import LanguageModel
from hydralab.errors import HydralabError
from hydralab.packing import build_messages, escape, fold_system

__all__ = ["Rendered", "has_template", "render"]

MARK = "hydralabitem{:05d}e"
_MARK = re.compile(r"hydralabitem(\d{5})e")
Render = Callable[[Sequence[dict[str, Any]]], str]


@dataclass(frozen=True)
class Rendered:
    """The prompt and the characters of its items.

    Attributes
    ----------
    text
        The prompt as the model reads it, up to where its answer begins.
    spans
        (start, end) in characters, one a kept item, in the order of the context table. What lies between
        is template text: the chat template's, the tags around recalled items, speakers' names.
    """

    text: str
    spans: tuple[tuple[int, int], ...]


def has_template(model: LanguageModel) -> bool:
    """Return whether the model's tokenizer brings a chat template."""
    return bool(getattr(model.tokenizer, "chat_template", None))


def render(model: LanguageModel, kept: pl.DataFrame) -> Rendered:
    """Render the kept items of a context by the model's chat template.

    Items are found by rendering twice, once with a mark in place of each text: what stands around the marks
    is template text, and in the prompt itself the items fill what is between. So nothing rests on searching
    for a text, which may stand in a prompt twice.

    Parameters
    ----------
    kept
        Rows of a context table, all kept, by `order`.

    Raises
    ------
    HydralabError
        The template refuses the messages or rewrites their texts.

    Notes
    -----
    A template that refuses a system role gets the system text in front of the first user message. A tokenizer
    without a chat template gets a header in brackets a message. Tool calls are template text.
    """
    texts: list[str] = kept["text"].to_list()
    if any(_MARK.search(text) for text in texts):
        raise HydralabError(
            "attend: a text of the context reads like one of the marks that items are found by"
        )
    marked = kept.with_columns(
        pl.Series("text", [MARK.format(i) if text else "" for i, text in enumerate(texts)], dtype=pl.String)
    )
    write = _writer(model, build_messages(kept))
    text = write(build_messages(kept))
    skeleton = _MARK.split(write(build_messages(marked)))
    order = [int(number) for number in skeleton[1::2]]
    if sorted(order) != [i for i, each in enumerate(texts) if each]:
        raise HydralabError(
            f"attend: the chat template of {model.name!r} does not write every text of the context exactly once"
        )
    spans = _fill(text, skeleton[::2], [texts[i] for i in order], model.name)
    found = dict(zip(order, spans, strict=True))
    ends = 0
    placed = []
    for i in range(len(texts)):
        placed.append(found.get(i, (ends, ends)))
        ends = placed[-1][1]
    return Rendered(text, tuple(placed))


def _writer(model: LanguageModel, messages: list[dict[str, Any]]) -> Render:
    """Return what renders messages, with the system text folded when the template refuses the role."""
    if not has_template(model):
        return lambda given: _plainly(given, answered=model.can_answer)
    plain = _by_template(model)
    if messages[:1] == [] or messages[0]["role"] != "system":
        return plain
    try:
        plain(messages)
    except HydralabError:
        return lambda given: plain(fold_system(given))
    return plain


def _by_template(model: LanguageModel) -> Render:
    def write(messages: Sequence[dict[str, Any]]) -> str:
        try:
            return str(
                model.tokenizer.apply_chat_template(
                    list(messages), tokenize=False, add_generation_prompt=model.can_answer
                )
            )
        except Exception as error:  # templates raise what they like
            raise HydralabError(
                f"attend: the chat template of {model.name!r} refuses the messages: "
                f"{' '.join(str(error).split())[:200]}"
            ) from error

    return write


def _plainly(messages: Sequence[dict[str, Any]], *, answered: bool) -> str:
    parts = [f"[{message['role']}]\n{message['content']}" for message in messages]
    return "\n\n".join([*parts, "[assistant]\n"] if answered else parts)


def _fill(text: str, between: Sequence[str], items: Sequence[str], name: str) -> list[tuple[int, int]]:
    """Walk through the prompt: template text, item, template text, … to its very end."""
    at, spans = len(between[0]), []
    fits = text.startswith(between[0])
    for item, after in zip(items, between[1:], strict=True):
        forms = sorted(_forms(item), key=len, reverse=True)
        form = next((each for each in forms if text.startswith(each + after, at)), None)
        if form is None:
            fits = False
            break
        spans.append((at, at + len(form)))
        at += len(form) + len(after)
    if not fits or at != len(text):
        raise HydralabError(
            f"attend: the chat template of {name!r} rewrites the texts of the context, so that its tokens "
            "can't be told apart by item"
        )
    return spans


def _forms(item: str) -> set[str]:
    """Return how an item may stand in the prompt: escaped in a block, and with its ends trimmed."""
    written = {item, escape(item)}
    return {form for each in written for form in (each, each.strip(), each.lstrip(), each.rstrip())}
