from datetime import UTC, datetime, timedelta

import pytest

from hydralab.frames import build, number_rounds
from hydralab.texts import tokenizer

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture(scope="session")
def make_turns():
    """Build the turns of one dialogue from texts (user and assistant by turns) or (role, text, speaker)."""

    def make(*said, parts=None, dialogue_id="d"):
        rows = [
            (("user", "assistant")[at % 2], item, None) if isinstance(item, str) else (*item, None)[:3]
            for at, item in enumerate(said)
        ]
        rounds = number_rounds([role for role, _, _ in rows], [speaker for _, _, speaker in rows])
        return build(
            "turns",
            [
                {
                    "dialogue_id": dialogue_id,
                    "turn_id": f"{dialogue_id}:{at}",
                    "position": at,
                    "round": rounds[at],
                    "role": role,
                    "speaker": speaker,
                    "text": text,
                    "tokens": tokenizer().count(text),
                    "parts": (parts or {}).get(at),
                    "time": START + timedelta(minutes=at),
                }
                for at, (role, text, speaker) in enumerate(rows)
            ],
        )

    return make


@pytest.fixture(scope="session")
def make_cuts():
    """Build boundaries from positions, or (position, decided_at, trigger)."""

    def make(*cuts, dialogue_id="d"):
        listed = [(cut, cut, "cue") if isinstance(cut, int) else (*cut, "cue")[:3] for cut in cuts]
        return build(
            "boundaries",
            [
                {
                    "dialogue_id": dialogue_id,
                    "position": position,
                    "trigger": trigger,
                    "score": 1.0,
                    "decided_at": decided_at,
                }
                for position, decided_at, trigger in listed
            ],
        )

    return make
