"""The three tiers on real servers, by one URL: window in Redis, summaries in PostgreSQL, vectors in pgvector."""

import psycopg
import pytest

import hydralab as hl

TURNS = 16
VECTORS = "SELECT count(*), min(vector_dims(vector)) FROM vectors WHERE item_kind = 'turn'"


@pytest.fixture
def three(redis, postgres_url):
    """Return the URL of all three, and a connection to look past the store."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        yield f"{redis.url}?expiry=60&turns=8+{postgres_url}", connection


def chat(store, dialogue="tiers"):
    replies = [f"Noted, item {number}." for number in range(TURNS)]
    agent = hl.Agent(hl.Scripted(replies), hl.ThreeTier(), store=store, dialogue=dialogue, budget=1_000)
    agent.chat("The marketing budget is 84,500 euros.")
    for number in range(TURNS // 2 - 1):
        agent.chat(
            f"Next we speak about point {number}: the venue, the food and the music of evening {number}."
        )
        agent.drain()  # a summary that comes a turn later makes another prompt
    return agent


def test_a_dialogue_lives_in_all_three(three, redis):
    url, connection = three
    with hl.open_store(url) as store:
        turns = chat(store).turns
        window = store.short.get(f"hydralab:{store.long.store_id}:tiers", store.long.stamp("tiers"))
        assert window["text"].equals(turns["text"].tail(8))
        summaries = store.read("checkpoints").filter(trigger="three_tier")
        assert summaries["end"].max() >= TURNS - 8
    ((count, dim),) = connection.execute(VECTORS)
    assert (count, dim) == (TURNS, 512)
    ((nearest,),) = connection.execute(
        "SELECT b.item_id FROM vectors a, vectors b WHERE a.item_id = %s AND b.item_id <> a.item_id "
        "ORDER BY a.vector <=> b.vector LIMIT 1",
        [turns["turn_id"][4]],
    )
    assert "point" in turns.filter(turn_id=nearest)["text"][0]


def test_losing_redis_loses_nothing(three, redis):
    url, _ = three
    with hl.open_store(url) as store, hl.open_store("memory") as memory:
        expected = chat(memory).context.messages
        assert chat(store).context.messages == expected
    redis.stop()
    redis.start()
    with hl.open_store(url) as store, hl.Lab(store=store) as lab:
        query = "What was the marketing budget?"
        before = lab.hydrate(query, budget=1_000, strategy=hl.ThreeTier())
        assert "84,500" in before.prompt
        assert store.recent("tiers", 8)["text"].equals(lab.turns["text"].tail(8))


def test_a_message_is_served_from_all_three_and_from_two_while_redis_is_away(three, redis):
    """The prompt is the same, whichever store; PostgreSQL finds the long-term item."""
    url, _ = three
    query, fact = "How large is the marketing budget?", "The marketing budget is 84,500 euros."
    with hl.open_store("memory") as memory:
        chat(memory)
        expected = hl.TieredDialogue(memory, "tiers").context(query, budget=1_000)
    with hl.open_store(url.replace("turns=8", "turns=64")) as store:
        chat(store)
        context = hl.TieredDialogue(store, "tiers").context(query, budget=1_000)
        assert context.messages == expected.messages
        assert hl.tiers_of(context).filter(text=fact)["tier"].to_list() == ["long-term"]
        redis.stop()
        assert hl.TieredDialogue(store, "tiers").context(query, budget=1_000).messages == expected.messages
        redis.start()
        served = hl.TieredDialogue(store, "tiers").chat(
            hl.Scripted(["八万四千五百欧元。"]), query, budget=1_500
        )
        assert fact in served.context.prompt
        assert store.recent("tiers", 1)["text"].item() == "八万四千五百欧元。"
