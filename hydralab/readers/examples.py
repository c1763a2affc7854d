"""The dialogues that come with hydralab."""

from __future__ import annotations

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
    if not path.is_file():
        raise unknown_name("example", name, examples())
    return path


def examples() -> list[str]:
    """Return the names of the bundled dialogues.

    >>> "launch_en" in examples()
    True
    """
    return sorted(path.stem for path in _folder().glob("*.jsonl"))


def _folder() -> Path:
    package = Path(__file__).resolve().parent.parent
    candidates = (package / "_shipped" / "data", package.parent / "data")
    for folder in candidates:
        if any(folder.glob("*.jsonl")):
            return folder
    raise ReadError(f"bundled dialogues: none in {' or '.join(map(str, candidates))}; install hydralab again")
