"""Labelled sentences as they are kept: a JSON object a line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from hydralab.errors import HydralabError

__all__ = ["read_labelled"]


def read_labelled(name: str, path: Path, columns: Sequence[str]) -> pl.DataFrame:
    """Return the sentences of a set.

    Raises
    ------
    HydralabError
        A file that can't be read, or whose lines lack one of the columns.
    """
    try:
        sentences = pl.read_ndjson(path, infer_schema_length=None)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise HydralabError(f"set {name!r}: {path} can't be read as JSON lines ({error})") from error
    missing = [column for column in columns if column not in sentences.columns]
    if missing:
        raise HydralabError(
            f"set {name!r}: {path} has no {', '.join(missing)}, expected {', '.join(columns)} in each line"
        )
    return sentences
