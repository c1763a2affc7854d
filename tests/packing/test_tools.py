import json

from hydralab.packing import Recalled, pack
from hydralab.texts import tokenizer


def part(kind, **fields):
    return {"type": kind, **fields}


def send(make_turns, messages, parts):
    turns = make_turns(*messages, parts={at: json.dumps(found) for at, found in parts.items()})
    ctx = pack("?", turns, budget=2000)
    assert ctx.tokens == tokenizer().count_messages(ctx.messages) == ctx.kept["tokens"].sum()
    return ctx.messages


def test_a_call_and_its_result_in_one_turn_are_written_as_text(make_turns):
    """FAULTS 4."""
    inside = [part("tool_call", id="c", name="clock", arguments={"tz": "北京"}),
              part("tool_result", id="c", name="clock", text="9:00")]  # fmt: skip
    sent = send(make_turns, [("user", "time?"), ("assistant", "It is nine.")], {1: inside})
    assert (
        sent[1]["content"] == 'It is nine.\n\n[tool call: clock] {"tz": "北京"}\n\n[tool result: clock] 9:00'
    )
    assert "tool_calls" not in sent[1]


def test_a_call_that_was_never_answered_is_written_as_text(make_turns):
    """FAULTS 4."""
    sent = send(
        make_turns,
        [("user", "a"), ("assistant", ""), ("user", "stop")],
        {1: [part("tool_call", id="c", name="x")]},
    )
    assert sent[1] == {"role": "assistant", "content": "[tool call: x] {}"}


def test_a_result_without_its_call_is_written_as_text(make_turns):
    """FAULTS 4."""
    sent = send(
        make_turns, [("user", "a"), ("tool", "42"), ("assistant", "b")], {1: [part("tool_result", id="gone")]}
    )
    assert sent[1] == {"role": "assistant", "content": "[tool result] 42\n\nb"}


def test_two_calls_are_each_answered_by_their_own_result(make_turns):
    calls = [part("tool_call", id="c1", name="a"), part("tool_call", id="c2", name="b")]
    talk = [("user", "go"), ("assistant", ""), ("tool", "two"), ("tool", "one"), ("assistant", "done")]
    sent = send(
        make_turns, talk, {1: calls, 2: [part("tool_result", id="c2")], 3: [part("tool_result", id="c1")]}
    )
    assert {call["id"] for call in sent[1]["tool_calls"]} == {"c1", "c2"}
    assert [message.get("tool_call_id") for message in sent[2:4]] == ["c2", "c1"]


def test_a_second_result_of_one_call_is_kept_as_text(make_turns):
    calls = [part("tool_call", id="c1", name="a")]
    talk = [("user", "go"), ("assistant", ""), ("tool", "first"), ("tool", "second")]
    results = {2: [part("tool_result", id="c1")], 3: [part("tool_result", id="c1")]}
    sent = send(make_turns, talk, {1: calls, **results})
    assert [message["role"] for message in sent] == ["user", "assistant", "tool", "assistant", "user"]
    assert sent[3]["content"] == "[tool result] second"


def test_results_without_ids_answer_in_order(make_turns):
    talk = [("user", "go"), ("assistant", ""), ("tool", "42")]
    sent = send(make_turns, talk, {1: [part("tool_call", name="a")], 2: [part("tool_result")]})
    assert sent[1]["tool_calls"][0]["id"] == sent[2]["tool_call_id"]


def test_an_attachment_is_sent_and_counted(make_turns):
    """FAULTS 6."""
    attached = [part("attachment", name="notes.txt", text="forty thousand")]
    sent = send(make_turns, [("user", "see file"), ("assistant", "ok")], {0: attached})
    assert sent[0]["content"] == "see file\n\n[attachment: notes.txt] forty thousand"


def test_the_prompt_shows_calls_and_which_call_a_result_answers(make_turns):
    talk = [("user", "go"), ("assistant", ""), ("tool", "42")]
    parts = {1: [part("tool_call", id="c1", name="f", arguments={"x": 1})], 2: [part("tool_result", id="c1")]}
    turns = make_turns(*talk, parts={at: json.dumps(found) for at, found in parts.items()})
    prompt = pack("?", turns, budget=500).prompt
    assert '→ f({"x": 1}), call c1' in prompt
    assert "[tool, answers c1]\n42" in prompt


def test_a_recalled_call_is_written_out(make_turns, make_candidates):
    call = json.dumps([part("tool_call", id="c1", name="weather", arguments={"city": "北京"})])
    result = json.dumps([part("tool_result", id="c1")])
    talk = [
        ("user", "go"),
        ("assistant", ""),
        ("tool", "31 degrees"),
        *[("user", "q"), ("assistant", "a")] * 5,
    ]
    turns = make_turns(*talk, parts={1: call, 2: result})
    system = pack("?", turns, budget=500, recalled=Recalled.of(make_candidates({2: 0.9}))).messages[0][
        "content"
    ]
    assert '[tool call: weather] {"city": "北京"}' in system
    assert "31 degrees" in system
