"""What a figure rests on: a hash of every room whose code or data decided it, and of the bundled dialogues.

Comments, docstrings and layout don't count, so that mending a sentence makes no figure stale.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from hydralab.readers.examples import example, examples

__all__ = ["data_fingerprint", "source_fingerprints"]

PACKAGE = Path(__file__).resolve().parents[1]
DATA = (".json", ".toml")
DIGITS = 12
ASIDE = tuple(f"hydralab.benchmarks{name}" for name in ("", ".results", ".fingerprints"))
"""What files and compares results decides none, and would lead from each benchmark to all others."""


def source_fingerprints(module: str, package: Path = PACKAGE) -> dict[str, str]:
    """Return for each room that a module imports, directly or not, a hash of its code and data.

    Parameters
    ----------
    module
        Dotted name, such as "hydralab.benchmarks.budget".
    package
        The folder of hydralab.

    >>> sorted(source_fingerprints("hydralab.registry"))
    ['errors', 'registry']
    """
    rooms: dict[str, list[str]] = {}
    for path in sorted(_reached(module, package)):
        place = path.relative_to(package)
        written = f"{place.as_posix()}\n{_read(path)[0]}"
        rooms.setdefault(place.with_suffix("").parts[0], []).append(written)
    return {room: _digest("\n".join(written)) for room, written in rooms.items()}


def data_fingerprint() -> str:
    """Return a hash of the bundled dialogues with their questions and gold."""
    return _digest("\n".join(example(name).read_text(encoding="utf-8") for name in examples()))


def _reached(module: str, package: Path) -> set[Path]:
    reached: set[Path] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = None if name in ASIDE else _file_of(name, package)
        if path is None or path in reached:
            continue
        reached.add(path)
        waiting += _read(path)[1]
        if path.name == "__init__.py":
            reached |= {file for file in path.parent.iterdir() if file.suffix in DATA}
    return reached


def _file_of(module: str, package: Path) -> Path | None:
    place = package.joinpath(*module.split(".")[1:])
    if place == package:
        return None
    candidates = (place.with_suffix(".py"), place / "__init__.py")
    return next((path for path in candidates if path.is_file()), None)


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yield the modules of hydralab that are imported, the packages that hold them, and names that may be one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hydralab"):
            parts = str(node.module).split(".")
            yield from (".".join(parts[:end]) for end in range(2, len(parts) + 1))
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith("hydralab"))


def _read(path: Path) -> tuple[str, tuple[str, ...]]:
    """Return what of a file counts, and what it imports."""
    return _read_once(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1024)
def _read_once(path: Path, modified: int) -> tuple[str, tuple[str, ...]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return text, ()
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [each for each in body if not _is_text(each)]  # type: ignore[attr-defined]
    return ast.dump(tree), tuple(_imported(tree))


def _is_text(node: ast.AST) -> bool:
    """Say whether a statement is a docstring, or a text under a constant that describes it."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
