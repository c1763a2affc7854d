"""Whether a text is anywhere in a store: in its tables, and in the bytes of its files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from hydralab.errors import StoreError, brief
from hydralab.schemas import SCHEMAS
from hydralab.stores.codec import encode
from hydralab.stores.protocol import Store

__all__ = ["audit_bytes", "audit_files", "audit_folder", "audit_tables", "findings", "forms"]

FINDINGS = {"place": pl.String, "kind": pl.String, "found": pl.Int64, "detail": pl.String}

PIECE = 64
"""Bytes of a long text that are looked for at once: an engine may lay it over several pages."""


def forms(text: str) -> list[str]:
    r"""Return a text as it may be written: as it is, and escaped as JSON in both ways.

    >>> forms('a "b" é')
    ['a "b" é', 'a \\"b\\" é', 'a \\"b\\" \\u00e9']
    """
    if not isinstance(text, str) or not text.strip():
        raise StoreError(f"audit: text is {brief(text)}, expected a text with something in it")
    return list(dict.fromkeys([text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]]))


def findings(lines: Sequence[tuple[str, str, int, str | None]]) -> pl.DataFrame:
    """Return lines of (place, kind, how often found, remark) as a table."""
    return pl.DataFrame(list(lines), schema=FINDINGS, orient="row")


def audit_tables(store: Store, text: str) -> pl.DataFrame:
    """Return for each table the number of rows that hold a text in any column."""
    wanted = forms(text)
    lines = []
    for table in SCHEMAS:
        for model in store.models() if table == "vectors" else [None]:
            plain = encode(table, store.read(table, model=model))
            words = [name for name, kind in plain.schema.items() if kind == pl.String]
            held = pl.any_horizontal(
                pl.col(name).str.contains(form, literal=True).fill_null(False)
                for name in words
                for form in wanted
            )
            place = table if model is None else f"vectors of {model}"
            lines.append((place, "table", plain.filter(held).height, None))
    return findings(lines)


def audit_files(paths: Iterable[Path], text: str) -> pl.DataFrame:
    """Return for each file that is there how many pieces of a text its bytes hold."""
    return findings(
        [(path.name, "file", audit_bytes(path.read_bytes(), text), None) for path in paths if path.exists()]
    )


def audit_folder(folder: Path | None, text: str) -> pl.DataFrame:
    """Return for each file in a folder how many pieces of a text its bytes hold."""
    there = sorted(folder.rglob("*")) if folder is not None and folder.is_dir() else []
    return audit_files([path for path in there if path.is_file()], text)


def audit_bytes(content: bytes, text: str) -> int:
    """Return how many pieces of a text stand in some bytes, as UTF-8, UTF-16 or escaped as JSON."""
    whole = {form.encode() for form in forms(text)} | {text.encode("utf-16-le"), text.encode("utf-16-be")}
    pieces = {
        form[at : at + PIECE] for form in whole for at in range(0, max(1, len(form) - PIECE // 2), PIECE)
    }
    return sum(piece in content for piece in pieces)
