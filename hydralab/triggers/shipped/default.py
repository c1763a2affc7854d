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

    Score with the default encoder, beside cutting every N turns with N of each dialogue's gold:
    launch_zh .73 (.24), launch_en .61 (.47), long_zh .67 (.34), long_en .75 (.30), DialSeg711 .62 (.41);
    with ``align="turn"`` TIAGE dev .46 (.40). Not better than every N where gold spans are very short
    (SuperDialseg .42 against .50) or very long (VCSum .30 against .32).

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
