"""The trigger that is used where none is named."""

from __future__ import annotations

from hydralab.triggers.building import col
from hydralab.triggers.forms import TRIGGERS, get_trigger
from hydralab.triggers.tree import Align, Trigger

__all__ = ["default_trigger"]


def default_trigger(*, min_turns: int = 3, max_turns: int | None = 40, align: Align = "round") -> Trigger:
    """Return the default: causal kernel change points, or words that change the topic.

    The price of a cut follows the scatter of the dialogue so far, so one setting serves long chats and
    short ones. Label-free; nothing is fitted. Causal with a look-ahead of 2 turns.

    Parameters
    ----------
    min_turns, max_turns, align
        As in `Trigger.place`.

    >>> default_trigger().lookahead
    2
    """
    found = get_trigger("change_points", penalty=1.2, lookahead=2) | (col.intent_topic_change > 0.5)
    return found.place(min_turns=min_turns, max_turns=max_turns, align=align)


TRIGGERS.add("default", default_trigger())
