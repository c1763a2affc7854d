"""Where dialogues are read from: a file, a member of a zip, or a folder or zip as a whole."""

from __future__ import annotations

import codecs
import csv
import io
import json
import lzma
import os
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

import polars as pl

from hydralab.errors import ReadError
from hydralab.readers.items import Failure, Item
from hydralab.readers.parsing import DECODER, json_items, json_records, undecoded
from hydralab.texts import sendable

__all__ = ["Source"]

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
HIDDEN = re.compile(r"(^|/)(\.(?!\.?/)|__MACOSX(/|$)|Thumbs\.db$)")
MEMBER_LIMIT = 1 << 30
"""Bytes that a zip's member may unpack to."""

SURELY_SMALL = 1 << 26
MOST_PACKED = 200
"""A member beyond `SURELY_SMALL` that unpacks to more than so many times its size in the zip holds no dialogues:
exports of chats pack 3 to 30 times."""

MOST_FILES = 100_000
UNREADABLE = (
    OSError,
    EOFError,
    KeyError,
    RuntimeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)
"""What opening and unpacking a file or a zip's member may raise."""

ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")


@dataclass(frozen=True)
class Source:
    """One thing that a reader reads.

    Parameters
    ----------
    path
        A file or folder on disk.
    member
        With a zip at `path`: the member that is meant; None: the zip as a whole.
    shown
        How messages and the `source` column name it.
    encoding
        The encoding of its text; None: a byte-order mark decides, else UTF-8.
    """

    path: Path
    member: str | None = None
    shown: str = ""
    encoding: str | None = None

    @property
    def name(self) -> str:
        """The name it is shown by: sendable, though the file's own name may be no UTF-8."""
        return sendable(self.shown or (f"{self.path.name}/{self.member}" if self.member else self.path.name))

    @property
    def is_archive(self) -> bool:
        """Whether it is a folder or a zip as a whole."""
        if self.member is not None:
            return False
        return os.path.isdir(self.path) or (self.head(4) in ZIP_MAGIC and zipfile.is_zipfile(self.path))

    def head(self, size: int) -> bytes:
        """Return the first `size` bytes."""
        try:
            if self.member is None:
                with self.path.open("rb") as file:
                    return file.read(size)
            archive = _opened_zip(self.path)
            with archive.open(self.member) as file:
                return file.read(size)
        except UNREADABLE as error:
            raise ReadError(f"{self.name}: can't be read: {error}") from error

    def data(self) -> bytes:
        """Return all bytes; a zip member that says it unpacks to too much is refused unread."""
        if self.member is not None:
            self._check_unpacked(self.member)
        return self.head(-1)

    def _check_unpacked(self, member: str) -> None:
        try:
            about = _opened_zip(self.path).getinfo(member)
        except UNREADABLE as error:
            raise ReadError(f"{self.name}: can't be read: {error}") from error
        size, packed = about.file_size, about.compress_size  # no more than `size` is ever unpacked
        if size > MEMBER_LIMIT:
            raise ReadError(f"{self.name}: unpacks to more than {MEMBER_LIMIT >> 30} GiB")
        if size > max(SURELY_SMALL, MOST_PACKED * packed):
            raise ReadError(
                f"{self.name}: unpacks to {size:,} bytes from {packed:,}, expected at most {MOST_PACKED} times as much"
            )

    def text(self) -> str:
        """Return the text without its byte-order mark.

        Bytes that the encoding doesn't know become lone surrogates U+DC80–U+DCFF.
        """
        return decode(self.data(), self.encoding)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield each line with its number from 1, without its end."""
        for number, line in enumerate(self.text().split("\n"), start=1):
            yield number, line.rstrip("\r")

    def json(self) -> Any:
        """Return the one JSON value of the source, or raise `ReadError` with line and reason."""
        text = self.text()
        try:
            return DECODER.decode(text.strip("\x00 \t\r\n"))
        except (ValueError, RecursionError) as error:
            raise ReadError(f"{self.name}: broken JSON: {error}") from error

    def records(self, within: re.Pattern[str] | None = None) -> Iterator[Item | Failure]:
        """Yield the records of JSON (list items, lines, or the one object), one by one.

        Parameters
        ----------
        within
            Which files of a folder or zip hold records; one that can't be read is a failure.
        """
        if within is None or not self.is_archive:
            yield from json_records(self.text())
            return
        for name in filter(within.search, self.names()):
            try:
                yield from self.open(name).records()
            except ReadError as error:
                yield Failure(str(error))

    def items(self) -> Iterator[Item | Failure]:
        """Yield each key of a JSON object with its value."""
        yield from json_items(self.text())

    def rows(self) -> Iterator[Item | Failure]:
        """Yield each row of a CSV or Parquet file as a dict of its named columns."""
        if self.head(4) == b"PAR1":
            yield from _parquet_rows(self)
        else:
            yield from _csv_rows(self.text())

    def names(self) -> tuple[str, ...]:
        """Return the names of the files in a folder or zip, sorted, relative, hidden ones left out.

        A folder inside that can't be listed is among them, so that who opens it learns why.
        """
        if os.path.isdir(self.path):
            found = _files_below(self.path)
        else:
            try:
                found = [one.filename for one in _opened_zip(self.path).infolist() if not one.is_dir()]
            except UNREADABLE as error:
                raise ReadError(f"{self.name}: can't be read: {error}") from error
        return tuple(sorted(name for name in found if not HIDDEN.search(name)))

    def open(self, name: str) -> Source:
        """Return the file of that name in a folder or zip."""
        shown = f"{self.name}/{name}"
        if os.path.isdir(self.path):
            return replace(self, path=self.path / name, shown=shown)
        return replace(self, member=name, shown=shown)

    def sibling(self, name: str) -> Source | None:
        """Return the file of that name in the same folder (or zip folder), None if there is none."""
        shown = str(PurePosixPath(self.name).with_name(name))
        if self.member is None:
            beside = self.path.with_name(name)
            return replace(self, path=beside, shown=shown) if os.path.isfile(beside) else None
        inside = str(PurePosixPath(self.member).with_name(name))
        found = inside in _opened_zip(self.path).NameToInfo
        return replace(self, member=inside, shown=shown) if found else None


def _files_below(folder: Path) -> list[str]:
    found: list[str] = []
    failed: list[OSError] = []
    for above, _, files in os.walk(folder, onerror=failed.append):
        below = Path(above).relative_to(folder)
        found += [(below / name).as_posix() for name in files if os.path.isfile(os.path.join(above, name))]
        if len(found) > MOST_FILES:
            raise ReadError(f"{folder}: holds more than {MOST_FILES:,} files, expected a folder of dialogues")
    for error in failed:
        if Path(error.filename) == folder:
            raise ReadError(f"{folder}: can't be read: {error.strerror}") from error
        found.append(Path(error.filename).relative_to(folder).as_posix())
    return found


def _opened_zip(path: Path) -> zipfile.ZipFile:
    """Return the zip, opened once: its directory may list ten thousand files."""
    about = path.stat()
    return _zip_of(path, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=4)
def _zip_of(path: Path, modified: int, size: int) -> zipfile.ZipFile:
    return zipfile.ZipFile(path)


def decode(data: bytes, encoding: str | None = None) -> str:
    r"""Decode bytes by their byte-order mark, else by `encoding`, else as UTF-8; strip the mark.

    >>> decode("\ufeff你好".encode("utf-16-le"))
    '你好'
    """
    for mark, marked in MARKS:
        if encoding is None and data.startswith(mark):
            return data[len(mark) :].decode(marked, "surrogateescape" if marked == "utf-8" else "replace")
    if encoding is None and b"\x00" in data[:4] and data[:4].strip(b"\x00"):
        encoding = json.detect_encoding(data)
    try:
        return data.decode(encoding or "utf-8", "surrogateescape").removeprefix("\ufeff")
    except LookupError as error:
        raise ReadError(f"encoding {encoding!r} is unknown to Python") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ReadError(f"line {line}: byte 0x{data[error.start]:02x} is not {encoding}") from error
    except UnicodeError as error:  # idna and punycode encode names, and know no undecodable bytes
        raise ReadError(f"encoding {encoding!r} is none of text files") from error


def csv_delimiter(header: str) -> str:
    r"""Return the sign that separates the names of a header line; "" when there is none.

    >>> csv_delimiter("role\ttext"), csv_delimiter("Dear all")
    ('\t', '')
    """
    counts = {sign: header.count(sign) for sign in ("\t", ",", ";", "|")}
    best = max(counts, key=lambda sign: counts[sign])
    return best if counts[best] else ""


def _csv_rows(text: str) -> Iterator[Item | Failure]:
    limit = csv.field_size_limit(max(len(text), 131072))
    try:
        found = list(_parsed_csv(text.replace("\x00", "")))
    finally:
        csv.field_size_limit(limit)
    yield from found


def _parsed_csv(text: str) -> Iterator[Item | Failure]:
    delimiter = csv_delimiter(text.split("\n", 1)[0]) or ","
    table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    header = [name.strip() for name in next(table, [])]
    first = table.line_num + 1
    for record, row in enumerate(table):
        line, first = first, table.line_num + 1
        if not row:
            continue
        problem = undecoded(" ".join(row))
        if problem:
            yield Failure(problem[1], line + problem[0], record)
        elif len(row) != len(header):
            yield Failure(f"{len(row)} cells, expected {len(header)}", line, record)
        else:
            yield Item(dict(zip(header, row, strict=True)), line=line, record=record)


def _parquet_rows(source: Source) -> Iterator[Item]:
    try:
        frame = pl.read_parquet(source.data())
    except pl.exceptions.PolarsError as error:
        raise ReadError(f"{source.name}: broken Parquet: {error}") from error
    for record, row in enumerate(frame.iter_rows(named=True)):
        yield Item(row, record=record)
