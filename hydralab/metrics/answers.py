"""Whether a text holds a gold answer, in English and Chinese."""

from __future__ import annotations

import re
from functools import lru_cache

from hydralab.texts import normalise
from hydralab.texts.scripts import UNSPACED

__all__ = ["answer_excluded", "contains_answer"]

YES_OR_NO = frozenset(
    {"yes", "no", "yeah", "nope", "是的", "不是", "对的", "不对", "有的", "没有"}
    | {"会的", "不会", "可以", "不可以", "不能", "不行"}
)
EDGES = " .,;:!?\"'()[]<>。，、；：！？“”‘’（）「」『』《》【】…"
WORD = rf"[^\W{UNSPACED}]"


def contains_answer(text: str, answer: str) -> bool:
    """Return whether the text holds the answer, both normalised, as whole words.

    Punctuation around the answer is left out. Where the answer begins or ends in a script without
    spaces, any place will do; a number is never found inside a longer one.

    >>> contains_answer("Budget: 40,000 euros", "40,000 Euros."), contains_answer("about 400", "40")
    (True, False)
    >>> contains_answer("市场推广预算约四十万", "四十万")
    True
    """
    wanted = _bare(answer)
    return bool(wanted) and _pattern(wanted).search(normalise(text)) is not None


def answer_excluded(answer: str | None) -> str | None:
    """Return why an answer can't be looked for: "empty", "one character", "yes or no", else None.

    >>> answer_excluded("Yes."), answer_excluded("北"), answer_excluded("北京")
    ('yes or no', 'one character', None)
    """
    wanted = _bare(answer or "")
    if len(wanted) < 2:
        return "one character" if wanted else "empty"
    return "yes or no" if wanted in YES_OR_NO else None


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
