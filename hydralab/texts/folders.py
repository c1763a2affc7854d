"""Where hydralab keeps files that it can make again."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path

__all__ = ["cache_folder"]


def cache_folder(name: str) -> Path:
    """Return the path of a folder in the user's cache, made when it isn't there.

    The environment variable HYDRALAB_CACHE, when set, stands for the user's cache folder. The folder
    is readable by its owner alone, since what is cached there comes from dialogues. A folder that
    can't be made is left to whoever opens a file in it.

    >>> cache_folder("jieba").name
    'jieba'
    """
    base = os.environ.get("HYDRALAB_CACHE")
    folder = (Path(base) if base else user_cache_path("hydralab")) / name
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder
