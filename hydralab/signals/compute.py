"""The signals table: a row a turn, a column a signal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.ordering import check_rising
from hydralab.errors import HydralabError, brief, check_kind, unknown_name
from hydralab.frames import SCHEMAS, empty
from hydralab.signals.base import SIGNALS, Signal
from hydralab.signals.depth import Depth
from hydralab.signals.gap_seconds import GapSeconds
from hydralab.signals.shift import Shift, ShiftRaw
from hydralab.signals.text_flags import CueWord, Question, RefersBack
from hydralab.signals.tokens import Tokens
from hydralab.signals.turn_length import TurnLength

__all__ = ["DEFAULT_SIGNALS", "compute_signals", "default_signals", "dialogue_slices", "get_signal"]


def default_signals(encoder: str = "use") -> dict[str, Signal]:
    """Return the default set of signals: column name → signal.

    The intents are not in it, for their rules take longer than all of these together; a trigger that
    names one (`intent_decision`) gets it computed all the same.

    Parameters
    ----------
    encoder
        Name of the encoder that makes the vectors: it chooses the prior of the first gaps.

    >>> list(default_signals())[:5]
    ['shift', 'shift_raw', 'shift_long', 'depth', 'gap_seconds']
    """
    return {
        "shift": Shift(prior=encoder),
        "shift_raw": ShiftRaw(),
        "shift_long": Shift(window=6, lag=3, prior=encoder),
        "depth": Depth(),
        "gap_seconds": GapSeconds(),
        "tokens": Tokens(),
        "turn_length": TurnLength(),
        "question": Question(),
        "cue": CueWord(),
        "refers_back": RefersBack(),
    }


_PARTS = ("values", "lookahead", "range", "unit", "source", "needs_vectors")
DEFAULT_SIGNALS: Mapping[str, Signal] = MappingProxyType(default_signals())
"""Column name → signal, for the default encoder."""


def get_signal(name: str, signals: Mapping[str, Signal] | None = None) -> Signal:
    """Return the signal of a column: a given one, a default one, or a registered one.

    Raises
    ------
    UnknownNameError
        None of them has the name; the message lists the known ones, nearest first.

    >>> get_signal("shift_raw")
    ShiftRaw(window=3, lag=1)
    """
    for known in (signals or {}, DEFAULT_SIGNALS):
        if isinstance(name, str) and name in known:
            return known[name]
    if name in SIGNALS:
        return SIGNALS[name]()
    raise unknown_name("signal", name, {*(signals or {}), *DEFAULT_SIGNALS, *SIGNALS})


def dialogue_slices(turns: pl.DataFrame) -> Iterator[slice]:
    """Yield the rows of each dialogue of a table whose dialogues stand in one piece each, in order of position.

    Raises
    ------
    HydralabError
        A dialogue's rows stand apart or out of order, or it is no turns table.

    >>> list(dialogue_slices(pl.DataFrame({"dialogue_id": ["a", "a", "b"], "position": [0, 1, 0]})))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    if not isinstance(turns, pl.DataFrame) or not {"dialogue_id", "position"} <= {*turns.columns}:
        given = f"columns {turns.columns}" if isinstance(turns, pl.DataFrame) else type(turns).__name__
        raise HydralabError(f"turns: got {given}, expected a turns table")
    ids = turns["dialogue_id"]
    starts = [0, *np.flatnonzero((ids != ids.shift()).fill_null(True).to_numpy()[1:]).__add__(1).tolist()]
    if ids.n_unique() < len(starts) and turns.height:
        raise HydralabError("turns: the rows of a dialogue stand apart, expected each dialogue in one piece")
    if not turns.height:
        return
    positions = turns["position"].to_numpy()
    for start, stop in pairwise([*starts, turns.height]):
        check_rising(positions[start:stop], ids[start])
        yield slice(start, stop)


