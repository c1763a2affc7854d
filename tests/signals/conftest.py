from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from hydralab.frames import build, number_rounds

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def dialogue():
    """Make the turns of a dialogue from texts, user and assistant by turns, a minute apart."""

    def make(*texts, name="d", roles=None):
        roles = roles or ["user" if i % 2 == 0 else "assistant" for i in range(len(texts))]
        rounds = number_rounds(roles, [None] * len(texts))
        rows = [
            {
                "dialogue_id": name,
                "turn_id": f"{name}:{i}",
                "position": i,
                "round": rounds[i],
                "role": roles[i],
                "text": text,
                "time": START + timedelta(minutes=i),
                "tokens": len(text),
            }
            for i, text in enumerate(texts)
        ]
        return build("turns", rows)

    return make


@pytest.fixture
def rows():
    """Make n random unit rows."""

    def make(n, seed=0, dim=16):
        values = np.random.default_rng(seed).standard_normal((n, dim))
        return (values / np.linalg.norm(values, axis=1, keepdims=True)).astype(np.float32)

    return make
