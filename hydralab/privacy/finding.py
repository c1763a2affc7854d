"""What of a text is private, and the text without it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from hydralab.errors import HydralabError, brief, unknown_name
from hydralab.privacy.id_documents import bank_cards, identity_cards, passports
from hydralab.privacy.phones import emails, phones
from hydralab.privacy.readable_text import PrivateSpan, folded
from hydralab.privacy.secrets import secrets

__all__ = ["KINDS", "find_private", "redact", "resolve_kinds"]

FINDERS: Mapping[str, Callable[[str], Iterator[PrivateSpan]]] = MappingProxyType(
    {
        "secret": secrets,
        "email": emails,
        "id_card": identity_cards,
        "bank_card": bank_cards,
        "passport": passports,
        "phone": phones,
    }
)
"""Kind → what finds it; where two claim the same place, the earlier kind has it."""

KINDS = tuple(FINDERS)

REPLACEMENT = "[{kind}]"


def find_private(text: str, kinds: Iterable[str] | bool | None = None) -> list[PrivateSpan]:
    """Return what is private in a text, in order and without overlap.

    E-mail addresses and phone numbers, identity cards and bank cards by their check digits, passports by
    the words beside them, keys and tokens by the shapes that their makers publish and passwords by the
    words before them. Chinese and English texts alike, full-width digits included.

    Parameters
    ----------
    text
        Any text.
    kinds
        Some of `KINDS`; all when None or True.

    Raises
    ------
    HydralabError
        `text` is no text, or a kind is unknown.
    MissingExtraError
        Phone, card and identity numbers need the extra "privacy".

    Notes
    -----
    Rules, not a guarantee: `hydralab bench privacy` says how often they are right.

    >>> text = "找小周，13500006690或者zhou@example.cn"
    >>> [(text[start:end], kind) for start, end, kind in find_private(text)]
    [('13500006690', 'phone'), ('zhou@example.cn', 'email')]
    """
    if not isinstance(text, str):
        raise HydralabError(f"find_private: text is {brief(text)}, expected a text")
    wanted, plain = resolve_kinds(kinds), folded(text)
    taken = bytearray(len(text))
    spans = []
    for kind in wanted:
        # A password is bounded by full-width marks, so it is looked for in the text as it stands.
        found = sorted(
            FINDERS[kind](text if kind == "secret" else plain), key=lambda span: (span.start, -span.end)
        )
        for span in found:
            if span.start < span.end and not any(taken[span.start : span.end]):
                taken[span.start : span.end] = b"\1" * (span.end - span.start)
                spans.append(span)
    return sorted(spans)


def redact(text: str, kinds: Iterable[str] | bool | None = None, replacement: str = REPLACEMENT) -> str:
    """Return a text with something else in the place of what is private in it.

    Parameters
    ----------
    text
        Any text.
    kinds
        Some of `KINDS`; all when None or True.
    replacement
        What takes its place; ``{kind}`` in it is the kind.

    Raises
    ------
    HydralabError
        As `find_private`.

    >>> redact("mail ann@example.org, card 4111 1111 1111 1111")
    'mail [email], card [bank_card]'
    """
    parts, last = [], 0
    for start, end, kind in find_private(text, kinds):
        parts += [text[last:start], replacement.replace("{kind}", kind)]
        last = end
    return "".join([*parts, text[last:]])


def resolve_kinds(kinds: Iterable[str] | bool | None) -> tuple[str, ...]:
    """Return the kinds that are meant, in the order in which they are looked for.

    >>> resolve_kinds(["phone", "email"])
    ('email', 'phone')
    """
    if kinds is None or kinds is True:
        return KINDS
    if kinds is False:
        return ()
    if isinstance(kinds, str) or not isinstance(kinds, Iterable):
        raise HydralabError(f"kinds: got {brief(kinds)}, expected True or some of {', '.join(KINDS)}")
    named = list(kinds)
    for each in named:
        if each not in KINDS:
            raise unknown_name("kind of private text", each, KINDS)
    return tuple(kind for kind in KINDS if kind in named)
