"""An existing memory library under hydralab's protocol."""

import socket

import polars as pl
import pytest

import hydralab as hl
from hydralab.strategies import resolve_strategy


def test_it_is_known_by_its_name_and_holds_the_contract():
    strategy = resolve_strategy("langgraph")
    assert strategy == hl.LangGraphStore()
    hl.check_strategy(strategy)


@pytest.mark.parametrize(
    ("name", "query", "said"),
    [
        ("launch_en", "What was the marketing budget?", "84,500"),
        ("launch_zh", "之前提到的市场推广预算是多少？", "48.6 万"),
    ],
)
def test_what_left_the_window_is_found_again_without_a_network(name, query, said, monkeypatch):
    lab = hl.Lab(hl.read_all(hl.example(name)))
    lab.vectors()

    def refuse(*_):
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    context = lab.hydrate(query, budget=700, strategy=hl.LangGraphStore(recent_rounds=1))
    recalled = context.kept.filter(pl.col("section") == "recalled")
    assert said in "".join(recalled["text"])
    assert all(scores["score"] > 0 for scores in recalled["scores"])


def test_another_dialogue_of_the_same_id_is_not_mixed_up_with_the_first():
    turns = hl.read(hl.example("launch_en"))
    query = "What was the marketing budget?"
    strategy = hl.LangGraphStore(recent_rounds=1)
    first = hl.Lab(turns).hydrate(query, budget=700, strategy=strategy)
    other = turns.with_columns(pl.col("text").str.replace_all("84,500", "12,000"))
    second = hl.Lab(other).hydrate(query, budget=700, strategy=strategy)
    assert "84,500" in first.prompt
    assert "84,500" not in second.prompt
    assert "12,000" in second.prompt
    assert hl.Lab(turns).hydrate(query, budget=700, strategy=strategy).messages == first.messages
