"""The same measurement at every point of a grid of parameters, as one tidy table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache, partial
from itertools import product
from numbers import Number
from pathlib import Path
from typing import Any

import polars as pl

from hydralab.benchmarks.budget import measure_strategy
from hydralab.errors import HydralabError, brief, check_kind, unknown_name
from hydralab.frames import Corpus
from hydralab.optional import load_optional
from hydralab.readers import example, examples, read_all
from hydralab.strategies import Strategy, resolve_strategy

__all__ = ["prompt_evidence", "sweep"]

SHOWN = (str, int, float, bool, type(None))
"""Values that stand in a column as they are; others stand by how they are written."""


def sweep(
    grid: Mapping[str, Sequence[Any]],
    measure: Callable[..., Any] | None = None,
    *,
    jobs: int | None = None,
    progress: bool = False,
) -> pl.DataFrame:
    """Measure at every point of a grid.

    Parameters
    ----------
    grid
        Parameter → its values. Every combination of them is a point.
    measure
        Called with the parameters of a point by name. Returns a number, a mapping of names to values, or a table.
        `prompt_evidence` when None, to which a grid may also name any setting of a strategy.
    jobs
        Processes; None for what `joblib.parallel_config` says, one otherwise.
    progress
        Show a progress bar.

    Returns
    -------
    DataFrame
        A row a point (a row of the table that it returned): a column a parameter, then what was measured, a number
        as "value"; "error" tells why a point has none, for one that fails costs the others nothing.

    Raises
    ------
    HydralabError
        The grid is no mapping of names to lists of values, or is measured into a column of a parameter's name.

    >>> sweep({"a": [1, 2], "b": [10, 20]}, lambda a, b: a * b)["value"].to_list()
    [10, 20, 20, 40]
    >>> sweep({"a": [1, 0]}, lambda a: 1 / a)["error"].to_list()
    [None, 'ZeroDivisionError: division by zero']
    """
    from tqdm.auto import tqdm

    check_kind("sweep: grid", grid, Mapping, "a list of values a parameter, such as {'budget': [500, 1000]}")
    for name, values in grid.items():
        if isinstance(values, str) or not isinstance(values, Sequence) or not values:
            raise HydralabError(f"sweep: {name!r} is {brief(values)}, expected a list of values")
    joblib = load_optional("joblib", extra="bench", purpose="a sweep")
    points = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    one = partial(_measured, prompt_evidence if measure is None else measure)
    done = joblib.Parallel(n_jobs=jobs, return_as="generator")(joblib.delayed(one)(point) for point in points)
    rows = [
        row
        for point, found in zip(points, tqdm(done, total=len(points), disable=not progress), strict=True)
        for row in _rows(point, found)
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def prompt_evidence(
    data: str | Path | Corpus = "long_en",
    strategy: Strategy | str = "hydration",
    budget: int = 1_000,
    encoder: str = "use",
    **settings: Any,
) -> dict[str, Any]:
    """Return how much of the evidence of the gold questions is in the prompts of a strategy.

    Parameters
    ----------
    data
        A bundled dialogue, a path that `hl.read_all` takes, or a corpus, with gold questions.
    strategy
        A strategy or its name.
    budget
        Tokens a prompt.
    encoder
        The encoder's name.
    settings
        Settings of the strategy by name; those of one of its parts as "recall.turns" or "split.recent".

    Returns
    -------
    dict
        evidence_turns, verbatim, questions, all_met, answer, excluded, as `hydralab bench budget` tells them.

    Raises
    ------
    HydralabError
        There is no such setting, value or dialogue, or no question has evidence.

    >>> sorted(prompt_evidence("launch_en", budget=400, recent_rounds=1))[:3]
    ['all_met', 'answer', 'evidence_turns']
    """
    corpus = data if isinstance(data, Corpus) else _read(str(data))
    if not corpus.questions.height:
        raise HydralabError(f"{brief(data)}: no gold questions, expected dialogues that have some")
    chosen = _with_settings(resolve_strategy(strategy), settings)
    (found,) = measure_strategy(corpus, chosen, encoder, [budget])
    return {name: value for name, value in found.items() if name != "budget"}


@lru_cache(maxsize=4)
def _read(name: str) -> Corpus:
    return read_all(example(name) if name in examples() else Path(name))


def _with_settings(part: Any, settings: Mapping[str, Any]) -> Any:
    """Return a frozen dataclass with settings, "recall.turns" being the setting "turns" of its part "recall"."""
    changed: dict[str, Any] = {}
    for path, value in settings.items():
        name, _, inner = path.partition(".")
        if not is_dataclass(part) or name not in (known := [each.name for each in fields(part)]):
            raise unknown_name(f"setting of {type(part).__name__}", name, known if is_dataclass(part) else [])
        now = changed.get(name, getattr(part, name))
        changed[name] = _with_settings(now, {inner: value}) if inner else value
    return replace(part, **changed) if changed else part


def _measured(measure: Callable[..., Any], point: Mapping[str, Any]) -> list[dict[str, Any]] | str:
    """Return the rows of a point, or why there are none."""
    try:
        found = measure(**point)
    except Exception as error:  # whatever a measurement raises costs its own point alone
        return f"{type(error).__name__}: {error}"
    if isinstance(found, pl.DataFrame):
        return found.to_dicts()
    if isinstance(found, Mapping):
        return [dict(found)]
    return [{"value": found if isinstance(found, (*SHOWN, Number)) else brief(found)}]


def _rows(point: Mapping[str, Any], found: list[dict[str, Any]] | str) -> Iterator[dict[str, Any]]:
    shown = {name: value if isinstance(value, SHOWN) else repr(value) for name, value in point.items()}
    if isinstance(found, str):
        yield {**shown, "error": found}
        return
    for row in found:
        if taken := row.keys() & {*shown, "error"}:
            raise HydralabError(
                f"sweep: measured into the column {min(taken)!r}, expected another name than a parameter's"
            )
        yield {**shown, **row, "error": None}
