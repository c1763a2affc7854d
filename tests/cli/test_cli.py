import json
import os
import re
import subprocess
import sys
import warnings
from importlib.metadata import version
from inspect import signature

import polars as pl
import pytest

import hydralab as hl
from hydralab.cli import main
from hydralab.lab import Lab
from hydralab.packing.split import DEFAULT_BUDGET


def hydralab(*arguments, cwd=None, columns=160):
    command = [sys.executable, "-m", "hydralab", *map(str, arguments)]
    environment = {**os.environ, "COLUMNS": str(columns), "NO_COLOR": "1"}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, check=False)


@pytest.fixture
def here(monkeypatch, capsys):
    """Run a command in this process, which spares its start."""

    def run(*arguments, columns=160):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys, "argv", ["hydralab", *map(str, arguments)])
        monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
        with pytest.raises(SystemExit) as stopped:
            main()
        done = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, stopped.value.code, done.out, done.err)

    return run


def test_read_shows_what_was_found():
    done = hydralab("read", "launch_zh")
    assert done.returncode == 0, done.stderr
    assert "1 dialogues, 20 turns, 5 questions, 3 gold boundaries" in done.stdout


@pytest.mark.parametrize("shown", [["read"], ["hydrate", "--prompt", "--budget", "400", "--query", "When?"]])
def test_a_terminal_that_knows_no_chinese_gets_escapes(monkeypatch, shown):
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    done = hydralab(shown[0], "launch_zh", *shown[1:])
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u" in done.stdout


def test_json_goes_to_stdout_and_out_writes_it(tmp_path):
    out = tmp_path / "new" / "result.json"
    done = hydralab("read", "launch_en", "--json", "--out", out)
    assert json.loads(done.stdout) == json.loads(out.read_text(encoding="utf-8"))
    assert len(json.loads(done.stdout)["turns"]) == 22


def test_checkpoints_are_placed_by_the_text_of_a_trigger():
    text = '((hl.col.shift > 0.8) | hl.cue("换个话题|另外")).place(min_turns=4, max_turns=40)'
    done = hydralab("checkpoints", "launch_zh", "--trigger", text, "--json")
    placed = json.loads(done.stdout)["checkpoints"]
    assert placed[0]["start"] == 0
    assert placed[-1]["status"] == "open"


def test_hydrate_prints_the_prompt_within_its_budget():
    done = hydralab("hydrate", "launch_zh", "--query", "市场推广预算是多少？", "--budget", 400, "--json")
    result = json.loads(done.stdout)
    assert result["tokens"] <= 400
    assert "48.6 万元" in json.dumps(result["messages"], ensure_ascii=False)


