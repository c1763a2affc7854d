"""Labelled sentences as they are kept: a JSON object a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl

from hydralab.errors import HydralabError

__all__ = ["read_labelled", "scored_parts"]


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


def scored_parts(
    paths: Mapping[str, Path], columns: Sequence[str], score: Callable[[pl.DataFrame], pl.DataFrame]
) -> pl.DataFrame:
    """Return what a score gives for each language and part of some sets, behind set, language and part.

    Parameters
    ----------
    paths
        Name → file of JSON lines.
    columns
        What each line must have, language and part among it.
    score
        Rows of one language and part → a table.
    """
    frames = []
    for name, path in paths.items():
        texts = read_labelled(name, Path(path), columns)
        for (language, part), rows in texts.group_by("language", "part", maintain_order=True):
            about = {"set": name, "language": language, "part": part}
            named = [pl.lit(value).alias(column) for column, value in about.items()]
            frames.append(score(rows).select(*named, pl.all()))
    return pl.concat(frames).sort("set", "language", "part", maintain_order=True)
