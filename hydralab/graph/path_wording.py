"""A way along the graph in words."""

from __future__ import annotations

from hydralab.graph.rules import RELATION_LABELS
from hydralab.graph.walking import Path

__all__ = ["tell_path"]

TURN = ("turn {}", "第{}条")
USER = {"user": "用户", "assistant": "助手"}


def tell_path(path: Path, *, chinese: bool = False) -> str:
    """Return a path as text: names, relations with the direction that they were stated in, and the turn.

    >>> from hydralab.graph.walking import Hop
    >>> tell_path(Path(("Lena", "Brava"), (Hop("works_at", True),), 31))
    'Lena → works at → Brava → turn 31'
    >>> tell_path(Path(("Brava", "Lena"), (Hop("works_at", False),), 31), chinese=True)
    'Brava ← 就职于 ← Lena → 第31条'
    """
    names = [USER.get(name, name) if chinese else name for name in path.names]
    told = names[0]
    for hop, name in zip(path.hops, names[1:], strict=True):
        arrow = "→" if hop.forward or hop.type == "mentioned_with" else "←"
        told += f" {arrow} {RELATION_LABELS[hop.type][chinese]} {arrow} {name}"
    return f"{told} → {TURN[chinese].format(path.turn)}"
