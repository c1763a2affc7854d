"""What one says and hears: pieces, attachments, "/checkpoint", models that fail, many at once."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import polars as pl
import pytest

import hydralab as hl
from hydralab.llms import LLMError, Reply


def echo(messages):
    return f"You said: {messages[-1]['content'].splitlines()[-1]}"


def test_a_stream_is_the_reply_piece_by_piece(run_async):
    agent = hl.Agent(echo)
    pieces = list(agent.stream("one two"))
    assert "".join(piece.text for piece in pieces) == pieces[-1].reply.text == "You said: one two"

    async def said():
        return [piece async for piece in agent.astream("three")]

    assert run_async(said())[-1].reply.text == "You said: three"
    assert agent.turns["text"].to_list() == ["one two", "You said: one two", "three", "You said: three"]


def test_an_agent_is_not_closed_over_a_reply_that_is_half_read(tmp_path):
    agent = hl.Agent(echo, store=str(tmp_path / "chat.db"), dialogue="half")
    pieces = agent.stream("one two")
    next(pieces)
    with pytest.raises(hl.HydralabError, match="finished or closed first"):
        agent.close()
    pieces.close()
    agent.close()
    with hl.Agent(echo, store=str(tmp_path / "chat.db"), dialogue="half") as again:
        assert again.turns["text"][1].startswith("You")


def test_a_chat_that_would_stop_the_loop_of_a_stream_is_refused(run_async):
    async def cells():
        agent = hl.Agent(echo)
        pieces = agent.astream("one two")
        await anext(pieces)
        with pytest.raises(hl.HydralabError, match="under way in this thread"):
            agent.chat("Hello?")
        await pieces.aclose()
        return agent.chat("And now?").text

    assert run_async(cells()) == "You said: And now?"


def test_documents_and_named_signals_of_the_store_are_used_live_as_in_a_replay():
    store = hl.MemoryStore()
    lab = hl.Lab(hl.read_all(hl.example("launch_en")), store=store)
    lab.add_documents({"Travel rules": "A hotel may cost 140 euros a night."})
    lab.signals(shift_wide=hl.Shift(window=6, lag=2))
    agent = hl.Agent(
        echo, hl.Hydration(hl.col.shift_wide > 0.9), store=store, dialogue="travel", budget=2_000
    )
    agent.chat("What may a hotel cost a night?")
    assert "140 euros" in agent.context.prompt


def test_a_stream_that_is_closed_leaves_what_was_said():
    agent = hl.Agent(hl.Scripted(["The budget is 84,500 euros.", "Yes."]))
    pieces = agent.stream("What is the budget?")
    assert next(pieces).text + next(pieces).text == "The budget "
    with pytest.raises(hl.HydralabError, match="under way in this thread"):
        agent.chat("Hello?")
    pieces.close()
    assert agent.turns["text"].to_list() == ["What is the budget?", "The budget "]
    assert agent.turns["meta"].to_list() == [None, '{"outcome": "cut"}']
    assert "closed before its end" in agent.events["detail"][-1]
    assert agent.chat("Is that all?").text == "Yes."


def test_a_model_that_fails_costs_its_reply_only():
    """FAULTS 14, 1: the chat goes on, and the message that had no reply stands in the next prompt."""
    failing = [LLMError("chat model 'm': no answer in 60 s", "timeout"), Reply("", "empty"), "Here I am."]
    agent = hl.Agent(hl.Scripted(failing))
    with pytest.raises(LLMError, match="no answer in 60 s"):
        agent.chat("My number is 4711.")
    assert agent.chat("Are you there?").outcome == "empty"
    assert agent.chat("Hello?").text == "Here I am."
    assert agent.turns.select("role", "round").rows() == [
        ("user", 0), ("user", 1), ("user", 2), ("assistant", 2),
    ]  # fmt: skip
    assert agent.events["status"].to_list() == ["failed", "failed", "ok"]
    assert agent.events["item_id"].to_list() == agent.turns["turn_id"].head(3).to_list()
    sent = "\n".join(message["content"] for message in agent.context.messages)
    assert "My number is 4711." in sent
    assert agent.steps["llm_calls"].to_list() == [1, 1, 1]


def test_a_message_over_the_budget_is_kept_and_told():
    agent = hl.Agent(echo, budget=300, max_tokens=100)
    with pytest.raises(hl.BudgetError, match="the query needs"):
        agent.chat("word " * 500)
    assert agent.turns.height == 1
    assert "the query needs" in agent.events["detail"][-1]
    assert agent.chat("Short.").text == "You said: Short."


def test_attachments_are_kept_counted_and_named():
    agent = hl.Agent(echo)
    agent.chat("What does it show?", parts=[{"type": "image", "name": "chart.png", "alt": "Costs by month"}])
    turn = agent.turns.row(0, named=True)
    assert '"chart.png"' in turn["parts"]
    assert turn["tokens"] > 5
    assert agent.context.messages[-1]["content"].startswith("What does it show?")
    assert "chart.png" in agent.context.messages[-1]["content"]
    with pytest.raises(hl.HydralabError, match="parts: got"):
        agent.chat("And this?", parts="chart.png")


@pytest.mark.parametrize(
    ("command", "title"), [("/checkpoint Budget", "Budget"), ("/检查点 预算", "预算"), ("/Checkpoint", None)]
)
def test_a_checkpoint_is_set_by_hand_without_the_model(command, title):
    agent = hl.Agent(echo)
    agent.chat("The marketing budget is 84,500 euros.")
    reply = agent.chat(command)
    row = agent.checkpoints.row(0, named=True)
    assert (row["kind"], row["start"], row["end"], row["status"]) == ("manual", 0, 1, "ready")
    assert title is None or row["title"] == title
    assert row["title"] in reply.text
    assert agent.turns.height == 2
    with pytest.raises(hl.HydralabError, match="no turn behind the last checkpoint"):
        agent.chat(command)
    agent.chat("Now to the venue.")
    assert agent.boundaries.select("position", "trigger").rows() == [(2, "manual")]
    again = hl.Agent(echo, store=agent.store, dialogue=agent.dialogue_id)
    assert again.checkpoints.equals(agent.checkpoints)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("/chekpoint Budget", "no command '/chekpoint', expected /checkpoint"),
        ("/home is full", "no command '/home', expected /checkpoint"),
        ("/总结", "no command '/总结', expected /checkpoint"),
        ("", "nothing to say, expected /checkpoint"),
        (" \n", "nothing to say, expected /checkpoint"),
    ],
)
def test_a_command_that_there_is_not_and_a_blank_message_are_refused(text, reason):
    agent = hl.Agent(echo)
    with pytest.raises(hl.HydralabError, match=f"^chat: {reason}.* or a message"):
        agent.chat(text)
    with pytest.raises(hl.HydralabError, match=reason):
        list(agent.stream(text))
    assert agent.turns.height == 0
    assert agent.store.read("turns").height == 0


@pytest.mark.parametrize(
    "text", ["/etc/hosts is empty.", "/var/log", "1/2 or 3/4?", "/usr.bin", "/", " /home is full"]
)
def test_a_path_is_a_message(text):
    agent = hl.Agent(echo)
    assert agent.chat(text).text == f"You said: {text}"


def test_with_attachments_any_text_is_a_message():
    agent = hl.Agent(echo)
    agent.chat("", parts=[{"type": "image", "name": "chart.png"}])
    agent.chat("/chart", parts=[{"type": "image", "name": "chart.png"}])
    assert agent.turns.filter(role="user")["text"].to_list() == ["", "/chart"]


def test_what_a_trigger_finds_counts_behind_a_mark_only():
    trigger = hl.get_trigger("every", n=2)
    agent = hl.Agent(echo, hl.Hydration(trigger))
    for word in "abc":
        agent.chat(word)
    agent.chat("/checkpoint")
    for word in "def":
        agent.chat(word)
    spans = agent.checkpoints.select("start", "end").rows()
    assert [end + 1 for _, end in spans[:-1]] == [start for start, _ in spans[1:]]
    assert (4, 5) in spans or (5, 5) in spans


def said_by(number, count=6):
    return [f"dialogue {number}, message {place}" for place in range(count)]


def check_whole(agents):
    for number, agent in enumerate(agents):
        agent.drain()
        expected = [each for text in said_by(number) for each in (text, f"You said: {text}")]
        for turns in (agent.turns, agent.store.read("turns", dialogue_id=agent.dialogue_id)):
            assert turns["text"].to_list() == expected
            assert turns["position"].to_list() == list(range(len(expected)))
        assert agent.steps.height == len(expected) // 2
    assert agents[0].store.read("turns").height == sum(agent.turns.height for agent in agents)


def test_eight_dialogues_side_by_side_in_threads(tmp_path):
    store = hl.SqliteStore(tmp_path / "chats.db")
    agents = [hl.Agent(echo, store=store, encoder="use") for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda pair: [pair[1].chat(text) for text in said_by(pair[0])], enumerate(agents)))
    check_whole(agents)


def test_eight_dialogues_side_by_side_in_asyncio(run_async):
    store = hl.MemoryStore()
    agents = [hl.Agent(echo, store=store, encoder="use") for _ in range(8)]

    async def talk(number, agent):
        for text in said_by(number):
            await agent.achat(text)
        await agent.adrain()

    async def everybody():
        await asyncio.gather(*(talk(number, agent) for number, agent in enumerate(agents)))

    run_async(everybody())
    check_whole(agents)


def test_chats_of_one_agent_keep_their_rounds_whole(run_async):
    agent = hl.Agent(echo)

    async def at_once():
        return await asyncio.gather(*(agent.achat(f"message {number}") for number in range(12)))

    with ThreadPoolExecutor(4) as threads:
        waiting = [threads.submit(agent.chat, f"thread {number}") for number in range(12)]
        replies = run_async(at_once()) + [each.result() for each in waiting]
    rounds = agent.turns.group_by("round").agg("role", "text").sort("round")
    assert rounds["role"].to_list() == [["user", "assistant"]] * 24
    assert all(reply == f"You said: {text}" for text, reply in rounds["text"])
    assert {reply.text for reply in replies} == {reply for _, reply in rounds["text"]}


def test_who_gives_up_waiting_holds_nobody_up(run_async):
    agent = hl.Agent(echo)

    async def given_up():
        with agent._fair_lock.held():
            waiting = asyncio.create_task(agent.achat("never mind"))
            await asyncio.sleep(0.01)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        return await agent.achat("Hello.")

    assert run_async(given_up()).text == "You said: Hello."
    assert agent.turns.filter(pl.col("role") == "user")["text"].to_list() == ["Hello."]
