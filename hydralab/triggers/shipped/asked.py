"""A chat model is asked where new topics start."""

from __future__ import annotations

import re
import warnings
from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError, check_value
from hydralab.llms import ask, get_llm
from hydralab.llms.prompting import fence, prompt, prompt_language
from hydralab.registry import generation
from hydralab.triggers.decorating import segmenter

__all__ = ["asked", "read_starts"]

TRIES = 2
LONGEST_TURN = 600
"""Characters of a turn that are shown; its beginning says what it is about."""

LISTED = re.compile(r"starts\W*\[([^\]]*)(\]?)", re.IGNORECASE)
BARE = re.compile(r"\A\W*\[([\d\s,]*)(\])")
THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)


@segmenter(lookahead="all", vectors=False)
def asked(
    turns: pl.DataFrame, vectors: None, *, model: str = "", window: int = 40, overlap: int = 4
) -> NDArray[np.bool_]:
    """Ask a chat model for the turns with which new topics start, a stretch of the dialogue at a time.

    The prompt is a file of the package in the dialogue's language (``segment.en.txt``, ``segment.zh.txt``), which a
    file of that name in the folder HYDRALAB_PROMPTS replaces. An answer with more around the list, or one that was
    cut off, is read as far as it goes; numbers of turns that weren't shown are left out with a warning; one without a
    list is asked for once more. Equal stretches are asked for once a process.

    Parameters
    ----------
    turns
        One dialogue.
    vectors
        Not used.
    model
        What `hl.get_llm` takes as a text: a registered name, or "openai:MODEL@URL".
    window
        Turns that are shown at a time, at least 2.
    overlap
        Turns of the stretch before that are shown again for context, less than `window`.

    Raises
    ------
    HydralabError
        The model is unknown or fails, or twice gives no list.

    References
    ----------
    After Jiang et al., "SuperDialseg", EMNLP 2023, who ask ChatGPT for segments.
    """
    del vectors
    check_value("trigger 'asked': window", window, "int", least=2)
    check_value("trigger 'asked': overlap", overlap, "int", least=0)
    if not model or overlap >= window:
        raise HydralabError(
            f"trigger 'asked': model {model!r}, window {window}, overlap {overlap}; "
            "expected the name of a chat model and an overlap below the window"
        )
    fires = np.zeros(turns.height, dtype=bool)
    lines = [
        f"[{row}] {speaker or role}: {' '.join(text.split())[:LONGEST_TURN]}"
        for row, (role, speaker, text) in enumerate(turns.select("role", "speaker", "text").iter_rows())
    ]
    language = prompt_language("\n".join(lines))
    for begin in range(0, turns.height, window - overlap):
        shown = lines[begin : begin + window]
        # The first turn shown starts nothing that the model could know of, nor do those seen before.
        first = begin + (overlap if begin else 1)
        if len(shown) > 1 and first < turns.height:
            starts = _asked(model, language, "\n".join(shown), generation())
            fires[[row for row in starts if first <= row < begin + len(shown)]] = True
            strange = [row for row in starts if not begin <= row < begin + len(shown)]
            if strange:
                warnings.warn(
                    f"trigger 'asked': {model!r} named turns {strange[:5]}, which weren't among those shown, "
                    f"{begin} to {begin + len(shown) - 1}; they are left out",
                    stacklevel=2,
                )
    return fires


def read_starts(reply: str) -> list[int] | None:
    """Return the numbers that a reply lists, or None where it lists none.

    The list counts with text around it; of one that was cut off, the last number may be half of one and is left out.

    >>> read_starts('Sure! {"starts": [4, 12]}'), read_starts('{"starts": [4, 1'), read_starts("no idea")
    ([4, 12], [4], None)
    """
    text = THOUGHTS.sub("", reply)
    found = LISTED.search(text) or BARE.search(text)
    if found is None:
        return None
    numbers = [int(number) for number in re.findall(r"\d{1,9}", found[1])]
    return sorted(set(numbers if found[2] else numbers[:-1]))


@lru_cache(maxsize=1024)
def _asked(model: str, language: str, shown: str, _generation: int) -> tuple[int, ...]:
    llm = get_llm(model)
    messages = [
        {"role": "system", "content": prompt("segment", language)},
        {"role": "user", "content": fence("dialogue", shown)},
    ]
    reply = ""
    for _ in range(TRIES):
        reply = ask(llm, messages, temperature=0.0).text
        starts = read_starts(reply)
        if starts is not None:
            return tuple(starts)
    raise HydralabError(f"trigger 'asked': {model!r} gave no list of turns, but {reply[:80]!r}")
