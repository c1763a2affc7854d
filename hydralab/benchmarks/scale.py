"""A million turns in a thousand dialogues: what opening, appending and hydrating take. `hydralab bench scale`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import polars as pl

import hydralab as hl
from hydralab.agent import Agent
from hydralab.benchmarks.filling import apart, dialogue_name, empty_store, fill_store, user_name
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.errors import HydralabError, check_value, unknown_name
from hydralab.frames import build
from hydralab.llms import Scripted
from hydralab.stores import open_store
from hydralab.strategies import ExplicitMemory, Hydration, Strategy

__all__ = ["ENGINES", "measure_scale"]

ENGINES = ("sqlite", "postgresql")
TURNS, DIALOGUES = 1_000_000, 1_000
TIMES = 20
"""So often what is quick is measured; the median counts."""

BUDGET = 2_000
REPLY = "Noted; let us come back to that."
STRATEGIES: tuple[Strategy, ...] = (Hydration(), ExplicitMemory())

Measured = list[tuple[str, float, str]]
"""(what, value, unit)"""


class _Place(NamedTuple):
    """Where a step measures: a store, a dialogue in it, its user, and what to ask."""

    url: str
    dialogue: str
    user: str
    questions: tuple[str, ...]


def measure_scale(
    methods: Sequence[str] = ENGINES, *, turns: int = TURNS, dialogues: int = DIALOGUES
) -> pl.DataFrame:
    """Fill a store, then measure each step in a process of its own, as a user's would be who comes later.

    Every dialogue has the turns of the bundled ones over and over with their real vectors, boundaries, checkpoints
    and some facts; ten dialogues are one user's. The dialogue that is measured is in the middle.

    Parameters
    ----------
    methods
        Some of `ENGINES`.
    turns, dialogues
        Of the store; each dialogue has `turns` // `dialogues` of them.

    Returns
    -------
    DataFrame
        engine, turns, dialogues, what, value, unit, and `peak_mb`: the memory that the step takes at most beyond
        that of a process with encoder and tokenizer loaded (null where it is not of one process).
    """
    check_value("bench scale: dialogues", dialogues, "int", least=1)
    check_value("bench scale: turns", turns, "int", least=1)
    each = turns // dialogues
    if each < 2 * TIMES:
        raise HydralabError(
            f"bench scale: {turns} turns in {dialogues} dialogues, expected at least {2 * TIMES} in each"
        )
    rows: list[tuple[object, ...]] = []
    for engine in methods:
        if engine not in ENGINES:
            raise unknown_name("engine", engine, ENGINES)
        with empty_store(engine) as (url, size):
            found = _measure(url, size, each, dialogues)
        rows += [(engine, each * dialogues, dialogues, *row) for row in found]
    schema = ["engine", "turns", "dialogues", "what", "value", "unit", "peak_mb"]
    return pl.DataFrame(rows, schema=schema, orient="row", infer_schema_length=None)


def _measure(url: str, size: Callable[[], int], each: int, dialogues: int) -> list[tuple[object, ...]]:
    filled, taken = apart(fill_store, url, each, dialogues)
    middle = dialogues // 2
    place = _Place(url, dialogue_name(middle), user_name(middle), tuple(filled.said))
    speed = round(each * dialogues / filled.seconds)
    rows: list[tuple[object, ...]] = [
        ("append in bulk, with vectors and checkpoints", speed, "turns/s", round(taken)),
        ("size on disk", round(size() / 2**20), "MB", None),
    ]
    for step in (_use_store, _use_hydration, _use_facts, _use_users_lab, _use_whole_lab):
        try:
            measured, peak = apart(step, place)
        except BrokenProcessPool:  # the system killed it: more memory or time than there was
            rows.append((f"{step.__name__.strip('_')}: killed", None, "ms", None))
            continue
        rows += [(what, round(value, 2), unit, round(peak)) for what, value, unit in measured]
    return rows


def _use_store(place: _Place) -> Measured:
    started = perf_counter()
    store = open_store(place.url)
    opened = _since(started)
    with store:
        store.append("dialogues", build("dialogues", [{"dialogue_id": "late"}]))
        new = store.recent(place.dialogue, 1)
        rows = [
            new.with_columns(
                turn_id=pl.lit(f"late:{number}"),
                dialogue_id=pl.lit("late"),
                position=pl.lit(number, pl.Int64),
            )
            for number in range(TIMES)
        ]
        appended = [_timed(store.append, "turns", row) for row in rows]
        recent = [_timed(store.recent, place.dialogue, 8) for _ in range(TIMES)]
        read = [_timed(store.read, "turns", dialogue_id=place.dialogue) for _ in range(TIMES)]
    return [
        ("open the store", opened, "ms"),
        ("append a turn", median(appended), "ms"),
        ("read the newest 8 turns of a dialogue", median(recent), "ms"),
        ("read all turns of a dialogue", median(read), "ms"),
    ]


def _use_hydration(place: _Place) -> Measured:
    opened, hydrated, chatted = _chats(place, STRATEGIES[0])
    return [
        ("open an agent on a dialogue", opened, "ms"),
        ("hydrate within the dialogue", hydrated, "ms"),
        ("a chat without its model", chatted, "ms"),
    ]


def _use_facts(place: _Place) -> Measured:
    opened, hydrated, _ = _chats(place, STRATEGIES[1])
    return [
        ("open an agent with the user's facts", opened, "ms"),
        ("hydrate with facts across the user's dialogues", hydrated, "ms"),
    ]


def _chats(place: _Place, strategy: Strategy) -> tuple[float, float, float]:
    """Return milliseconds: to open an agent, and the median of its prompts and of its chats."""
    with open_store(place.url) as store:
        started = perf_counter()
        agent = Agent(
            Scripted(lambda _: REPLY),
            strategy,
            store=store,
            dialogue=place.dialogue,
            user=place.user,
            budget=BUDGET,
            encoder="use",
        )
        opened = _since(started)
        with agent:
            spent = []
            for number in range(TIMES + 1):
                spent.append(_timed(agent.chat, _question(place, number)))
                agent.drain()
            steps = agent.steps.tail(TIMES)
    hydrated = steps["milliseconds"].struct.field("total").median()
    return opened, float(hydrated or 0.0), median(spent[1:])  # type: ignore[arg-type]


def _use_users_lab(place: _Place) -> Measured:
    with open_store(place.url) as store:
        started = perf_counter()
        lab = hl.Lab(store=store.for_user(place.user), encoder="use", progress=False)
        opened = _since(started)
        asked = _hydrating(lab, place)
        first = _timed(asked, 0)
        later = [_timed(asked, number) for number in range(1, TIMES)]
    return [
        ("open a lab on the user's dialogues", opened, "ms"),
        ("its first hydrate", first, "ms"),
        ("each later hydrate", median(later), "ms"),
    ]


def _use_whole_lab(place: _Place) -> Measured:
    with open_store(place.url) as store:
        started = perf_counter()
        lab = hl.Lab(store=store, encoder="use", progress=False)
        opened = _since(started)
        first = _timed(_hydrating(lab, place), 0)
    return [
        ("open a lab on all dialogues", opened, "ms"),
        ("its first hydrate, all dialogues open", first, "ms"),
    ]


def _hydrating(lab: hl.Lab, place: _Place) -> Callable[[int], Any]:
    """Return what hydrates a dialogue for the question of a number."""
    return lambda number: lab.hydrate(_question(place, number), dialogue=place.dialogue, budget=BUDGET)


def _question(place: _Place, number: int) -> str:
    """Return a question that nobody has asked before, so that its vector is made anew."""
    return f"{place.questions[number % len(place.questions)]} ({number + 1:,})"


def _timed(call: Callable[..., Any], *arguments: Any, **named: Any) -> float:
    started = perf_counter()
    call(*arguments, **named)
    return _since(started)


def _since(started: float) -> float:
    return (perf_counter() - started) * 1e3


BENCHES.add(
    "scale",
    Bench(
        measure_scale,
        lambda: {"turns": TURNS, "dialogues": DIALOGUES, "strategies": STRATEGIES, "budget": BUDGET},
        "a million turns in a thousand dialogues: time and memory to open, append and hydrate",
    ),
)
