import polars as pl
import pytest

import hydralab as hl


@pytest.fixture
def dialogue():
    """Make the turns of a dialogue from texts; user and assistant speak by turns."""

    def make(*texts, roles=None):
        roles = roles or ["user" if i % 2 == 0 else "assistant" for i in range(len(texts))]
        frame = pl.DataFrame({"role": roles, "text": texts}, schema={"role": pl.String, "text": pl.String})
        return hl.from_frame(frame)

    return make


@pytest.fixture
def talk(dialogue):
    """Make the turns of a dialogue that changes its topic half-way."""
    topics = ["the budget, 预算", "holiday plans"]
    return dialogue(*(f"turn {i} is about {topics[i // 6]} and costs {i * 7} euros" for i in range(12)))
