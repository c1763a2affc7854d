"""How often chat models were called for a prompt, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from hydralab.llms import Call, call_event, record_calls

__all__ = ["CallCount", "calls_that_failed"]


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
    def counting(self) -> Iterator[list[Call]]:
        """Count the calls made while this is open; they are in the list as soon as they are made."""
        with record_calls() as calls:
            try:
                yield calls
            finally:
                self.calls += calls

    def forget_last(self, count: int) -> None:
        """Leave out the calls made last, such as those for a prompt that came to nothing."""
        del self.calls[len(self.calls) - count :]

    def since_last(self) -> dict[str, Any]:
        """Return the columns `llm_calls` and `cost` of a step; the cost is None when a price isn't known."""
        calls, self.calls = self.calls, []
        known = all(call.cost is not None for call in calls if call.usage.prompt)
        return {
            "llm_calls": len(calls),
            "cost": sum((call.cost or 0.0 for call in calls), 0.0) if known else None,
        }


def calls_that_failed(
    stage: str, calls: Sequence[Call], dialogue_id: str, item_id: str
) -> list[dict[str, Any]]:
    """Return an events row for each call that was retried, cut off or not answered.

    >>> from hydralab.llms import Usage
    >>> calls = [Call("m", "ok", Usage(), 0.0, 0, 9.0), Call("m", "timeout", Usage(), None, 0, 60.0)]
    >>> [(row["status"], row["detail"]) for row in calls_that_failed("context", calls, "a", "a:3")]
    [('failed', 'm: timeout')]
    """
    rows = [call_event(stage, call, dialogue_id=dialogue_id, item_id=item_id) for call in calls]
    return [row for row in rows if row["status"] != "ok"]
