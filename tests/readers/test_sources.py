"""Files, zips and folders as sources; encodings (FAULTS 11)."""

import zipfile

import pytest

import hydralab.readers as readers
from hydralab.errors import ReadError
from hydralab.readers.sources import Source

LINES = '{"role": "user", "content": "你好"}\n{"role": "assistant", "content": "Grüße"}\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_unicode_encodings_are_told_by_their_bytes(tmp_path, encoding):
    path = tmp_path / "talk.jsonl"
    path.write_bytes(LINES.encode(encoding))
    assert readers.read(path)["text"].to_list() == ["你好", "Grüße"]


def test_another_encoding_is_refused_with_file_line_and_reason(tmp_path):
    """FAULTS 11."""
    path = tmp_path / "talk.csv"
    path.write_bytes("role,text\nuser,hi\nuser,你好\n".encode("gb18030"))
    with pytest.warns(UserWarning, match=r"1 records.*talk\.csv, line 3.*0xc4 is not UTF-8.*gb18030"):
        turns = readers.read(path)
    assert turns["text"].to_list() == ["hi"]
    assert readers.read(path, encoding="gb18030")["text"].to_list() == ["hi", "你好"]
    with pytest.raises(ReadError, match="'klingon' is unknown"):
        readers.read(path, encoding="klingon")


def test_control_characters_and_surrogates_are_read_as_text(tmp_path):
    """FAULTS 11: NUL, CRLF, lone surrogates and right-to-left marks."""
    path = tmp_path / "talk.jsonl"
    path.write_bytes(b'{"role": "user", "content": "a\\u0000b\\r\\nc\\ud83d \xe2\x80\x8fd"}\r\n\x00\x00\x00')
    assert readers.read(path)["text"].to_list() == ["ab\nc\ufffd \u200fd"]


def test_quoted_cells_may_hold_lines_and_delimiters(tmp_path):
    path = tmp_path / "talk.csv"
    path.write_text('role;text\nuser;"one;\ntwo ""2"""\nuser;three\n')
    assert readers.read(path)["text"].to_list() == ['one;\ntwo "2"', "three"]


def test_a_row_of_another_length_is_told_with_its_line(tmp_path):
    path = tmp_path / "talk.csv"
    path.write_text('role,text\nuser,"a\nb"\nuser,c,d\nuser,e\n')
    corpus = readers.read_all(path)
    assert corpus.turns["text"].to_list() == ["a\nb", "e"]
    assert corpus.events["detail"].to_list() == ["talk.csv, line 4, record 2: 3 cells, expected 2"]


def test_a_zip_and_its_folder_hold_the_same(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").write_text(LINES)
    (tmp_path / "in" / ".hidden").write_text("x")
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        archive.write(tmp_path / "in" / "a.jsonl", "a.jsonl")
        archive.writestr("__MACOSX/a.jsonl", "x")
    folder, packed = Source(tmp_path / "in"), Source(tmp_path / "in.zip")
    assert folder.names() == packed.names() == ("a.jsonl",)
    assert folder.open("a.jsonl").text() == packed.open("a.jsonl").text() == LINES
    assert packed.open("a.jsonl").name == "in.zip/a.jsonl"
    assert packed.open("a.jsonl").sibling("b.jsonl") is None
    assert folder.open("b.jsonl").sibling("a.jsonl").text() == LINES


def test_a_zip_that_is_written_anew_is_read_anew(tmp_path):
    for text in ("one", "and two"):
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
            archive.writestr("a.txt", text)
        assert Source(tmp_path / "a.zip").open("a.txt").text() == text
