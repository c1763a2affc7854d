from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest

from hydralab.errors import HydralabError
from hydralab.frames import build
from hydralab.llms import (
    LLMError,
    Reply,
    Scripted,
    Usage,
    ask,
    ask_async,
    call_event,
    record_calls,
    stream,
    stream_async,
)

HELLO = [{"role": "user", "content": "Hello"}]


def test_calls_are_noted_answered_or_not(chat_at):
    chat = chat_at("rate_limited", "good", "forbidden", "cut")
    with record_calls() as calls:
        ask(chat, HELLO)
        with pytest.raises(LLMError):
            ask(chat, HELLO)
        list(stream(chat, HELLO))
    assert [call.outcome for call in calls] == ["ok", "rejected", "cut"]
    assert [call.retries for call in calls] == [1, 0, 0]
    assert calls[0].cost > 0
    assert calls[1].cost is None
    events = build("events", [call_event("chat", call, dialogue_id="a") for call in calls])
    assert events["status"].to_list() == ["retried", "failed", "salvaged"]
    assert "100 + 20 tokens, 64 of them cached, cost 0.00002" in events["detail"][0]


def test_records_nest_and_reach_into_threads(run_async):
    llm = Scripted(lambda messages: "Hello there.")

    async def both():
        await ask_async(llm, HELLO)
        return [delta.text async for delta in stream_async(llm, HELLO)]

    with record_calls() as outer:
        ask(llm, HELLO)
        with record_calls() as inner:
            pieces = run_async(both())
    assert (len(outer), len(inner)) == (3, 2)
    assert pieces == ["Hello ", "there.", ""]


def test_a_thread_of_ones_own_is_recorded_in_a_copy_of_the_context():
    llm = Scripted(lambda messages: "Hello there.")
    with record_calls() as calls, ThreadPoolExecutor() as pool:
        pool.submit(ask, llm, HELLO).result()
        assert calls == []
        pool.submit(copy_context().run, ask, llm, HELLO).result()
    assert len(calls) == 1


def test_whatever_a_function_raises_is_a_failed_call():
    def raising(messages):
        raise RuntimeError("no such luck")

    with record_calls() as calls, pytest.raises(LLMError, match="RuntimeError: no such luck"):
        ask(Scripted(raising), HELLO)
    assert calls[0].outcome == "failed"


def test_a_script_is_a_list_or_a_function():
    llm = Scripted(["one", Reply("two", "cut", "length", cost=0.5), TimeoutError("late")])
    assert ask(llm, HELLO).text == "one"
    two = ask(llm, HELLO)
    assert (two.outcome, two.cost, two.usage.estimated) == ("cut", 0.5, True)
    with pytest.raises(LLMError, match="late"):
        ask(llm, HELLO)
    with pytest.raises(LLMError, match="all 3 replies are used up"):
        ask(llm, HELLO)


def test_a_script_keeps_to_limit_and_window():
    llm = Scripted(lambda messages: "word " * 100, window=50)
    reply = llm.complete(HELLO, max_tokens=10)
    assert (reply.outcome, reply.usage.completion) == ("cut", 10)
    with pytest.raises(LLMError, match="expected under 50") as caught:
        llm.complete([{"role": "user", "content": "字" * 200}])
    assert caught.value.kind == "too_long"


def test_a_reply_without_words_of_its_own_is_no_crash():
    assert Scripted([""]).complete(HELLO).outcome == "empty"
    assert Usage().prompt == 0


def test_a_stream_that_is_closed_early_is_a_call_that_was_cut(run_async):
    llm = Scripted(lambda messages: "Hello there, you.")

    async def first():
        pieces = stream_async(llm, HELLO)
        async for _ in pieces:
            break
        await pieces.aclose()

    with record_calls() as calls:
        pieces = stream(llm, HELLO)
        next(pieces)
        pieces.close()
        run_async(first())
        for delta in stream(llm, HELLO):
            if delta.reply is not None:
                break
    assert [call.outcome for call in calls] == ["cut", "cut", "ok"]
    assert call_event("chat", calls[0])["status"] == "salvaged"
    assert calls[0].detail == "closed before its end"


def test_an_error_of_hydralab_that_is_none_of_a_model_is_a_failed_call_too():
    with record_calls() as calls, pytest.raises(HydralabError):
        ask(Scripted([HydralabError("extra 'local' is not installed")]), HELLO)
    assert [(call.outcome, call.detail) for call in calls] == [("failed", "extra 'local' is not installed")]
