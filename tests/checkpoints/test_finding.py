from datetime import UTC, date, datetime

import pytest

from hydralab.checkpoints import find_checkpoints
from hydralab.errors import HydralabError, UnknownNameError
from hydralab.frames import build


@pytest.fixture(scope="module")
def table():
    shared = {"dialogue_id": "d", "status": "ready"}
    return build(
        "checkpoints",
        [
            {
                **shared,
                "checkpoint_id": "plan",
                "start": 0,
                "end": 7,
                "kind": "topic",
                "title": "新品发布会：预算",
                "summary": "市场推广预算 48.6 万元。",
                "entities": [{"type": "money", "text": "48.6 万元"}],
                "keywords": ["KOL"],
                "time": datetime(2026, 3, 2, tzinfo=UTC),
            },
            {
                **shared,
                "checkpoint_id": "staff",
                "start": 8,
                "end": 13,
                "kind": "decision",
                "title": "Staff benefits",
                "decisions": ["Core hours from 10:30"],
                "open_tasks": ["Ask Wouter"],
                "entities": [{"type": "person", "text": "Wouter"}],
                "time": datetime(2026, 3, 4, tzinfo=UTC),
            },
            {**shared, "checkpoint_id": "bare", "start": 14, "end": 15},
        ],
    )


@pytest.mark.parametrize(
    ("conditions", "found"),
    [
        ({}, ["plan", "staff", "bare"]),
        ({"kind": "decision"}, ["staff"]),
        ({"entity": "money"}, ["plan"]),
        ({"entity": "wouter"}, ["staff"]),
        ({"entity": "ＷＯＵＴＥＲ"}, ["staff"]),
        ({"entity": "48.6"}, ["plan"]),
        ({"text": "预算"}, ["plan"]),
        ({"text": "kol"}, ["plan"]),
        ({"text": "hours CORE"}, ["staff"]),
        ({"text": "ask", "kind": "topic"}, []),
        ({"since": "2026-03-03"}, ["staff"]),
        ({"since": date(2026, 3, 2)}, ["plan", "staff"]),
        ({"since": datetime(2026, 3, 4, 1, tzinfo=UTC)}, []),
        ({"since": 8}, ["staff", "bare"]),
    ],
)
def test_every_condition_must_hold(table, conditions, found):
    assert find_checkpoints(table, **conditions)["checkpoint_id"].to_list() == found


def test_a_time_without_a_zone_is_utc(table):
    """FAULTS 24: naive and aware times mixed."""
    naive, aware = datetime(2026, 3, 4), datetime(2026, 3, 4, tzinfo=UTC)
    assert find_checkpoints(table, since=naive).equals(find_checkpoints(table, since=aware))


def test_what_is_no_kind_and_no_time_is_refused(table):
    with pytest.raises(UnknownNameError, match="known: 'decision'"):
        find_checkpoints(table, kind="decisions")
    with pytest.raises(HydralabError, match="since 'yesterday'"):
        find_checkpoints(table, since="yesterday")
