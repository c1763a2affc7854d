"""`hl.read` and `hl.read_all`: any file, folder, zip or glob of dialogues to tables."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from tqdm.auto import tqdm

from hydralab.errors import ReadError
from hydralab.frames import Corpus
from hydralab.readers.files import Chosen, Refused, check_options, find_sources
from hydralab.readers.records import Failure, Reader
from hydralab.readers.tables import Found, build_corpus
from hydralab.readers.times import zone_named

__all__ = ["read", "read_all"]


def read(
    path: str | Path,
    *,
    format: str | Reader | None = None,  # noqa: A002
    encoding: str | None = None,
    timezone: str = "UTC",
    tokenizer: str = "cl100k_base",
    progress: bool | None = None,
    **options: Any,
) -> pl.DataFrame:
    """Read dialogues and return their turns; warn once when records could not be read.

    Takes what `read_all` takes, which also returns titles, questions, gold boundaries and events.

    Returns
    -------
    polars.DataFrame
        The turns table.

    >>> from hydralab.readers import example
    >>> turns = read(example("launch_en"))
    >>> turns["role"][0]
    'user'
    """
    corpus = read_all(
        path,
        format=format,
        encoding=encoding,
        timezone=timezone,
        tokenizer=tokenizer,
        progress=progress,
        **options,
    )
    failed = corpus.events.filter(pl.col("status") == "failed")
    if failed.height:
        warnings.warn(
            f"{path}: {failed.height} records could not be read; the first: {failed['detail'][0]} "
            "(hl.read_all(...).events lists them)",
            stacklevel=2,
        )
    return corpus.turns


def read_all(
    path: str | Path,
    *,
    format: str | Reader | None = None,  # noqa: A002
    encoding: str | None = None,
    timezone: str = "UTC",
    tokenizer: str = "cl100k_base",
    progress: bool | None = None,
    **options: Any,
) -> Corpus:
    """Read dialogues with their questions, gold boundaries, and what happened on the way.

    Parameters
    ----------
    path
        A file, a folder (with those inside it), a zip, or a glob.
    format
        A name in `READERS` or a reader; None tells it by content.
    encoding
        Of the text, such as "gb18030"; None: a byte-order mark decides, else UTF-8.
    timezone
        IANA name of the zone of times that name none.
    tokenizer
        Whose tokens `turns.tokens` counts; names as in `hl.tokenizer`.
    progress
        Show a progress bar; None: with more than one file.
    options
        Options of the format's reader, such as `branches="all"`.

    Returns
    -------
    Corpus
        Every record that could not be read, or only in part, is a row of its events, with file, line
        or record, and reason.

    Raises
    ------
    ReadError
        The file is no dialogue (the formats tried and the reason are named), or none of its records
        can be read.
    UnknownNameError
        No such format, or an option that no reader of these files takes.

    >>> from hydralab.readers import example
    >>> corpus = read_all(example("launch_en"))
    >>> corpus.dialogues["title"].to_list()
    ['Planning the Brewly One launch']
    """
    zone = zone_named(timezone)
    found = find_sources(path, wanted=format, encoding=encoding, options=options)
    if len(found) == 1 and isinstance(found[0], Refused):
        raise ReadError(found[0].reason)
    check_options(found, options)
    shown = tqdm(found, desc="reading", unit="file", disable=not _shows(progress, found), leave=False)
    corpus = build_corpus(_yielded(shown), tokenizer_name=tokenizer, naive=zone)
    if not corpus.turns.height:
        _raise_for_nothing(path, corpus)
    return corpus


def _yielded(sources: Sequence[Chosen | Refused] | tqdm[Chosen | Refused]) -> Iterator[Found]:
    for one in sources:
        if isinstance(one, Refused):
            status = "failed" if one.is_data else "ok"
            yield Found("", "", Failure(one.reason, status=status))
            continue
        try:
            for yielded in one.reader.dialogues(one.source):
                yield Found(one.name, one.source.name, yielded)
        except (
            ReadError,
            LookupError,
            TypeError,
            ValueError,
            AttributeError,
            OSError,
            RecursionError,
        ) as error:
            reason = str(error) if isinstance(error, ReadError) else f"{type(error).__name__}: {error}"
            yield Found(one.name, one.source.name, Failure(f"the rest is lost: {reason}"))


def _shows(progress: bool | None, found: Sequence[Chosen | Refused]) -> bool:
    return len(found) > 1 if progress is None else progress


def _raise_for_nothing(path: str | Path, corpus: Corpus) -> None:
    failed = corpus.events.filter(pl.col("status") == "failed")
    if failed.height:
        raise ReadError(
            f"{path}: none of {failed.height} records can be read; the first: {failed['detail'][0]}"
        )
    raise ReadError(f"{path}: no dialogue with turns in it")
