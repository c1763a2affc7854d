"""Persons, places, organisations and products in English: capitalised words, typed by what stands around."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hydralab.texts import name_lists_english as lists
from hydralab.texts.capitals import is_derived, is_rare, is_rather_capitalised
from hydralab.texts.stopwords import ENGLISH

__all__ = ["english_names"]

Span = tuple[int, int, str]
Words = list[re.Match[str]]

# "I" alone is no name and ends one.
_CAPITAL = r"[A-Z][A-Za-zÀ-ÿ]*"
_CAPITALISED = (
    rf"(?: (?!I(?:['’]\w+)?\b) {_CAPITAL} (?:['’][A-Z][a-zà-ÿ]+)? (?:-{_CAPITAL})* | [ie][A-Z][A-Za-z]+ )"
)
_SHORTENED = r"(?: (?:(?<=\b[A-Z])|(?<=\b(?:Mr|Dr|Ms|St|Jr))|(?<=\bMrs)|(?<=\bProf)) \. )?"
_JOINED = r"(?: ['’]s\  | (?:\ (?:of|for|and|de|da|di|del|van|von|der|la|le|bin|al|the|&)){1,2}\  )"
_MODEL = (
    r"(?: [A-Z]{1,3}\d{1,3}[A-Za-z]? | \d{1,2}(?![\w%:.,/]\w)(?!\w) | XP|SE|Pro|Max|Mini|Air|Plus|Ultra )"
)
_RUN = re.compile(
    rf"""
    (?<![\w@#/.’'-]) {_CAPITALISED}
    (?: {_SHORTENED}\ {_CAPITALISED} | {_JOINED} (?={_CAPITALISED}) {_CAPITALISED} ){{0,8}}
    (?:\ {_MODEL}){{0,3}} (?![\w@])
    """,
    re.VERBOSE,
)
_IS_MODEL = re.compile(_MODEL, re.VERBOSE)
_WORD = re.compile(r"[A-Za-zÀ-ÿ'’&.-]+|\d\w*")
_JOINT = re.compile(r"['’]s (?=[A-Z])| (?:and|for|the) ")
_OFFICE = re.compile(
    r"(?:University|Bank|Ministry|Department|Institute|College|Museum|Bureau|Church|Court) of "
)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PLACE_BEFORE = _set("""
in near around across outside visiting visit visited toward towards leaving into reach reached
""")
_TRAVEL = re.compile(
    r"(?:go|going|goes|went|gone|fl[yi]\w*|flew|mov\w+|driv\w+|drove|travel\w*|trip|train|bus|flights?|road|way|"
    r"tickets?|sail\w*|walk\w*|head\w*|return\w*|back|comes?|came|coming|far|ship\w*|deliver\w*|tour|ferry|commut\w*|"
    r"is|are|was|am|'m|'re)\s(?:to|from|via|through)\s(?:the\s)?$",
    re.IGNORECASE,
)
_ORGANISATION_BEFORE = _set("at joined joining contacted the")
_OFFICE_BEFORE = _set("at joined joining contacted for from with by")
_PRODUCT_BEFORE = _set(
    "use uses used using open opens install installed on update updated download run running app"
)
_PERSON_BEFORE = _set("hi hey hello dear thanks thank cc ask asked tell told call called met meet with named")
_CUES = _PLACE_BEFORE | _PRODUCT_BEFORE | _PERSON_BEFORE | {"at", "joined", "joining"}
_PLACE_FIRST = _set("Mount Lake Port San New North South East West Fort Cape Los Saint")
_PLACES_TOO = _set("Virginia Victoria Chad Jordan Georgia Florence Sydney Austin")
_VERBS = _set("""
is was has had will would can could did does said says left went ran came got gave took made wrote told asked wants
thinks likes lives works owes needs knows called sent paid met grew teaches joined and
""")
_NO_SUBJECT = _set("it i you we he she they this that the a an my your his her our their there to")
_WITH_STOP = frozenset({"Inc.", "Ltd.", "Co."})

_NEAR = 40
"""Characters to the left that tell what kind of name follows."""


def english_names(text: str) -> list[Span]:
    """Return the names of a text as (start, end, type), in order.

    A capitalised word is a name inside a sentence; at its start, and where every word has a capital,
    only when it is rather written with one elsewhere.
    """
    titled = _is_title_case(text)
    spans: list[Span] = []
    for run in _RUN.finditer(text):
        for start, end in _names_in(text, run, titled):
            kind = _kind(text[start:end], text[max(0, start - _NEAR) : start])
            if kind:
                spans.append((start, end, kind))
    return spans


def _is_title_case(text: str) -> bool:
    words = [word for word in _WORD.findall(text) if word[0].isalpha()]
    return len(words) > 4 and sum(word[0].isupper() for word in words) > 0.7 * len(words)


def _names_in(text: str, run: re.Match[str], titled: bool) -> Iterator[tuple[int, int]]:
    """Cut a run of capitalised words where "and" or "'s" joins two names, and trim what is no name."""
    start, end = run.span()
    for joint in _JOINT.finditer(run.group()):
        if not _is_organisation(text[start:end]):
            yield from _trimmed(text, start, run.start() + joint.start(), titled)
            start = run.start() + joint.end()
    yield from _trimmed(text, start, end, titled)


def _trimmed(text: str, start: int, end: int, titled: bool) -> Iterator[tuple[int, int]]:
    words = list(_WORD.finditer(text, start, end))
    while words and not _starts_name(text, words, titled):
        words.pop(0)
    while words and words[-1].group() in lists.NO_NAMES and not words[-1].group().isupper():
        words.pop()
    if words:
        last = words[-1].group()
        yield words[0].start(), words[-1].end() - (last.endswith(".") and last not in _WITH_STOP)


def _starts_name(text: str, words: Words, titled: bool) -> bool:
    first, word = words[0], words[0].group().rstrip(".")
    if word in lists.NO_NAMES or not word[0].isalpha():
        return False
    if titled or _opens_sentence(text, first.start()):
        return _is_name_at_start(text, words, word)
    if _is_known(word) or word in lists.AMBIGUOUS_GIVEN:
        return True
    cued = len(words) > 1 or _last_word(text[max(0, first.start() - _NEAR) : first.start()]) in _CUES
    return word.lower() not in ENGLISH and (cued or is_rather_capitalised(word))


def _opens_sentence(text: str, start: int) -> bool:
    left = text[max(0, start - _NEAR) : start].rstrip(" \t\"'“(*")
    return not left or left[-1] in ".!?:\n。！？：•>-"


def _is_name_at_start(text: str, words: Words, word: str) -> bool:
    end = words[0].end()
    if word in lists.AMBIGUOUS_GIVEN:
        return len(words) > 1 or _before_verb(text, end)
    if _is_known(word):
        return True
    whole = text[words[0].start() : words[-1].end()]
    if len(words) > 2 and word.lower() not in ENGLISH | lists.OPENERS and _is_organisation(whole):
        return True
    if not is_rather_capitalised(word) or word.endswith("ly"):
        return False
    # A word that the vocabulary holds in no spelling may be a rare name or a slip of the keyboard.
    return not is_rare(word) or (not is_derived(word) and (len(words) > 1 or _before_verb(text, end)))


def _is_known(word: str) -> bool:
    known = (lists.GIVEN_NAMES, lists.PLACES, lists.ORGANISATIONS, lists.PRODUCTS, lists.HONORIFICS)
    return any(word in names for names in known)


def _before_verb(text: str, end: int) -> bool:
    if text[end : end + 2] in ("'s", "’s"):
        return True
    after = _WORD.match(text, end + 1)
    if after is None or text[end : end + 1] != " ":
        return False
    word = after.group().lower()
    return word not in _NO_SUBJECT and (word in _VERBS or word.endswith(("s", "ed")))


def _is_organisation(name: str) -> bool:
    words = name.split()
    ending = len(words) > 1 and words[-1].rstrip(".,") in lists.ORGANISATION_ENDINGS
    return name in lists.ORGANISATIONS or ending or " & " in name or bool(_OFFICE.match(name))


def _kind(name: str, left: str) -> str | None:
    words = name.split()
    first, last = words[0].rstrip("."), words[-1].rstrip(".")
    several = len(words) > 1
    if _is_organisation(name):
        return "organisation"
    if first in lists.HONORIFICS and several:
        return "person"
    if name in lists.PLACES or (several and (last in lists.PLACE_ENDINGS or first in _PLACE_FIRST)):
        return "place"
    model = several and bool(_IS_MODEL.fullmatch(words[-1]) or words[-2] == "Model")
    if name in lists.PRODUCTS or first in lists.PRODUCTS or model:
        return "product"
    return _kind_by_context(name, words, "near" if _TRAVEL.search(left) else _last_word(left))


def _kind_by_context(name: str, words: list[str], before: str) -> str | None:
    first = words[0]
    if first in lists.GIVEN_NAMES or first in lists.AMBIGUOUS_GIVEN:
        return "place" if name in _PLACES_TOO and before in _PLACE_BEFORE else "person"
    if before in _PRODUCT_BEFORE:
        return "product"
    if name.isupper() and len(name) <= 6:
        # Abbreviations are as often terms as names.
        return "organisation" if before in _OFFICE_BEFORE else None
    if before in _PLACE_BEFORE:
        return "place"
    if before in _ORGANISATION_BEFORE:
        return "organisation"
    return "person" if any(map(is_rather_capitalised, words)) else None


def _last_word(left: str) -> str:
    found = re.search(r"([A-Za-z]+)[\s\"'“(]*$", left)
    return found.group(1).lower() if found else ""
