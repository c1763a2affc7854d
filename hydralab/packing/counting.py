"""Token counts of what prompts are made of, remembered: most pieces of a prompt stood in the one before."""

from __future__ import annotations

from functools import lru_cache

from hydralab.texts import Tokenizer

__all__ = ["count_piece"]


@lru_cache(maxsize=8_192)
def count_piece(tokenizer: Tokenizer, text: str) -> int:
    """Return the number of tokens of a piece of a prompt.

    >>> from hydralab.texts import tokenizer
    >>> count_piece(tokenizer(), "市场推广预算")
    6
    """
    return tokenizer.count(text)
