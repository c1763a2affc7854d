"""Static pictures: what a widget leaves in a saved notebook, where no kernel runs. At most 50 kB each."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Any

import polars as pl

from hydralab import theme
from hydralab.plots import plot_shift
from hydralab.plots.figures import new_figure, render_png, shorten
from hydralab.widgets.annotating import without_decisions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hydralab.widgets.recalllab_state import RecallLabState
    from hydralab.widgets.stepper_state import StepperState
    from hydralab.widgets.triggerlab_state import TriggerLabState

__all__ = [
    "framed",
    "picture_of",
    "prompt_picture",
    "recalllab_picture",
    "recalllab_text",
    "stepper_picture",
    "stepper_text",
    "table_of",
    "triggerlab_picture",
    "triggerlab_text",
]

SHOWN_ROWS = 20
TURNS_AROUND = 4
PICTURED_SCORES = 3
LEFT = "text-align:left"


def stepper_picture(stepping: StepperState) -> str:
    """Return the curve, the turns around the present one, and its prompt as HTML without scripts."""
    run, shown = stepping.run, stepping.moment()
    name = escape(run.title or run.dialogue_id)
    head = f"<b>{name}</b> · {escape(run.strategy.name)} · budget {run.budget:,} · {escape(shown['heading'])}"
    curve = _curve(
        run.signals, boundaries=run.boundaries, gold=without_decisions(run.gold), cursor=stepping.position
    )
    return framed(
        [head, curve, _turns(run.turns, stepping.position, set(shown["recalled"])), prompt_picture(shown)]
    )


def stepper_text(stepping: StepperState) -> str:
    """Return a stepper in one line, without address or id."""
    run = stepping.run
    place = f"turn {stepping.position} of {run.turns.height}"
    return f"Stepper({run.title or run.dialogue_id}, {run.strategy.name}, {place})"


def triggerlab_picture(tuning: TriggerLabState) -> str:
    """Return the curve, the scores and the checkpoints of a trigger as HTML without scripts."""
    result = tuning.result()
    head = f"<b>{escape(result['dialogue'])}</b> · {escape(result['fired'])}<br><code>{escape(tuning.text)}</code>"
    curve = _curve(
        tuning.cutting.signals,
        boundaries=tuning.boundaries,
        gold=tuning.scored.gold,
        signal=result["signal"],
    )
    scores = [
        {
            "": row["name"],
            **{name: "–" if value is None else f"{value:.2f}" for name, value in row["scores"].items()},
        }
        for row in result["scores"]
    ]
    listed = [(span["start"], span["end"]) for span in result["spans"][:SHOWN_ROWS]]
    titles = {(each["start"], each["end"]): each["title"] for each in tuning.titles(listed)["titles"]}
    checkpoints = [
        {
            "turns": f"{span['start']}–{span['end']}",
            "tokens": f"{span['tokens']:,}",
            "title": titles.get((span["start"], span["end"]), ""),
        }
        for span in result["spans"]
    ]
    return framed([head, curve, table_of(scores), table_of(checkpoints)])


def triggerlab_text(tuning: TriggerLabState) -> str:
    """Return a trigger lab in one line, without address or id."""
    return f"TriggerLab({tuning.cutting.dialogue.title}, {tuning.text})"


def recalllab_picture(recalling: RecallLabState) -> str:
    """Return the query, its best candidates and the packed prompt as HTML without scripts."""
    result = recalling.result()
    sliders, shown = result["sliders"], result["moment"]
    weights = ", ".join(f"{name} {weight:g}" for name, weight in sliders["weights"].items())
    heaviest = sorted(sliders["weights"], key=lambda name: -abs(sliders["weights"][name]))[:PICTURED_SCORES]
    head = (
        f"<b>{escape(result['dialogue'])}</b> · before turn {result['at']} · 「{escape(recalling.query[:400])}」"
        f"<br><small>{escape(sliders['blend'] or 'my weights')}: {escape(weights)}</small>"
    )
    evidence = [
        f"turn {each['turn']} {'✔ verbatim' if each['stage'] == 'met' else '✘ ' + each['stage']}"
        for asked in shown["asked"]
        for each in asked["evidence"]
    ]
    gold = f"◆ gold evidence: {escape(', '.join(evidence))}" if evidence else ""
    rows = [
        {
            "rank": str(row["rank"]),
            "candidate": ("◆ " if row["gold"] else "") + row["label"],
            "text": shorten(" ".join(row["text"][:300].split()), 70),
            "score": f"{row['score']:.2f}",
            **{name: f"{row['scores'][name]:.2f}" for name in heaviest},
            "": "✔ in the prompt" if row["kept"] else row["fate"],
        }
        for row in result["candidates"]
    ]
    return framed([head, gold, table_of(rows), escape(shown["reason"]), prompt_picture(shown)])


def recalllab_text(recalling: RecallLabState) -> str:
    """Return a recall lab in one line, without address or id."""
    return f"RecallLab({recalling.dialogue.title}, {shorten(' '.join(recalling.query.split()), 60)!r})"


def framed(parts: Iterable[str]) -> str:
    """Return parts below each other, those that are empty left out."""
    inner = "".join(f'<div style="margin:0 0 8px">{part}</div>' for part in parts if part)
    return f'<div style="font-size:13px;max-width:1100px">{inner}</div>'


def _curve(
    signals: pl.DataFrame,
    *,
    boundaries: pl.DataFrame,
    gold: pl.DataFrame,
    signal: str = "shift",
    cursor: int | None = None,
) -> str:
    if not signals.height:
        return ""
    with theme.plot_style():
        figure, ax = new_figure(8.5, 2.0)
    plot_shift(signals, signal=signal, boundaries=boundaries, gold=gold, ax=ax)
    if cursor is not None:
        ax.axvline(cursor, color=theme.MARK_COLOURS["cursor"], linewidth=1.5)
    marks = f"{boundaries.height} boundaries, {gold.height} gold"
    return picture_of(figure, f"{signal} over {signals.height} turns, {marks}")


def picture_of(figure: Figure, alt: str, *, width: int = 850) -> str:
    """Return a figure as an image in the HTML itself, in few colours."""
    png = b64encode(_with_few_colours(render_png(figure, pixel_ratio=1.3))).decode()
    style = f"width:{width}px;max-width:100%"
    return f'<img alt="{escape(alt)}" style="{style}" src="data:image/png;base64,{png}">'


def _with_few_colours(png: bytes) -> bytes:
    """Return the picture in 16 colours, which a curve needs at most and which takes a third of the bytes."""
    from PIL import Image

    with Image.open(BytesIO(png)) as picture:
        small = picture.quantize(16, method=Image.Quantize.FASTOCTREE)
    buffer = BytesIO()
    small.save(buffer, format="png", optimize=True)
    return buffer.getvalue()


def _turns(turns: pl.DataFrame, position: int, recalled: set[int]) -> str:
    first = max(position - TURNS_AROUND, 0)
    rows = [
        {
            "turn": f"{'▸ ' if at == position else ''}{at}",
            "role": speaker or role,
            "text": shorten(" ".join(text[:400].split()), 140),
            "": "recalled" if at in recalled else "",
        }
        for at, role, speaker, text in turns.slice(first, 2 * TURNS_AROUND + 1)
        .select("position", "role", "speaker", "text")
        .iter_rows()
    ]
    return table_of(rows)


def prompt_picture(shown: Mapping[str, Any]) -> str:
    """Return a prompt, as `payloads.moment` tells it, as a bar and a table; "" where nothing was sent."""
    if not shown["items"]:
        return ""
    whole = shown["budget"]
    bar = "".join(
        f'<span style="display:inline-block;height:10px;width:{100 * tokens / whole:.2f}%;'
        f'background:{theme.SECTION_COLOURS.get(name, "rgba(128,128,128,.2)")}"></span>'
        for name, tokens in shown["parts"]
    )
    spent = " · ".join(f"{name} {tokens:,}" for name, tokens in shown["parts"])
    rows = [
        {
            "section": row["section"] if row["kept"] else "dropped",
            "what": shorten(" ".join(f"{row['label']} {row['text'][:300]}".split()), 90),
            "tokens": f"{row['tokens']:,}",
            **{
                name: f"{row['scores'][name]:.2f}" if name in row["scores"] else ""
                for name in shown["scores"]
            },
            "why": shorten(row["why"], 90),
        }
        for row in shown["items"]
    ]
    return f"{shown['tokens']:,} / {whole:,} tokens<br>{bar}<br><small>{spent}</small>{table_of(rows)}"


def table_of(rows: Sequence[Mapping[str, str]]) -> str:
    """Return rows, the first 20, as a table; every text is escaped."""
    if not rows:
        return ""
    head = "".join(f'<th style="{LEFT}">{escape(name)}</th>' for name in rows[0])
    body = "".join(f"<tr>{''.join(_cell(value) for value in row.values())}</tr>" for row in rows[:SHOWN_ROWS])
    more = f"<small>and {len(rows) - SHOWN_ROWS:,} more</small>" if len(rows) > SHOWN_ROWS else ""
    return f'<table cellpadding="3" style="border-collapse:collapse;font-size:12px"><tr>{head}</tr>{body}</table>{more}'


def _cell(value: str) -> str:
    numeric = value.replace(",", "").replace(".", "").replace("–", "").isdigit()
    return (
        f'<td align="right">{value}</td>'
        if numeric
        else f'<td dir="auto" style="{LEFT}">{escape(value)}</td>'
    )
