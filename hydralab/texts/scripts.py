"""Which writing systems a text uses, and what language that makes it."""

from __future__ import annotations

import re

from hydralab.texts.normalising import normalise

__all__ = ["CJK", "HAN", "UNSPACED", "language"]

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Chinese characters, as the inside of a regular-expression class."""

_KANA = "\u3040-\u30ff\u31f0-\u31ff"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"

CJK = HAN + _KANA + _HANGUL
"""Chinese, Japanese and Korean characters, as the inside of a regular-expression class."""

UNSPACED = CJK + "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Scripts written without spaces between words: CJK, Thai, Lao, Burmese, Khmer."""

_SCRIPTS = {
    "zh": f"[{HAN}]",
    "ja": f"[{_KANA}]",
    "ko": f"[{_HANGUL}]",
    "th": "[\u0e00-\u0e7f]",
    "ru": "[\u0400-\u052f]+",
    "el": "[\u0370-\u03ff\u1f00-\u1fff]+",
    "ar": "[\u0600-\u06ff\u0750-\u077f]+",
    "he": "[\u0590-\u05ff]+",
    "hi": "[\u0900-\u097f]+",
    "latin": "[a-z\u00df-\u024f]+",
}
_UNIT = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _SCRIPTS.items()))

_CODE = re.compile(
    r"```.*?(?:```|\Z)|https?://[\x21-\x7e]+|(?<![\w.+-])[\w.+-]{1,64}@[\w.-]{1,255}|[\w-]{1,64}\.\w{2,5}\b",
    re.DOTALL | re.ASCII,
)

# Words that are frequent in one of these languages and rare in the others.
_FUNCTION_WORDS = {
    "en": "the and is are was of to that this with for you it have not what my be we he she they i",
    "de": "der die das und ist nicht ich ein eine mit für auf wir sie es zu den dem auch wie",
    "fr": "le la les et est des une je vous que pas pour dans nous avec sur au ce qui du",
    "es": "el los las y es una que no por para con lo se del como pero muy está qué",
    "pt": "o os as e é uma que não por para com em do da dos como mas muito está você",
    "it": "il gli e è una che non per con di del della sono come ma anche molto questo",
    "nl": "de het een en is niet ik van dat op te met voor zijn wij ook maar hoe",
}
_OWNERS = {
    word: [name for name, words in _FUNCTION_WORDS.items() if word in words.split()]
    for words in _FUNCTION_WORDS.values()
    for word in words.split()
}


def language(text: str) -> str:
    """Return the ISO 639-1 code of the language that most of `text` is in, or "und".

    Script decides. An ideograph weighs as much as a word of a script with spaces, a kana, syllable or
    Thai letter half of it, so Chinese that quotes English terms stays Chinese; fenced code, addresses
    and file names count only where there is nothing else. Han beside kana is Japanese. Within Latin
    script function words decide; without any it is English.

    >>> language("把 deadline 挪到周五"), language("Move it to Friday."), language("42 :)")
    ('zh', 'en', 'und')
    """
    prose = _CODE.sub(" ", text)
    weights: dict[str, float] = dict.fromkeys(_SCRIPTS, 0.0)
    latin: list[str] = []
    for unit in (
        _UNIT.finditer(normalise(prose)) if _UNIT.search(prose.lower()) else _UNIT.finditer(text.lower())
    ):
        script = str(unit.lastgroup)
        weights[script] += 0.5 if script in ("ja", "ko", "th") else 1.0
        if script == "latin":
            latin.append(unit.group())
    if weights["ja"] * 8 > weights["zh"]:
        weights["ja"] += weights["zh"]
    best = max(weights, key=lambda script: weights[script])
    if not weights[best]:
        return "und"
    return _latin_language(latin) if best == "latin" else best


def _latin_language(words: list[str]) -> str:
    votes = dict.fromkeys(_FUNCTION_WORDS, 0.0)
    for word in words:
        owners = _OWNERS.get(word, ())
        for owner in owners:
            votes[owner] += 1 / len(owners)
    best = max(votes, key=lambda name: votes[name])
    return best if votes[best] > votes["en"] else "en"
