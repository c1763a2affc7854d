"""Claude's web export and Claude Code's sessions."""

import json
import zipfile
from pathlib import Path

import hydralab.readers as readers

FIXTURES = Path(__file__).parent / "fixtures"
WEB, CODE = FIXTURES / "claude_web.json", FIXTURES / "claude_code.jsonl"


def names(turns):
    return [name.split(":")[1] for name in turns["turn_id"]]


def test_web_messages_follow_the_newest_branch():
    corpus = readers.read_all(WEB)
    assert names(corpus.turns) == ["m1", "m2", "m3", "m5"]
    assert corpus.dialogues.row(0)[:3] == ("cw-1", "acc-1", "Bread")
    assert corpus.events["status"].to_list() == ["ok"]
    assert readers.read_all(WEB, branches="all").dialogues["dialogue_id"].to_list() == ["cw-1", "cw-1#m4"]


def test_web_attachments_tools_and_reasoning_stay_with_their_message():
    """FAULTS 4, 6."""
    turns = readers.read(WEB)
    attached, picture = json.loads(turns["parts"][0])
    assert attached["text"] == "500 g flour, 350 g water, 10 g salt"
    assert picture == {"type": "image", "name": "crumb.png"}
    call, result = json.loads(turns["parts"][1])
    assert (call["id"], result["id"], result["text"]) == ("tu-1", "tu-1", "0.7")
    assert turns["text"][1] == "Let me compute.\n\nIt is a 70 % dough."
    assert json.loads(turns["meta"][1])["thinking"] == "Hydration is 70 %."
    assert turns["tokens"][0] > 765 + 15


def test_web_zip_is_read_by_its_conversations(tmp_path):
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
        archive.writestr("conversations.json", WEB.read_text())
        archive.writestr("users.json", '[{"uuid": "acc-1", "full_name": "x"}]')
        archive.writestr("projects.json", "[]")
    assert readers.read(tmp_path / "data.zip").equals(readers.read(WEB))


def test_code_lines_of_one_message_are_one_turn_and_results_name_their_calls():
    """FAULTS 4."""
    turns = readers.read(CODE)
    assert names(turns) == ["u0", "u1", "a1", "r1", "r2", "a5", "u3", "a7", "r3", "a8", "u4", "u5", "a9"]
    assert turns["text"][2] == "I read the test and the code."
    calls = json.loads(turns["parts"][2])
    results = [json.loads(parts)[0] for parts in turns["parts"].to_list()[3:5]]
    assert [call["id"] for call in calls] == [result["id"] for result in results] == ["toolu_1", "toolu_2"]
    assert [result["name"] for result in results] == ["Read", "Bash"]
    assert (turns["text"][4], results[1]["is_error"]) == ("1 failed", True)


def test_code_text_that_no_person_wrote_is_of_role_system():
    turns = readers.read(CODE)
    assert dict(zip(names(turns), turns["role"], strict=True))["u0"] == "system"
    assert dict(zip(names(turns), turns["role"], strict=True))["u4"] == "system"
    assert turns["round"].to_list() == [0] * 6 + [1] * 5 + [2] * 2


def test_code_output_of_a_command_is_no_prompt(tmp_path):
    lines = [
        {"type": "user", "sessionId": "a", "message": {"role": "user", "content": content}}
        for content in (
            "hello",
            "<local-command-stdout>42 files</local-command-stdout>",
            "<b>bold</b> please",
        )
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert readers.read(tmp_path / "a.jsonl")["role"].to_list() == ["user", "system", "user"]


def test_code_bad_lines_lose_no_other(tmp_path):
    good = CODE.read_text().splitlines()
    bad = [
        '{"type": "user", "sessionId": "s-1"}',
        '{"type": "user", "message": {"content": 5}}',
        "[1]",
        '{"type": "us',
    ]
    (tmp_path / "a.jsonl").write_text("\n".join([*good[:5], *bad, *good[5:]]))
    corpus = readers.read_all(tmp_path / "a.jsonl")
    assert corpus.turns.equals(readers.read(CODE))
    failed = corpus.events.filter(corpus.events["status"] == "failed")["detail"].to_list()
    assert [detail.split(":")[0] for detail in failed] == [
        f"a.jsonl, line {number}" for number in range(6, 10)
    ]


def test_code_abandoned_ends_and_subagents_are_branches():
    corpus = readers.read_all(CODE)
    assert corpus.dialogues.row(0)[:3] == ("s-1", None, "Fix the flaky login test")
    assert "2 branches and subagents left out" in corpus.events["detail"][0]
    every = readers.read_all(CODE, branches="all")
    assert every.dialogues["dialogue_id"].to_list() == ["s-1", "s-1#u2", "s-1#agent-7"]
    assert every.select("s-1#agent-7").turns["text"].to_list() == [
        "find a clock fixture",
        "conftest.py has one.",
    ]


def test_code_file_of_a_subagent_alone_is_read(tmp_path):
    lines = [line for line in CODE.read_text().splitlines() if '"isSidechain": true' in line]
    (tmp_path / "agent-7.jsonl").write_text("\n".join(lines))
    assert readers.read(tmp_path / "agent-7.jsonl")["turn_id"].to_list() == [
        "s-1#agent-7:k1",
        "s-1#agent-7:k2",
    ]


def test_code_sessions_one_after_another_are_dialogues_of_their_own(tmp_path):
    lines = [
        {"type": "user", "sessionId": session, "message": {"role": "user", "content": text}}
        for session, text in (("a", "one"), ("a", "two"), ("b", "three"))
    ]
    (tmp_path / "all.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert readers.read(tmp_path / "all.jsonl")["turn_id"].to_list() == ["a:0", "a:1", "b:0"]
