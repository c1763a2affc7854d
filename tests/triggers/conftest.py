import numpy as np
import pytest

from hydralab.frames import build, number_rounds
from hydralab.triggers import TRIGGERS


@pytest.fixture
def dialogue():
    """Make the turns of a dialogue from texts; user and assistant speak by turns."""

    def make(*texts, name="d", roles=None):
        roles = roles or ["user" if i % 2 == 0 else "assistant" for i in range(len(texts))]
        rounds = number_rounds(roles, [None] * len(texts))
        keys = ("dialogue_id", "turn_id", "position", "round", "role", "text", "tokens")
        rows = [
            (name, f"{name}:{i}", i, rounds[i], roles[i], text, len(text)) for i, text in enumerate(texts)
        ]
        return build("turns", [dict(zip(keys, row, strict=True)) for row in rows])

    return make


@pytest.fixture
def topics():
    """Make unit rows around one random centre a topic, given the topics' lengths."""

    def make(*sizes, seed=0, noise=0.4, dim=16):
        random = np.random.default_rng(seed)
        rows = np.repeat(random.standard_normal((len(sizes), dim)), sizes, axis=0)
        rows = rows + noise * random.standard_normal(rows.shape)
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    return make


@pytest.fixture
def registered():
    """Forget what a test registered."""
    before = set(TRIGGERS)
    yield TRIGGERS
    for name in set(TRIGGERS) - before:
        del TRIGGERS._entries[name]
