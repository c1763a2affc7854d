"""`hl.read` and `hl.read_all`: any file, folder, zip or glob of dialogues to tables."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from hydralab.errors import ReadError, brief, check_value
from hydralab.frames import Corpus
from hydralab.readers.columns import columns_named
from hydralab.readers.files import Chosen, Refused, check_options, find_sources
from hydralab.readers.records import Failure, Reader, reason_of
from hydralab.readers.tables import RecallResult, build_corpus
from hydralab.readers.times import zone_named

__all__ = ["from_frame", "read", "read_all", "yield_all"]


def read(
    path: str | Path | pl.DataFrame,
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
    return _warned(path, corpus).turns


def read_all(
    path: str | Path | pl.DataFrame,
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
        A file, a folder (with those inside it), a zip, or a glob, `~` for the home folder; or a data frame
        with named columns.
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
    from tqdm.auto import tqdm

    zone = zone_named(timezone)
    check_value("encoding", encoding, "str | None")
    if format is not None and not isinstance(format, str | Reader):
        raise ReadError(f"format is {brief(format)}, expected a name or a reader")
    if not isinstance(path, str | Path):
        return _from_frame(path, tokenizer, timezone, options)
    if isinstance(path, str) and not path.strip():
        raise ReadError(f"got {path!r}, expected a file, a folder or a glob")
    found = find_sources(path, wanted=format, encoding=encoding, options=options)
    if len(found) == 1 and isinstance(found[0], Refused):
        raise ReadError(found[0].reason)
    check_options(found, options)
    shown = tqdm(found, desc="reading", unit="file", disable=not _shows(progress, found), leave=False)
    corpus = build_corpus(yield_all(shown), tokenizer_name=tokenizer, naive=zone)
    if not corpus.turns.height:
        _raise_for_nothing(path, corpus)
    return corpus


def from_frame(
    frame: pl.DataFrame,
    *,
    text: str | None = None,
    role: str | None = None,
    speaker: str | None = None,
    time: str | None = None,
    dialogue: str | None = None,
    turn: str | None = None,
    session: str | None = None,
    title: str | None = None,
    user: str | None = None,
    timezone: str = "UTC",
    tokenizer: str = "cl100k_base",
) -> pl.DataFrame:
    """Return the turns table of a data frame whose rows are turns.

    `read_all(frame, …)` takes the same names, `boundary` too, and returns titles and gold as well.

    Parameters
    ----------
    frame
        A Polars frame, or any that speaks the Arrow C stream (pandas, pyarrow).
    text, role, speaker, time, dialogue, turn, session, title, user
        Names of columns; None looks for the usual ones (`text`, `content`, `role`, `time`,
        `dialogue_id`, …). Without a role everyone is a user with a speaker; without a dialogue column
        the frame is one dialogue.
    timezone, tokenizer
        As in `read_all`.

    Raises
    ------
    UnknownNameError
        A named column is not there; the message lists those that are.
    ReadError
        No row can be read.

    >>> import polars as pl
    >>> said = pl.DataFrame({"who": ["ann", "bob"], "said": ["hi", "hello"]})
    >>> from_frame(said, text="said", speaker="who")["speaker"].to_list()
    ['ann', 'bob']
    """
    named = {
        "text": text,
        "role": role,
        "speaker": speaker,
        "time": time,
        "dialogue": dialogue,
        "turn": turn,
        "session": session,
        "title": title,
        "user": user,
    }
    return _warned(frame, _from_frame(frame, tokenizer, timezone, named)).turns


def _from_frame(frame: Any, tokenizer: str, timezone: str, options: dict[str, Any]) -> Corpus:
    table = frame if isinstance(frame, pl.DataFrame) else _table(frame)
    reader = columns_named(table.columns, **options)
    found = (RecallResult("columns", "data frame", one) for one in reader.from_frame(table))
    corpus = build_corpus(found, tokenizer_name=tokenizer, naive=zone_named(timezone))
    if table.height and not corpus.turns.height:
        _raise_for_nothing(frame, corpus)
    return corpus


def _table(frame: Any) -> pl.DataFrame:
    if frame is None or isinstance(frame, str | bytes | Path):
        raise ReadError(f"got {brief(frame)}, expected a path or a data frame")
    try:
        return pl.DataFrame(frame)
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise ReadError(f"got {type(frame).__name__}, expected a path or a data frame: {error}") from error


def yield_all(sources: Iterable[Chosen | Refused]) -> Iterator[RecallResult]:
    """Yield what every source holds; a refused one, and what a reader raises, become failures."""
    for one in sources:
        if isinstance(one, Refused):
            status = "failed" if one.is_data else "ok"
            yield RecallResult("", "", Failure(one.reason, status=status))
            continue
        try:
            for yielded in one.reader.dialogues(one.source):
                yield RecallResult(one.name, one.source.name, yielded)
        except Exception as error:  # whatever a reader raises costs the rest of its source only
            yield RecallResult(one.name, one.source.name, Failure(f"the rest is lost: {reason_of(error)}"))


def _warned(path: Any, corpus: Corpus) -> Corpus:
    failed = corpus.events.filter(pl.col("status") == "failed")
    if failed.height:
        warnings.warn(
            f"{_shown(path)}: {failed.height} records could not be read; the first: {failed['detail'][0]} "
            "(the events of hl.read_all list them)",
            stacklevel=3,
        )
    return corpus


def _shown(path: Any) -> str:
    return str(path) if isinstance(path, str | Path) else "data frame"


def _shows(progress: bool | None, found: Sequence[Chosen | Refused]) -> bool:
    return len(found) > 1 if progress is None else progress


def _raise_for_nothing(path: Any, corpus: Corpus) -> None:
    failed = corpus.events.filter(pl.col("status") == "failed")
    if failed.height:
        raise ReadError(
            f"{_shown(path)}: none of {failed.height} records can be read; the first: {failed['detail'][0]}"
        )
    raise ReadError(f"{_shown(path)}: no dialogue with turns in it")
