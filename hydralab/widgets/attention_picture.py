"""What an AttentionExplorer leaves in a saved notebook: HTML without scripts, at most 50 kB."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import polars as pl

from hydralab.plots.attended import MEASURES, format_measure
from hydralab.plots.figures import shorten

if TYPE_CHECKING:
    from hydralab.widgets.attention_state import AttentionState

__all__ = ["attention_picture", "attention_text"]

CONTROL = "leave_one_out"
SHOWN_ROWS = 24
SHOWN_WORDS = 120
SHOWN_TOKENS = 160
BAR = 90
CELL = "text-align:left;padding:2px 8px"


def attention_picture(exploring: AttentionState) -> str:
    """Return the answer, the items with their bars and the picked item's text; every text escaped."""
    overview, result = exploring.overview(), exploring.result()
    pick = exploring.pick
    where = " · ".join(
        f"{name} {number}" if number >= 0 else f"all {name}s"
        for name, number in (("layer", pick.layer), ("head", pick.head))
    )
    head = (
        f"<b>{escape(overview['model'])}</b> · 「{escape(overview['query'][:400])}」 · "
        f"{escape(MEASURES[pick.measure])} · {where}"
    )
    sides = [
        _side(exploring, number, overview["sides"][number], result) for number in range(len(exploring.sides))
    ]
    columns = "".join(f'<div style="flex:1 1 380px;min-width:0">{side}</div>' for side in sides)
    return (
        f'<div style="font-size:13px;max-width:1100px"><div style="margin:0 0 8px">{head}</div>'
        f'<div style="display:flex;flex-wrap:wrap;gap:16px">{columns}</div></div>'
    )


def attention_text(exploring: AttentionState) -> str:
    """Return an explorer in one line, without address or id."""
    query = shorten(" ".join(exploring.sides[0].attention.context.query.split()), 60)
    compared = f", {len(exploring.sides)} contexts" if len(exploring.sides) > 1 else ""
    return f"AttentionExplorer({exploring.sides[0].attention.model}, {query!r}{compared})"


def _side(exploring: AttentionState, number: int, described: dict[str, Any], result: dict[str, Any]) -> str:
    shown = result["sides"][number]
    probability = described["log_probability"]
    told = "" if probability is None else f" · log p of the answer {probability:g} nats".replace("-", "−")
    name = f"<b>{escape(described['name'])}</b> · " if len(exploring.sides) > 1 else ""
    title = f"{name}{described['tokens']:,} tokens{told}"
    found = shown["agreement"]
    words = f"rank correlation with leave one out: {format_measure('lift', found['rho'])} ({found['items']} items)"
    return "".join(
        f'<div style="margin:0 0 8px">{part}</div>'
        for part in (
            title,
            _words(described, shown),
            _table(exploring, number, result["scale"]),
            f"<small>{words if found['tried'] else 'leaving items out was not tried'}</small>",
            _text(exploring.pick.item, described, shown),
        )
        if part
    )


def _words(described: dict[str, Any], shown: dict[str, Any]) -> str:
    items = described["items"]
    spans = [
        f'<span style="border-bottom:3px solid {items[to]["colour"]};margin-right:3px" '
        f'title="{escape(items[to]["name"])}">{escape(text.strip()) or "␣"}</span>'
        for text, to in zip(described["words"][:SHOWN_WORDS], shown["looked"], strict=False)
    ]
    more = len(described["words"]) - len(spans) + described["more_words"]
    return f'<div dir="auto">{" ".join(spans)}{f" … {more:,} more words" if more and spans else ""}</div>'


def _table(exploring: AttentionState, number: int, scale: dict[str, list[float]]) -> str:
    measure = exploring.pick.measure
    rows = exploring.rows(number)
    if len(rows) > SHOWN_ROWS:
        values = pl.Series([row[measure] for row in rows], dtype=pl.Float64)
        best = values.fill_null(float("-inf")).arg_sort(descending=True)[:SHOWN_ROWS].sort()
        shown = [rows[place] for place in best]
    else:
        shown = rows
    body = "".join(
        f'<tr><td style="{CELL};border-left:4px solid {row["colour"]}">{escape(str(row["name"]))}</td>'
        f'<td align="right">{_counted(row["tokens"])}</td>'
        f"{_bar(measure, row[measure], scale[measure], str(row['colour']))}"
        f"{_bar(CONTROL, row[CONTROL], scale[CONTROL], str(row['colour']))}</tr>"
        for row in shown
    )
    heads = ("item", "tokens", MEASURES[measure], "leave one out, nats")
    head = "".join(f'<th style="{CELL}">{escape(each)}</th>' for each in heads)
    more = f"<small>and {len(rows) - len(shown):,} more</small>" if len(rows) > len(shown) else ""
    return f'<table style="border-collapse:collapse;font-size:12px"><tr>{head}</tr>{body}</table>{more}'


def _counted(tokens: object) -> str:
    return f"{tokens:,}" if isinstance(tokens, int) else ""


def _bar(name: str, value: object, scale: list[float], colour: str) -> str:
    if not isinstance(value, float):
        return "<td></td>"
    low, high = scale
    unit = BAR / ((high - low) or 1)
    left, width = (min(value, 0) - low) * unit, abs(value) * unit
    return (
        f'<td style="{CELL};white-space:nowrap"><span style="display:inline-block;width:{BAR}px">'
        f'<span style="display:inline-block;height:9px;margin-left:{left:.0f}px;width:{max(width, 1):.0f}px;'
        f'background:{colour}"></span></span> {format_measure(name, value)}</td>'
    )


def _text(item: str, described: dict[str, Any], shown: dict[str, Any]) -> str:
    text = shown["text"]
    if text is None:
        return ""
    name = next(each["name"] for each in described["items"] if each["key"] == item)
    spans = "".join(
        f'<span style="background:rgba(245,99,20,{heat / 125:.2f})">{escape(piece)}</span>'
        if heat >= 4
        else escape(piece)
        for piece, heat in zip(text["pieces"][:SHOWN_TOKENS], text["heat"], strict=False)
    )
    more = len(text["pieces"]) + text["cut"] - SHOWN_TOKENS
    end = f" … {more:,} more tokens" if more > 0 else ""
    return f'<b>{escape(name)}</b><div dir="auto" style="white-space:pre-wrap">{spans}{end}</div>'
