"""A user's message with the prompt that was made for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from hydralab.packing import Context

__all__ = ["PromptedMessage"]


@dataclass(frozen=True)
class PromptedMessage:
    """A user's message and the prompt that was made for it.

    Attributes
    ----------
    turn
        The user's turn, one row.
    query
        What stands in the prompt as the message.
    milliseconds
        A stage each, as in the steps table.
    events
        What happened at recall.
    """

    turn: pl.DataFrame
    query: str
    context: Context
    milliseconds: Mapping[str, float]
    events: Sequence[Mapping[str, Any]] = ()

    @property
    def turn_id(self) -> str:
        """The id of the user's turn."""
        return str(self.turn["turn_id"].item())

    @property
    def position(self) -> int:
        """Where the user's turn stands."""
        return int(self.turn["position"].item())
