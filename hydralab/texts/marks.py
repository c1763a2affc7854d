"""Addresses, phone numbers and codes: entities that are told by their shape in any language."""

from __future__ import annotations

import re

__all__ = ["MARKS", "Rule"]

Rule = tuple[str, re.Pattern[str]]
"""An entity type and where it stands: the group "value" when the pattern has one, else the match."""

_EXTENSIONS = (
    "docx?|xlsx?|pptx?|pdf|txt|md|csv|tsv|jsonl?|ya?ml|xml|html?|zip|rar|7z|tar|gz|png|jpe?g|gif|svg|webp|heic|psd|"
    "mp[34]|mov|avi|mkv|wav|py|ipynb|js|ts|java|cpp|sql|sh|log|ini|toml|apk|exe|dmg|parquet|pages|key|epub|ics|bak"
)
_DOMAIN = (
    r"[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,5}"
    r"\.(?:com|org|net|edu|gov|io|ai|cn|co|uk|de|fr|dev|app|shop|info|me|tv|jp|eu)"
)
_PATH = r"/[\w./?=&#%~+:-]*[\w/=&#~+-]|/"
_PROVINCES = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
_NUMBERED = (
    "order|invoice|account|reference|ref|ticket|case|tracking|serial|booking|passport|policy|membership|licen[cs]e|"
    "订单|订单号|单号|编号|户号|账号|帐号|卡号|工号|学号|证号|货号|序列号|快递号|身份证|身份证号|护照|护照号|编码|会员号|尾号"
)
_PLACED = "room|gate|flight|train|bus|flat|unit|locker|platform|apartment|apt|suite|bay|航班|车次|房间|座位"
_CALLED = (
    "call|ring|phone|dial|text|tel|telephone|mobile|cell|fax|whatsapp|hotline|"
    "电话|手机|手机号|致电|拨打|拨|热线|座机|传真|来电"
)


def _ascii(pattern: str, flags: int = 0) -> re.Pattern[str]:
    # With ASCII classes a Chinese character ends a code, as a space does.
    return re.compile(pattern, re.ASCII | re.VERBOSE | flags)


