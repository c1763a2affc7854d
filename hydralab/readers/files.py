"""From a path to the sources below it, each with the reader that knows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from glob import glob, has_magic
from os.path import expanduser, isabs, isdir, isfile
from pathlib import Path, PurePosixPath
from typing import Any

from hydralab.errors import ReadError, brief, unknown_name
from hydralab.readers.looks import Look, look_at
from hydralab.readers.records import READERS, Reader
from hydralab.readers.sources import Source
from hydralab.texts import scrub

__all__ = ["Chosen", "Refused", "choose", "find_sources"]


@dataclass(frozen=True)
class Chosen:
    """A source with the reader that reads it."""

    source: Source
    name: str
    reader: Reader


@dataclass(frozen=True)
class Refused:
    """A source that no reader knows, with the reason; `is_data` when it looked as if one might."""

    source: Source
    reason: str
    is_data: bool


def find_sources(
    path: str | Path, *, wanted: str | Reader | None, encoding: str | None, options: Mapping[str, Any]
) -> list[Chosen | Refused]:
    """Return every source at a path: a file, a folder, a zip or a glob, in the order of their names.

    `~` is the home folder.

    Raises
    ------
    ReadError
        When nothing is there.
    """
    text = expanduser(str(path))
    if isfile(text) or isdir(text):
        roots = [Source(Path(text), encoding=encoding)]
    elif has_magic(text):
        roots = [Source(Path(found), encoding=encoding) for found in sorted(glob(text, recursive=True))]
    else:
        roots = []
    if not roots:
        where = "" if isabs(text) else f" in {Path.cwd()}"
        raise ReadError(f"{brief(text)[1:-1]}: no such file, folder or glob{where}")
    found = [one for root in roots for one in _expand(root, wanted, options)]
    if not found:
        raise ReadError(f"{text}: holds no files")
    return found


def choose(source: Source, wanted: str | Reader | None, options: Mapping[str, Any]) -> Chosen | Refused:
    """Return the reader for one source: the one asked for, else the one that is surest by content."""
    if wanted is not None and not isinstance(wanted, str):
        return Chosen(source, _name_of(wanted), wanted)
    if wanted is not None:
        return Chosen(source, wanted, _with_options(wanted, options))
    try:
        look = look_at(source)
    except ReadError as error:
        return Refused(source, str(error), is_data=True)
    sure = {name: READERS[name]().sniff(look) for name in READERS}
    best = max(sure, key=lambda name: sure[name])
    if sure[best] <= 0:
        return Refused(source, _why_not(source, look), is_data=look.kind in ("json", "table"))
    return Chosen(source, best, _with_options(best, options))


def check_options(chosen: list[Chosen | Refused], options: Mapping[str, Any]) -> None:
    """Refuse an option that no reader of these sources takes."""
    taken = {name for one in chosen if isinstance(one, Chosen) for name in _options_of(type(one.reader))}
    for name in options:
        if name not in taken:
            raise unknown_name("option", name, taken)


def _expand(
    root: Source, wanted: str | Reader | None, options: Mapping[str, Any]
) -> Iterator[Chosen | Refused]:
    try:
        is_archive = root.is_archive
    except ReadError as error:
        yield Refused(root, str(error), is_data=True)
        return
    if not is_archive:
        yield choose(root, wanted, options)
        return
    if wanted is None or _takes_archive(root, wanted):
        whole = choose(root, wanted, options)
        if isinstance(whole, Chosen):
            yield whole
            return
    try:
        inside = list(_entries(root))
    except ReadError as error:
        yield Refused(root, str(error), is_data=True)
        return
    for inner in inside:
        yield from _expand(inner, wanted, options)


def _takes_archive(root: Source, wanted: str | Reader) -> bool:
    reader = READERS[wanted]() if isinstance(wanted, str) else wanted
    return reader.sniff(look_at(root)) > 0


def _entries(root: Source) -> Iterator[Source]:
    """Yield the files and folders of a folder, or the files of a zip."""
    if isdir(root.path):
        tops = sorted({PurePosixPath(name).parts[0] for name in root.names()})
        yield from (root.open(name) for name in tops)
    else:
        yield from (root.open(name) for name in root.names())


def _with_options(name: str, options: Mapping[str, Any]) -> Reader:
    reader = READERS[name]
    return reader(**{key: value for key, value in options.items() if key in _options_of(reader)})


def _options_of(reader: type[Reader]) -> set[str]:
    return {option.name for option in fields(reader)} if is_dataclass(reader) else set()


def _name_of(reader: Reader) -> str:
    return next((name for name in READERS if READERS[name] is type(reader)), type(reader).__name__.lower())


def _why_not(source: Source, look: Look) -> str:
    seen = {
        "empty": "the file is empty",
        "binary": "a binary file",
        "archive": "no format reads it as a whole",
        "table": f"a table with columns {', '.join(look.columns[:12])}",
        "text": "plain text",
    }.get(look.kind) or f"JSON ({look.shape}) whose first record has {_fields(look)}"
    problem = f" ({look.problem})" if look.problem else ""
    return scrub(
        f"{source.name}: no dialogue that hydralab knows: {seen}{problem}; tried {', '.join(READERS)}"
    )


def _fields(look: Look) -> str:
    first = look.first
    return f"the fields {', '.join(list(first)[:12])}" if first else "no named fields"
