"""Counts of what was read beside counts of the files."""

import json
import shutil
from pathlib import Path

import pytest

from hydralab.benchmarks.data_check import check_counts, main, read_folder

FIXTURES = Path(__file__).parent.parent / "readers" / "fixtures"
EXPECTED = """file\tcount\tvalue
chats/chatgpt.json\tconversations\t2
chats/chatgpt.json\tnodes_with_text\t9
chats/*gpt.json\tdialogues\t4
chats/oasst.jsonl\ttrees\t2
chats/oasst.jsonl\tmessages_in_trees\t7
slack.zip\tmessages\t6
slack.zip\tday_files\t3
native.jsonl\tboundaries\t1
native.jsonl\tevidence_links\t1
native.jsonl\tlongest\t4
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "chats").mkdir()
    for name in ("chatgpt.json", "sharegpt.json", "oasst.jsonl"):
        shutil.copy(FIXTURES / name, tmp_path / "chats")
    for name in ("slack.zip", "native.jsonl"):
        shutil.copy(FIXTURES / name, tmp_path)
    (tmp_path / "LICENSE").write_text("Free.\n")
    (tmp_path / "EXPECTED.tsv").write_text(EXPECTED)
    return tmp_path


def test_every_count_agrees(folder, capsys):
    checks = check_counts(read_folder(folder), folder / "EXPECTED.tsv")
    assert {(check.file, check.count): check.read for check in checks if check.verdict != "agrees"} == {}
    assert main([str(folder)]) == 0
    assert "1 files are no dialogues: LICENSE" in capsys.readouterr().out


def test_an_unexplained_difference_is_told(folder, capsys):
    (folder / "EXPECTED.tsv").write_text("file\tcount\tvalue\nnative.jsonl\tturns\t6\ngone.json\tturns\t1\n")
    assert main([str(folder)]) == 1
    told = capsys.readouterr().out
    assert "unexplained: native.jsonl: turns: 6 expected, 5 read" in told
    assert "unexplained: gone.json: turns: 1 expected, not read" in told


def test_a_known_difference_is_explained(tmp_path):
    shutil.copy(FIXTURES / "native.jsonl", tmp_path / "memory_bank_en.json")
    (tmp_path / "EXPECTED.tsv").write_text("file\tcount\tvalue\nmemory_bank_en.json\tdays\t3\n")
    (check,) = check_counts(read_folder(tmp_path), tmp_path / "EXPECTED.tsv")
    assert check.verdict == "explained"


def test_a_refused_file_and_a_lost_record_are_told(folder, capsys):
    (folder / "config.json").write_text('{"colour": "red"}')
    (folder / "native.jsonl").write_text((FIXTURES / "native.jsonl").read_text() + "{\n")
    assert main([str(folder), "--json"]) == 1
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert any("config.json: no dialogue" in problem for problem in problems)
    assert any("line 9: broken JSON" in problem for problem in problems)


def test_without_counts_the_files_alone_are_read(folder, tmp_path):
    (folder / "EXPECTED.tsv").unlink()
    out = tmp_path / "out.json"
    assert main([str(folder / "chats"), "--out", str(out)]) == 0
    assert {file["file"]: file["turns"] for file in json.loads(out.read_text())["files"]}["oasst.jsonl"] == 5


def test_bad_input_is_one_line(folder, capsys):
    assert main([str(folder / "nowhere")]) == 2
    (folder / "EXPECTED.tsv").write_text("file\tcount\tvalue\nnative.jsonl\tturn\t6\n")
    assert main([str(folder)]) == 2
    assert "unknown count 'turn'; known: 'turns'" in capsys.readouterr().err
