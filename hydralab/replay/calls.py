"""How often chat models were called for a prompt, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from hydralab.llms import Call, record_calls

__all__ = ["CallCount"]


@dataclass
class CallCount:
    """Counts the calls of chat models made since it was last asked.

    >>> from hydralab.llms import Scripted, ask
    >>> count = CallCount()
    >>> with count.counting():
    ...     _ = ask(Scripted(["Hello."]), [{"role": "user", "content": "Hi"}])
    >>> count.since_last(), count.since_last()
    ({'llm_calls': 1, 'cost': 0.0}, {'llm_calls': 0, 'cost': 0.0})
    """

    calls: list[Call] = field(default_factory=list)

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count the calls made while this is open."""
        with record_calls() as calls:
            try:
                yield
            finally:
                self.calls += calls

    def since_last(self) -> dict[str, Any]:
        """Return the columns `llm_calls` and `cost` of a step; the cost is None when a price isn't known."""
        calls, self.calls = self.calls, []
        known = all(call.cost is not None for call in calls if call.usage.prompt)
        return {
            "llm_calls": len(calls),
            "cost": sum((call.cost or 0.0 for call in calls), 0.0) if known else None,
        }
