from datetime import UTC, datetime, timedelta

import pytest

from hydralab.frames import build, number_rounds
from hydralab.texts import tokenizer


@pytest.fixture
def make_turns():
    """Build the turns of one dialogue from (role, text) pairs or from (role, text, speaker) triples.

    `hours` gives when each was said, counted from the first of March's second day; one an hour without.
    """

    def make(*messages, parts=None, hours=None):
        rows = [(*message, None)[:3] for message in messages]
        counts = tokenizer().counts([text for _, text, _ in rows])
        rounds = number_rounds([role for role, _, _ in rows], [speaker for _, _, speaker in rows])
        return build(
            "turns",
            [
                {
                    "dialogue_id": "d",
                    "turn_id": f"d:{i}",
                    "position": i,
                    "round": rounds[i],
                    "role": role,
                    "speaker": speaker,
                    "text": text,
                    "tokens": counts[i],
                    "parts": (parts or {}).get(i),
                    "time": datetime(2026, 3, 2, tzinfo=UTC) + timedelta(hours=hours[i] if hours else i),
                }
                for i, (role, text, speaker) in enumerate(rows)
            ],
        )

    return make


@pytest.fixture
def make_candidates():
    """Build candidates of turns from {position: score}."""

    def make(scores):
        ranked = sorted(scores.items(), key=lambda pair: -pair[1])
        return build(
            "candidates",
            [
                {
                    "query_id": "query",
                    "dialogue_id": "d",
                    "item_id": f"d:{position}",
                    "kind": "turn",
                    "score": score,
                    "dense": score,
                    "rank": rank,
                    "source_turn_ids": [f"d:{position}"],
                }
                for rank, (position, score) in enumerate(ranked)
            ],
        )

    return make
