"""How the sentences chosen for a summary are put together, and a title where there is no key phrase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hydralab.checkpoints.sentences import Sentence

__all__ = ["Quote", "fallback_title", "write_summary"]

ENDS = ("。", "！", "？", "…", ".", "!", "?", ":", "：", "”", '"', "」", "）", ")")
OPEN_ENDS = "，；,;、"


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence, where it stands in its span, and who said it (None where one person speaks).

    `goes_on` tells that the sentence at the next place is the next clause of this one.
    """

    place: int
    text: str
    speaker: str | None = None
    goes_on: bool = False


def write_summary(quotes: Sequence[Quote], *, chinese: bool) -> str:
    """Return the quotes as running text, in the order in which they were said.

    >>> write_summary([Quote(0, "预算四十万，", "李雷"), Quote(7, "五月办", "韩梅梅")], chinese=True)
    '李雷：预算四十万。韩梅梅：五月办。'
    >>> write_summary([Quote(3, "We meet in May."), Quote(0, "The budget is fixed")], chinese=False)
    'The budget is fixed. We meet in May.'
    """
    ordered = sorted(quotes, key=lambda quote: quote.place)
    summary = ""
    for at, quote in enumerate(ordered):
        joined = quote.goes_on and at + 1 < len(ordered) and ordered[at + 1].place == quote.place + 1
        text = quote.text if joined else _ended(quote.text, chinese)
        if quote.speaker is not None and (at == 0 or ordered[at - 1].speaker != quote.speaker):
            text = f"{quote.speaker}{'：' if chinese else ': '}{text}"
        spaced = summary and not (summary[-1] > "\u2e7f" or text[0] > "\u2e7f")
        summary += f" {text}" if spaced else text
    return summary


def fallback_title(sentences: Sequence[Sentence], longest: int, *, chinese: bool) -> str:
    """Return a title for a span without key phrases: how it begins, or what it is made of.

    >>> fallback_title([], 40, chinese=False)
    '(no text)'
    """
    said = next((sentence.tidied for sentence in sentences if sentence.prose and sentence.tidied), "")
    if said:
        line = " ".join(said.split()).rstrip("。.，,；;")
        return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"
    if any(sentence.text for sentence in sentences):
        return "代码、表格或链接" if chinese else "Code, a table or a link"
    return "（无文字）" if chinese else "(no text)"


def _ended(text: str, chinese: bool) -> str:
    text = text.rstrip(OPEN_ENDS + " ")
    return text if text.endswith(ENDS) else text + ("。" if chinese else ".")
