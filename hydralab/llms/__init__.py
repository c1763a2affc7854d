"""Chat models: any OpenAI-compatible server, a local transformers model, or a scripted one.

One protocol: messages in; text, how it ended, tokens and cost out; streamed, and for asyncio. The openai
package, transformers and torch load when they are first used.
"""

from __future__ import annotations

from hydralab.llms.calling import Call, ask, ask_async, call_event, record_calls, stream, stream_async
from hydralab.llms.contract import (
    FAILURES,
    LLM,
    OUTCOMES,
    Delta,
    LLMError,
    Message,
    Reply,
    Usage,
    is_llm,
)
from hydralab.llms.llm_checks import LLM_CHECKS, check_llm
from hydralab.llms.local import LocalChat
from hydralab.llms.names import LLMS, LLMSpec, get_llm, optional_llm
from hydralab.llms.openai_server import OpenAIChat
from hydralab.llms.prices import Price, cost_of, price_of, prices, prices_path
from hydralab.llms.scripted import Scripted

__all__ = [
    "FAILURES",
    "LLM",
    "LLMS",
    "LLM_CHECKS",
    "OUTCOMES",
    "Call",
    "Delta",
    "LLMError",
    "LLMSpec",
    "LocalChat",
    "Message",
    "OpenAIChat",
    "Price",
    "Reply",
    "Scripted",
    "Usage",
    "ask",
    "ask_async",
    "call_event",
    "check_llm",
    "cost_of",
    "get_llm",
    "is_llm",
    "optional_llm",
    "price_of",
    "prices",
    "prices_path",
    "record_calls",
    "stream",
    "stream_async",
]
