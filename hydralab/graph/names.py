"""One name for one entity: normal forms, and which short names stand for which long ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from hydralab.texts import normalise
from hydralab.texts.scripts import HAN

__all__ = ["entity_key", "full_name", "known_names"]

MOST_WORDS, MOST_CHARACTERS = 3, 6
"""Of names that are looked up in a text though no rule sees them there."""

LONGEST = 2_000
"""Characters of a text that are looked through for names."""

_POSSESSIVE = re.compile(r"['’]s?$")
_ARTICLE = re.compile(r"^(?:the|an?) (?=\S)")
_WORD = re.compile(f"[{HAN}]+|[^\\W_{HAN}][^\\W_{HAN}'’&.-]*")
_CHINESE = re.compile(f"[{HAN}]")
_CHINESE_NAME = re.compile(f"[{HAN}]{{3}}")


def entity_key(text: str) -> str:
    """Return the form by which a name is told: width, case, spacing, article and possessive aside.

    >>> entity_key("The Brava’s"), entity_key("ＢＲＡＶＡ")
    ('brava', 'brava')
    """
    key = _ARTICLE.sub("", _POSSESSIVE.sub("", normalise(text)))
    return key or normalise(text)


def full_name(short: str, known: Iterable[str]) -> str | None:
    """Return the one long name among `known` that a short name stands for, None where there is none or several.

    A word stands for a name of several words that starts or ends with it; two Chinese characters for a name of
    three that ends with them.

    Parameters
    ----------
    short, known
        Keys of persons, as `entity_key` makes them.

    >>> full_name("lena", ["lena ortiz", "marek"]), full_name("一帆", ["邵一帆"])
    ('lena ortiz', '邵一帆')
    >>> full_name("lena", ["lena ortiz", "lena koch"])
    """
    fits = {name for name in known if name != short and _stands_for(short, name)}
    return fits.pop() if len(fits) == 1 else None


def _stands_for(short: str, name: str) -> bool:
    if _CHINESE_NAME.fullmatch(name):
        return short == name[1:]
    words = name.split()
    return len(words) > 1 and short in (words[0], words[-1])


def known_names(text: str, known: Callable[[str], bool], *, capitals: bool) -> Iterator[str]:
    """Yield the known keys of the names that a text holds, no name inside a longer one.

    Parameters
    ----------
    known
        Tells of a key, as `entity_key` makes it, whether it is known.
    capitals
        Leave out words that start in lower case.

    >>> list(known_names("ask Lena Ortiz, or brava", {"lena", "lena ortiz", "brava"}.__contains__, capitals=True))
    ['lena ortiz']
    >>> list(known_names("问小满吧", {"小满"}.__contains__, capitals=True))
    ['小满']
    """
    words: list[str] = []
    for part in [*_WORD.findall(text[:LONGEST]), ""]:
        if part and not _CHINESE.match(part):
            words.append(part.rstrip(".'’-&"))
            continue
        yield from _longest(words, MOST_WORDS, " ", known, capitals=capitals)
        yield from _longest(part, MOST_CHARACTERS, "", known, capitals=False)
        words = []


def _longest(
    parts: Sequence[str], most: int, joiner: str, known: Callable[[str], bool], *, capitals: bool
) -> Iterator[str]:
    start = 0
    while start < len(parts):
        length = 0
        if not capitals or not parts[start][:1].islower():
            runs = (
                (size, entity_key(joiner.join(parts[start : start + size]))) for size in range(most, 0, -1)
            )
            length, key = next(((size, key) for size, key in runs if known(key)), (0, ""))
            if length:
                yield key
        start += max(length, 1)
