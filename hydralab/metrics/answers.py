"""Whether a text holds a gold answer, and how near an answer comes to it, in English and Chinese."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from hydralab.texts import normalise
from hydralab.texts.scripts import UNSPACED

__all__ = ["answer_exact", "answer_excluded", "answer_f1", "contains_answer"]

YES_OR_NO = frozenset(
    {"yes", "no", "yeah", "nope", "是的", "不是", "对的", "不对", "有的", "没有"}
    | {"会的", "不会", "可以", "不可以", "不能", "不行"}
)
EDGES = " .,;:!?\"'()[]<>。，、；：！？“”‘’（）「」『』《》【】…"
WORD = rf"[^\W{UNSPACED}]"
UNITS = re.compile(rf"[{UNSPACED}]|{WORD}+(?:[.,']{WORD}+)*")
"""What answers are compared by: a character of a script without spaces, else a word or number."""

ARTICLES = frozenset({"a", "an", "the"})


def contains_answer(text: str, answer: str) -> bool:
    """Return whether the text holds the answer, both normalised, as whole words.

    Punctuation around the answer is left out. Where the answer begins or ends in a script without
    spaces, any place will do; a number is never found inside a longer one.

    >>> contains_answer("Budget: 40,000 euros", "40,000 Euros."), contains_answer("about 400", "40")
    (True, False)
    >>> contains_answer("市场推广预算约四十万", "四十万")
    True
    """
    bare = _bare(answer)
    return bool(bare) and _pattern(bare).search(normalise(text)) is not None


def answer_excluded(answer: str | None) -> str | None:
    """Return why an answer can't be looked for: "empty", "one character", "yes or no", else None.

    >>> answer_excluded("Yes."), answer_excluded("北"), answer_excluded("北京")
    ('yes or no', 'one character', None)
    """
    bare = _bare(answer or "")
    if len(bare) < 2:
        return "one character" if bare else "empty"
    return "yes or no" if bare in YES_OR_NO else None


def answer_exact(given: str, gold: str) -> float:
    """Return 1 where two answers say the same but for case, punctuation and articles, else 0.

    References
    ----------
    Rajpurkar et al.: SQuAD. EMNLP 2016; of Chinese by characters, as Cui et al.: CMRC 2018. EMNLP 2019.

    >>> answer_exact("The 7 May, 2023.", "7 May 2023"), answer_exact("四十万元。", "四十万")
    (1.0, 0.0)
    """
    return float(_units(given) == _units(gold))


def answer_f1(given: str, gold: str) -> float:
    """Return the F1 of the words, or Chinese characters, that two answers share; see `answer_exact`.

    >>> answer_f1("It is 40,000 euros", "40,000 euros")
    0.6666666666666666
    """
    one, other = _units(given), _units(gold)
    if not one or not other:
        return float(one == other)
    shared = sum((Counter(one) & Counter(other)).values())
    return 2 * shared / (len(one) + len(other))


def _units(answer: str) -> list[str]:
    return [unit for unit in UNITS.findall(normalise(answer)) if unit not in ARTICLES]


def _bare(answer: str) -> str:
    return normalise(answer).strip(EDGES)


@lru_cache(maxsize=1024)
def _pattern(wanted: str) -> re.Pattern[str]:
    before = after = ""
    if re.match(WORD, wanted[0]):
        before = rf"(?<!{WORD})" + (r"(?<!\d[.,])" if wanted[0].isdigit() else "")
    if re.match(WORD, wanted[-1]):
        after = rf"(?!{WORD})" + (r"(?![.,]\d)" if wanted[-1].isdigit() else "")
    return re.compile(before + re.escape(wanted) + after)
