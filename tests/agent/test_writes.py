"""What is on disk when: the message before the model is asked, what follows from it with the reply."""

import pytest

import hydralab as hl
from hydralab.llms import LLMError


def test_the_message_is_stored_before_the_model_is_asked_and_its_vector_with_the_reply(tmp_path):
    seen = []
    with hl.open_store(tmp_path / "chat.db") as store:

        def answer(messages):
            seen.append(store.read("turns")["text"].to_list())
            if messages[-1]["content"] == "Fail.":
                raise LLMError("the model is away", "unavailable")
            return "Noted."

        agent = hl.Agent(answer, store=store, dialogue="me")
        agent.chat("Tea, please.")
        agent.drain()
        (model,) = store.models()
        assert seen == [["Tea, please."]]
        assert store.read("vectors", model=model).height == 2
        with pytest.raises(LLMError):
            agent.chat("Fail.")
        assert store.read("vectors", model=model).height == store.read("turns").height == 3
