"""The contract of a trigger, as checks that anyone can run on theirs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError, broken_promises
from hydralab.frames import build, number_rounds, validate
from hydralab.signals import Signal
from hydralab.triggers.finding import find_boundaries, resolve_trigger
from hydralab.triggers.parsing import parse_trigger
from hydralab.triggers.storing import from_json, to_json
from hydralab.triggers.tree import Trigger

__all__ = ["TRIGGER_CHECKS", "check_trigger"]

DIM = 24
LONG = 10_000
PREFIXED = 60
"""Turns of the dialogue whose every prefix is tried; of a second one every seventh is."""

LINES = (
    "我们来定一下发布会的预算。",
    "The venue is booked, forty guests.",
    "好的",
    "另外，员工福利有什么更新？",
    "By the way, who feeds the cat?",
    "ok",
    "之前提到的市场推广预算是多少？",
    "Let's go with option B.",
    "换个话题，聊聊假期吧",
    "Can you sum it up?",
    "测试都跑完了。",
    "👩‍👩‍👧‍👦 🎉 \u202bשלום\u202c \ufffd",
)

Dialogue = tuple[pl.DataFrame, NDArray[np.float32]]
Signals = Mapping[str, Signal] | None
Check = Callable[[Trigger, Signals], None]


def check_trigger(trigger: Trigger | str, *, signals: Signals = None) -> None:
    """Check that a trigger holds what hydralab relies on, and refute it by an example where it doesn't.

    An empty dialogue, one and two turns; identical turns; vectors with NaN; any Unicode; 10,000 turns;
    every prefix of a dialogue, so that nothing decided is withdrawn, moved or told before `decided_at`;
    nothing that was passed in is changed; the same result twice; a repr and a JSON text that give the
    trigger back.

    Parameters
    ----------
    trigger
        A trigger, a registered name, or a trigger's text.
    signals
        Column name → signal, where it reads others than the default and the registered ones.

    Raises
    ------
    HydralabError
        With every check that failed, and the dialogue it failed on.

    >>> check_trigger("(hl.col.tokens > 400) | hl.cue('另外')")
    """
    chosen = resolve_trigger(trigger)
    broken = broken_promises(TRIGGER_CHECKS, chosen, signals)
    if broken:
        raise HydralabError(f"trigger {chosen!r} breaks its contract: {'; '.join(broken)}")


def _check_short(trigger: Trigger, signals: Signals) -> None:
    for turns in (0, 1, 2):
        try:
            boundaries = _found(trigger, _dialogue(turns), signals)
        except Exception as error:
            raise AssertionError(f"{turns} turns: {type(error).__name__}: {error}") from error
        _hold(
            set(boundaries["position"]) <= {1},
            f"{turns} turns: boundaries at {boundaries['position'].to_list()}",
        )


def _check_identical(trigger: Trigger, signals: Signals) -> None:
    turns, vectors = _dialogue(50, lines=["好的"])
    _found(trigger, (turns, np.repeat(vectors[:1], 50, axis=0)), signals)


def _check_nan(trigger: Trigger, signals: Signals) -> None:
    turns, vectors = _dialogue(40)
    spoilt = vectors.copy()
    spoilt[[0, 7, 8, 39]] = np.nan
    _found(trigger, (turns, spoilt), signals)
    _found(trigger, (turns, np.full_like(vectors, np.nan)), signals)
    _found(trigger, (turns, np.zeros_like(vectors)), signals)


def _check_unicode(trigger: Trigger, signals: Signals) -> None:
    lines = [
        "",
        " ",
        "\n",
        "a" * 5000,
        "ＡＢＣ１２３？",
        "🏳️‍🌈",
        "\u0000",
        "ไม่เป็นไร",
        "\u202eabc",
        "换个话题" * 50,
    ]
    _found(trigger, _dialogue(len(lines), lines=lines), signals)


def _check_long(trigger: Trigger, signals: Signals) -> None:
    _found(trigger, _dialogue(LONG), signals)


def _check_prefixes(trigger: Trigger, signals: Signals) -> None:
    for seed, step in ((1, 1), (2, 7)):
        turns, vectors = _dialogue(PREFIXED, seed=seed)
        whole = _rows(find_boundaries(trigger, turns, vectors, signals=signals, closed=False))
        over = {row[0] for row in _rows(find_boundaries(trigger, turns, vectors, signals=signals))}
        _hold({row[0] for row in whole} <= over, f"dialogue {seed}: decided while it ran, but not at its end")
        for n in range(1, PREFIXED, step):
            prefix = _rows(find_boundaries(trigger, turns[:n], vectors[:n], signals=signals, closed=False))
            expected = [row for row in whole if row[2] < n]
            if prefix != expected:
                _hold(False, f"dialogue {seed}: {_difference(prefix, expected, n)}")


def _check_nothing_changed(trigger: Trigger, signals: Signals) -> None:
    turns, vectors = _dialogue(40)
    before, rows, shown = turns.clone(), vectors.copy(), repr(trigger)
    find_boundaries(trigger, turns, vectors, signals=signals)
    _hold(turns.equals(before), "the turns passed in were changed")
    _hold(np.array_equal(vectors, rows), "the vectors passed in were changed")
    _hold(repr(trigger) == shown, f"the trigger changed to {trigger!r}")


def _check_same_twice(trigger: Trigger, signals: Signals) -> None:
    first, second = (_found(trigger, _dialogue(60), signals) for _ in range(2))
    _hold(first.equals(second), f"first {first['position'].to_list()}, then {second['position'].to_list()}")


def _check_written(trigger: Trigger, signals: Signals) -> None:
    del signals
    shown = repr(trigger)
    _hold(" at 0x" not in shown, f"repr is {shown}, expected one without an address")
    _hold(parse_trigger(shown) == trigger, f"its text reads as {parse_trigger(shown)!r}")
    back = from_json(to_json(trigger))
    _hold(back == trigger and hash(back) == hash(trigger), f"its JSON reads as {back!r}")


TRIGGER_CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "short dialogues": _check_short,
        "identical turns": _check_identical,
        "NaN vectors": _check_nan,
        "any text": _check_unicode,
        "10,000 turns": _check_long,
        "every prefix": _check_prefixes,
        "nothing changed": _check_nothing_changed,
        "same twice": _check_same_twice,
        "repr and JSON": _check_written,
    }
)
"""Name → check; a check raises AssertionError with what it found and what was expected."""


def _dialogue(turns: int, *, lines: Sequence[str] = LINES, seed: int = 0) -> Dialogue:
    """Make a dialogue of topics of 3 to 12 turns, its vectors near the centre of their topic."""
    random = np.random.default_rng(seed)
    topics = np.repeat(np.arange(turns), random.integers(3, 13, size=turns))[:turns]
    centres = random.standard_normal((turns, DIM))
    rows = centres[topics] + random.standard_normal((turns, DIM)) * 0.7
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    roles = ["user" if i % 2 == 0 else "assistant" for i in range(turns)]
    texts = [lines[i] for i in random.integers(0, len(lines), size=turns)]
    made: list[dict[str, Any]] = [
        {
            "dialogue_id": "check",
            "turn_id": f"check:{i}",
            "position": i,
            "round": round_,
            "role": roles[i],
            "text": texts[i],
            "tokens": len(texts[i]),
        }
        for i, round_ in enumerate(number_rounds(roles, [None] * turns))
    ]
    return build("turns", made), rows.astype(np.float32)


def _found(trigger: Trigger, dialogue: Dialogue, signals: Signals) -> pl.DataFrame:
    """Run a trigger and check what holds of every boundaries table."""
    turns, vectors = dialogue
    found = validate("boundaries", find_boundaries(trigger, turns, vectors, signals=signals))
    last = turns.height - 1
    for position, score, decided in _rows(found):
        _hold(0 < position <= last, f"{turns.height} turns: a boundary at {position}, expected 1 to {last}")
        _hold(0 <= score <= 1, f"boundary {position}: score {score}, expected 0 to 1")
        _hold(
            position <= decided <= last,
            f"boundary {position}: decided at {decided}, expected {position} to {last}",
        )
    return found


def _rows(boundaries: pl.DataFrame) -> list[tuple[int, float, int]]:
    return boundaries.select("position", "score", "decided_at").rows()


def _difference(
    prefix: list[tuple[int, float, int]], expected: list[tuple[int, float, int]], turns: int
) -> str:
    row = next(iter(sorted(set(prefix) ^ set(expected))))
    seen, later = (
        (f"decided at {row[2]}, score {row[1]:.4g}", "not so")
        if row in prefix
        else ("not so", f"decided at {row[2]}, score {row[1]:.4g}")
    )
    return f"the boundary at {row[0]} with {turns} turns known is {seen}; with all {PREFIXED}, {later}"


def _hold(held: bool, otherwise: str) -> None:
    if not held:
        raise AssertionError(otherwise)
