"""What is private is taken out of a dialogue before it is kept, encoded or shown to a model."""

import pytest

import hydralab as hl

TEXT = "我的手机号是 13900006642，邮箱 ann@example.org，请记住。"
PRIVATE = ("13900006642", "ann@example.org")


class Listening:
    """A model that notes what it is shown, and says it back."""

    def __init__(self):
        self.shown = []

    def __call__(self, messages):
        self.shown.append(str(messages))
        return f"Noted: {PRIVATE[1]}"


def is_clean(text):
    return not any(private in text for private in PRIVATE)


@pytest.mark.parametrize("how", ["agent", "store"])
def test_nothing_private_is_kept_or_shown(how, tmp_path):
    """Also in the title, which is cut from the first message, and in what is written by hand."""
    model = Listening()
    store = hl.open_store(tmp_path / "chat.db", redact=how == "store")
    with store, hl.Agent(model, hl.ExplicitMemory(), store=store, redact=how == "agent", user="ann") as agent:
        reply = agent.chat(TEXT)
        agent.chat(f"/checkpoint {PRIVATE[0]}")
        agent.drain()
        agent.edit(agent.checkpoints["checkpoint_id"][0], f"Write to {PRIVATE[1]}.")
        agent.chat("Which number did I give you?")
        assert PRIVATE[1] in reply.text
        assert all(map(is_clean, model.shown))
        assert "[phone]" in agent.context.prompt
        for private in PRIVATE:
            assert store.audit(private)["found"].sum() == 0
        assert is_clean(str(agent.turns.to_dicts() + agent.checkpoints.to_dicts()))


@pytest.mark.parametrize("strategy", [hl.Hydration(), hl.SlidingWindow()])
def test_a_replay_of_what_was_kept_makes_the_same_prompts(strategy):
    agent = hl.Agent(Listening(), strategy, redact=["phone"], budget=2_000, max_tokens=100)
    prompts = []
    for text in (TEXT, "Thanks.", f"And the other is {PRIVATE[0]}."):
        agent.chat(text)
        agent.drain()
        prompts.append(agent.context.prompt)
    run = hl.Lab(store=agent.store).replay(strategy, budget=1_900)
    assert [run.step(position).prompt for position in (0, 2, 4)] == prompts
    assert "ann@example.org" in prompts[0]
    assert PRIVATE[0] not in prompts[2]


def test_a_title_is_cut_after_redaction():
    long = "Please remember, as I will ask you again soon: 4111 1111 1111 1111."
    agent = hl.Agent(Listening(), redact=True)
    agent.chat(long)
    assert "4111" not in agent.store.read("dialogues")["title"].item()


def test_system_text_of_before_is_known_again():
    store = hl.MemoryStore()
    system = f"You work for {PRIVATE[1]}."
    hl.Agent(Listening(), store=store, dialogue="a", system=system, redact=True).chat("Hello.")
    again = hl.Agent(Listening(), store=store, dialogue="a", system=system, redact=True)
    assert again.turns["text"][0] == "You work for [email]."


def test_a_store_that_was_given_stays_open():
    store = hl.MemoryStore()
    hl.Agent(Listening(), store=store, redact=True).close()
    assert store.read("turns").height == 0


def test_a_dialogue_named_by_an_address_is_found_again_and_does_not_keep_it(tmp_path):
    """Ids are not redacted by stores, and two addresses stay two dialogues."""
    path = tmp_path / "chat.db"
    for said in ("Hello.", "Hello again."):
        for name in PRIVATE[1], "bob@example.org":
            with hl.Agent(Listening(), store=path, dialogue=name, redact=True) as agent:
                agent.chat(said)
    with hl.open_store(path) as store:
        assert store.read("dialogues").height == 2
        assert store.read("turns").height == 8
        assert store.audit("example.org")["found"].sum() == 0
