"""What the databases of earlier versions beside this file hold."""

from datetime import UTC, datetime

import numpy as np
import polars as pl

from hydralab.frames import build, vectors_schema

NOON = datetime(2025, 5, 7, 12, tzinfo=UTC)
MODEL = "use"


def contents():
    """Return table → rows, each with something that is easily lost."""
    turns = [
        {
            "dialogue_id": "a",
            "turn_id": f"a:{i}",
            "position": i,
            "round": 0,
            "role": role,
            "text": text,
            "tokens": 3,
            "time": NOON,
        }
        for i, (role, text) in enumerate(
            [("user", "预算是 40 万"), ("assistant", "it's noted\nin full"), ("user", "")]
        )
    ]
    span = {
        "checkpoint_id": "a#0-1",
        "dialogue_id": "a",
        "start": 0,
        "end": 1,
        "status": "ready",
        "keywords": ["预算"],
        "entities": [{"type": "money", "text": "40 万"}],
        "score": 0.1 + 0.2,
    }
    fact = {"memory_id": "m", "user_id": "u", "text": "drinks tea", "source_turn_ids": ["a:0"]}
    vectors = {
        "item_id": ["a:0", "a:1"],
        "item_kind": ["turn", "turn"],
        "dialogue_id": ["a", "a"],
        "source_hash": ["x", None],
        "vector": np.array([[0.1, -0.0, 1e-30], [1, 2, 3]], dtype=np.float32),
    }
    signals = [
        {"dialogue_id": "a", "position": 0, "shift": float("nan")},
        {"dialogue_id": "a", "position": 1, "shift": 0.5},
    ]
    return {
        "dialogues": build("dialogues", [{"dialogue_id": "a", "title": "发布会"}]),
        "turns": build("turns", turns),
        "checkpoints": build("checkpoints", [span]),
        "memories": build("memories", [fact]),
        "vectors": pl.DataFrame(vectors, schema=vectors_schema(3)),
        "signals": build("signals", signals),
        "gold": build(
            "gold",
            [{"dialogue_id": "a", "position": 1}, {"dialogue_id": "a", "position": 1, "annotator": "ann"}],
        ),
        "events": build("events", [{"time": NOON, "stage": "read", "status": "ok", "milliseconds": 12.5}]),
    }


def fill(store):
    """Append the contents; again, that changes nothing."""
    for table, frame in contents().items():
        if table != "events" or not store.read(table).height:
            store.append(table, frame, model=MODEL if table == "vectors" else None)
