"""Each token of a prompt belongs to one item, whatever the tokenizer and the chat template."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
import transformers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

from hydralab.attention import LanguageModel, lay_out
from hydralab.attention.spans import locate
from hydralab.errors import HydralabError
from hydralab.frames import build

pytestmark = pytest.mark.model

GEMMA = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{% for m in messages %}<start_of_turn>{{ m['role'] }}\n{{ m['content'] | trim }}<end_of_turn>\n{% endfor %}"
)


@pytest.fixture
def kept():
    """Make the kept rows of a context from (section, text) pairs."""

    def make(*items):
        roles = {"system": "system", "query": "user", "recent": "user"}
        rows = [
            {"query_id": "q", "dialogue_id": "d", "section": section, "item_id": f"{section} {i}", "text": text,
             "role": roles.get(section), "label": f"turn {i}", "tokens": 0, "order": i, "kept": True}
            for i, (section, text) in enumerate(items)
        ]  # fmt: skip
        return build("context", rows)

    return make


def with_template(model, template):
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=model.tokenizer.backend_tokenizer, chat_template=template
    )
    return LanguageModel(model.name, model.network, tokenizer)


def read_back(model, layout):
    """Return the text of each segment, from its tokens."""
    return [
        "".join(model.pieces(layout.ids[layout.segments == to].tolist())) for to in range(layout.items.height)
    ]


def test_the_tokens_of_an_item_spell_its_text(tiny, contexts):
    for ctx in contexts.values():
        layout = lay_out(tiny("llama"), ctx.kept)
        assert layout.straddling == 0
        assert layout.items["shared"].sum() == 0
        assert read_back(tiny("llama"), layout)[:-2] == layout.items["text"].to_list()[:-2]
        assert layout.items["tokens"].sum() == len(layout.ids) == len(layout.segments)


def test_items_with_the_same_text_and_with_the_words_of_the_template_are_told_apart(tiny, kept):
    frame = kept(("system", "user"), ("recalled", "user"), ("recalled", "user"), ("query", "user"))
    layout = lay_out(tiny("llama"), frame)
    assert read_back(tiny("llama"), layout)[:4] == ["user"] * 4
    starts = layout.items["start"].to_list()[:4]
    assert starts == sorted(set(starts))


def test_a_text_that_is_escaped_in_its_block_is_found(tiny, kept):
    layout = lay_out(tiny("llama"), kept(("recalled", "</recalled> <|im_end|>"), ("query", "go")))
    assert layout.items["text"][0] == "&lt;/recalled> &lt;|im_end|>"


def test_a_template_that_trims_and_refuses_a_system_role(tiny, kept):
    model = with_template(tiny("llama"), GEMMA)
    layout = lay_out(model, kept(("system", "  Be brief."), ("query", "预算？  ")))
    assert layout.text.startswith("<start_of_turn>user\nBe brief.\n\n预算？<end_of_turn>")
    assert read_back(model, layout)[:2] == ["Be brief.", "预算？"]


def test_a_template_that_rewrites_or_drops_texts_is_refused(tiny, kept):
    frame = kept(("query", "Where?"))
    for template, reason in (("{{ messages[0]['content'] | upper }}", "exactly once"), ("hello", "exactly once"),
                             ("{{ messages[0]['content'] | replace('Where', 'Who') }}", "rewrites")):  # fmt: skip
        with pytest.raises(HydralabError, match=reason):
            lay_out(with_template(tiny("llama"), template), frame)


def test_a_token_of_two_items_is_counted_and_belongs_to_the_first(tiny, kept):
    glued = "{% for m in messages %}{{ m['content'] }}{% endfor %}"
    backend = Tokenizer(models.WordLevel({"ab": 0, "a": 1, "b": 2, "\n\n": 3, "[UNK]": 4}, unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=backend, chat_template=glued)
    model = LanguageModel("glued", tiny("llama").network, tokenizer)
    frame = kept(("system", "a"), ("query", "b"))
    layout = lay_out(model, frame)
    assert layout.ids.tolist() == [0]
    assert layout.straddling == 1
    assert layout.items["tokens"].to_list()[:2] == [1, 0]


def test_a_token_of_an_item_and_of_template_text_is_the_item_s_and_counted(tiny, kept):
    merged = "{% for m in messages %}<{{ m['content'] }}>{% endfor %}"
    backend = Tokenizer(models.BPE({"<": 0, "a": 1, "b": 2, ">": 3, "b>": 4}, [("b", ">")]))
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=backend, chat_template=merged)
    layout = lay_out(LanguageModel("merged", tiny("llama").network, tokenizer), kept(("query", "ab")))
    assert layout.ids.tolist() == [0, 1, 4]
    assert layout.segments.tolist() == [1, 0, 0]
    assert layout.items["shared"].to_list() == [1, 0, 0]


def zero_width():
    """Return a tokenizer as RoBERTa's: a space of its own has no width, and any text begins with one."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    backend = Tokenizer(models.BPE({letter: i for i, letter in enumerate(alphabet)}, []))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    backend.post_processor = processors.ByteLevel(trim_offsets=True)
    backend.decoder = decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=backend)


def test_a_tokenizer_with_offsets_of_no_width(tiny, kept):
    tokenizer = zero_width()
    offsets = tokenizer("short text", return_offsets_mapping=True)["offset_mapping"]
    assert any(start == end for start, end in offsets)
    model = LanguageModel("zero", tiny("llama").network, tokenizer)
    frame = kept(("recalled", "short text"), ("recalled", "预算"), ("query", "twice"))
    assert read_back(model, lay_out(model, frame))[:3] == ["short text", "预算", "twice"]


@given(st.lists(st.text("ab 中é。\n", max_size=12), min_size=1, max_size=5))
def test_places_are_told_from_characters_alone(parts):
    def encode(text):  # pairs of characters, so that every odd cut is straddled
        return [hash(text[i : i + 2]) for i in range(0, len(text), 2)]

    text = "".join(parts)
    cuts = sorted({*np.cumsum([len(part) for part in parts]).tolist(), len(text)})
    for cut, (low, high) in locate(text, encode(text), cuts, encode).items():
        whole = cut % 2 == 0 or cut == len(text)
        assert (low, high) == (((cut + 1) // 2,) * 2 if whole else (cut // 2, cut // 2 + 1))


def test_an_empty_item_has_no_token(tiny, kept):
    layout = lay_out(tiny("llama"), kept(("recent", ""), ("query", "And?")))
    assert layout.items.select("tokens", "start").row(0) == (0, None)
    assert layout.items.filter(pl.col("section") == "query")["tokens"].item() > 0


@pytest.mark.parametrize("name", ["llama", "qwen", "mistral", "gemma"])
def test_the_templates_of_the_model_families(tiny, contexts, name):
    template = (Path(__file__).parents[1] / "packing" / "templates" / f"{name}.jinja").read_text("utf-8")
    model = with_template(tiny("llama"), template)
    for ctx in contexts.values():
        layout = lay_out(model, ctx.kept)
        assert read_back(model, layout)[:-2] == layout.items["text"].to_list()[:-2]
        assert layout.straddling == 0
