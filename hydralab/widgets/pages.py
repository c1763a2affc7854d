"""A widget as one page of HTML: its script, its style, and the answers to all that it may ask, packed."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any
from zlib import Z_SYNC_FLUSH, compressobj

from hydralab.errors import HydralabError

__all__ = ["LARGEST", "Fitting", "widget_page", "write_page"]

LARGEST = 6_000_000
"""Bytes, packed, of what a page is told."""

SHARED = 60
"""Texts from this length on stand once in a page, however often they are shown."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 16px; background: Canvas; color: CanvasText; }}
.hl-view {{ margin: 0 auto; }}
{style}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def widget_page(title: str, *, script: str, style: str, data: Mapping[str, Any], picture: str) -> str:
    """Return a page that draws a widget from recorded answers; without scripts it shows a picture.

    Parameters
    ----------
    script
        An ES module that ends in a call of `openPage` of `page.js`.
    data
        What it answers from; goes into the page as packed JSON, so that no text of a dialogue can be read as
        HTML or as a script.
    picture
        HTML for where scripts don't run.
    """
    texts = _Texts()
    told = texts.without(data)
    packed = b64encode(gzip.compress(_json({"texts": texts.all, "told": told}), mtime=0)).decode()
    body = "\n".join(
        [
            '<main id="hl-page"></main>',
            f"<noscript>{picture}</noscript>",
            f'<script type="text/plain" id="hl-data">{packed}</script>',
            f'<script type="module">\n{script}\n</script>',
        ]
    )
    return PAGE.format(title=escape(title), style=style, body=body)


def write_page(path: str | Path, page: str) -> Path:
    """Write a page and return where.

    Raises
    ------
    HydralabError
        The name doesn't end in .html or .htm, or the file can't be written.
    """
    target = Path(path)
    if target.suffix.lower() not in (".html", ".htm"):
        raise HydralabError(f"{target.name!r}: expected a name that ends in .html")
    try:
        target.write_text(page, encoding="utf-8")
    except OSError as error:
        raise HydralabError(f"{target}: {error.strerror}, expected a file that can be written") from error
    return target


class Fitting:
    """Takes what is to go into a page until it is full; a text that was taken before costs nothing.

    >>> list(Fitting(40).take(("abc"[n], list(range(n, 90))) for n in range(3)))[0][0]
    'a'
    """

    def __init__(self, limit: int | None = None) -> None:
        self._room = LARGEST if limit is None else limit
        self._packer = compressobj()
        self._texts = _Texts()

    def take(
        self, pairs: Iterable[tuple[str, Any]], share: float = 1.0, *, least: int = 1
    ) -> Iterator[tuple[str, Any]]:
        """Yield pairs of a key and what stands under it, until they fill a share of the room that is left.

        Parameters
        ----------
        least
            So many are taken though they don't fit.
        """
        room = self._room * share
        for number, (key, value) in enumerate(pairs):
            size = self._size(value)
            if number >= least and size > room:
                return
            room -= size
            self._room -= size
            yield key, value

    def _size(self, value: Any) -> int:
        known = len(self._texts.all)
        told = self._texts.without(value)
        written = _json([told, self._texts.all[known:]])
        return len(self._packer.compress(written) + self._packer.flush(Z_SYNC_FLUSH))


class _Texts:
    """Long texts, each once; in their place stand their numbers, marked by a NUL, which no text has."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._numbers: dict[str, int] = {}

    def without(self, value: Any) -> Any:
        """Return a value of JSON with a mark for each long text."""
        if isinstance(value, str):
            return self._mark(value) if len(value) >= SHARED or value.startswith("\0") else value
        if isinstance(value, Mapping):
            return {key: self.without(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.without(each) for each in value]
        return value

    def _mark(self, text: str) -> str:
        if text not in self._numbers:
            self._numbers[text] = len(self.all)
            self.all.append(text)
        return f"\0{self._numbers[text]}"


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
