"""Phone numbers and e-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hydralab.optional import load_optional
from hydralab.privacy.readable_text import PrivateSpan, cues, leaning

__all__ = ["emails", "phones"]

EMAIL = re.compile(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9_](?:[A-Za-z0-9._%+'-]*[A-Za-z0-9_+-])?"
    r"(?:@|[ ]?[(\[](?:at|AT)[)\]][ ]?)"
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.|[ ]?[(\[](?:dot|DOT)[)\]][ ]?))+[A-Za-z]{2,24}(?![A-Za-z0-9-])"
)
PATH = re.compile(r":[~/\w-]*[A-Za-z~/][\w.-]*/")
"""After a host it makes an address the remote of a repository."""

INTERNATIONAL = re.compile(
    r"(?<![\w+])(?:\+|00(?=[1-9]))\d{1,3}(?:[ .-]{0,2}\(?\d{1,5}\)?){2,6}(?![\w])", re.ASCII
)
NATIONAL = re.compile(
    r"(?<![\w+.-])(?<!\d[ /])[(]?\d{1,5}(?:[)][ -]?|[ .-])?(?:\d{1,9}[ .-]?){0,4}\d{2,9}(?![\w])(?!-\w)(?!\.\d)",
    re.ASCII,
)

MOBILE = re.compile(r"1[3-9]\d([ -]?)\d{4}\1\d{4}")
"""Eleven digits, in groups of three, four and four or in none; numbers of mainland China."""

SHAPES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"(?:\(0\d{2,3}\) ?|0\d{2,3}[ -])\d{3,4}[ -]?\d{4}"), ("CN",)),
    (re.compile(r"(?:400|800)[ -]\d{3,4}[ -]?\d{3,4}"), ("CN", "US")),
    (re.compile(r"(?:1[ .-])?(?:\([2-9]\d\d\)[ -]?|[2-9]\d\d[ .-])[2-9]\d\d[ .-]\d{4}"), ("US",)),
    (
        re.compile(r"(?:\(0\d{1,5}\)|0\d{1,5})(?:[ -]\d{2,8}){1,4}"),
        ("GB", "DE", "FR", "IT", "CN", "AU", "CH", "JP"),
    ),
    (re.compile(r"0[1-9](?:[ .-]\d{2}){4}"), ("FR",)),
    (re.compile(r"[69]\d{2}(?:[ ]\d{2,3}){2,3}"), ("ES",)),
)
"""What a number looks like that needs no word beside it, and the countries it may be of."""

EVERYWHERE = ("CN", "US", "GB", "DE", "FR", "ES", "IT", "AU", "HK", "JP")

PHONE_WORDS = cues(
    "电话|手机|座机|热线|号码|来电|回电|致电|拨打?|打给|打(?=\\d)|联系|传真|客服|前台|快递员|师傅|房东|微信|短信|办公室|总机|分机",
    r"call(?:s|ed|ing)?(?: back)?|ring|phone|dial|text(?: me)?|tel(?:efon|ephone)?|mob(?:ile)?|cell|fax|whatsapp|"
    r"hotline|contact|reach|number|nummer|handy|office|emergency",
)
OTHER_WORDS = cues(
    "订单号?|单号|工单|流水号?|编号|小票号?|合同|序列号|型号|货号|版本|发票|运单|邮编|工号|学号|会员号|客户号|商品|零件|条码|证件|卡号|"
    "时间戳|端口|序号|批号|快递单|金额|价格|共计|余额|QQ|qq|身份证|护照",
    r"orders?|po|ref(?:erence)?|tickets?|tracking|serial|part|sku|models?|invoices?|customer|accounts?|build|seed|receipt|"
    r"case|meter(?: reading)?|isbn|ean|epoch|timestamp|card|passport|version|parcel|bytes?|port|upc|barcode|quote|"
    r"item|product|batch|lot|policy|(?:user |student |member )id|zip|postcode|reading|total|amount|usd|ms",
)


def emails(text: str) -> Iterator[PrivateSpan]:
    """Yield addresses, those with a written-out (at) and (dot) too; no remotes of repositories."""
    for match in EMAIL.finditer(text):
        if not PATH.match(text, match.end()) and not _is_of_url(text, match.start()):
            yield PrivateSpan(*match.span(), "email")


def phones(text: str) -> Iterator[PrivateSpan]:
    """Yield phone numbers with country code and brackets, without an extension."""
    library = load_optional("phonenumbers", extra="privacy", purpose="finding phone numbers")
    for match in INTERNATIONAL.finditer(text):
        number = re.sub("^00", "+", match.group())
        if _possible(library, number, (None,)) and (
            match.group()[0] == "+" or leaning(text, *match.span(), PHONE_WORDS, OTHER_WORDS, 48) > 0
        ):
            yield PrivateSpan(*match.span(), "phone")
    for match in NATIONAL.finditer(text):
        if _is_national(library, text, *match.span()):
            yield PrivateSpan(*match.span(), "phone")


def _is_national(library: Any, text: str, start: int, end: int) -> bool:
    number = text[start:end]
    if not 7 <= sum(each.isdigit() for each in number) <= 13:
        return False
    sided = leaning(text, start, end, PHONE_WORDS, OTHER_WORDS, 56)
    if sided < 0:
        return False
    if MOBILE.fullmatch(number):
        return True
    if any(shape.fullmatch(number) and _possible(library, number, regions) for shape, regions in SHAPES):
        return True
    near = leaning(text, start, end, PHONE_WORDS, OTHER_WORDS, 24) > 0
    return near and not re.search(r"\d\.\d", number) and _possible(library, number, EVERYWHERE)


def _possible(library: Any, number: str, regions: tuple[str | None, ...]) -> bool:
    """Say whether it may be a number; those reserved for fiction and not yet given out may be."""
    for region in regions:
        try:
            parsed = library.parse(number, region)
        except library.NumberParseException:
            continue
        if library.is_possible_number(parsed):
            return True
    return False


def _is_of_url(text: str, start: int) -> bool:
    """Say whether a password and host of an URL were taken for an address."""
    return re.search(r"://[^\s/@]*$", text[max(0, start - 200) : start]) is not None
