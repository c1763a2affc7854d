"""The Chat's controller and widget: what is said, remembered, pinned, written anew, forgotten, saved."""

import gc
import threading
import time

import pytest
from ipywidgets.widgets.widget import _instances as live_widgets

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.llms import Delta, LLMError, Scripted
from hydralab.widgets.chat_picture import chat_picture
from tests.widgets.conftest import unpacked

SAID = ["We spend 84,500 euros on marketing.", "/checkpoint Budget <b>x</b>", "What was the budget?"]


def echo(messages):
    return f"You said: {messages[-1]['content']}"


@pytest.fixture
def agent():
    with hl.Agent(Scripted(echo), budget=2_000) as opened:
        yield opened


@pytest.fixture
def chat(agent):
    widget = hl.widgets.Chat(agent)
    for text in SAID:
        widget.say(text)
    agent.drain()
    yield widget
    widget.close()


def waited(condition, seconds=10):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def test_what_is_said_and_what_is_remembered_is_shown(chat):
    state = chat._state
    assert [turn["role"] for turn in state["turns"]] == ["user", "assistant"] * 2
    assert state["items"][0]["kind"] == "checkpoint"
    assert state["moment"]["heading"] == "what the model saw at turn 2"
    assert state["moment"]["tokens"] == chat.context.tokens


def test_the_prompt_of_an_earlier_reply_can_be_looked_at(chat):
    first = chat._state["turns"][0]["id"]
    chat._heard(chat, {"do": "look", "turn": first}, [])
    assert chat.context.at == 0
    assert chat._state["reply_to"] == first
    chat._heard(chat, {"do": "look", "turn": "nowhere"}, [])
    assert "nowhere" in chat.error
    assert chat.context.at == 0
    chat.say("And now?")
    assert chat.context.at == 4  # the newest again


def test_items_are_pinned_written_anew_and_forgotten(chat, agent):
    item = chat._state["items"][0]["id"]
    chat._heard(chat, {"do": "pin", "item": item, "pinned": True}, [])
    assert chat._state["items"][0]["pinned"]
    chat._heard(chat, {"do": "edit", "item": item, "text": "84,500 euros, final"}, [])
    assert chat._state["items"][0]["text"] == "84,500 euros, final"
    assert agent.checkpoints["summary"][0] == "84,500 euros, final"
    chat._heard(chat, {"do": "forget", "item": item}, [])
    assert chat._state["items"] == []
    chat._heard(chat, {"do": "forget", "item": item}, [])
    assert item in chat.error


def test_a_model_that_fails_is_told_and_the_conversation_goes_on(agent):
    replies = iter([LLMError("no answer in time", "timeout"), "Here I am."])

    def failing(messages):
        reply = next(replies)
        if isinstance(reply, Exception):
            raise reply
        return reply

    with hl.Agent(Scripted(failing), budget=2_000) as moody:
        widget = hl.widgets.Chat(moody)
        widget.say("Hello?")
        assert "no answer in time" in widget.error
        widget.say("Hello again?")
        assert widget.error == ""
        assert [turn["text"] for turn in widget._state["turns"]] == ["Hello?", "Hello again?", "Here I am."]
        widget.say("   ")
        assert "nothing to say" in widget.error
        widget.close()


def test_a_reply_is_written_in_a_thread_and_can_be_stopped():
    go_on = threading.Event()

    class Slow:
        name, window = "slow", None

        def complete(self, messages, /, **_):
            raise AssertionError

        def stream(self, messages, /, **_):
            for word in ("One", " two", " three"):
                yield Delta(word)
                go_on.wait(5)

    with hl.Agent(Slow(), budget=2_000) as agent:
        widget = hl.widgets.Chat(agent)
        widget._heard(widget, {"do": "say", "text": "Count."}, [])
        assert waited(lambda: widget._said == "One")
        widget.say("Faster!")
        assert "still being written" in widget.error
        widget._heard(widget, {"do": "stop"}, [])
        go_on.set()
        assert waited(lambda: not widget._chatting.busy and len(widget._state["turns"]) == 2)
        reply = widget._state["turns"][-1]
        assert reply["text"].startswith("One")
        assert reply["cut_reply"]
        assert "three" not in reply["text"]
        widget.close()


def test_what_others_store_shows_up(chat, agent):
    agent.chat("Said in another cell.")
    assert waited(lambda: chat._state["turns"][-2]["text"] == "Said in another cell.")


def test_a_saved_chat_has_a_picture_and_a_page(chat, tmp_path):
    """FAULTS 36."""
    bundle, _ = chat._repr_mimebundle_()
    assert "84,500" in bundle["text/html"]
    assert "<b>x</b>" not in bundle["text/html"]
    assert bundle["text/plain"] == "Chat('scripted', 'hydration', 4 turns, 1 item remembered)"
    told = unpacked(chat.to_html(tmp_path / "chat.html"))
    asked = [turn["id"] for turn in told["state"]["turns"] if turn["role"] == "user"]
    assert set(told["moments"]) == set(asked)
    assert told["moments"][asked[1]]["messages"][-1]["text"].endswith("What was the budget?")


def test_a_cell_that_is_run_again_leaves_no_widget_behind(agent):
    """FAULTS 35, 44."""
    before = len(live_widgets)
    for _ in range(5):
        widget = hl.widgets.Chat(agent)
        widget.say("Hello.")
        widget.close()
        assert repr(widget) == "Chat(closed)"
        widget.say("Anybody?")  # a closed one says nothing
    gc.collect()
    assert len(live_widgets) == before
    assert agent.turns.height == 10


def test_what_is_no_agent_is_refused():
    with pytest.raises(HydralabError, match=r"expected an hl\.Agent"):
        hl.widgets.Chat("smollm2")


def test_a_long_conversation_shows_its_end(agent):
    """FAULTS 46."""
    for number in range(120):
        agent.chat(f"Message {number}.")
    widget = hl.widgets.Chat(agent)
    state = widget._state
    assert (len(state["turns"]), state["earlier"]) == (200, 40)
    assert len(chat_picture(widget._chatting).encode()) < 50_000
    widget.close()
