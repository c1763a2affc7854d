import polars as pl

import hydralab as hl
from hydralab.frames import build


def test_a_server_that_misbehaves_costs_only_what_it_was_asked_for(chat_at):
    """FAULTS 13 and 14: time-out, refusal, empty reply and a cut one, between checkpoints that go well."""
    turns = hl.read(hl.example("launch_en"))
    cuts = [
        {"dialogue_id": "launch_en", "position": at, "trigger": "cue", "score": 1.0, "decided_at": at}
        for at in (2, 4, 6, 8, 10, 12)
    ]
    table = hl.extract_checkpoints(turns, build("boundaries", cuts))
    chat = chat_at("checkpoint", "hanging", "refusing", "checkpoint", "empty", "cut", retries=0)
    once = hl.Summarising(tries=1)
    made = hl.summarise_checkpoints(table, turns, chat, summarising=once)
    expected = ["ready", "failed", "failed", "ready", "failed", "failed", "open"]
    assert made.checkpoints["status"].to_list() == expected
    assert made.events["status"].to_list() == ["ok", "failed", "failed", "ok", "failed", "failed"]
    details = made.events.filter(pl.col("status") == "failed")["detail"].to_list()
    for part, told in zip(
        ("Timeout", "can't help with that", "empty", "The budget is"), details, strict=True
    ):
        assert part in told
    chat = chat_at(*["checkpoint"] * 4)
    again = hl.summarise_checkpoints(made.checkpoints, turns, chat, statuses=["failed"])
    assert again.checkpoints["status"].to_list() == ["ready"] * 6 + ["open"]
    assert again.checkpoints["title"].to_list()[:6] == ["The launch"] * 6
