import os

import pytest

from hydralab.errors import HydralabError
from hydralab.llms import Usage, cost_of, prices


@pytest.fixture
def own(tmp_path, monkeypatch):
    path = tmp_path / "prices.toml"
    monkeypatch.setenv("HYDRALAB_PRICES", str(path))

    def write(text):
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(len(text), len(text)))
        return path

    return write


def test_a_price_stands_for_the_versions_of_a_model():
    usage = Usage(prompt=1_000_000)
    named = ("gpt-4o-mini", "gpt-4o-mini-2024-07-18", "openai/gpt-4o-mini")
    assert {cost_of(name, usage) for name in named} == {0.15}


def test_users_add_and_override(own):
    own('currency = "CNY"\n[models."qwen-plus"]\nprompt = 0.8\ncompletion = 2\n')
    assert cost_of("qwen-plus", Usage(1_000_000, 1_000_000)) == pytest.approx(2.8)
    assert prices()["qwen-plus"].currency == "CNY"
    own('[models."gpt-4o-mini"]\nprompt = 1\ncompletion = 2\n')
    assert cost_of("gpt-4o-mini", Usage(1_000_000, cached=500_000)) == 1.0
    assert "qwen-plus" not in prices()


@pytest.mark.parametrize(
    "text", ["[models", "models = 3", '[models."m"]\nprompt = 1', '[models."m"]\nprompt = -1\ncompletion = 2']
)
def test_a_broken_table_names_its_file(own, text):
    path = own(text)
    with pytest.raises(HydralabError, match=str(path)):
        prices()


def test_an_unknown_model_has_no_cost():
    assert cost_of("one-of-ours", Usage(1, 1)) is None
