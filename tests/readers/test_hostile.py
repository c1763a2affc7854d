"""Input that means harm or was hurt: told with its place, and soon; the rest is read."""

import io
import json
import os
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
    assert "a.json, line 1, record 2: broken JSON" in corpus.events["detail"][0]


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


def test_a_member_that_unpacks_to_a_hundred_times_what_text_does_is_refused_unread(read):
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("a.jsonl", f"{LINE}\n")
        archive.writestr("b.jsonl", LINE.replace("one", "o" * 70_000_000))
    corpus = read("a.zip", bomb.getvalue())
    assert corpus.turns["text"].to_list() == ["one", "two"]
    detail = corpus.events["detail"].item()
    assert "a.zip/b.jsonl: unpacks to 70,000,0" in detail
    assert "expected at most 200 times as much" in detail


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


def zipped(**members):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(f"{name}.json", text)
    return made.getvalue()


def test_a_damaged_member_of_a_zip_costs_that_member_only(read):
    data = zipped(a=LINE, b=json.dumps({**TALK, "pad": list(range(3000))}), c=LINE.replace("one", "1"))
    at = data.index(b"b.json") + 400
    corpus = read("a.zip", data[:at] + b"\xff" * 30 + data[at + 30 :])
    assert corpus.turns["text"].to_list() == ["one", "two", "1", "two"]
    assert corpus.events["status"].to_list() == ["failed"]
    assert "a.zip/b.json: can't be read: " in corpus.events["detail"][0]


def test_a_damaged_member_of_an_export_costs_that_member_only(read):
    said = {
        "id": "x",
        "mapping": {"m": {"message": {"author": {"role": "user"}, "content": {"parts": ["hi"]}}}},
    }
    first = json.dumps([{**said, "pad": list(range(3000))}])
    data = zipped(**{"conversations-000": first, "conversations-001": json.dumps([said]), "user": "{}"})
    at = data.index(b"conversations-000.json") + 400
    corpus = read("export.zip", data[:at] + b"\xff" * 30 + data[at + 30 :])
    assert corpus.turns["text"].to_list() == ["hi"]
    assert "export.zip/conversations-000.json: can't be read: " in corpus.events["detail"][0]


def test_a_broken_message_of_a_conversation_costs_that_message_only(read):
    def node(parent, role, parts):
        message = {"author": {"role": role}, "content": {"content_type": "text", "parts": parts}}
        return {"parent": parent, "message": message}

    nodes = {"a": node(None, "user", ["one"]), "b": node("a", "martian", ["?"]), "c": node("b", "user", 5)}
    nodes |= {"d": node("c", "assistant", ["two"]), "e": {"parent": "d", "message": "text"}}
    corpus = read("conversations.json", json.dumps([{"id": "x", "current_node": "e", "mapping": nodes}]))
    assert corpus.turns["text"].to_list() == ["one", "two"]
    assert corpus.events.select("item_id", "status").rows() == [(name, "failed") for name in "bce"]
    assert [detail.split("message ")[1] for detail in corpus.events["detail"]] == [
        "'b': role 'martian', expected one of system, user, assistant, tool or a known word for them",
        "'c': a number stands where a list or an object was expected",
        "'e': 'text' stands where an object was expected",
    ]


@pytest.mark.parametrize("mapping", [5, None, [1], {"a": None}, {"a": 5}])
def test_a_conversation_without_its_messages_says_what_stands_in_their_place(read, mapping):
    fine = {"mapping": {"m": {"message": {"author": {"role": "user"}, "content": {"parts": ["hi"]}}}}}
    corpus = read("conversations.json", json.dumps([fine, {"mapping": mapping}]))
    assert corpus.turns["text"].to_list() == ["hi"]
    shown = (
        f"message 'a': {mapping['a']} stands" if isinstance(mapping, dict) else f"'mapping' is {mapping}, exp"
    )
    assert shown in corpus.events["detail"][0]


def test_a_turn_that_is_none_costs_that_turn_only(read):
    lines = [
        {"hydralab": 1, "dialogue_id": "a"},
        {"turn": "t0", "role": "user", "text": "one"},
        {"turn": "t1", "role": "assistant", "text": 5},
        {"turn": "t2", "role": "user", "text": "two", "boundary": True},
        {"question": "q", "text": "?", "answer": "two", "evidence": ["t2"]},
    ]
    corpus = read("a.jsonl", "\n".join(map(json.dumps, lines)))
    assert corpus.turns["text"].to_list() == ["one", "two"]
    assert corpus.gold["position"].to_list() == [1]
    assert corpus.questions["evidence"].to_list() == [["a:t2"]]
    assert corpus.events.select("item_id", "status").rows() == [("t1", "failed")]
    assert "turn 1: text 5 is int, expected a string" in corpus.events["detail"][0]


def test_a_folder_that_cannot_be_listed_is_told_and_the_rest_is_read(tmp_path, monkeypatch):
    (tmp_path / "talk.json").write_text(LINE)
    (tmp_path / "secret").mkdir()
    listed = os.scandir

    def scandir(path):
        # Root may list every folder, so that one may not has to be said here.
        if str(path).endswith("secret"):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    corpus = readers.read_all(tmp_path)
    assert corpus.turns["text"].to_list() == ["one", "two"]
    assert corpus.events["status"].to_list() == ["failed"]
    assert "secret: can't be read: Permission denied" in corpus.events["detail"][0]
    with pytest.raises(ReadError, match="secret: can't be read: Permission denied"):
        readers.read_all(tmp_path / "secret")


def test_a_folder_of_everything_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("hydralab.readers.sources.MOST_FILES", 3)
    for number in range(4):
        (tmp_path / f"{number}.json").write_text(LINE)
    with pytest.raises(ReadError, match="holds more than 3 files, expected a folder of dialogues"):
        readers.read_all(tmp_path)


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "x" * 5000, "a\x00b", "/no/such/place/*"])
def test_what_is_no_file_is_refused_soon(path):
    with pytest.raises(ReadError, match="no such file, folder or glob"):
        readers.read_all(path)


def test_a_million_lines_are_read_in_seconds(read):
    header = '{"hydralab": 1, "dialogue_id": "a"}\n'
    line = '{{"turn": "t{0}", "role": "user", "text": "ok {0}"}}\n'
    corpus = read("a.jsonl", header + "".join(map(line.format, range(3000))) + "\x00\ufeff\n" * 1_000_000)
    assert corpus.turns.height == 3000
    assert not corpus.events.height


def test_a_file_whose_name_is_no_utf8_is_read_and_shown_by_a_name_that_is(tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.jsonl")
    path.write_text(f"{LINE}\ngarbage\n")
    corpus = readers.read_all(path)
    assert corpus.turns["text"].to_list() == ["one", "two"]
    assert corpus.dialogues["source"].to_list() == ["sharegpt: caf\ufffd.jsonl"]
    assert corpus.events["detail"][0].startswith("caf\ufffd.jsonl, line 2: ")


@pytest.mark.parametrize("name", ["idna", "punycode"])
def test_an_encoding_of_names_is_none_of_files(tmp_path, name):
    path = tmp_path / "a.jsonl"
    path.write_text(LINE)
    with pytest.raises(ReadError, match=f"encoding '{name}' is none of text files"):
        readers.read_all(path, encoding=name)
