"""What a picture costs in tokens, and how large one is that stands in a message itself."""

from __future__ import annotations

import binascii
from base64 import b64decode
from functools import lru_cache
from io import BytesIO

__all__ = ["image_cost", "image_size"]

LOW_DETAIL = 85
TILE = 170
TILE_SIDE = 512
LONGEST_SIDE, SHORTEST_SIDE = 2048, 768
UNKNOWN_SIDE = 1024
"""A picture of unknown size is taken to be a square of so many pixels."""

HEAD = 1 << 18
"""Characters of base64 that are looked at: a header stands at the start, behind a camera's preview at most."""


def image_cost(detail: object = None, width: object = None, height: object = None) -> int:
    """Return the tokens of a picture by OpenAI's published formula of tiles.

    In low detail 85. Else the picture is shrunk to fit 2,048 × 2,048 pixels, then until its shorter side has
    768 at most, and costs 170 for each tile of 512 × 512 that is begun, and 85. One of unknown size is
    charged as 1,024 × 1,024: 765.

    Parameters
    ----------
    detail
        "low", "high", "auto" (taken as high) or None.
    width, height
        In pixels; whatever is no positive number counts as unknown.

    >>> image_cost(), image_cost("low"), image_cost("high", 2048, 4096), image_cost(None, 300, 200)
    (765, 85, 1105, 255)
    """
    if detail == "low":
        return LOW_DETAIL
    sides = [_length(width), _length(height)]
    short, long = sorted(sides) if all(sides) else (UNKNOWN_SIDE, UNKNOWN_SIDE)
    scale = min(1.0, LONGEST_SIDE / long)
    scale *= min(1.0, SHORTEST_SIDE / (short * scale))
    return LOW_DETAIL + TILE * _tiles(short * scale) * _tiles(long * scale)


def image_size(encoded: object) -> tuple[int, int] | None:
    """Return width and height in pixels of a picture in base64, such as a data URL; None where it can't be told.

    >>> image_size("data:image/gif;base64,R0lGODlhAwACAIAAAAAAAP///yH5BAEAAAAALAAAAAADAAIAAAIDhI9WADs=")
    (3, 2)
    >>> image_size("https://example.org/lake.jpg") is None
    True
    """
    if not isinstance(encoded, str) or encoded.startswith(("http:", "https:")):
        return None
    start = encoded.find(",") + 1 if encoded.startswith("data:") else 0
    return _size(encoded[start : start + HEAD])


@lru_cache(maxsize=64)
def _size(head: str) -> tuple[int, int] | None:
    import imagesize

    try:
        width, height = imagesize.get(BytesIO(b64decode(head[: len(head) // 4 * 4])))
    except (ValueError, binascii.Error):
        return None
    return (width, height) if width > 0 and height > 0 else None


def _length(side: object) -> float:
    """Return a number of pixels, 0 for what is none."""
    if not isinstance(side, int | float) or isinstance(side, bool):
        return 0.0
    return float(side) if 0 < side < float("inf") else 0.0


def _tiles(side: float) -> int:
    # Shrinking 1,025 × 1,025 gives 768.0000000001, which begins no further tile.
    return max(1, -int(-round(side, 6) // TILE_SIDE))
