from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from hydralab.encoders import embed
from hydralab.frames import build
from hydralab.recall import Recaller

TALK = (
    ("user", "We are planning the launch of the new kettle."),
    ("assistant", "Let us settle budget, dates and target customers."),
    ("user", "What could we spend on marketing?"),
    ("assistant", "I would put 84,500 euros aside, half of it for online ads."),
    ("user", "And when do we start?"),
    ("assistant", "Open pre-orders on 7 September, in the quiet weeks."),
    ("user", "Another matter: my cat Mimi scratches the sofa."),
    ("assistant", "Give her a post near the window and praise her when she uses it."),
    ("user", "She seems bored in the evening."),
    ("assistant", "Ten minutes of play before dinner help most cats."),
    ("user", "ok"),
    ("assistant", "Good luck with Mimi!"),
)


def talk_turns(lines=TALK, dialogue_id="d", speakers=None):
    """Make the turns table of a list of (role, text), a turn a day from 2 March 2026 on."""
    return build(
        "turns",
        [
            {
                "dialogue_id": dialogue_id, "turn_id": f"{dialogue_id}:{place}", "position": place,
                "round": sum(role == "user" for role, _ in lines[: place + 1]) - 1, "role": role,
                "speaker": speakers[place] if speakers else None, "text": text,
                "time": datetime(2026, 3, 2, 9, tzinfo=UTC) + timedelta(days=place), "tokens": len(text) // 4 + 1,
            }
            for place, (role, text) in enumerate(lines)
        ],
    )  # fmt: skip


def talk_checkpoints(*spans, decided_at=None, status="ready"):
    """Make the checkpoints table of (start, end, title)."""
    return build(
        "checkpoints",
        [
            {
                "checkpoint_id": f"d#{start}-{end}", "dialogue_id": "d", "start": start, "end": end,
                "title": title, "summary": title, "keywords": [], "entities": [], "decisions": [],
                "open_tasks": [], "tokens": 9, "decided_at": end + 2 if decided_at is None else decided_at,
                "status": status,
            }
            for start, end, title in spans
        ],
    )  # fmt: skip


def talk_memories(*facts):
    """Make the memories table of (id, text, source turns, superseded by)."""
    return build(
        "memories",
        [
            {
                "memory_id": memory_id, "dialogue_id": "d", "kind": "fact", "text": text, "tokens": 7,
                "source_turn_ids": [f"d:{place}" for place in sources], "superseded_by": successor,
            }
            for memory_id, text, sources, successor in facts
        ],
    )  # fmt: skip


@pytest.fixture(scope="session")
def talk():
    """A short dialogue of a launch and a cat, with makers of its tables."""
    return SimpleNamespace(
        lines=TALK,
        turns=talk_turns,
        vectors=lambda lines=TALK: embed([text for _, text in lines]).vectors,
        checkpoints=talk_checkpoints,
        memories=talk_memories,
    )


@pytest.fixture(scope="session")
def recaller_of(talk):
    """Make a recaller of the first turns of the dialogue with any settings."""

    def make(config=None, upto=12):
        return Recaller(talk.turns(TALK[:upto]), talk.vectors(TALK[:upto]), config=config)

    return make
