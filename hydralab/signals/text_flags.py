"""Whether a turn has words of some kind: of a question, of something new, of a reference to the past."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.signals.base import SIGNALS, Range
from hydralab.texts.cues import BACK_REFERENCE, DISCOURSE_MARKER, QUESTION, any_of
from hydralab.texts.cues.rules import Rules

__all__ = ["CueWord", "Question", "RefersBack", "TextFlag"]


class TextFlag:
    """1 where one of its rules finds something in a turn's text, else 0. Causal."""

    rules: ClassVar[tuple[Rules, ...]]

    lookahead: ClassVar[int] = 0
    memory: ClassVar[int] = 0
    range: ClassVar[Range] = (0.0, 1.0)
    unit: ClassVar[str] = "0 or 1"
    source: ClassVar[str] = "text"
    needs_vectors: ClassVar[bool] = False

    def values(
        self, turns: pl.DataFrame, vectors: NDArray[np.float32] | None, *, closed: bool
    ) -> NDArray[np.float64]:
        """Return 1 or 0 a turn: float64 (n,)."""
        del vectors, closed
        return any_of(turns["text"], *self.rules).cast(pl.Float64).to_numpy()


@SIGNALS.register("question")
@dataclass(frozen=True)
class Question(TextFlag):
    """1 where a turn holds a question, else 0. Causal.

    A question mark (?, ？), a Chinese question particle at the end of a clause (吗, 呢, 么), or a
    sentence that opens with a question word or an inverted auxiliary; marks inside web addresses
    don't count.

    >>> import polars as pl
    >>> Question().values(pl.DataFrame({"text": ["预算够吗", "ok"]}), None, closed=True)
    array([1., 0.])
    """

    rules: ClassVar[tuple[Rules, ...]] = QUESTION


@SIGNALS.register("cue")
@dataclass(frozen=True)
class CueWord(TextFlag):
    """1 where a clause opens with a discourse marker that often turns to something new. Causal.

    Chinese (另外, 对了, 接下来, 话说 …) and English (by the way, anyway, also, next …). Wider than the
    intent of changing the topic: a marker may also add to the same topic.

    >>> import polars as pl
    >>> CueWord().values(pl.DataFrame({"text": ["另外，下周呢？", "Anyway, lunch?", "好的"]}), None, closed=True)
    array([1., 1., 0.])
    """

    rules: ClassVar[tuple[Rules, ...]] = DISCOURSE_MARKER


@SIGNALS.register("refers_back")
@dataclass(frozen=True)
class RefersBack(TextFlag):
    """1 where a turn has the words of a reference to the past, else 0. Causal.

    之前提到, 刚才说的, 上次; earlier, as I said, remind me. Wording alone, whoever speaks and whatever
    for; `intent_refers_back` is stricter: what was said in this conversation is meant.

    >>> import polars as pl
    >>> RefersBack().values(pl.DataFrame({"text": ["之前提到的预算", "Remind me", "预算"]}), None, closed=True)
    array([1., 1., 0.])
    """

    rules: ClassVar[tuple[Rules, ...]] = BACK_REFERENCE
