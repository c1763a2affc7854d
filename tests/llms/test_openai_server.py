import asyncio

import pytest

from hydralab.llms import LLMError, OpenAIChat, Usage, check_llm, get_llm

HELLO = [{"role": "user", "content": "Hello, 你好"}]


def test_a_reply_has_words_tokens_and_cost(server, chat_at):
    reply = chat_at().complete(HELLO, max_tokens=50, temperature=0.2)
    assert (reply.text, reply.outcome, reply.finish_reason) == ("你好, hello.", "ok", "stop")
    assert reply.usage == Usage(100, 20, cached=64)
    assert reply.cost == pytest.approx((36 * 0.15 + 64 * 0.075 + 20 * 0.60) / 1e6)
    path, asked, _headers, _when = server.requests[-1]
    assert path == "/v1/chat/completions"
    assert (asked["model"], asked["messages"], asked["max_tokens"]) == ("gpt-4o-mini", HELLO, 50)
    assert asked["temperature"] == 0.2


def test_a_stream_is_the_reply_in_pieces(chat_at):
    *pieces, last = chat_at().stream(HELLO)
    assert "".join(delta.text for delta in pieces) == "你好, hello." == last.reply.text
    assert last.reply.usage == Usage(100, 20, cached=64)
    assert len(pieces) > 5


def test_asyncio_gives_the_same(run_async, chat_at):
    chat = chat_at()

    async def both():
        replies = await asyncio.gather(*(chat.acomplete(HELLO) for _ in range(3)))
        return replies, [delta async for delta in chat.astream(HELLO)]

    replies, deltas = run_async(both())
    assert {reply.text for reply in replies} == {"你好, hello."}
    assert deltas[-1].reply.text == "你好, hello."


@pytest.mark.parametrize("behaviour", ["rate_limited", "broken", "hanging"])
def test_a_passing_failure_is_repeated(chat_at, behaviour):
    """FAULTS 14."""
    reply = chat_at(behaviour, behaviour).complete(HELLO)
    assert (reply.text, reply.retries) == ("你好, hello.", 2)


def test_a_server_that_asks_for_time_is_given_it(server, chat_at):
    chat_at("rate_limited_for_a_moment").complete(HELLO)
    (*_, first), (*_, second) = server.requests
    assert second - first >= 1.0


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        ("rate_limited", "rate_limited"),
        ("broken", "server_error"),
        ("hanging", "timeout"),
        ("forbidden", "rejected"),
        ("too_long", "too_long"),
        ("declined", "refused"),
        ("truncated", "malformed"),
        ("of_another_kind", "malformed"),
        ("of_another_shape", "malformed"),
    ],
)
def test_a_lasting_failure_is_of_a_kind_and_names_the_server(run_async, server, chat_at, behaviour, kind):
    """FAULTS 14: the repeats are bounded."""
    chat = chat_at(*[behaviour] * 9, retries=1)
    with pytest.raises(LLMError, match=r"gpt-4o-mini.*http://127\.0\.0\.1") as caught:
        chat.complete(HELLO)
    assert caught.value.kind == kind
    assert len(server.requests) <= 2
    with pytest.raises(LLMError) as caught:
        run_async(chat.acomplete(HELLO))
    assert caught.value.kind == kind


def test_no_server_is_a_failure_of_its_kind(server, chat_at):
    chat = chat_at(retries=0)
    server.shutdown()
    server.server_close()
    with pytest.raises(LLMError, match="APIConnectionError") as caught:
        chat.complete(HELLO)
    assert caught.value.kind == "unreachable"


@pytest.mark.parametrize(
    ("behaviour", "outcome", "text"),
    [
        ("without_choices", "empty", ""),
        ("empty", "empty", ""),
        ("null", "empty", ""),
        ("cut", "cut", "The budget is"),
        ("filtered", "refused", ""),
        ("refusing", "refused", "I can't help with that."),
        ("half_a_pair", "ok", "half �"),
    ],
)
def test_a_reply_tells_how_it_ended(chat_at, behaviour, outcome, text):
    """FAULTS 14."""
    reply = chat_at(behaviour).complete(HELLO)
    assert (reply.outcome, reply.text) == (outcome, text)
    if behaviour != "without_choices":
        last = list(chat_at(behaviour).stream(HELLO))[-1].reply
        assert (last.outcome, last.text) == (outcome, text)


def test_a_stream_that_breaks_off_is_cut(chat_at):
    last = list(chat_at("breaking_off").stream(HELLO))[-1].reply
    assert (last.outcome, last.text, last.finish_reason) == ("cut", "Hel", None)


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [("hanging_midway", "timeout"), ("failing_midway", "server_error"), ("truncated", "malformed")],
)
def test_a_stream_that_fails_midway_says_so(chat_at, behaviour, kind):
    with pytest.raises(LLMError) as caught:
        list(chat_at(behaviour).stream(HELLO))
    assert caught.value.kind == kind


def test_tokens_that_the_server_does_not_tell_are_estimated(chat_at):
    reply = chat_at("without_usage").complete(HELLO)
    assert reply.usage.estimated
    assert (reply.usage.prompt, reply.usage.completion) == (12, 2)


def test_what_cannot_be_sent_is_replaced(server, chat_at):
    chat_at().complete([{"role": "user", "content": "half \ud83d"}])
    assert server.requests[-1][1]["messages"][0]["content"] == "half �"


def test_the_key_is_read_from_the_environment(server, chat_at, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-this-test")
    chat_at().complete(HELLO)
    assert server.requests[-1][2]["Authorization"] == "Bearer sk-of-this-test"
    monkeypatch.setenv("KEY_OF_ANOTHER", "sk-of-another")
    chat_at(key="KEY_OF_ANOTHER").complete(HELLO)
    assert server.requests[-1][2]["Authorization"] == "Bearer sk-of-another"


def test_further_fields_of_the_request_are_settings(server, chat_at):
    chat = chat_at(options={"response_format": {"type": "json_object"}})
    chat.complete(HELLO)
    assert server.requests[-1][1]["response_format"] == {"type": "json_object"}
    hash(chat)


def test_it_holds_the_contract(chat_at):
    check_llm(chat_at(timeout=5.0))


def test_names_are_model_and_address():
    assert get_llm("openai:org/model@https://host/v1/") == OpenAIChat("org/model", "https://host/v1")
    assert get_llm("openai:gpt-4o-mini").url == "https://api.openai.com/v1"
