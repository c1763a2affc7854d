"""Who holds a lock on a file, as far as the kernel tells."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["lock_holders"]

LOCKS = Path("/proc/locks")


def lock_holders(*paths: Path) -> str:
    """Return which processes hold a write lock on any of the files, such as "process 71 (python)".

    Where the kernel doesn't tell (it does on Linux), it is "another process".
    """
    inodes = {str(path.stat().st_ino) for path in paths if path.exists()}
    try:
        lines = [line.split() for line in LOCKS.read_text().splitlines()]
    except OSError:
        lines = []
    held = {int(line[4]) for line in lines if _is_write_lock(line) and line[5].rpartition(":")[2] in inodes}
    return ", ".join(_name(pid) for pid in sorted(held) if pid > 0) or "another process"


def _is_write_lock(line: list[str]) -> bool:
    # "1: POSIX ADVISORY WRITE 4711 fe:00:5521550 120 120"; a waiting one has "->" after the number.
    return len(line) == 8 and line[1] == "POSIX" and line[3] == "WRITE"


def _name(pid: int) -> str:
    if pid == os.getpid():
        return f"this process ({pid})"
    try:
        return f"process {pid} ({Path(f'/proc/{pid}/comm').read_text().strip()})"
    except OSError:
        return f"process {pid}"