def compute_signals(
    turns: pl.DataFrame,
    vectors: NDArray[np.float32] | None = None,
    signals: Mapping[str, Signal] | None = None,
    *,
    closed: bool = True,
) -> pl.DataFrame:
    """Return the signals table of one or more dialogues.

    Parameters
    ----------
    turns
        The turns table; each dialogue in one piece, in order of position.
    vectors
        Float32 (n, d), unit rows, aligned with `turns`. Without them the signals that need them are
        left out of the default set, and are an error in a set of your own.
    signals
        Column name → signal; `DEFAULT_SIGNALS` when None.
    closed
        Whether the dialogues are over. If not, a value whose window isn't complete yet is null.

    Returns
    -------
    pl.DataFrame
        dialogue_id, position and a Float64 column a signal, null where unknown.

    Raises
    ------
    HydralabError
        Turns out of order; vectors that aren't aligned with them, or are missing where a signal needs them;
        a column that the table has already; a signal that raises, or gives anything but a number a turn.

    >>> import polars as pl
    >>> from hydralab.frames import build
    >>> turn = {"dialogue_id": "a", "turn_id": "a:0", "position": 0, "round": 0, "role": "user", "text": "嗯？"}
    >>> compute_signals(build("turns", [{**turn, "tokens": 2}]), signals={"question": Question()})["question"].to_list()
    [1.0]
    """
    if vectors is not None:
        check_vectors(vectors, turns)
    chosen = chosen_signals(signals, vectors)
    parts: dict[str, list[NDArray[np.float64]]] = {name: [] for name in chosen}
    for rows in dialogue_slices(turns):
        dialogue = turns[rows]
        own = None if vectors is None else vectors[rows]
        for name, signal in chosen.items():
            parts[name].append(_values(name, signal, dialogue, own, closed=closed))
    if not turns.height:
        return empty("signals").with_columns(pl.lit(None, dtype=pl.Float64).alias(name) for name in chosen)
    columns = [pl.Series(name, np.concatenate(values), nan_to_null=True) for name, values in parts.items()]
    return turns.select("dialogue_id", "position").with_columns(columns)


def check_vectors(vectors: Any, turns: Any) -> None:
    """Refuse what is no array with a row a turn.

    >>> check_vectors(np.zeros((3, 8)), pl.DataFrame({"position": [0, 1]}))
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: vectors: shape (3, 8) for 2 turns, expected one row a turn: (2, d)
    """
    check_kind("turns", turns, pl.DataFrame, "a turns table")
    is_array = hasattr(vectors, "shape") and hasattr(vectors, "dtype")
    if not is_array or len(vectors.shape) != 2 or vectors.shape[0] != turns.height:
        given = f"shape {tuple(vectors.shape)}" if is_array else f"got {brief(vectors)}"
        raise HydralabError(
            f"vectors: {given} for {turns.height} turns, expected one row a turn: ({turns.height}, d)"
        )


def chosen_signals(
    signals: Mapping[str, Signal] | None, vectors: NDArray[np.float32] | None
) -> Mapping[str, Signal]:
    """Return the signals that are meant, the default ones when None; refuse what is none.

    >>> chosen_signals({"shift": 5}, None)
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: signal 'shift': got int, expected a signal such as hl.Shift()
    """
    if signals is None:
        if vectors is not None:
            return DEFAULT_SIGNALS
        return {name: signal for name, signal in DEFAULT_SIGNALS.items() if not signal.needs_vectors}
    if not isinstance(signals, Mapping):
        raise HydralabError(f"signals: got {brief(signals)}, expected column names with their signals")
    for name, signal in signals.items():
        if name in SCHEMAS["turns"] and name not in DEFAULT_SIGNALS:
            raise HydralabError(
                f"signal {name!r}: the turns have a column of that name, expected another name"
            )
        if isinstance(signal, type) or not isinstance(signal, Signal):
            given = f"the class {signal.__name__}" if isinstance(signal, type) else type(signal).__name__
            lacking = [part for part in _PARTS if not hasattr(signal, part)]
            without = f" without {', '.join(lacking)}" if 0 < len(lacking) < len(_PARTS) else ""
            raise HydralabError(
                f"signal {name!r}: got {given}{without}, expected a signal such as hl.Shift()"
            )
        if signal.needs_vectors and vectors is None:
            raise HydralabError(
                f"signal {name!r} is computed from vectors, and none were given; pass vectors="
            )
    return signals


def _values(
    name: str, signal: Signal, dialogue: pl.DataFrame, vectors: NDArray[np.float32] | None, *, closed: bool
) -> NDArray[np.float64]:
    try:
        values = np.asarray(signal.values(dialogue, vectors, closed=closed), dtype=np.float64)
    except HydralabError:
        raise
    except Exception as error:
        raise HydralabError(
            f"signal {name!r}: {signal!r} raised {type(error).__name__} in dialogue "
            f"{dialogue['dialogue_id'][0]!r}: {error}"
        ) from error
    if values.shape != (dialogue.height,):
        raise HydralabError(
            f"signal {name!r}: {values.shape} values for {dialogue.height} turns, expected one a turn"
        )
    return values
