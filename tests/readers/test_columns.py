"""Tables with named columns: CSV, Parquet, JSON Lines and data frames."""

from datetime import datetime
from pathlib import Path

import polars as pl
import pytest

import hydralab.readers as readers
from hydralab.errors import ReadError, UnknownNameError

FIXTURES = Path(__file__).parent / "fixtures"
CHAT = pl.DataFrame(
    {
        "role": ["user", "assistant", "user"],
        "text": ["hi", "hello", "bye"],
        "time": [datetime(2026, 1, 1, 9, minute) for minute in range(3)],
    }
)


def test_usual_names_are_found(tmp_path):
    corpus = readers.read_all(FIXTURES / "columns.csv")
    assert corpus.turns.select("dialogue_id", "role", "text").rows() == [
        ("d1", "user", 'Hello, "you"\ntwo lines'),
        ("d1", "assistant", "Hi"),
        ("d1", "user", "Something else"),
        ("d2", "user", "你好"),
    ]
    assert corpus.gold.select("dialogue_id", "position").rows() == [("d1", 2)]


def test_csv_parquet_json_lines_and_frames_say_the_same(tmp_path):
    CHAT.write_parquet(tmp_path / "chat.parquet")
    CHAT.write_csv(tmp_path / "chat.csv")
    CHAT.write_ndjson(tmp_path / "chat.jsonl")
    CHAT.write_csv(tmp_path / "chat.tsv", separator="\t")
    expected = readers.from_frame(CHAT)
    for file in tmp_path.iterdir():
        assert readers.read(file, format="columns").equals(expected)


def test_names_are_given():
    said = CHAT.rename({"role": "who", "text": "said", "time": "when"}).with_columns(
        room=pl.Series(["a", "b", "a"])
    )
    turns = readers.from_frame(said, role="who", text="said", time="when", dialogue="room")
    assert turns["turn_id"].to_list() == ["a:0", "a:1", "b:0"]
    assert turns["text"].to_list() == ["hi", "bye", "hello"]
    with pytest.raises(UnknownNameError, match="unknown column 'sad'; known: 'said'"):
        readers.from_frame(said, text="sad")


def test_people_without_roles_are_users_with_a_speaker():
    corpus = readers.read_all(FIXTURES / "columns.jsonl")
    assert corpus.turns.select("role", "speaker").rows() == [("user", "Ana"), ("user", "Bo")]
    told = readers.from_frame(pl.DataFrame({"speaker": ["用户", "AI"], "内容": ["你好", "您好"]}))
    assert told["role"].to_list() == ["user", "assistant"]


def test_a_boundary_stands_on_the_first_turn_of_its_span():
    """FAULTS 39."""
    marked = CHAT.with_columns(topic=pl.Series([True, False, True]))
    assert readers.read_all(marked, boundary="topic").gold["position"].to_list() == [2]


def test_an_arrow_table_is_a_frame():
    class Arrow:
        def __arrow_c_stream__(self, requested_schema=None):
            return CHAT.__arrow_c_stream__(requested_schema)

    assert readers.from_frame(Arrow()).equals(readers.from_frame(CHAT))


def test_a_bad_row_loses_no_other():
    frame = pl.DataFrame({"role": ["user", "chorus", "user"], "text": ["a", "b", None]})
    with pytest.warns(
        UserWarning, match="2 records could not be read; the first: data frame, record 2: role 'chorus'"
    ):
        assert readers.from_frame(frame)["text"].to_list() == ["a"]
    with pytest.raises(ReadError, match="none of 1 records"):
        readers.from_frame(frame[1:2])


def test_an_empty_frame_is_an_empty_table():
    assert readers.from_frame(CHAT.clear()).height == 0


def test_a_boundary_that_is_neither_true_nor_false_is_told_and_starts_no_span(tmp_path):
    path = tmp_path / "marked.csv"
    path.write_text("role,text,boundary\nuser,a,Yes\nuser,b,maybe\nuser,c,TRUE\nuser,d,no\nuser,e,1\n")
    corpus = readers.read_all(path)
    assert corpus.turns["text"].to_list() == ["a", "b", "c", "d", "e"]
    assert corpus.gold["position"].to_list() == [2, 4]
    assert corpus.events["status"].to_list() == ["salvaged"]
    detail = corpus.events["detail"].item()
    assert detail.startswith(
        "marked.csv, line 3, record 2: boundary is 'maybe', expected 1 or 0, true or false"
    )
