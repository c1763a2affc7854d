"""`read` and `read_all` over files, folders, zips and globs."""

import shutil
import warnings
import zipfile
from pathlib import Path

import pytest

import hydralab.readers as readers
from hydralab.errors import ReadError, UnknownNameError
from hydralab.readers.chatgpt import ChatGPT

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture
def folder(tmp_path):
    for name in ("chatgpt.json", "claude_web.json", "native.jsonl"):
        shutil.copy(FIXTURES / name, tmp_path)
    (tmp_path / "sub").mkdir()
    shutil.copy(FIXTURES / "sharegpt.json", tmp_path / "sub")
    (tmp_path / "LICENSE").write_text("Do what you like with these files.\n")
    (tmp_path / "config.json").write_text('{"colour": "red"}')
    return tmp_path


def sources(corpus):
    return sorted({source.split(":")[0] for source in corpus.dialogues["source"]})


def test_a_folder_is_read_with_those_inside_it(folder):
    corpus = readers.read_all(folder)
    assert sources(corpus) == ["chatgpt", "claude_web", "hydralab", "sharegpt"]
    assert corpus.dialogues["source"].str.ends_with("sub/sharegpt.json").any()
    reasons = dict(corpus.events.select("detail", "status").rows())
    assert next(status for detail, status in reasons.items() if "config.json" in detail) == "failed"
    assert next(status for detail, status in reasons.items() if "LICENSE" in detail) == "ok"


def test_a_zip_holds_what_its_folder_holds(folder, tmp_path_factory):
    packed = tmp_path_factory.mktemp("zip") / "all.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for file in folder.rglob("*.json*"):
            archive.write(file, file.relative_to(folder))
    whole, inside = readers.read_all(folder), readers.read_all(packed)
    assert set(inside.turns["turn_id"]) == set(whole.turns["turn_id"])


def test_a_glob_reads_what_it_names(folder):
    corpus = readers.read_all(str(folder / "**" / "*gpt.json"))
    assert sources(corpus) == ["chatgpt", "sharegpt"]
    with pytest.raises(ReadError, match="no such file, folder or glob"):
        readers.read(folder / "*.parquet")


def test_many_files_show_a_progress_bar(folder, capsys):
    readers.read_all(folder)
    assert "reading" in capsys.readouterr().err
    readers.read_all(folder, progress=False)
    readers.read_all(folder / "native.jsonl")
    assert capsys.readouterr().err == ""


def test_read_warns_once_with_the_number_of_failed_records(folder):
    with pytest.warns(UserWarning, match="1 records could not be read") as caught:
        readers.read(folder, progress=False)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        readers.read(folder / "native.jsonl")


def test_what_is_no_dialogue_is_refused_with_the_formats_tried(folder):
    with pytest.raises(
        ReadError, match=r"config\.json: no dialogue .* fields colour; tried chatgpt, claude_code"
    ):
        readers.read(folder / "config.json")
    with pytest.raises(ReadError, match=r"nothing\.json: no such file"):
        readers.read(folder / "nothing.json")


def test_a_format_is_named_or_handed_over(folder):
    by_name = readers.read(folder / "chatgpt.json", format="chatgpt", branches="all")
    assert readers.read(folder / "chatgpt.json", format=ChatGPT("all")).equals(by_name)
    with pytest.raises(UnknownNameError, match="unknown reader 'chatgtp'; known: 'chatgpt'"):
        readers.read(folder / "chatgpt.json", format="chatgtp")
    with pytest.raises(UnknownNameError, match="unknown option 'branch'; known: 'branches'"):
        readers.read(folder / "chatgpt.json", branch="all")
    with pytest.raises(UnknownNameError, match="unknown value of branches 'every'"):
        readers.read(folder / "chatgpt.json", branches="every")


def test_the_wrong_format_reads_nothing(folder):
    with pytest.raises(ReadError, match=r"none of 2 records can be read; .*no field 'chat_messages'"):
        readers.read(folder / "chatgpt.json", format="claude_web")


def test_bundled_examples_are_found_by_name():
    assert {"launch_en", "launch_zh"} <= set(readers.examples())
    assert readers.read_all(readers.example("launch_zh")).dialogues["language"].to_list() == ["zh"]
    with pytest.raises(UnknownNameError, match="unknown example 'launch'; known: 'launch_"):
        readers.example("launch")


def test_reading_twice_gives_the_same(folder):
    first, second = (readers.read_all(folder, progress=False) for _ in range(2))
    assert first.turns.equals(second.turns)
    assert first.dialogues.equals(second.dialogues)


def test_a_tilde_is_the_home_folder(folder, monkeypatch):
    monkeypatch.setenv("HOME", str(folder))
    assert readers.read("~/native.jsonl").height == readers.read(folder / "native.jsonl").height
    assert (
        readers.read_all("~/*.json").dialogues.height == readers.read_all(folder / "*.json").dialogues.height
    )


def test_a_relative_path_that_is_not_there_names_the_folder_it_was_looked_for_in(folder, monkeypatch):
    monkeypatch.chdir(folder)
    with pytest.raises(ReadError, match=f"export.zip: no such file, folder or glob in {folder}$"):
        readers.read("export.zip")
    with pytest.raises(ReadError, match=r"export\.zip: no such file, folder or glob$"):
        readers.read(folder / "export.zip")
