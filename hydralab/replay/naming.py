"""The id of a replay: the same for the same settings and turns, another one where any of them differs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from hashlib import sha256
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

import polars as pl

from hydralab.schemas import SCHEMAS

__all__ = ["hash_turns", "name_run"]

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where an object lies in memory says nothing of what it does."""


def name_run(name: str, turns: pl.DataFrame, *settings: object) -> str:
    """Return a run's id: the strategy's name and a hash of everything that has a say in its prompts.

    Parameters
    ----------
    name
        Of the strategy.
    turns
        The turns table.
    settings
        Strategy, budget, encoder, tokenizer, signals, tables. A function counts by its code.

    >>> from hydralab.frames import empty
    >>> one, other = (lambda messages: "May"), (lambda messages: "June")
    >>> name_run("a", empty("turns"), one) == name_run("a", empty("turns"), other)
    False
    """
    told = "\n".join([hash_turns(turns), *(part for each in settings for part in _told(each, set()))])
    return f"{name}-{sha256(told.encode()).hexdigest()[:8]}"


def hash_turns(turns: pl.DataFrame) -> str:
    """Return a hash of all columns of the turns table: equal for equal turns, whatever version computes it.

    >>> from hydralab.frames import empty
    >>> hash_turns(empty("turns"))[:8]
    'e3b0c442'
    """
    said = turns.select(
        pl.col("time").dt.epoch("us") if name == "time" else name for name in SCHEMAS["turns"]
    )
    return sha256(said.write_ndjson().encode()).hexdigest()


def _told(value: Any, seen: set[int]) -> Iterator[str]:
    """Yield what tells a setting from another: how it is written, and the code of functions in it."""
    if isinstance(value, pl.DataFrame):
        yield value.write_ndjson()
    elif isinstance(value, CodeType):
        yield value.co_code.hex()
        yield repr(value.co_names)
        for each in value.co_consts:
            yield from _told(each, seen)
    else:
        yield ADDRESS.sub("", repr(value))
        if id(value) not in seen:
            seen.add(id(value))
            for each in _held(value):
                yield from _told(each, seen)


def _held(value: Any) -> Iterator[Any]:
    """Yield what a setting holds that its repr may not tell; texts it hides, such as a key, stay hidden."""
    if isinstance(value, FunctionType):
        yield value.__code__
        yield value.__defaults__
        yield from (cell.cell_contents for cell in value.__closure__ or () if _is_fixed(cell))
    elif isinstance(value, MethodType):
        yield from (value.__func__, value.__self__)
    elif isinstance(value, partial):
        yield from (value.func, value.args, value.keywords)
    elif isinstance(value, Mapping):
        yield from value.values()
    elif isinstance(value, list | tuple):
        yield from value
    elif is_dataclass(value) and not isinstance(value, type):
        held = (getattr(value, each.name) for each in fields(value) if each.init)
        yield from (each for each in held if not isinstance(each, str | bytes))
    if (key := getattr(value, "cache_key", None)) is not None:
        yield str(key)


def _is_fixed(cell: CellType) -> bool:
    """Tell whether what a function has from around it stays as it is; a log, say, that it writes grows."""
    try:
        hash(cell.cell_contents)
    except (TypeError, ValueError):  # a list or the like; a name that was never given anything
        return False
    return True
