"""Documents beside the dialogues: plain text, Markdown and HTML as titles and texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from os.path import expanduser
from pathlib import Path

from hydralab.errors import ReadError
from hydralab.readers.sources import Source
from hydralab.texts import scrub

__all__ = ["SUFFIXES", "Document", "read_document", "read_documents"]

MARKUP = (".html", ".htm", ".xhtml")
SUFFIXES = (".txt", ".text", ".md", ".markdown", ".rst", *MARKUP)
"""Names of files that a folder is searched for."""

TITLE = re.compile(r"\A\s*#[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
UNDECODED = re.compile("[\udc80-\udcff]")

ASIDE = frozenset({"script", "style", "head", "template", "noscript", "nav", "svg"})
"""What of a page is no text of it."""

BREAKS = frozenset(
    {"p", "div", "section", "article", "ul", "ol", "table", "blockquote", "header", "footer", "main", "dl"}
)
LINES = frozenset({"br", "tr", "li", "dt", "dd", "hr", "pre"})
HEADINGS = {f"h{level}": level for level in range(1, 7)}


@dataclass(frozen=True)
class Document:
    """A document: its title, its text (Markdown of headings, else as it stands), and where it is from."""

    title: str
    text: str
    source: str


def read_documents(path: str | Path) -> Iterator[Document | ReadError]:
    """Yield the documents at a path, in the order of their names; in the place of one that can't be read, why.

    Parameters
    ----------
    path
        A file, or a folder that is searched with those below it for `SUFFIXES`.

    Raises
    ------
    ReadError
        Nothing is there, or no file of these names in a folder.
    """
    root = Path(expanduser(str(path)))
    if not root.exists():
        raise ReadError(f"{root}: no such file or folder")
    files = [root]
    if root.is_dir():
        files = sorted(each for each in root.rglob("*") if each.suffix.lower() in SUFFIXES and each.is_file())
        if not files:
            raise ReadError(f"{root}: holds no documents, expected files named {', '.join(SUFFIXES)}")
    for file in files:
        shown = file.relative_to(root).as_posix() if root.is_dir() else file.name
        try:
            yield read_document(Source(file, shown=shown))
        except ReadError as error:
            yield error


def read_document(source: Source) -> Document:
    """Return one document.

    Raises
    ------
    ReadError
        It can't be read, is no text, holds bytes that are no UTF-8 (with the line), or says nothing.
    """
    text = source.text()
    if "\x00" in text:
        raise ReadError(f"{source.name}: a binary file, expected text, Markdown or HTML")
    if broken := UNDECODED.search(text):
        line = text.count("\n", 0, broken.start()) + 1
        raise ReadError(f"{source.name}: line {line}: byte 0x{ord(broken.group()) - 0xDC00:02x} is not UTF-8")
    text = scrub(text)
    name = Path(source.name)
    is_page = name.suffix.lower() in MARKUP
    titled = ""
    if is_page:
        titled, text = page_text(text)
    if not text.strip():
        raise ReadError(f"{source.name}: says nothing, expected a text")
    found = TITLE.search(text)
    return Document(titled or (found.group(1) if found else name.stem), text, source.name)


def page_text(page: str) -> tuple[str, str]:
    r"""Return title and text of a page of HTML: headings as in Markdown, tables with bars, no script or style.

    >>> page_text("<title>Trip</title><h2>Costs</h2><p>The hotel<br>is <b>90</b> euros.</p>")
    ('Trip', '## Costs\n\nThe hotel\nis 90 euros.')
    """
    reader = _Page()
    reader.feed(page)
    reader.close()
    text = re.sub(r"[ \t]+\n", "\n", "".join(reader.pieces))
    return " ".join("".join(reader.title).split()), re.sub(r"\n{3,}", "\n\n", text).strip()


class _Page(HTMLParser):
    """Gathers the text of a page; what is broken in it, it passes over as browsers do."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.pieces: list[str] = []
        self._aside = 0
        self._in_title = False
        self._verbatim = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Break lines where a browser does."""
        self._in_title = tag == "title"
        if tag in ASIDE:
            self._aside += 1
        elif tag == "body":
            self._aside = 0  # a head that is never closed ends here
        if tag in HEADINGS:
            self.pieces.append(f"\n\n{'#' * HEADINGS[tag]} ")
        elif tag in BREAKS:
            self.pieces.append("\n\n")
        elif tag in LINES:
            self.pieces.append("\n- " if tag == "li" else "\n")
        elif tag in ("td", "th"):
            self.pieces.append("| ")
        self._verbatim += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        """Break lines where a browser does."""
        self._in_title = False
        if tag in ASIDE:
            self._aside = max(self._aside - 1, 0)
        if tag in HEADINGS or tag in BREAKS:
            self.pieces.append("\n\n")
        elif tag in ("td", "th"):
            self.pieces.append(" ")
        elif tag == "tr":
            self.pieces.append("|")
        if tag == "pre":
            self._verbatim = max(self._verbatim - 1, 0)
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        """Keep what is shown."""
        if self._in_title:
            self.title.append(data)
        elif not self._aside:
            self.pieces.append(data if self._verbatim else re.sub(r"\s+", " ", data))
