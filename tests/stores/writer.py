"""Another process on a store's file: `writer.py FILE session DIALOGUE FIRST` or `writer.py FILE hold`."""

import sys
from itertools import count

from hydralab.frames import build
from hydralab.stores import SqliteStore


def session(store, dialogue, first):
    """Append a turn and its checkpoint together, and acknowledge each on a line, until killed or told to stop."""
    for i in count(first):
        turn = {
            "dialogue_id": dialogue,
            "turn_id": f"{dialogue}:{i}",
            "position": i,
            "round": i,
            "role": "user",
            "text": f"turn {i} " * 50,
            "tokens": 100,
        }
        span = {
            "checkpoint_id": f"{dialogue}#{i}-{i}",
            "dialogue_id": dialogue,
            "start": i,
            "end": i,
            "status": "ready",
            "keywords": [str(i)],
        }
        with store.transaction():
            store.append("turns", build("turns", [turn]))
            store.append("checkpoints", build("checkpoints", [span]))
        print(i, flush=True)


def hold(store):
    """Keep a transaction open until a line comes in."""
    with store.transaction():
        print("holding", flush=True)
        sys.stdin.readline()


if __name__ == "__main__":
    path, task, *rest = sys.argv[1:]
    with SqliteStore(path) as opened:
        hold(opened) if task == "hold" else session(opened, rest[0], int(rest[1]))
