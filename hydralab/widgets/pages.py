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

import numpy as np

from hydralab.errors import HydralabError
from hydralab.widgets.payloads import BLOCK
from hydralab.widgets.stepping import Stepping

__all__ = ["LARGEST", "picture_page", "stepper_recording", "widget_page", "write_page"]

LARGEST = 6_000_000
"""Bytes, packed, of what a page is told; half of it at most is transcript."""

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
        An ES module that ends in `page.js`.
    data
        What `page.js` answers from; goes into the page as packed JSON, so that no text of a dialogue
        can be read as HTML or as a script.
    picture
        HTML for where scripts don't run.
    """
    packed = b64encode(gzip.compress(_json(data), mtime=0)).decode()
    body = "\n".join(
        [
            '<main id="hl-page"></main>',
            f"<noscript>{picture}</noscript>",
            f'<script type="text/plain" id="hl-data">{packed}</script>',
            f'<script type="module">\n{script}\n</script>',
        ]
    )
    return PAGE.format(title=escape(title), style=style, body=body)


def picture_page(title: str, picture: str) -> str:
    """Return a page with a picture and tables, nothing in it moves."""
    return PAGE.format(title=escape(title), style="", body=f"<main>{picture}</main>")


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


def stepper_recording(stepping: Stepping, prompts: int) -> dict[str, Any]:
    """Return all that a stepper shows at as many places as fit, those nearest to the present one first.

    Parameters
    ----------
    stepping
        A place in a run; it stays there.
    prompts
        The most prompts of turns, and the most of gold questions.
    """
    blocks = range(-(-stepping.run.turns.height // BLOCK))
    near = sorted(blocks, key=lambda number: abs(number - stepping.position // BLOCK))
    shown = dict(_fitting(((str(number), stepping.block(number)["rows"]) for number in near), LARGEST // 2))
    guide = Stepping(stepping.run, stepping.position)
    recorded = dict(_fitting(_places(guide, prompts), LARGEST // 2))
    return {
        "overview": stepping.overview(),
        "curve": b64encode(stepping.curve()).decode(),
        "position": stepping.position,
        "question": stepping.question,
        "blocks": shown,
        "prompts": recorded,
        "misses": stepping.losses(),
        "note": _note(stepping, recorded),
    }


def _places(guide: Stepping, prompts: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each place's key and what is shown there: the present one, its neighbours, gold questions."""
    here, run = guide.position, guide.run
    questions = run.questions["question_id"].to_list()[:prompts]
    ends = np.append(guide.asked[1:], run.turns.height)
    near = np.argsort(np.abs(guide.asked - here), kind="stable")[:prompts]
    for number in near.tolist():
        start, end = int(guide.asked[number]), int(ends[number])
        yield str(start), _recorded(guide, start, range(start, end))
    first = int(guide.asked[0]) if len(guide.asked) else run.turns.height
    if first:
        yield "-1", _recorded(guide, 0, range(first))
    for name in questions:
        guide.go(0, name)
        yield name, _recorded(guide, guide.position, (guide.position,), name)


def _recorded(guide: Stepping, position: int, positions: Iterable[int], question: str = "") -> dict[str, Any]:
    guide.go(position, question)
    told = {"moment": guide.moment(), "prompt": guide.prompt(), "diff": guide.difference(), "places": {}}
    for each in positions:
        guide.go(each, question)
        told["places"][str(each)] = guide.place()
    return told


def _fitting(pairs: Iterable[tuple[str, Any]], limit: int) -> Iterator[tuple[str, Any]]:
    """Yield pairs, at least one, until together they would pack to more bytes than the limit."""
    packer, size = compressobj(), 0
    for number, (key, value) in enumerate(pairs):
        size += len(packer.compress(_json(value)) + packer.flush(Z_SYNC_FLUSH))
        if number and size > limit:
            return
        yield key, value


def _note(stepping: Stepping, recorded: Mapping[str, Any]) -> str:
    """Say what a page holds, where that isn't everything."""
    wanted = len(stepping.asked)
    held = sum(str(position) in recorded for position in stepping.asked.tolist())
    return (
        "" if held == wanted else f"this page holds {held:,} of {wanted:,} prompts, not the one of this turn"
    )


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
