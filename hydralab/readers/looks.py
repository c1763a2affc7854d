"""A bounded look at a source, from which every reader says whether the format is its own."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import polars as pl

from hydralab.errors import ReadError
from hydralab.readers.items import Failure, Item
from hydralab.readers.parsing import close_json, json_records, json_shape, undecoded
from hydralab.readers.sources import ZIP_MAGIC, Source, csv_delimiter, decode

__all__ = ["Look", "look_at"]

HEAD_BYTES = 1 << 20
LOOKED_AT = 8
LONGEST_NAME = 60
CONTROLS = bytes(set(range(32)) - {9, 10, 12, 13, 27}) + b"\x7f"


@dataclass(frozen=True)
class Look:
    """What the first megabyte of a source shows.

    Parameters
    ----------
    name
        The name of the file, or of the member of a zip.
    kind
        "archive" (a folder or a zip as a whole), "json", "table" (CSV or Parquet), "text", "binary"
        or "empty".
    shape
        Of JSON: "list", "dict" or "lines".
    records
        Of JSON: the first records (list items, lines; the object itself of a "dict"). What lies
        behind the first megabyte is missing from them.
    columns
        Of a table: its named columns.
    names
        Of an archive: the names of its files.
    lines
        Of text and CSV: the first lines.
    problem
        What is wrong with the text at first sight, with its line: a byte of another encoding, broken
        JSON; "" when nothing is.
    """

    name: str
    kind: str
    shape: str = ""
    records: tuple[Any, ...] = ()
    columns: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    problem: str = ""

    @property
    def first(self) -> Mapping[str, Any]:
        """The first record that is an object; an empty one when there is none."""
        return next(self.objects, {})

    @property
    def objects(self) -> Iterator[Mapping[str, Any]]:
        """The looked-at records that are objects."""
        return (record for record in self.records if isinstance(record, Mapping))

    def has(self, *fields: str) -> bool:
        """Say whether one of the looked-at records has all of these fields.

        >>> Look("a.json", "json", "list", ({"id": 1, "mapping": {}},)).has("mapping")
        True
        """
        return any(all(name in record for name in fields) for record in self.objects)

    def holds(self, *patterns: re.Pattern[str]) -> bool:
        r"""Say whether an archive has a file for each of these patterns.

        >>> Look("a.zip", "archive", names=("a/user.json",)).holds(re.compile(r"user\.json$"))
        True
        """
        return all(any(map(pattern.search, self.names)) for pattern in patterns)


def look_at(source: Source) -> Look:
    """Return a bounded look at a source."""
    if source.is_archive:
        return Look(source.path.name, "archive", names=source.names())
    name = source.member or source.path.name
    head = source.head(HEAD_BYTES)
    if head.startswith(ZIP_MAGIC):
        raise ReadError(f"{source.name}: a damaged zip, or one inside another")
    if not head.strip(b"\x00 \t\r\n\xef\xbb\xbf"):
        return Look(name, "empty")
    if head.startswith(b"PAR1"):
        return Look(name, "table", columns=_parquet_columns(source))
    text = decode(head, source.encoding)
    shape = json_shape(text)
    problem = _undecoded_at(text)
    if shape:
        records, broken = _first_records(text, cut=len(head) == HEAD_BYTES)
        return Look(name, "json", shape, records, problem=problem or broken)
    if _is_binary(text):
        return Look(name, "binary")
    lines = tuple(line.rstrip("\r") for line in text.split("\n", LOOKED_AT)[:LOOKED_AT])
    columns = _csv_columns(lines)
    return Look(name, "table" if columns else "text", columns=columns, lines=lines, problem=problem)


def _first_records(text: str, *, cut: bool) -> tuple[tuple[Any, ...], str]:
    """Return the first records, and what is wrong with the first one that can't be read."""
    looked_at = list(islice(json_records(text), LOOKED_AT))
    found = tuple(record.value for record in looked_at if isinstance(record, Item))
    failures = (record for record in looked_at if isinstance(record, Failure))
    problem = "" if cut else next((f"{one.where()}: {one.reason}" for one in failures), "")
    if found:
        return found, problem
    partial = close_json(text)
    if isinstance(partial, list):
        return tuple(partial[:LOOKED_AT]), problem
    return (() if partial is None else (partial,)), problem


def _undecoded_at(text: str) -> str:
    found = undecoded(text)
    return f"line {found[0] + 1}: {found[1]}" if found else ""


def _csv_columns(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names in a header line; none when the lines are no table."""
    delimiter = csv_delimiter(lines[0])
    if not delimiter or not any(delimiter in line for line in lines[1:]):
        return ()
    cells = next(csv.reader([lines[0]], delimiter=delimiter), [])
    return tuple(cell.strip() for cell in cells) if all(len(cell) <= LONGEST_NAME for cell in cells) else ()


def _is_binary(text: str) -> bool:
    probe = text[:65536]
    odd = sum(probe.count(chr(code)) for code in CONTROLS)
    return 20 * odd > len(probe) or "\x00" in probe[:64]


def _parquet_columns(source: Source) -> tuple[str, ...]:
    try:
        schema = pl.read_parquet_schema(source.path) if source.member is None else None
        return tuple(schema if schema is not None else pl.read_parquet(source.data()).schema)
    except pl.exceptions.PolarsError as error:
        raise ReadError(f"{source.name}: broken Parquet: {error}") from error
