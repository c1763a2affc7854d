import pytest

from hydralab.llms import LLMError, check_llm, get_llm

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def smollm2():
    return get_llm("smollm2")


def test_a_real_model_answers_by_its_chat_template(smollm2):
    asked = [{"role": "user", "content": "What is the capital of France? Answer in one word."}]
    reply = smollm2.complete(asked, max_tokens=12)
    assert "Paris" in reply.text
    assert reply.usage.prompt > 20
    assert reply.cost == 0.0
    assert smollm2.complete(asked, max_tokens=12).text == reply.text


def test_the_limit_of_tokens_cuts(smollm2):
    reply = smollm2.complete([{"role": "user", "content": "Tell me a long story."}], max_tokens=5)
    assert (reply.outcome, reply.usage.completion) == ("cut", 5)


def test_a_prompt_over_the_window_is_refused(smollm2):
    with pytest.raises(LLMError, match="expected under 8192") as caught:
        smollm2.complete([{"role": "user", "content": "word " * 9_000}])
    assert caught.value.kind == "too_long"


def test_it_holds_the_contract(smollm2):
    check_llm(smollm2)
