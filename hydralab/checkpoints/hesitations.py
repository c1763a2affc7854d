"""Spoken hesitations left out of a sentence that is quoted in a summary."""

from __future__ import annotations

import re

__all__ = ["tidy"]

_ENGLISH_FILLER = re.compile(
    r"(?i)(?<![\w'-])(?:u+m+|u+h+|mm+-?hm+|mhm+|hm+|erm+|uh-huh|(?:(?<=, )|^)you know(?=,)|(?<!what )i mean)"
    r"(?![\w'-])[ ,.]*"
)
_ENGLISH_OPENER = re.compile(
    r"(?i)^(?:(?:okay|ok|yeah|oh|ah|and|but|so(?! (?:far|that|long|many|much|called|on)\b)|'?cause|because)\b[ ,.]*"
    r"|(?:well|right|alright|now|then|anyway|actually|basically|like),[ ]*)+(?=\S+\s+\S)"
)
_ENGLISH_REPEAT = re.compile(r"(?i)\b([a-z']+(?: [a-z']+)?)(?:,? \1\b)+")

_CHINESE_FILLER = re.compile(
    r"[嗯呃哦噢]+[，,、]?"
    r"|[，,]?(?:对吧|是吧|对不对)(?:[？?]|(?=[，,。！!]|$))"
    r"|(?<=[，。！？])(?:然后|那么|就是说|那个|的话)[，,]?"
)
_CHINESE_OPENER = re.compile(
    r"^(?:(?:然后|那么|所以说|就是说)[，,、 ]*|(?:那个|所以|就是|其实|但是|而且|好的|对|啊|那)[，,、 ]+)+"
)
_CHINESE_REPEAT = re.compile(r"([\u4e00-\u9fff]{2,5})[，、]?\1+")

_STRAY = re.compile(r"^[\s，,、。.；;:：]+|\s+(?=[,.?!;:](?:\s|$))")


def tidy(sentence: str) -> str:
    """Return a sentence without hesitations, doubled words and connectives to what came before it.

    Negations, names and numbers stay. A sentence of nothing but hesitations comes back empty.

    >>> tidy("Um, so I I think, you know, the price is 25 euros.")
    'I think, the price is 25 euros.'
    >>> tidy("嗯，然后我觉得我觉得预算是四十万，对吧？")
    '我觉得预算是四十万'
    """
    shorter = _ENGLISH_OPENER.sub("", _ENGLISH_FILLER.sub("", sentence))
    if not shorter.isascii():
        shorter = _CHINESE_OPENER.sub("", _CHINESE_FILLER.sub("", shorter))
    shorter = _ENGLISH_REPEAT.sub(r"\1", shorter)
    if not shorter.isascii():
        shorter = _CHINESE_REPEAT.sub(r"\1", shorter)
    shorter = " ".join(_STRAY.sub("", shorter).split())
    return shorter[:1].upper() + shorter[1:] if sentence[:1].isupper() else shorter
