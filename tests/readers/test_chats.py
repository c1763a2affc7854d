"""Open WebUI, LibreChat, OASST and Slack."""

import json
import zipfile
from pathlib import Path

import hydralab.readers as readers

FIXTURES = Path(__file__).parent / "fixtures"


def names(turns):
    return [name.split(":")[1] for name in turns["turn_id"]]


def test_openwebui_follows_the_current_message():
    corpus = readers.read_all(FIXTURES / "openwebui.json")
    assert corpus.dialogues.row(0)[:3] == ("ow-1", "u-7", "Tides")
    assert names(corpus.turns) == ["0", "w1", "w2", "w3", "w4b"]
    assert corpus.turns["role"].to_list() == ["system", "user", "assistant", "user", "assistant"]
    every = readers.read_all(FIXTURES / "openwebui.json", branches="all")
    assert every.dialogues["dialogue_id"].to_list() == ["ow-1", "ow-1#w4a"]


def test_openwebui_takes_tools_and_reasoning_out_of_the_text():
    """FAULTS 4, 6."""
    turns = readers.read(FIXTURES / "openwebui.json")
    assert turns["text"].to_list()[2:] == ["High tide is at nine.", "Why?", "Because of the moon."]
    call, result = json.loads(turns["parts"][2])
    assert call == {"type": "tool_call", "id": "call_9", "name": "search", "arguments": {"q": "tide"}}
    assert (result["id"], result["text"]) == ("call_9", "high at 9")
    assert json.loads(turns["meta"][4]) == {"model": "qwen3", "thinking": "The moon matters."}
    assert json.loads(turns["parts"][1])[0]["text"] == "a map of the bay"


def test_openwebui_reads_output_before_text(tmp_path):
    output = [
        {"type": "reasoning", "content": [{"type": "output_text", "text": "hm"}]},
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "rain"}]},
        {"type": "message", "content": [{"type": "output_text", "text": "It rains."}]},
    ]
    message = {
        "id": "m",
        "parentId": None,
        "role": "assistant",
        "content": "<details>…</details>",
        "output": output,
    }
    (tmp_path / "a.json").write_text(
        json.dumps([{"id": "x", "chat": {"history": {"messages": {"m": message}}}}])
    )
    turns = readers.read(tmp_path / "a.json")
    assert turns["text"].to_list() == ["It rains."]
    assert [part["type"] for part in json.loads(turns["parts"][0])] == ["tool_call", "tool_result"]


def test_openwebui_leaves_out_a_node_that_was_broken_off(tmp_path):
    asked = {"id": "m", "parentId": None, "role": "user", "content": "hi"}
    chat = {
        "history": {"messages": {"m": asked, "n": {"childrenIds": [], "parentId": "m"}}, "currentId": "n"}
    }
    (tmp_path / "a.json").write_text(json.dumps({"id": "x", "chat": chat}))
    assert readers.read(tmp_path / "a.json")["text"].to_list() == ["hi"]


def test_librechat_takes_the_newest_of_several_answers():
    corpus = readers.read_all(FIXTURES / "librechat.json")
    assert corpus.dialogues.row(0)[:3] == ("lc-1", None, "Chess")
    assert names(corpus.turns) == ["0", "l1", "l22", "l3"]
    assert corpus.turns["text"].to_list() == ["You teach chess.", "Best first move?", "d4.", "Thanks"]
    assert [part["type"] for part in json.loads(corpus.turns["parts"][2])] == ["tool_call", "tool_result"]
    assert readers.read_all(FIXTURES / "librechat.json", branches="all").dialogues.height == 2


def test_librechat_flat_and_nested_say_the_same(tmp_path):
    nested = json.loads((FIXTURES / "librechat.json").read_text())
    flat, waiting = [], list(nested["messages"])
    while waiting:
        message = waiting.pop(0)
        waiting = message.pop("children") + waiting
        flat.append(message)
    (tmp_path / "a.json").write_text(json.dumps({**nested, "messages": flat, "recursive": False}))
    assert readers.read(tmp_path / "a.json").equals(readers.read(FIXTURES / "librechat.json"))


def test_oasst_takes_the_best_ranked_replies():
    corpus = readers.read_all(FIXTURES / "oasst.jsonl")
    assert names(corpus.turns) == ["t1", "t1a", "t1a1", "t1a1x", "t2"]
    assert corpus.dialogues["language"].to_list() == ["en", "en"]
    every = readers.read_all(FIXTURES / "oasst.jsonl", branches="all")
    assert set(names(every.turns)) == {"t1", "t1a", "t1a1", "t1a1x", "t1a1y", "t1b", "t2"}
    assert every.dialogues["dialogue_id"].to_list() == ["t1", "t1#t1a1y", "t1#t1b", "t2"]


def test_oasst_messages_a_line_make_the_same_trees(tmp_path):
    flat = []
    for line in (FIXTURES / "oasst.jsonl").read_text().splitlines():
        tree = json.loads(line)
        waiting = [tree["prompt"]]
        while waiting:
            message = waiting.pop(0)
            waiting = message.pop("replies") + waiting
            flat.append({"message_tree_id": tree["message_tree_id"], **message})
    (tmp_path / "flat.jsonl").write_text("\n".join(map(json.dumps, flat)))
    assert readers.read(tmp_path / "flat.jsonl").equals(readers.read(FIXTURES / "oasst.jsonl"))


def test_slack_channels_are_dialogues_and_days_sessions():
    corpus = readers.read_all(FIXTURES / "slack.zip")
    assert corpus.dialogues.select("dialogue_id", "title").rows() == [
        ("D01", "mira, 王伟"),
        ("C01", "#garden"),
    ]
    garden = corpus.select("C01").turns
    assert garden["session"].to_list() == ["2026-04-01"] * 3 + ["2026-04-02"] * 2
    assert garden["role"].to_list() == ["system", "user", "user", "user", "user"]
    assert garden["speaker"].to_list() == ["mira", "mira", "王伟", "rainbot", "mira"]
    assert garden["time"].is_sorted()


def test_slack_mentions_links_and_bots_are_written_out():
    garden = readers.read_all(FIXTURES / "slack.zip").select("C01").turns
    assert (
        garden["text"][1]
        == "@王伟 who waters the #garden today? See the plan (https://example.org/plan) & reply"
    )
    assert garden["text"][3] == "Rain expected at noon"
    assert json.loads(garden["meta"][2]) == {"thread": "1775030460.000200"}
    assert json.loads(garden["parts"][4]) == [{"type": "image", "name": "Sky"}]


def test_slack_folder_with_a_broken_day_keeps_the_others(tmp_path):
    with zipfile.ZipFile(FIXTURES / "slack.zip") as archive:
        archive.extractall(tmp_path / "export")
    (tmp_path / "export" / "garden" / "2026-04-03.json").write_text(
        '[{"text": "no time"}, {"ts": "1775200000.1", "te'
    )
    corpus = readers.read_all(tmp_path / "export")
    assert corpus.turns.equals(readers.read(FIXTURES / "slack.zip"))
    assert corpus.events["status"].to_list() == ["failed"] * 2
    assert all("2026-04-03.json" in detail for detail in corpus.events["detail"])
