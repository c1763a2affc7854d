"""The dialogues that come with hydralab."""

from __future__ import annotations

from os.path import isfile
from pathlib import Path

from hydralab.errors import ReadError, unknown_name

__all__ = ["example", "examples"]


def example(name: str) -> Path:
    """Return the path of a bundled dialogue, from a checkout or an installed wheel.

    >>> example("launch_en").name
    'launch_en.jsonl'
    """
    folder = _folder()
    path = folder / f"{name}.jsonl"
    if not isfile(path):
        raise unknown_name("example", name, examples())
    return path


def examples() -> list[str]:
    """Return the names of the bundled dialogues.

    >>> examples()
    ['launch_en', 'launch_zh', 'long_en', 'long_zh']
    """
    return sorted(path.stem for path in _folder().glob("*.jsonl") if _is_dialogue(path))


def _is_dialogue(path: Path) -> bool:
    # Labelled sentences lie in the same folder; a dialogue begins with its header.
    with path.open(encoding="utf-8") as lines:
        return '"hydralab"' in lines.readline()


def _folder() -> Path:
    package = Path(__file__).resolve().parent.parent
    candidates = (package / "_shipped" / "data", package.parent / "data")
    for folder in candidates:
        if any(folder.glob("*.jsonl")):
            return folder
    raise ReadError(f"bundled dialogues: none in {' or '.join(map(str, candidates))}; install hydralab again")
