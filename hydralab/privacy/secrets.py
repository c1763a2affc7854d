"""Keys, tokens and passwords: by the shapes that their makers publish, or by the word before them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from hydralab.privacy.readable_text import PrivateSpan

__all__ = ["secrets"]

SHAPES = re.compile(
    r"-----BEGIN (?P<name>[A-Z ]*PRIVATE KEY(?: BLOCK)?)-----.*?(?:-----END (?P=name)-----|\Z)"
    r"|(?<![A-Za-z0-9_-])(?:"
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"  # Amazon
    r"|LTAI[A-Za-z0-9]{12,24}|AKID[A-Za-z0-9]{32}"  # Alibaba, Tencent
    r"|sk-(?:proj-|ant-|svcacct-|or-)?(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{20,}"  # OpenAI, Anthropic and the like
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{20,}"  # Slack
    r"|gh[opsur]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,}"  # GitHub
    r"|gl(?:pat|dt|rt|ptt)-[A-Za-z0-9_-]{20,}"  # GitLab
    r"|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}"  # Google
    r"|[rs]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9]{20,}"  # Stripe
    r"|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{20,}|dop_v1_[a-f0-9]{64}|glc_[A-Za-z0-9+/=]{30,}"
    r"|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|key-[a-f0-9]{32}|SK[a-f0-9]{32}"  # SendGrid, Mailgun, Twilio
    r"|\d{8,10}:[A-Za-z0-9_-]{35}"  # Telegram
    r"|eyJ[A-Za-z0-9_-]{5,}\.eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?"  # JSON web tokens
    r")(?<!-)(?![A-Za-z0-9_])",
    re.DOTALL,
)
"""As gitleaks and detect-secrets list them: a prefix that nothing else has, and the letters that may follow."""

VALUE = r"(?P<quote>[\"'`“「]?)(?P<value>[!-~]{4,512})"
WORDS = (
    r"(?:[A-Za-z0-9]{1,40}[_.-]){0,6}(?:password|passwd|passphrase|pass|pwd|passcode|secret|token|credential|apikey|appsecret|"
    r"(?:api|access|secret|private|auth|app|client|master|encryption|signing)[ _-]?(?:key|secret|token|code)|"
    r"secretkey|accesskey|accesskeysecret|pw|pin)(?:[_ -]?(?:key|id|value|hash))?"
)
CHINESE_WORDS = r"(?:密码|口令|密钥|令牌|秘钥|暗号|通行码|授权码|凭证|私钥)"
SAID = (
    # my password is X, token: X, PGPASSWORD=X, "pwd": "X"
    re.compile(
        rf"(?<![A-Za-z0-9])[\"']?(?:[A-Z0-9]{{0,40}}(?:PASSWORD|PASSWD|SECRET|TOKEN)|{WORDS})[\"']?\s?"
        rf"(?P<link>[:=]=?|:=|=>|->|是|为|(?<=\s)(?:is|was|to)(?=\s))\s*{VALUE}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<![A-Za-z])(?:password|passwd|pwd|passphrase|token|api key|secret)(?P<link>\s){VALUE}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{CHINESE_WORDS}(?:也|就|都|还|改成|换成|改为|设成|现在)*"
        rf"(?P<link>[ :=]{{0,8}}(?:是|为|叫|成)?[ :=]{{0,8}}){VALUE}"
    ),
    re.compile(rf"(?:--?(?:password|passwd|pass|token|api-key|secret|auth))(?P<link>[ =]){VALUE}"),
)
COMMANDS = (
    re.compile(r"\b(?:mysql|mysqldump|mariadb|mysqladmin)\b[^\n|;]{0,300}?\s-p(?P<value>[!-~]{4,})"),
    re.compile(r"\bredis-cli\b[^\n|;]{0,300}?\s-a\s+(?P<value>[!-~]{4,})"),
    re.compile(r"\b(?:sshpass|7z|zip|unzip)\b[^\n|;]{0,300}?\s-[pP] ?(?P<value>[!-~]{4,})"),
    re.compile(r"\bcurl\b[^\n|;]{0,300}?\s(?:-u|--user)\s+[\"']?[^\s:\"']{1,200}:(?P<value>[^\s\"']{4,512})"),
    re.compile(r"\b[a-z][a-z0-9+.-]{0,30}://[^\s/:@]{0,200}:(?P<value>[^\s/@]{3,512})@"),
    re.compile(
        r"\b(?:Authorization|Proxy-Authorization)\W{1,4}(?:Bearer|Basic|Token)\s+(?P<value>[A-Za-z0-9._~+/=-]{6,})",
        re.I,
    ),
    re.compile(r"\bBearer\s+(?P<value>(?=[A-Za-z._~+/=-]*\d)[A-Za-z0-9._~+/=-]{16,})"),
    re.compile(r"\bhttps://hooks\.slack\.com/services/(?P<value>[A-Za-z0-9/]{20,})"),
    re.compile(
        r"[?&](?:sig|signature|key|token|access_token|api_key|apikey|secret)=(?P<value>[^\s&#\"']{8,})", re.I
    ),
)
NEAR = re.compile(
    r"(?<![A-Za-z])(?:keys?|tokens?|secrets?|credentials?|webhook|cookie|session)(?![A-Za-z])|密钥|秘钥|令牌|凭证|私钥|密码",
    re.IGNORECASE,
)
RUN = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{20,200}={0,2}(?![A-Za-z0-9+/_=-])")
CHECKSUMS = re.compile(
    r"(?<![A-Za-z])(?:sha\d*|md5|commit|revert|digest|hash|checksum|uuid|etag|cherry-pick)(?![A-Za-z])", re.I
)
BINDING = ("=", ":", "==", ":=", "=>")
LINKS = str.maketrans("：＝", ":=")

BITS = 3.5
"""Shannon entropy a character from which a run of letters and digits beside such a word is a secret."""

PLACEHOLDERS = re.compile(
    r"[*•xX.…_-]+|<.*>|\{.*\}|\$.*|%.*%|your[_-]?.*|(?:none|null|nil|true|false|str|string|int|bool|bytes|any|optional|required|"
    r"undefined|empty|default|changeme|example|placeholder|redacted|hidden|masked|wrong|incorrect|invalid|expired|missing|correct)",
    re.IGNORECASE,
)
CODE = re.compile(r"[A-Za-z_][\w.]*[(\[{]|[\[({<]|\w+\.\w+\.\w+$|(?:self|os|env|process|config|settings)\.")
CLOSING = {"“": "”", "「": "」"}


def secrets(text: str) -> Iterator[PrivateSpan]:
    """Yield keys, tokens and passwords: the value alone, a private key from its first to its last line."""
    text = text.translate(LINKS)
    for match in SHAPES.finditer(text):
        yield PrivateSpan(*match.span(), "secret")
    for pattern in SAID:
        for match in pattern.finditer(text):
            end = _end_of(match)
            value = text[match.start("value") : end]
            if _is_value(
                value,
                bound=match["link"].strip() in BINDING,
                quoted=bool(match["quote"]),
            ):
                yield PrivateSpan(match.start("value"), end, "secret")
    for pattern in COMMANDS:
        for match in pattern.finditer(text):
            if not PLACEHOLDERS.fullmatch(match["value"]) and not CODE.match(match["value"]):
                yield PrivateSpan(*match.span("value"), "secret")
    for match in RUN.finditer(text):
        before = text[max(0, match.start() - 32) : match.start()]
        if NEAR.search(before) and not CHECKSUMS.search(before) and _is_random(match.group()):
            yield PrivateSpan(*match.span(), "secret")


def _end_of(match: re.Match[str]) -> int:
    """Return where a value ends: at its quote, before another parameter, before the sentence's own marks."""
    value, quote = match["value"], match["quote"]
    closing = value.find(CLOSING.get(quote, quote)) if quote else -1
    if quote and closing >= 0:
        return match.start("value") + closing
    value = re.split(r"&\w+=|[\"'`]|(?<=\w),(?=\s|$)|;(?=\s|$)", value, maxsplit=1)[0]
    return match.start("value") + len(re.sub(r"[.,;:)\]}?]+$", "", value))


def _is_value(value: str, *, bound: bool, quoted: bool) -> bool:
    """Say whether it reads like a secret, and not like a word, a type, a placeholder or code."""
    if len(value) < 4 or PLACEHOLDERS.fullmatch(value) or CODE.match(value):
        return False
    kinds = sum(bool(re.search(each, value)) for each in (r"[a-z]", r"[A-Z]", r"\d", r"[^\w\s]|_"))
    if kinds == 1:
        return (
            bound
            and len(value) >= (4 if value.isdigit() else 8)
            and not (value.isdigit() and len(value) > 12)
        )
    if bound or quoted:
        return len(value) >= 5
    mixed = re.search(r"\d", value) and re.search(r"[A-Za-z]", value)
    return len(value) >= 6 and bool(mixed or (kinds >= 3) or re.search(r"[a-z][A-Z]", value))


def _is_random(run: str) -> bool:
    if not re.search(r"\d", run) or not re.search(r"[A-Za-z]", run) or run.count("/") > 3:
        return False
    shares = [count / len(run) for count in Counter(run).values()]
    return -sum(share * math.log2(share) for share in shares) >= BITS
