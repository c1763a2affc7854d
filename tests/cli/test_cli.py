import json
import os
import subprocess
import sys

import polars as pl
import pytest


def hydralab(*arguments, cwd=None):
    command = [sys.executable, "-c", "from hydralab.cli import main; main()", *map(str, arguments)]
    environment = {**os.environ, "COLUMNS": "160", "NO_COLOR": "1"}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, check=False)


def test_read_shows_what_was_found():
    done = hydralab("read", "launch_zh")
    assert done.returncode == 0, done.stderr
    assert "1 dialogues, 20 turns, 5 questions, 3 gold boundaries" in done.stdout


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


def test_bench_list_names_the_benchmarks():
    done = hydralab("bench", "list")
    assert all(name in done.stdout for name in ("speed", "budget", "segmentation"))
