"""ChatGPT's export: citation marks, errors of the product, empty messages, broken nodes."""

import json

import pytest

import hydralab.readers as readers
from hydralab.readers.citations import without_marks

CITED = "It is 40 m\ue200cite\ue202turn0search0\ue202turn0news12\ue201."


def message(role, *parts, kind="text", **content):
    return {"author": {"role": role, "name": None, "metadata": {}}, "create_time": 1767254400.0,
            "content": {"content_type": kind, **({"parts": list(parts)} if parts else {}), **content},
            "status": "finished_successfully", "recipient": "all", "metadata": {}}  # fmt: skip


@pytest.fixture
def read(tmp_path):
    """Read a conversation whose messages follow each other; one that is no object is a broken node."""

    def read_chain(*messages):
        mapping = {"root": {"id": "root", "message": None, "parent": None, "children": ["n0"]}}
        for at, one in enumerate(messages):
            node = {"id": f"n{at}", "message": one, "parent": f"n{at - 1}" if at else "root",
                    "children": [f"n{at + 1}"] if at + 1 < len(messages) else []}  # fmt: skip
            mapping[f"n{at}"] = node if isinstance(one, dict) else one
        chat = {
            "title": "t",
            "conversation_id": "c",
            "mapping": mapping,
            "current_node": f"n{len(messages) - 1}",
        }
        (tmp_path / "conversations.json").write_text(json.dumps([chat]))
        return readers.read_all(tmp_path / "conversations.json")

    return read_chain


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        (CITED, "It is 40 m."),
        ("高 40 米\ue200cite\ue202turn0search0\ue201。又说【6†source】，对。", "高 40 米。又说，对。"),
        ("See \ue200filecite\ue202turn0file1\ue202L10-L20\ue201 and\ue200cite\ue202turn1view0\ue201 go", "See and go"),
        ("Ask \ue200url\ue202the museum\ue202turn0search2\ue201 first.", "Ask the museum first."),
        ("\ue200navlist\ue202Recent news\ue202turn0news1,turn0news2\ue201", "Recent news"),
        ('By \ue200entity\ue202["people","Ada Lovelace","writer"]\ue201.', "By Ada Lovelace."),
        ("\ue203Cited\ue204 words \ue200cite\ue202turn0search0", "Cited words"),
        ('\ue200i\ue202turn0image0\ue201\n\ue200image_group\ue202{"query":["bees"]}\ue201\nBees.', "\n\nBees."),
        ("As the plan says【4:0†plan.pdf】【13†L1-L9】.", "As the plan says [plan.pdf]."),
        ("【注意】 private \ue203 use and [1] stay", "【注意】 private \ue203 use and [1] stay"),
    ],
)  # fmt: skip
def test_marks_go_and_words_stay(marked, plain):
    assert without_marks(marked) == plain


def test_answers_lose_their_marks_and_keep_them_in_meta(read):
    turns = read(message("user", f"I quote: {CITED}"), message("assistant", CITED)).turns
    assert turns["text"].to_list() == [f"I quote: {CITED}", "It is 40 m."]
    assert json.loads(turns["meta"][1]) == {"marked": CITED}


def test_an_error_of_the_product_is_an_event_and_no_turn(read):
    error = {"kind": "system_error", "name": "ConnectionError", "text": "Error in message stream"}
    corpus = read(message("user", "hi"), message("assistant", **error))
    assert corpus.turns["text"].to_list() == ["hi"]
    assert corpus.events.select("status", "item_id").row(0) == ("ok", "n1")
    assert "message 'n1' left out: ConnectionError: Error in message stream" in corpus.events["detail"][0]


def test_an_error_of_a_tool_is_its_result(read):
    call = {**message("assistant", kind="code", text="1 / 0"), "recipient": "python"}
    failed = message("tool", kind="system_error", name="tool_error", text="too slow")
    turns = read(message("user", "hi"), call, failed).turns
    assert turns["text"][2] == "tool_error\ntoo slow"
    assert json.loads(turns["parts"][2]) == [{"type": "tool_result", "id": "n1", "is_error": True}]


def test_an_empty_message_of_the_user_keeps_answers_apart(read):
    turns = read(
        message("user", "hi"), message("assistant", "one"), message("user", ""), message("assistant", "two")
    )
    assert turns.turns["text"].to_list() == ["hi", "one", "", "two"]
    assert turns.turns["round"].to_list() == [0, 0, 1, 1]


@pytest.mark.parametrize("broken", [5, None, "text", []])
def test_a_broken_node_costs_itself_only(read, broken):
    corpus = read(message("user", "hi"), broken, message("user", "still there?"), message("assistant", "yes"))
    assert corpus.turns["text"].to_list() == ["hi", "still there?", "yes"]
    assert corpus.events["status"].to_list() == ["failed"]
    assert "record 1: message 'n1': " in corpus.events["detail"][0]
    assert corpus.events["detail"][0].endswith("stands where an object was expected")
