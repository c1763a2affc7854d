"""Text made safe to keep (`scrub`) and text made equal for matching (`normalise`)."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["normalise", "scrub", "sendable"]

_SURROGATE = re.compile("[\ud800-\udfff]")
_REMOVED = dict.fromkeys((0x00, 0xFEFF))
_LINE_ENDS = re.compile(r"\r\n?")

# Default-ignorable code points: soft hyphen, joiners, bidirectional marks, variation selectors.
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\uffa0]"
)


def scrub(text: str) -> str:
    r"""Return `text` without what breaks files, databases and tokenizers.

    Surrogate pairs become the character they stand for, lone surrogates U+FFFD; NUL and the byte
    order mark go; line ends become ``\n``. Scrubbed text encodes as UTF-8.

    >>> scrub("\ufeffone\r\ntwo\x00 \ud83d")
    'one\ntwo \ufffd'
    >>> scrub("\ud83d\ude00")
    '😀'
    """
    text = sendable(text)
    if "\r" in text:
        text = _LINE_ENDS.sub("\n", text)
    if "\x00" in text or "\ufeff" in text:
        text = text.translate(_REMOVED)
    return text


def sendable(text: str) -> str:
    r"""Return `text` as it is where it encodes as UTF-8, with its surrogates mended where it does not.

    >>> sendable("half a pair: \ud83d, CRLF\r\n")
    'half a pair: \ufffd, CRLF\r\n'
    """
    if _SURROGATE.search(text):
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def normalise(text: str) -> str:
    r"""Return `text` in the form in which two spellings of the same words are equal.

    Compatibility caseless matching (Unicode 3.13, D146) without default-ignorable characters, then
    runs of whitespace as one space and none at the ends. Applying it twice changes nothing.

    >>> normalise("  ＣＮ－Ａ10293\u3000is  FULL-width ")
    'cn-a10293 is full-width'
    """
    if not text.isascii():
        text = scrub(text)
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", text).casefold())
        text = _IGNORABLE.sub("", unicodedata.normalize("NFKC", folded.casefold()))
        # A removed joiner can bring together a base and a mark that now compose.
        text = unicodedata.normalize("NFKC", text)
    else:
        text = text.replace("\x00", "").lower()
    return " ".join(text.split())
