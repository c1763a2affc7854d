"""What turns said, as one number: to tell whether what was made of them is still of them."""

from __future__ import annotations

import hashlib
import json

import polars as pl

__all__ = ["source_hash"]


def source_hash(turns: pl.DataFrame) -> str:
    """Return the SHA-256 of what was said in these turns, in hex: role, speaker and text of each.

    >>> source_hash(pl.DataFrame({"role": ["user"], "speaker": [None], "text": ["hi"]}))[:8]
    'a7081b17'
    """
    said = turns.select("role", "speaker", "text").rows()
    return hashlib.sha256(json.dumps(said, ensure_ascii=True).encode()).hexdigest()
