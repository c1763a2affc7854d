"""A lab that is kept in a file, and what happens to it between two openings."""

import sys
import threading

import polars as pl

import hydralab as hl

EVERY_FOUR = "every(n=4)"


def test_a_dialogue_that_has_grown_has_its_new_turns_in_its_last_span(talk, tmp_path):
    path = str(tmp_path / "lab.db")
    with hl.Lab(talk.head(6), store=path) as lab:
        assert lab.checkpoints(EVERY_FOUR).select("start", "end").rows() == [(0, 3), (4, 5)]
    with hl.Lab(talk, store=path) as lab:
        spans = lab.checkpoints()
        assert spans.select("start", "end", "status").rows() == [(0, 3, "ready"), (4, 11, "open")]
        assert lab.mark(9).select("start", "end").rows() == [(0, 3), (4, 8), (9, 11)]
    with hl.Lab(store=path) as lab:
        assert lab.checkpoints().select("start", "end").rows() == [(0, 3), (4, 8), (9, 11)]


def test_a_text_that_was_replaced_is_found_no_more_and_its_checkpoint_is_stale(talk, tmp_path):
    """FAULTS 20."""
    path = str(tmp_path / "lab.db")
    old = talk.with_columns(
        text=pl.when(pl.col("position") == 1).then(pl.lit("to Zanzibar")).otherwise("text")
    )
    with hl.Lab(old, store=path) as lab:
        lab.checkpoints(EVERY_FOUR)
        assert lab.recall("Zanzibar")["lexical"].max() > 0
        lab.store.replace("turns", talk.filter(pl.col("position") == 1))
    with hl.Lab(store=path) as lab:
        assert lab.checkpoints()["status"].to_list() == ["stale", "ready", "open"]
        assert lab.recall("Zanzibar")["lexical"].max() == 0
        context = lab.hydrate("Where to?", budget=2_000)
        assert "Zanzibar" not in context.prompt


def test_threads_share_a_lab(talk, tmp_path):
    lab = hl.Lab(talk, store=str(tmp_path / "lab.db"))
    lab.checkpoints(EVERY_FOUR)
    failed = []

    def work(call):
        try:
            for i in range(6):
                call(i)
        except Exception as error:
            failed.append(error)

    calls = (
        lambda i: lab.hydrate(f"turn {i}", budget=200),
        lambda i: lab.checkpoints(f"every(n={i + 2})"),
        lambda i: lab.recall(f"turn {i}"),
    )
    threads = [threading.Thread(target=work, args=(call,)) for call in calls]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert failed == []
    assert lab.checkpoints().equals(lab.store.read("checkpoints"))