MARKS: tuple[Rule, ...] = (
    (
        "email",
        _ascii(r"(?<![\w.+-]) [A-Za-z0-9] [\w.+-]{0,63} @ [A-Za-z0-9-]{1,63} (?:\.[A-Za-z0-9-]{1,63}){1,6}"),
    ),
    ("url", _ascii(r"(?:https?|ftp):// [\x21-\x7e]{1,2000}? (?= [.,;:!?)\]'\"]{0,9} (?:[^\x21-\x7e]|$) )")),
    (
        "url",
        _ascii(
            rf"(?<![\w@.-]) www\.[a-z0-9-]{{1,63}} (?:\.[a-z0-9-]{{1,63}}){{1,6}} (?:{_PATH})?", re.IGNORECASE
        ),
    ),
    ("url", _ascii(rf"(?<![\w@.-]) {_DOMAIN} (?:{_PATH})", re.IGNORECASE)),
    (
        "url",
        _ascii(
            r"(?<![\w@.-]) [a-z0-9-]{1,63} (?:\.[a-z0-9-]{1,63}){0,5} \.(?:com|org|net|cn) (?![\w@-])",
            re.IGNORECASE,
        ),
    ),
    # File names; number plates; hexadecimal codes, IP addresses, UUIDs and hashes.
    (
        "identifier",
        _ascii(
            rf"(?<![\w./-]) [\w-]{{1,120}} (?:\.[\w-]{{1,60}}){{0,5}} \.(?:{_EXTENSIONS}) (?!\w)",
            re.IGNORECASE,
        ),
    ),
    ("identifier", _ascii(rf"[{_PROVINCES}] [A-Z] [·•\ ]? [A-Z0-9]{{5,6}} (?!\w)")),
    ("identifier", _ascii(r"(?<!\w) 0x[0-9A-Fa-f]{4,} (?!\w) | (?<!\w) \#[A-Z]*-?\d{2,} (?!\w)")),
    (
        "identifier",
        _ascii(
            r"(?<![\w.]) \d{1,3} (?:\.\d{1,3}){3} (?![\w.]\d) | [0-9a-f]{8} (?:-[0-9a-f]{4}){3} -[0-9a-f]{12}"
        ),
    ),
    ("identifier", _ascii(r"(?<!\w) (?=[0-9]{0,40}[a-f]) (?=(?:[a-f]{0,40}\d){3}) [0-9a-f]{7,40} (?!\w)")),
    ("identifier", _ascii(r"(?<![\w.]) v\d+ (?:\.\d+){1,3} (?!\w)")),
    # Numbers that only the label before them tells from others.
    (
        "identifier",
        _ascii(
            rf"(?:{_NUMBERED}) (?:\.|是|为|：|[\s:#]|no\b|number|num\b)* (?P<value>\d[\d-]{{2,}}\d) (?!\w)",
            re.IGNORECASE,
        ),
    ),
    ("identifier", _ascii(r"ISBN (?:-1[03])? [\s:]* (?P<value>[\d-]{9,16}[\dX]) (?!\w)")),
    (
        "identifier",
        _ascii(
            rf"(?:{_PLACED}) (?:\ number|\ no\.?|号|：|:)? \ ?"
            r"(?P<value>(?:[A-Z]{1,3}\ ?)?\d{1,4}[A-Z]?) (?![\w:.%])",
            re.IGNORECASE,
        ),
    ),
    # Letters with at least three digits: CN-A10293, ERR_4031, B-214, BA286.
    (
        "identifier",
        _ascii(r"""
            (?<![\w/.@-]) (?=\d{0,9}[-_]?[A-Za-z]|[\w-]{0,30}-[A-Z]) (?=(?:[A-Za-z_-]{0,20}\d){3})
            (?:[A-Z0-9]+ (?:[-_][A-Za-z0-9]+)+ | [a-z]+[-_]\d{3,}) (?![\w@-])
            """),
    ),
    ("identifier", _ascii(r"(?<![\w/.@-]) [A-Z]{1,4}\d{3,}[A-Z0-9]* (?![\w@-])")),
    (
        "identifier",
        _ascii(r"(?<![\w/.@-]) (?=(?:[A-Z]{0,20}\d){3}) (?=\d{0,20}[A-Z]) [A-Z0-9]{6,} (?![\w@-])"),
    ),
    ("phone", _ascii(r"(?<![\w.-]) \+\d{1,3} (?:[ .-]?\(?\d{1,5}\)?){2,5} (?![\w-])")),
    ("phone", _ascii(r"(?<![\w.-]) (?:\d[ -])? \(\d{2,5}\)\ ?\d{3,4}[ .-]\d{3,4} (?![\w-])")),
    (
        "phone",
        _ascii(
            r"(?<![\w.-]) 1?[48]\d\d (?:-\d{3,4}){2} (?![\w-]) | (?<![\w.-]) 1-\d{3}-\d{3}-\d{4} (?![\w-])"
        ),
    ),
    (
        "phone",
        _ascii(r"(?<![\w.-]) (?!(?:19|20)\d\d[ -](?:19|20)\d\d\b) \d{3,5} (?:[ -]\d{3,6}){1,3} (?![\w-])"),
    ),
    ("phone", _ascii(r"(?<![\w.-]) \d{3}\.\d{3}\.\d{4} (?![\w-])")),
    ("phone", _ascii(r"(?<![\w.-]) (?:1[3-9]\d{9}|0\d{9,11}|[48]00\d{7}) (?!\w)")),
    (
        "phone",
        _ascii(
            rf"(?:{_CALLED}) (?:\ me|\ us|\ on|\ at|号|是|为|：|[\s:])* (?P<value>\d{{5,12}}) (?![\w.:%])",
            re.IGNORECASE,
        ),
    ),
)
"""The surest first."""
