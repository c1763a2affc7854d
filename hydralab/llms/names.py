"""Chat models by name, and everything else that can stand for one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os.path import isdir
from typing import Any, TypeAlias, cast

from hydralab.errors import HydralabError, UnknownNameError, unknown_name
from hydralab.llms.contract import LLM, Message, Reply, is_llm
from hydralab.llms.local import LocalChat, smollm2_chat
from hydralab.llms.openai_server import parse_openai_chat
from hydralab.llms.scripted import Scripted
from hydralab.registry import Registry

__all__ = ["LLMS", "LLMSpec", "get_llm", "optional_llm"]

LLMSpec: TypeAlias = str | LLM | Callable[[Sequence[Message]], str | Reply]
"""What stands for a chat model: a name, a model, or a function from messages to a text."""

LLMS: Registry[Any] = Registry("chat model", group="hydralab.llms")
"""Name → a chat model, or a class or function that makes one when called without arguments."""

LLMS.add("smollm2", smollm2_chat)


def get_llm(spec: LLMSpec) -> LLM:
    """Return the chat model that `spec` stands for. Models load when they are first used.

    Parameters
    ----------
    spec
        "openai:MODEL@URL" for a server that speaks OpenAI's protocol ("openai:gpt-4o-mini" for OpenAI's own);
        "smollm2", the packaged one, or another name of `LLMS`; a folder or a Hugging Face id with a chat
        template; a function from messages to a text; a chat model, which is returned as it is.

    Raises
    ------
    UnknownNameError
        No chat model has this name; the message lists those there are.
    HydralabError
        It is none of these.

    >>> get_llm("openai:qwen3-8b@http://localhost:8000/v1").model
    'qwen3-8b'
    >>> get_llm(lambda messages: "Fine.").complete([{"role": "user", "content": "How are you?"}]).text
    'Fine.'
    """
    if not isinstance(spec, str):
        if is_llm(spec):
            return cast(LLM, spec)
        if callable(spec):
            return Scripted(spec, name=str(getattr(spec, "__name__", "scripted")))
        raise HydralabError(
            f"chat model: got {type(spec).__name__}, expected a name, a function from messages to a text, or a model"
        )
    if spec in LLMS:
        entry = LLMS[spec]
        made = entry if is_llm(entry) else entry()
        if is_llm(made):
            return cast(LLM, made)
        raise HydralabError(
            f"chat model {spec!r} is registered as {type(made).__name__}, which lacks name, window, complete or stream"
        )
    if spec.startswith("openai:"):
        return parse_openai_chat(spec)
    if "/" in spec or isdir(spec):
        return LocalChat(spec)
    raise UnknownNameError(
        f"{unknown_name('chat model', spec, LLMS)}; on a server it is 'openai:{spec}@http://…/v1', "
        f"at OpenAI 'openai:{spec}', and at Hugging Face its id, with a slash"
    )


def optional_llm(spec: LLMSpec | None) -> LLM | None:
    """Return the chat model that `spec` stands for, see `get_llm`; None for none.

    >>> optional_llm(None) is None
    True
    """
    return None if spec is None else get_llm(spec)
