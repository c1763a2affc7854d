"""Numbers of identity cards, bank cards and passports: told by check digits, or by the words around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date

from hydralab.optional import load_optional
from hydralab.privacy.readable_text import PrivateSpan, cues, leaning, said_before

__all__ = ["bank_cards", "identity_cards", "passports"]

PROVINCES = frozenset(
    str(code)
    for first, last in ((11, 15), (21, 23), (31, 37), (41, 46), (50, 54), (61, 65), (71, 71), (81, 83))
    for code in range(first, last + 1)
)
"""First two digits of a Chinese number (GB/T 2260); county codes come and go, so they aren't looked up."""

CHINESE_CARD = re.compile(
    r"(?<![\dA-Za-z])\d{6}[ -]?(?:18|19|20)\d{2}[ -]?\d{4}[ -]?\d{3}[\dXx](?![\dA-Za-z])"
)

WESTERN_CARDS = (
    (re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])", re.ASCII), "stdnum.us.ssn", False),
    (re.compile(r"(?<![\w-])\d{3}[ ]?\d{2}[ ]?\d{4}(?![\w-])", re.ASCII), "stdnum.us.ssn", True),
    (re.compile(r"(?<![\w-])[XYZ\d]\d{7}-?[A-HJ-NP-TV-Z](?![\w-])", re.ASCII), "stdnum.es.nif", False),
    (
        re.compile(r"(?<!\w)[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?!\w)", re.ASCII),
        "stdnum.it.codicefiscale",
        False,
    ),
    (
        re.compile(r"(?<!\w)[12](?: ?\d{2}){2} ?\d[\dAB](?: ?\d{3}){2} ?\d{2}(?!\w)", re.ASCII),
        "stdnum.fr.nir",
        False,
    ),
)
"""Pattern, module of python-stdnum whose `is_valid` decides, and whether a word must say what it is."""

BRITISH_CARD = re.compile(r"(?<!\w)[A-CEGHJ-PR-TW-Z][A-NPR-TW-Z](?: ?\d{2}){3} ?[A-D](?!\w)", re.ASCII)
"""National Insurance: two letters, six digits, a letter; it has no check digit."""

CARD_WORDS = cues(
    "身份证|社会安全号|社保号|税号",
    r"ssn|social security(?: (?:number|no\.?))?|national insurance|ni(?:no| number)|id|tax",
)

BANK_CARD = re.compile(r"(?<![\dA-Za-z.])(?<!\d[ -])\d(?:[ -]?\d){11,18}(?![\dA-Za-z])(?![ -]\d)")
GROUPED = re.compile(r"\d{13,19}|\d{3,6}(?P<gap>[ -])\d{4,6}(?:(?P=gap)\d{2,7}){1,4}")
ISSUERS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})"
    r"|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"
    r"|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}"
    r"|6(?:011|5\d\d|4[4-9]\d)\d{12,15}|62\d{14,17}|(?:5[0678]|6[0-9])\d{14,17}|9\d{15,18}"
)
"""Lengths by issuer: Visa, Mastercard, American Express, Diners, JCB, Discover, UnionPay, Maestro, older Chinese."""

STRONG_ISSUERS = re.compile(r"4|5[1-5]|2[2-7]|3[047]|36|38|35|62|6011|65|64")
BANK_WORDS = cues(
    "卡号|银行卡|储蓄卡|信用卡|借记卡|账号|户名|转这张|刷卡",
    "card|visa|mastercard|amex|unionpay|maestro|debit|credit|pan|iban",
)
OTHER_WORDS = cues(
    "订单|单号|流水|工单|运单|快递|编号|合同|序列号|发票|时间戳|凭证号",
    r"order|tracking|ref(?:erence)?|serial|seed|invoice|ticket|po|isbn|ean|sku|epoch|timestamp|imei|transaction",
)

PASSPORT = re.compile(
    r"(?<![\dA-Za-z-])(?:"
    r"[EGDSPHKM][A-Z]?[ ]?\d{7,8}|\d{9}|\d{3} \d{3} \d{3}|[A-Z]\d{8}|[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{8}"
    r"|\d{2}[A-Z]{2}\d{5}|[A-Z]{2}\d{6,7}|[A-Z]{3}\d{6}[A-Z]?|[A-Z]\d{7})(?![\dA-Za-z-])",
    re.IGNORECASE,
)
PASSPORT_WORDS = cues(
    "护照|旅行证|通行证", r"passports?|pass(?:port)?[ -]?(?:no|nr|number)|reisepass|passeport|travel document"
)
NOT_PASSPORT = cues(
    "订单|单号|工单|配件|型号|货号|序列号|航班|座位|手机|电话|卡号|驾照",
    r"order|sku|model|serial|part|ticket|booking|flight|seat|phone|tel|tracking|invoice|receipt|case|ref(?:erence)?",
)


def identity_cards(text: str) -> Iterator[PrivateSpan]:
    """Yield Chinese numbers that pass check digit and date, and western ones that pass theirs."""
    checks = load_optional("stdnum.iso7064.mod_11_2", extra="privacy", purpose="finding identity cards")
    for match in CHINESE_CARD.finditer(text):
        digits = re.sub("[ -]", "", match.group()).upper()
        if digits[:2] in PROVINCES and _is_day(digits[6:14]) and checks.is_valid(digits):
            yield PrivateSpan(*match.span(), "id_card")
    for pattern, module, needs_word in WESTERN_CARDS:
        for match in pattern.finditer(text):
            if needs_word and not said_before(text, match.start(), CARD_WORDS, 24):
                continue
            if load_optional(module, extra="privacy", purpose="finding identity cards").is_valid(
                match.group()
            ):
                yield PrivateSpan(*match.span(), "id_card")
    for match in BRITISH_CARD.finditer(text):
        if said_before(text, match.start(), CARD_WORDS, 40):
            yield PrivateSpan(*match.span(), "id_card")


def bank_cards(text: str) -> Iterator[PrivateSpan]:
    """Yield numbers with an issuer's first digits and length that pass Luhn's check."""
    luhn: Callable[[str], bool] = load_optional(
        "stdnum.luhn", extra="privacy", purpose="finding bank cards"
    ).is_valid
    for match in BANK_CARD.finditer(text):
        digits = re.sub("[ -]", "", match.group())
        if not GROUPED.fullmatch(match.group()) or not ISSUERS.fullmatch(digits) or not luhn(digits):
            continue
        sided = leaning(text, *match.span(), BANK_WORDS, OTHER_WORDS, 24)
        if sided > 0 or (sided == 0 and STRONG_ISSUERS.match(digits)):
            yield PrivateSpan(*match.span(), "bank_card")


def passports(text: str) -> Iterator[PrivateSpan]:
    """Yield what has the shape of a passport's number where the word stands near."""
    if not PASSPORT_WORDS.search(text):
        return
    for match in PASSPORT.finditer(text):
        if (
            re.search(r"\d{5}", match.group())
            and leaning(text, *match.span(), PASSPORT_WORDS, NOT_PASSPORT, 80) > 0
        ):
            yield PrivateSpan(*match.span(), "passport")


def _is_day(digits: str) -> bool:
    try:
        return date(int(digits[:4]), int(digits[4:6]), int(digits[6:])) <= date.today()
    except ValueError:
        return False
