"""A million turns in a thousand dialogues: what opening, appending and hydrating take. `hydralab bench scale`."""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import polars as pl

import hydralab as hl
from hydralab.agent import Agent
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.benchmarks.speed import long_dialogue
from hydralab.checkpoints import extract_checkpoints
from hydralab.encoders import get_encoder, vectors_table
from hydralab.errors import HydralabError, check_value, unknown_name
from hydralab.frames import build
from hydralab.llms import Scripted
from hydralab.stores import Store, open_store
from hydralab.stores.servers import fresh_schema, postgres_server
from hydralab.strategies import ExplicitMemory, Hydration, Strategy
from hydralab.texts import key_texts, tokenizer
from hydralab.triggers import default_trigger, find_boundaries

__all__ = ["ENGINES", "measure_scale"]

ENGINES = ("sqlite", "postgresql")
TURNS, DIALOGUES = 1_000_000, 1_000
USER_DIALOGUES = 10
"""Dialogues of one user."""

FACTS = 5
"""Facts of a dialogue."""

BATCH = 10
"""Dialogues that are appended at once."""

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
        with _engine(engine) as (url, size):
            found = _measure(url, size, each, dialogues)
        rows += [(engine, each * dialogues, dialogues, *row) for row in found]
    schema = ["engine", "turns", "dialogues", "what", "value", "unit", "peak_mb"]
    return pl.DataFrame(rows, schema=schema, orient="row", infer_schema_length=None)


@contextmanager
def _engine(name: str) -> Iterator[tuple[str, Callable[[], int]]]:
    """Yield the URL of a new store, and what tells its bytes."""
    if name == "sqlite":
        with tempfile.TemporaryDirectory(prefix="hydralab-scale-") as folder:
            yield f"sqlite:///{folder}/lab.db", lambda: _folder_size(Path(folder))
        return
    with postgres_server() as server, fresh_schema(server) as url:
        yield url, lambda: int(server.psql("SELECT pg_database_size(current_database())").split()[2])


def _folder_size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def _measure(url: str, size: Callable[[], int], each: int, dialogues: int) -> list[tuple[object, ...]]:
    started = perf_counter()
    questions = _fill(url, each, dialogues)
    spent = perf_counter() - started
    middle = dialogues // 2
    place = _Place(url, _name(middle), _user(middle), tuple(questions))
    rows: list[tuple[object, ...]] = [
        ("append in bulk, with vectors and checkpoints", round(each * dialogues / spent), "turns/s", None),
        ("size on disk", round(size() / 2**20), "MB", None),
    ]
    fresh = multiprocessing.get_context("spawn")
    for step in (_use_store, _use_hydration, _use_facts, _use_users_lab, _use_whole_lab):
        with ProcessPoolExecutor(1, mp_context=fresh) as process:
            try:
                measured, peak = process.submit(_apart, step, place).result()
            except BrokenProcessPool:  # the system killed it: more memory or time than there was
                rows.append((f"{step.__name__.strip('_')}: killed", None, "ms", None))
                continue
        rows += [(what, round(value, 2), unit, round(peak)) for what, value, unit in measured]
    return rows


def _name(number: int) -> str:
    return f"dialogue-{number}"


def _user(number: int) -> str:
    return f"user-{number // USER_DIALOGUES}"


def _fill(url: str, each: int, dialogues: int) -> list[str]:
    """Append all dialogues, and return what their users say."""
    encoder = get_encoder("use")
    turns, vectors = long_dialogue(each)
    keyed = turns.with_columns(pl.Series("text", key_texts(turns), pl.String))
    boundaries = find_boundaries(default_trigger(), turns, vectors, closed=False)
    ready = extract_checkpoints(turns, boundaries).filter(status="ready")
    said = turns.filter(pl.col("role") == "user")["text"].to_list()
    tables = {
        "turns": turns,
        "vectors": vectors_table(keyed, encoder, vectors=vectors),
        "boundaries": boundaries,
        "checkpoints": ready,
    }
    with open_store(url) as store:
        for first in range(0, dialogues, BATCH):
            numbers = range(first, min(first + BATCH, dialogues))
            with store.transaction():
                _append(store, tables, said, numbers, getattr(encoder, "cache_key", None))
    return said


def _append(
    store: Store, tables: dict[str, pl.DataFrame], said: list[str], numbers: Sequence[int], model: str | None
) -> None:
    rows = [{"dialogue_id": _name(each), "user_id": _user(each), "title": _name(each)} for each in numbers]
    store.append("dialogues", build("dialogues", rows))
    for table, frame in tables.items():
        named = pl.concat(_named(frame, _name(number)) for number in numbers)
        store.append(table, named, model=model if table == "vectors" else None)
    facts = [
        {
            "memory_id": f"{_name(number)}!{fact}",
            "user_id": _user(number),
            "dialogue_id": _name(number),
            "kind": "fact",
            "text": said[(number * FACTS + fact) % len(said)],
            "tokens": 30,
        }
        for number in numbers
        for fact in range(FACTS)
    ]
    store.append("memories", build("memories", facts))


def _named(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return the rows of the dialogue "long" as those of another."""
    names = [column for column in frame.columns if column.endswith("_id")]
    return frame.with_columns(pl.col(names).str.replace("^long", name))


def _apart(step: Callable[[_Place], Measured], place: _Place) -> tuple[Measured, float]:
    """Measure a step in this process, and return with it by how many megabytes its memory grew at most."""
    get_encoder("use").encode(["warm"])
    tokenizer().count("warm")
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forget the highest size until now
    before = _resident("VmRSS")
    measured = step(place)
    return measured, _resident("VmHWM") - before


def _resident(name: str) -> float:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024


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
