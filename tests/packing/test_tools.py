import json
import re

from hydralab.packing import Recalled, pack
from hydralab.packing.tools import api_name
from hydralab.readers.counting import count_turns
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


def test_names_ids_and_arguments_are_what_servers_take(make_turns):
    names = ["dalle.text2im", "查天气", "x" * 80]
    ids = ["a1", "b" * 60, "c.1"]
    given = ["print(5 * 2)", {"城市": "北京"}, None]
    calls = [
        part("tool_call", id=called, name=name, arguments=told)
        for called, name, told in zip(ids, names, given, strict=True)
    ]
    talk = [("user", "go"), ("assistant", ""), *[("tool", "out")] * 3]
    results = {2 + at: [part("tool_result", id=called)] for at, called in enumerate(ids)}
    turns = make_turns(*talk, parts={at: json.dumps(found) for at, found in {1: calls, **results}.items()})
    sent = pack("?", turns, budget=2000).messages
    functions = [call["function"] for call in sent[1]["tool_calls"]]
    assert functions[0] == {"name": "dalle_text2im", "arguments": '{"input": "print(5 * 2)"}'}
    assert [json.loads(each["arguments"]) for each in functions[1:]] == [{"城市": "北京"}, {}]
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", each["name"]) for each in functions)
    sent_ids = [call["id"] for call in sent[1]["tool_calls"]]
    assert sent_ids == [message["tool_call_id"] for message in sent[2:5]]
    assert max(map(len, sent_ids)) <= 40
    assert json.loads(turns["parts"][1])[0]["name"] == "dalle.text2im"


def test_names_that_differ_stay_different():
    assert api_name("查天气") != api_name("查汇率")
    assert api_name("x" * 64 + "a") != api_name("x" * 64 + "b")


def test_pictures_and_files_are_named_in_the_messages(make_turns):
    attached = [part("image", name="chart.png", url="file-service://1"), part("attachment", name="数据.csv")]
    sent = send(make_turns, [("user", "what does this chart show?"), ("assistant", "ok")], {0: attached})
    assert sent[0]["content"] == "what does this chart show?\n\n[image: chart.png]\n\n[attachment: 数据.csv]"


def test_a_recalled_turn_names_its_picture(make_turns, make_candidates):
    turns = make_turns(("user", "这张图说明什么？"), *[("assistant", "a"), ("user", "q")] * 5,
                       parts={0: json.dumps([part("image", name="图表.png")])})  # fmt: skip
    ctx = pack("?", turns, budget=500, recalled=Recalled.of(make_candidates({0: 0.9})))
    assert "这张图说明什么？\n\n[image: 图表.png]\n</turn>" in ctx.messages[0]["content"]
    assert ctx.tokens == tokenizer().count_messages(ctx.messages) == ctx.kept["tokens"].sum()


def test_a_picture_that_the_text_describes_is_not_written_twice(make_turns):
    inline = [part("image", url="https://a.b/c", inline=True)]
    sent = send(make_turns, [("user", "look\n[image: a dog]"), ("assistant", "ok")], {0: inline})
    assert sent[0]["content"] == "look\n[image: a dog]"


def test_a_picture_takes_the_room_of_its_name_only(make_turns):
    """A turn's tokens count 765 for a picture, but a prompt only names it."""
    picture = json.dumps([part("image", name="chart.png")])
    turns = make_turns(("user", "look"), ("assistant", "ok"), parts={0: picture})
    ctx = pack("?", count_turns(turns, tokenizer()), budget=120)
    assert ctx.messages[0]["content"] == "look\n\n[image: chart.png]"


def test_an_empty_message_keeps_the_answers_around_it_apart(make_turns):
    talk = [("user", "go"), ("assistant", "first"), ("user", ""), ("assistant", "second")]
    sent = send(make_turns, talk, {})
    assert [message["content"] for message in sent] == ["go", "first", "[empty]", "second", "?"]
