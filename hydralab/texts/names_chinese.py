"""Persons, places, organisations and products in Chinese: jieba's parts of speech, surnames and endings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hydralab.texts import chinese
from hydralab.texts import name_lists_chinese as lists
from hydralab.texts.name_lists_english import GIVEN_NAMES, NO_NAMES, ORGANISATIONS, PLACES, PRODUCTS
from hydralab.texts.scripts import HAN

__all__ = ["chinese_names"]

Span = tuple[int, int, str]
Token = tuple[int, int, str, str]
"""Start, end, word, part of speech."""


def _any(names: Iterable[str]) -> str:
    """Return a pattern for any of the names, the longest first; a set of first characters rules out fast."""
    listed = sorted(names, key=lambda name: (-len(name), name))
    firsts = "".join(sorted({name[0] for name in listed}))
    return f"(?=[{firsts}])(?:{'|'.join(listed)})"


_SURNAME = _any(lists.SURNAMES)
_TITLED = re.compile(rf"(?:{_SURNAME})(?:{lists.CHINESE_TITLES})|[老小阿](?:{_SURNAME})")

# A surname with one or two characters is a person before what people do.
_DOING = (
    "说|问|让我|叫我|告诉|负责|的邮箱|的电话|的手机|的微信|认为|建议|提到|回复|答应|同意|反对|决定|联系|约我|请我|给我|找我|和我|"
    "跟我|借我|欠我|是我|他|她|在[^线内外乎于]|去了?|来了?|把"
)
_BEFORE = '，。！？、；：“"（和跟与让请给找叫问是对向把被约见'
_GIVEN = "".join(sorted(lists.GIVEN_CHARACTERS))
_NAMED = re.compile(rf"(?:^|(?<=[\s{_BEFORE}]))(?:{_SURNAME})[{_GIVEN}]{{1,2}}?(?={_DOING})")
_GIVEN_AFTER_SMALL = frozenset(
    "芳丽敏静娟涛强军伟杰磊勇燕玲珍倩婷雪琳佳颖慧琪瑶薇莉娜艳霞萍芬刚斌辉鹏浩凯宇峰波明红兰英哲坤"
)
_TELLING = re.compile(
    rf"(?:^|(?<=[\s{_BEFORE}]))(?:{_SURNAME})[{HAN}]{{1,2}}(?=说|告诉我|问我|让我|叫我|约我|负责|的邮箱|的电话|的手机|的微信|的生日)"
)
_DOUBLED = re.compile(rf"(?:(?<=[接找叫问给跟和让等陪约])|(?<=^))([{_GIVEN}])\1(?=[\W]|$|{_DOING})")

_BRAND = _any(lists.CHINESE_BRANDS)
_PRODUCT = re.compile(
    rf"(?:{_BRAND})(?:{lists.CHINESE_PRODUCT_NOUNS}|[ ]?[A-Z][A-Za-z0-9]*(?:[ ][A-Z0-9][A-Za-z0-9]*)*)"
    rf"|{_any(lists.CHINESE_PRODUCTS)}"
)
_KNOWN_ORGANISATION = re.compile(_any(lists.CHINESE_ORGANISATIONS))
_ORGANISATION_END = re.compile(rf"(?:{lists.CHINESE_ORGANISATION_ENDINGS})$")
_TRADE = re.compile(rf"(?:{lists.CHINESE_TRADES})(?:公司|集团|股份)?")
_PLACE_END = re.compile(rf"(?:{lists.CHINESE_PLACE_ENDINGS})$")
_STREET_END = tuple("路街区县镇村站")
_LATIN = re.compile(
    r"(?<![A-Za-z0-9@./_-])(?:[A-Z]|[a-z]+[A-Z])[A-Za-z0-9+#]*(?:[ .-][A-Z0-9][A-Za-z0-9+#]*)*(?![A-Za-z0-9@/_-])"
)

_PERSON_AFTER = re.compile(
    r"\s?(?:说|问|让|告诉|负责|回复|觉得|认为|建议|提到|刚|昨天|今天|他|她|那边|来了|跟我|和我)"
)
_PERSON_BEFORE = re.compile(r"(?:联系|问问?|找|让|跟|叫|约|拜托|@|同事|老板|朋友|客户)\s?$")
_NAME_TAGS = frozenset({"nr", "nrt", "nrfg"})
_PROPER_TAGS = _NAME_TAGS | {"ns", "nz", "nt", "j", "x"}
_NOUN_TAGS = frozenset({"n", "vn", "an", "b", "a", "s"})
_NO_PART = frozenset({"w", "p", "c", "r", "u", "uj", "ul", "y", "d", "m", "q", "f", "t", "v", "ug", "k"})


def chinese_names(text: str) -> list[Span]:
    """Return the names of a text as (start, end, type), the surest first; they may overlap."""
    tokens = list(_tokens(text))
    return [
        *_spans(_PRODUCT, text, "product"),
        *_organisations(text, tokens),
        *_titled(text, tokens),
        *_places(tokens),
        *_persons(tokens),
        *_spans(_NAMED, text, "person"),
        *_told(text, tokens),
        *_spans(_DOUBLED, text, "person"),
        *_latin_names(text),
    ]


def _spans(pattern: re.Pattern[str], text: str, kind: str) -> Iterator[Span]:
    return ((match.start(), match.end(), kind) for match in pattern.finditer(text))


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    for word, flag in chinese.tag(text):
        start, at = at, at + len(word)
        yield start, at, word, flag


def _organisations(text: str, tokens: list[Token]) -> Iterator[Span]:
    starts = {start for start, *_ in tokens}
    for place, (start, end, word, flag) in enumerate(tokens):
        if (flag == "nt" and len(word) > 3) or word in lists.CHINESE_DEPARTMENTS:
            yield start, end, "organisation"
        elif _ORGANISATION_END.search(word):
            first = _start_of_name(tokens, place)
            if first < place or (len(word) > 3 and not _ORGANISATION_END.fullmatch(word)):
                yield tokens[first][0], end, "organisation"
        elif _TRADE.fullmatch(word):
            first = _start_of_proper_name(tokens, place)
            if first < place:
                yield tokens[first][0], end, "organisation"
    for start, end, kind in _spans(_KNOWN_ORGANISATION, text, "organisation"):
        if start in starts:
            yield start, end, kind


def _start_of_name(tokens: list[Token], place: int) -> int:
    """Go left from the ending of an organisation over what may be its name, if it holds a proper one."""
    first, named = place, False
    while first and place - first < 4:
        _start, end, word, flag = tokens[first - 1]
        if end != tokens[first][0] or len(word) > 4 or word in lists.CHINESE_ROLES:
            break
        if flag not in _PROPER_TAGS | _NOUN_TAGS and not (len(word) == 1 and flag not in _NO_PART):
            break
        named |= flag in _PROPER_TAGS or word in lists.CHINESE_INSTITUTIONS or bool(_TRADE.fullmatch(word))
        first -= 1
    return first if named else place


def _start_of_proper_name(tokens: list[Token], place: int) -> int:
    """Return where a proper noun, or two or three characters that are no words, stand before a trade."""
    first = place
    while first and place - first < 3 and tokens[first - 1][1] == tokens[first][0]:
        _start, _end, word, flag = tokens[first - 1]
        if len(word) > 1:
            return (
                first - 1 if first == place and flag in _NAME_TAGS | {"nz", "x"} and len(word) < 5 else place
            )
        if flag in _NO_PART:
            break
        first -= 1
    return first if place - first > 1 else place


def _titled(text: str, tokens: list[Token]) -> Iterator[Span]:
    """A surname with a title, where jieba cuts so: 张经理, 老周, and neither 周总结 nor 小时."""
    starts, ends = {start for start, *_ in tokens}, {end for _, end, *_ in tokens}
    for start, end, kind in _spans(_TITLED, text, "person"):
        if start in starts and end in ends and text[start:end] not in lists.CHINESE_NO_PERSONS:
            yield start, end, kind


def _places(tokens: list[Token]) -> Iterator[Span]:
    place = 0
    while place < len(tokens):
        start, _end, word, flag = tokens[place]
        last = place
        if _is_place(word, flag):
            while last + 1 < len(tokens) and _goes_on(tokens[last], tokens[last + 1]):
                last += 1
            yield start, tokens[last][1], "place"
        elif flag in _NAME_TAGS | {"nz", "j"} and 1 < len(word) < 5 and _ends_place(tokens, place):
            last = place + 1
            yield start, tokens[last][1], "place"
        place = last + 1


def _ends_place(tokens: list[Token], place: int) -> bool:
    """Tell whether the next word, adjoining, is an ending such as 路 or 机场."""
    if place + 1 == len(tokens):
        return False
    start, _end, word, _flag = tokens[place + 1]
    return start == tokens[place][1] and bool(_PLACE_END.fullmatch(word))


def _told(text: str, tokens: list[Token]) -> Iterator[Span]:
    """A surname with any characters that are no word, before what only people do: 陈操说."""
    flags = {(start, end): flag for start, end, _word, flag in tokens}
    for start, end, kind in _spans(_TELLING, text, "person"):
        if flags.get((start, end), "nr") in _NAME_TAGS:
            yield start, end, kind


def _is_place(word: str, flag: str) -> bool:
    if word in lists.CHINESE_TOWNS:
        return True
    if flag in _NAME_TAGS:
        return len(word) > 2 and word.endswith(_STREET_END)
    known = word in lists.CHINESE_NO_PLACES or word in lists.CHINESE_GIVEN or word.startswith("阿")
    return flag == "ns" and len(word) > 1 and not known


def _goes_on(token: Token, after: Token) -> bool:
    """Tell whether a place goes on with the next word: 南京市 + 鼓楼区, 虹桥 + 站, 云南 + 大理."""
    _start, end, word, _flag = token
    if after[0] != end or after[2] in lists.CHINESE_NO_PLACES:
        return after[0] == end and after[2] == "站"
    wider = word in lists.PROVINCES or word[-1] in "省市区县州镇"
    return (wider and _is_place(after[2], after[3])) or bool(_PLACE_END.search(after[2]))


def _persons(tokens: list[Token]) -> Iterator[Span]:
    taken = 0
    for place, (start, end, word, flag) in enumerate(tokens):
        if start < taken:
            continue
        if (
            word in lists.CHINESE_GIVEN
            or word in lists.CHINESE_PERSONS
            or (flag in _NAME_TAGS and _is_person(word))
            or _is_nickname(word)
        ):
            yield start, end, "person"
        elif word in lists.SURNAMES and word not in lists.SURNAMES_THAT_ARE_WORDS:
            taken = _end_of_given_name(tokens, place)
            if taken:
                yield start, taken, "person"


def _is_person(word: str) -> bool:
    """Tell whether a word that jieba files as a name is one: 李娜, 曹雪芹, and neither 高潮 nor 方式."""
    surname = 2 if word[:2] in lists.SURNAMES else 1 if word[0] in lists.SURNAMES else 0
    given = word[surname:]
    if not surname or len(given) not in (1, 2) or word in lists.CHINESE_NO_PERSONS:
        return False
    if len(word) > 2 and word.endswith(("山", "庄", "湖", "村", "路", "镇")):
        return False
    return len(word) > 2 or given in lists.GIVEN_CHARACTERS


def _is_nickname(word: str) -> bool:
    return (
        len(word) == 2
        and word[0] in "阿小"
        and word[1] in _GIVEN_AFTER_SMALL
        and word not in lists.CHINESE_NO_PERSONS
    )


def _end_of_given_name(tokens: list[Token], place: int) -> int:
    """Return the end of one or two characters after a surname that are no words and make a given name."""
    given = ""
    end = tokens[place][1]
    for start, stop, word, flag in tokens[place + 1 : place + 3]:
        single = len(word) == 1 and (flag not in _NO_PART or word == "一")
        # 悦然 is in the dictionary, as an adjective of literature.
        rare = len(word) == 2 and not given and chinese.frequency(word) < _RARE
        if start != end or not (single or rare) or not all(sign in lists.GIVEN_CHARACTERS for sign in word):
            break
        given, end = given + word, stop
    return end if given and given != "一" else 0


_RARE = 30


def _latin_names(text: str) -> Iterator[Span]:
    for match in _LATIN.finditer(text):
        kind = _latin_kind(match.group(), text[: match.start()], text[match.end() :])
        if kind:
            yield match.start(), match.end(), kind


def _latin_kind(name: str, before: str, after: str) -> str | None:
    if name.islower() or name in NO_NAMES or len(name) < 2:
        return None
    shouted = name.isalpha() and name.isupper()
    addressed = _PERSON_AFTER.match(after) or _PERSON_BEFORE.search(before)
    if name.split()[0] in GIVEN_NAMES or (addressed and not shouted and name not in PRODUCTS):
        return "person"
    if name in PLACES:
        return "place"
    if name in ORGANISATIONS:
        return "organisation"
    # Abbreviations are as often terms as names.
    return None if shouted and name not in PRODUCTS else "product"
