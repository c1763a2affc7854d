"""The messages of a context go through the chat templates of the model families."""

from pathlib import Path

import jinja2
import pytest

from hydralab.packing import Packing, Recalled, pack

FOLDER = Path(__file__).parent / "templates"


def render(name, messages):
    def refuse(message):
        raise jinja2.TemplateError(message)

    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string((FOLDER / f"{name}.jinja").read_text(encoding="utf-8"))
    return template.render(messages=messages, raise_exception=refuse)


@pytest.fixture
def context(make_turns, make_candidates):
    talk = [("user", "发布会定在几号？"), ("assistant", "5 月 13 日。"), ("user", "one more"), ("user", "thing"),
            ("assistant", "go on"), ("assistant", "please"), ("user", "预算呢？")]  # fmt: skip
    turns = make_turns(*talk, *[("user", "嗯"), ("assistant", "好")] * 3, ("user", "等等"))
    candidates = Recalled.of(make_candidates({0: 0.9, 1: 0.8}))
    return pack(
        "所以是几号？", turns, budget=500, recalled=candidates, packing=Packing(system="请简短回答。")
    )


@pytest.mark.parametrize("name", ["llama", "qwen", "mistral"])
def test_a_template_with_a_system_role_takes_the_messages(context, name):
    rendered = render(name, context.messages)
    assert rendered.count("<recalled>") == 1
    assert "等等\n\n所以是几号？" in rendered


def test_gemma_takes_the_messages_with_the_system_text_in_front_of_the_first_user_message(context):
    with pytest.raises(jinja2.TemplateError, match="System role not supported"):
        render("gemma", context.messages)
    rendered = render("gemma", context.messages_without_system())
    assert rendered.startswith("<bos><start_of_turn>user\n请简短回答。")
    assert rendered.count("<recalled>") == 1