def test_replay_writes_tables_and_figures(tmp_path):
    done = hydralab(
        "replay", "launch_en", "--strategy", "hydration", "--budget", 400, "--out", tmp_path / "run"
    )
    assert done.returncode == 0, done.stderr
    assert pl.read_parquet(tmp_path / "run" / "steps.parquet").height > 10
    written = {path.name for path in (tmp_path / "run").iterdir()}
    assert {
        "manifest.json",
        "shift.png",
        "checkpoints.png",
        "tokens.png",
        "budget.png",
        "misses.parquet",
    } <= written


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["read", "no_such_file.json"], "no_such_file.json"),
        (["checkpoints", "launch_zh", "--trigger", "hl.col.shfit > 0.5"], "shfit"),
        (["checkpoints", "launch_zh", "--trigger", "__import__('os').system('id')"], "trigger"),
        (["hydrate", "launch_zh", "--query", "预算" * 300, "--budget", 100], "budget leaves"),
        (["hydrate", "launch_zh", "--query", "x", "--encoder", "usem"], "usem"),
        (["replay", "launch_zh", "--strategy", "hydraton"], "known: 'hydration'"),
        (["replay", "launch_zh", "--strategy", "full_history", "--trigger", "x"], "places no checkpoints"),
        (["bench", "sped"], "known: 'speed'"),
        (["bench", "budget", "locomo=nowhere.json"], "expected NAME=PATH"),
        (["hydrate", "launch_zh"], "Missing option"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_code_2(arguments, message):
    done = hydralab(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    if not message.startswith("Missing"):
        assert len(done.stderr.strip().splitlines()) == 1


def test_a_file_that_is_no_dialogue_is_refused_with_the_formats_tried(tmp_path):
    path = tmp_path / "notes.json"
    path.write_text('{"shopping": ["milk"]}', encoding="utf-8")
    done = hydralab("read", path)
    assert done.returncode == 2
    assert "chatgpt" in done.stderr


def test_doctor_lists_what_there_is():
    done = hydralab("doctor", "--json")
    rows = json.loads(done.stdout)["doctor"]
    assert {row["what"] for row in rows} == {
        "python",
        "package",
        "encoder",
        "tokenizer",
        "font",
        "compiler",
        "server",
    }
    assert next(row for row in rows if row["name"] == "use")["state"] == "ok"


def test_a_narrow_terminal_shows_what_a_benchmark_measured(here, tmp_path):
    first = tmp_path / "first.jsonl"
    lines = hl.example("long_en").read_text(encoding="utf-8")
    first.write_text(lines, encoding="utf-8")
    done = here("bench", "retrieval", f"one={first}", "--metrics", "mrr,ndcg", columns=80)
    assert done.returncode == 0, done.stderr
    assert "in all rows: set one, encoder use" in done.stdout
    heading = next(line for line in done.stdout.splitlines() if "┃" in line)
    assert {"metric", "value"} <= {name.strip() for name in heading.split("┃")}


def test_bench_list_names_the_benchmarks():
    done = hydralab("bench", "list")
    assert all(name in done.stdout for name in ("speed", "budget", "segmentation"))


def test_a_budget_that_no_prompt_fits_is_refused_and_one_that_some_fit_is_told(here):
    done = here("replay", "launch_en", "--budget", 3)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"hydralab: none of \d+ prompts could be made; the first: .*leaves 3\n", done.stderr)
    done = here("replay", "launch_en", "--budget", 40, "--json")
    result = json.loads(done.stdout)
    assert done.returncode == 0
    assert result["steps"]
    assert result["events"]
    assert re.fullmatch(r"hydralab: \d+ of \d+ prompts could not be made; see events\n", done.stderr)


def test_the_budget_is_that_of_the_lab_where_none_is_named(here):
    result = json.loads(here("replay", "launch_en", "--json").stdout)
    in_lab = {signature(each).parameters["budget"].default for each in (Lab.hydrate, Lab.replay, Lab.compare)}
    assert {result["manifest"]["budget"]} == in_lab == {DEFAULT_BUDGET}


@pytest.mark.parametrize(
    ("arguments", "tables"),
    [
        (["read", "launch_en"], ["dialogues", "events", "gold", "questions", "turns"]),
        (["checkpoints", "launch_en"], ["checkpoints"]),
        (["hydrate", "launch_en", "--query", "budget"], ["items"]),
        (["doctor"], ["doctor"]),
        (["bench", "list"], ["benchmarks"]),
    ],
)
def test_out_is_a_file_that_ends_in_json_or_else_a_folder(here, arguments, tables, tmp_path):
    file, folder = tmp_path / "new" / "a.json", tmp_path / "文件夹"
    assert here(*arguments, "--out", file).returncode == 0
    assert here(*arguments, "--out", folder).returncode == 0
    assert {path.name for path in folder.iterdir()} == {
        "result.json",
        *(f"{name}.parquet" for name in tables),
    }
    for name in tables:
        rows = json.loads(file.read_text(encoding="utf-8"))[name]
        assert len(rows) == pl.read_parquet(folder / f"{name}.parquet").height


@pytest.mark.parametrize("command", ["read", "demo"])
def test_a_blank_out_is_not_the_folder_one_is_in(here, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = here(command, *(["launch_en"] if command == "read" else []), "--out", "")
    assert done.returncode == 2
    assert "got a blank name, expected a file or folder" in done.stderr
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["read", "checkpoints", "replay", "doctor"])
def test_out_where_nothing_can_be_written_is_one_line(here, command, tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.json").mkdir()
    for out in (tmp_path / "file", tmp_path / "folder.json"):
        done = here(command, *([] if command == "doctor" else ["launch_en"]), "--out", out)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert out.name in done.stderr


@pytest.mark.parametrize(
    ("arguments", "gone", "there"),
    [
        (["read", "launch_zh"], "first, last", "新品发布会筹备与员工福利"),
        (["checkpoints", "launch_zh"], "keywords", "title"),
        (["replay", "launch_zh"], "stable_prefix_tokens, milliseconds", "evidence_verbatim"),
        (["hydrate", "launch_zh", "--query", "预算"], "what", "why"),
    ],
)
def test_a_narrow_terminal_drops_the_least_important_columns_and_says_so(here, arguments, gone, there):
    done = here(*arguments, columns=80)
    assert f"too narrow for {gone} (--json or --out for all of it)" in done.stdout
    assert there in done.stdout
    assert "too narrow" not in here(*arguments, columns=250).stdout


def test_every_kind_of_bad_file_is_one_line(here, tmp_path):
    (tmp_path / "空.json").write_bytes(b"")
    (tmp_path / "binary.json").write_bytes(bytes(range(256)) * 9)
    (tmp_path / "folder").mkdir()
    for name in ("空.json", "binary.json", "folder", "没有.json"):
        for command in ("read", "checkpoints", "replay"):
            done = here(command, tmp_path / name, "--json")
            assert (done.returncode, done.stdout) == (2, "")
            assert len(done.stderr.splitlines()) == 1
            assert name in done.stderr


def test_a_folder_of_chinese_names_is_read_without_a_word_on_stderr(here, tmp_path):
    for name in ("一.jsonl", "二 三.jsonl"):
        text = hl.example("launch_zh").read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace("launch_zh", name[0]), encoding="utf-8")
    done = here("read", tmp_path, "--json")
    assert done.stderr == ""
    assert len(json.loads(done.stdout)["dialogues"]) == 2


def test_a_reader_that_stops_early_is_no_error():
    command = f'{sys.executable} -c "from hydralab.cli import main; main()" read launch_en --json | head -1'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("{\n", "")


def test_demo_gives_json_too(here, tmp_path, monkeypatch):
    monkeypatch.setattr("hydralab.cli.demo.BUDGETS", {"launch_en": 400})
    done = here("demo", "--out", tmp_path, "--json")
    assert {row["strategy"] for row in json.loads(done.stdout)["summary"]} == set(hl.STRATEGIES)
    assert (tmp_path / "launch_en" / "hydration" / "manifest.json").exists()


def test_the_reason_why_a_record_was_not_read_is_told_in_full(here, tmp_path):
    path = tmp_path / "chat.jsonl"
    path.write_text(
        '{"messages":[{"role":"user","content":"你好"}]}\n{"messages":[{"role":"usr","content":"a typo"}]}\n'
    )
    shown = here("read", path, columns=80)
    reason = hl.read_all(path).events["detail"][0]
    assert "".join(reason.split()) in re.sub(r"[│\s]|failed", "", shown.stdout)


def test_the_version_is_told(here):
    assert here("--version").stdout == f"hydralab {version('hydralab')}\n"
