"""A context as one sees it in a cell: a budget bar, and a table whose texts unfold on click."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape as html_escape
from typing import Any

import polars as pl

from hydralab import theme
from hydralab.packing.dropped_lines import Fold, fold_dropped, fold_text
from hydralab.packing.prompt_table import PromptTable

__all__ = ["bar_html", "context_html", "context_text", "recent_row"]

SHOWN_SCORES = ("dense", "lexical", "entity", "recency")
MOST_ROWS = 60
LONGEST_TEXT = 4_000

# Doubled, the class outweighs what Jupyter says of every table: fixed columns, all to the right.
STYLE = (
    """
<style>
.hl-context{font-family:var(--jp-ui-font-family,FONTS);font-size:13px;max-width:1100px;
color:var(--jp-ui-font-color1,inherit)}
.hl-context .hl-head{display:flex;justify-content:space-between;gap:16px;margin-bottom:4px}
.hl-context .hl-head b{white-space:nowrap}
.hl-context .hl-bar{display:flex;height:10px;border-radius:3px;overflow:hidden;background:rgba(128,128,128,.18)}
.hl-context .hl-key{display:flex;flex-wrap:wrap;gap:2px 14px;margin:4px 0 8px;font-size:12px}
.hl-context .hl-key i{display:inline-block;width:9px;height:9px;border-radius:2px;margin-right:5px}
.hl-context.hl-context table{border-collapse:collapse;table-layout:auto;width:100%;font-size:12px;color:inherit}
.hl-context.hl-context table th,.hl-context.hl-context table td{text-align:left;vertical-align:top;
padding:3px 8px;border:0}
.hl-context.hl-context table tr{border-bottom:1px solid rgba(128,128,128,.22);background:none}
.hl-context.hl-context table .hl-n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.hl-context.hl-context table td:first-child{white-space:nowrap}
.hl-context.hl-context table .hl-what{width:38%;overflow-wrap:anywhere}
.hl-context.hl-context table .hl-why{width:28%;overflow-wrap:anywhere;white-space:normal}
.hl-context.hl-context table table{margin:4px 0}
.hl-context tr.hl-dropped{color:var(--jp-ui-font-color2,inherit)}
.hl-context summary{cursor:pointer}
.hl-context pre{white-space:pre-wrap;word-break:break-word;margin:4px 0;font:inherit;background:none;color:inherit}
</style>
"""
).replace("FONTS", theme.FONT_STACK)


def context_text(context: PromptTable) -> str:
    """Return a context in one line: dialogue, query, tokens, and tokens a section."""
    spent = ", ".join(f"{section} {tokens}" for section, tokens, items in context.sections().rows() if items)
    return f"{_heading(context)} · {context.tokens} / {context.budget} tokens ({spent})"


def context_html(context: PromptTable) -> str:
    """Return a context as HTML: bar and table, every text escaped, nothing loaded from elsewhere."""
    head = (
        f'<div class="hl-head"><span>{html_escape(_heading(context))}</span>'
        f"<b>{context.tokens:,} / {context.budget:,} tokens</b></div>"
    )
    adapted = html_escape(str(context.decision.get("why", "")))
    told = f'<div class="hl-adapted">{adapted}</div>' if adapted else ""
    return f'{STYLE}<div class="hl-context">{head}{bar_html(context)}{told}{_table(context)}</div>'


def bar_html(context: PromptTable) -> str:
    """Return the budget bar and its key."""
    parts = [
        (name, tokens, theme.SECTION_COLOURS[name]) for name, tokens, _ in context.sections().rows() if tokens
    ]
    if context.reserve:
        parts.append(("reserve", context.reserve, "rgba(128,128,128,.5)"))
    spoken = ", ".join(f"{name} {tokens}" for name, tokens, _ in parts)
    free = context.budget - context.tokens - context.reserve
    share = 100 / max(context.budget, 1)
    bar = "".join(
        f'<span style="width:{tokens * share:.2f}%;background:{colour}" title="{name} {tokens}"></span>'
        for name, tokens, colour in parts
    )
    key = "".join(
        f'<span><i style="background:{colour}"></i>{name} {tokens:,}</span>' for name, tokens, colour in parts
    )
    return (
        f'<div class="hl-bar" role="img" aria-label="{spoken}, free {free}">{bar}</div>'
        f'<div class="hl-key">{key}<span>free {free:,}</span></div>'
    )


def _table(context: PromptTable) -> str:
    rows = [recent_row(context), *context.frame.filter(pl.col("section") != "recent").to_dicts()]
    kept = sorted((row for row in rows if row is not None and row["kept"]), key=lambda row: row["order"])
    folds = fold_dropped(context.dropped.to_dicts())
    names = _score_names([*kept, *(row for fold in folds for row in fold.rows)])
    body = _lines(kept, names)
    body += "".join(
        _folded(fold, names, context.query) if fold.is_folded else _lines(fold.rows, names) for fold in folds
    )
    return f"<table>{_head(names)}<tbody>{body}</tbody></table>{_more(kept)}"


def _score_names(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [name for name in SHOWN_SCORES if any((row["scores"] or {}).get(name) is not None for row in rows)]


def _head(names: Sequence[str]) -> str:
    numbers = "".join(f'<th class="hl-n">{name}</th>' for name in ("tokens", "score", *names))
    return f'<thead><tr><th>section</th><th class="hl-what">what</th>{numbers}<th class="hl-why">why</th></tr></thead>'


def _lines(rows: Sequence[Mapping[str, Any]], names: Sequence[str], *, told_above: bool = False) -> str:
    """Return table rows; where the reason of their dropping stands above, they tell why they came up."""
    return "".join(_line(row, names, told_above=told_above) for row in rows[:MOST_ROWS])


def _more(rows: Sequence[Mapping[str, Any]]) -> str:
    more = len(rows) - MOST_ROWS
    return f"<div>and {more:,} more rows in <code>.frame</code></div>" if more > 0 else ""


def _folded(fold: Fold, names: Sequence[str], query: str) -> str:
    """Return one row for all that was dropped for one reason; its rows unfold."""
    summary = html_escape(f"{fold_text(fold, query)} · {fold.tokens:,} tokens")
    rows = f"<table>{_head(names)}<tbody>{_lines(fold.rows, names, told_above=True)}</tbody></table>{_more(fold.rows)}"
    return (
        f'<tr class="hl-dropped hl-folded"><td colspan="{len(names) + 5}">'
        f"<details><summary>{summary}</summary>{rows}</details></td></tr>"
    )


def recent_row(context: PromptTable) -> dict[str, Any] | None:
    """Return the recent turns, which stand together, as one row of the context table; None without any."""
    recent = context.kept.filter(pl.col("section") == "recent")
    if not recent.height:
        return None
    first, last = recent["label"][0], recent["label"][-1]
    span = first if recent.height == 1 else f"{first.replace('turn', 'turns')}–{last.removeprefix('turn ')}"
    text = "\n\n".join(f"{role}: {text}" for role, text in recent.select("role", "text").rows())
    return {
        **recent.row(0, named=True),
        "label": span,
        "text": text,
        "tokens": int(recent["tokens"].sum()),
        "scores": None,
    }


def _line(row: Mapping[str, Any], names: Sequence[str], *, told_above: bool) -> str:
    scores = row["scores"] or {}
    label = row["label"] or row["role"] or row["section"]
    summary = html_escape(f"{label}  {_first_words(row['text'])}")
    text = html_escape(row["text"][:LONGEST_TEXT]) + ("…" if len(row["text"]) > LONGEST_TEXT else "")
    dot = f'<i style="color:{theme.SECTION_COLOURS[row["section"]]}">■</i> '
    cells = "".join(f'<td class="hl-n">{_number(scores.get(name))}</td>' for name in ("score", *names))
    section = row["section"] if row["kept"] else "dropped"
    why = row["why"] if row["kept"] or told_above else row["drop_reason"]
    return (
        f'<tr class="{"hl-kept" if row["kept"] else "hl-dropped"}">'
        f'<td>{dot}{section}</td><td class="hl-what"><details><summary>{summary}</summary>'
        f'<pre dir="auto">{text}</pre></details></td><td class="hl-n">{row["tokens"]:,}</td>{cells}'
        f'<td class="hl-why">{html_escape(why or "")}</td></tr>'
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _first_words(text: str, limit: int = 48) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _heading(context: PromptTable) -> str:
    where = f"turn {context.at}" if context.at else "start"
    return " · ".join(
        part
        for part in (context.title or context.dialogue_id, where, f"「{_first_words(context.query)}」")
        if part
    )
