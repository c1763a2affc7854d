"""Input that means harm or was hurt: told with its place, and soon; the rest is read."""

import json
import zipfile

import pytest

import hydralab.readers as readers
from hydralab.errors import ReadError

TALK = {"conversations": [{"from": "human", "value": "one"}, {"from": "gpt", "value": "two"}]}
LINE = json.dumps(TALK)


@pytest.fixture
def read(tmp_path):
    def read(name, data):
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return readers.read_all(path)

    return read


@pytest.mark.parametrize("rest", ['{"conversations": [{"from": "hu', '{"conversations": ', "{", '{"'])
def test_a_half_written_file_keeps_what_was_written(read, rest):
    corpus = read("a.json", f"[{LINE}, {rest}")
    assert corpus.turns["text"].to_list() == ["one", "two"]
    assert corpus.events["status"].to_list() == ["failed"]
    assert "a.json, line 1, record 1: broken JSON" in corpus.events["detail"][0]


@pytest.mark.parametrize(
    "bad",
    [
        '{"conversations": [',
        "garbage",
        '"text"',
        "[]",
        "{}",
        '{"conversations": 5}',
        "null",
        '{"conversations": [{"from": "martian", "value": "x"}]}',
        '{"conversations": [{"from": "human", "value": 5}]}',
        '{"a":' * 50_000,
    ],
)
def test_a_bad_line_in_the_middle_loses_no_other(read, bad):
    corpus = read("a.jsonl", f"{LINE}\n{bad}\n{LINE}\n")
    assert corpus.turns["text"].to_list() == ["one", "two"] * 2
    assert corpus.events["status"].to_list() == ["failed"]
    assert corpus.events["detail"][0].startswith("a.jsonl, line 2: ")


@pytest.mark.parametrize("name", ["a.json", "a.csv", "a"])
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b" \n\x00\n", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, "a binary file"),
        (b"PK\x03\x04" + b"x" * 90, "a damaged zip"),
        (b"PAR1" + b"x" * 90, "broken Parquet"),
        (b"Dear all,\nnice to see you.\n", "plain text"),
        (b"[" * 99_999, "JSON"),
        (b"[1, 2]", "no named fields"),
        (b'{"pid": 1, "text": 2}', "fields pid, text"),
        (b"a,b\n1,2\n", "columns a, b"),
    ],
)
def test_what_is_no_dialogue_is_refused(read, name, data, reason):
    """FAULTS 11: nothing half-imported."""
    with pytest.raises(ReadError, match=reason):
        read(name, data)


@pytest.mark.parametrize("form", ["lines", "list", "csv"])
def test_a_line_of_10_mb_is_read(read, form):
    long = "word " * 2_000_000
    talk = json.dumps({"conversations": [{"from": "human", "value": long}]})
    data = {
        "lines": f"{talk}\n{LINE}",
        "list": f"[{talk}, {LINE}]",
        "csv": f"role,text\nuser,{long}\nuser,one\n",
    }[form]
    corpus = read("a", data)
    assert corpus.turns["text"].str.len_chars()[0] == 10_000_000
    assert corpus.turns["tokens"][0] == pytest.approx(2_000_000, rel=0.01)
    assert corpus.turns["text"][1] == "one"


def test_a_zip_writes_nothing_wherever_its_names_point(read, tmp_path):
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        for name in ("../../evil.json", f"{tmp_path}/evil.json", "C:\\evil.json", "a/../b.json"):
            archive.writestr(name, f"[{LINE}]")
    before = sorted(tmp_path.parent.rglob("*"))
    corpus = read("b.zip", (tmp_path / "in.zip").read_bytes())
    assert corpus.dialogues.height == 4
    assert sorted(tmp_path.parent.rglob("*")) == sorted([*before, tmp_path / "b.zip"])


def test_an_encrypted_or_cut_zip_is_told(read, tmp_path):
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        archive.writestr("a.json", f"[{LINE}]")
    whole = (tmp_path / "in.zip").read_bytes()
    with pytest.raises(ReadError, match="a damaged zip"):
        read("cut.zip", whole[:-30])
    locked = bytearray(whole)
    locked[6] |= 1
    locked[whole.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(ReadError, match="encrypted"):
        read("locked.zip", bytes(locked))
    with pytest.raises(ReadError, match="holds no files"):
        read("empty.zip", b"PK\x05\x06" + b"\0" * 18)


def test_a_dialogue_of_one_turn_is_a_dialogue(read):
    """FAULTS 40."""
    for data in (
        '{"role": "user", "content": "hi"}',
        '[{"role": "user", "content": "hi"}]',
        "role,text\nuser,hi\n",
    ):
        corpus = read("a", data)
        assert corpus.turns.select("position", "round", "text").rows() == [(0, 0, "hi")]


def test_a_file_of_ten_thousand_bad_lines_is_refused_once(read):
    with pytest.raises(ReadError, match="none of 10000 records can be read"):
        read("a.jsonl", '{"conversations": [{"from": "human", "value": 5}]}\n' * 10_000)
