import subprocess
import sys

import pytest

from hydralab.errors import HydralabError, UnknownNameError
from hydralab.llms import LLMS, LocalChat, Scripted, check_llm, get_llm


def test_everything_that_can_stand_for_a_model():
    llm = Scripted(["hi"])
    assert get_llm(llm) is llm
    assert get_llm("smollm2").name == "smollm2"
    assert get_llm("Qwen/Qwen3-0.6B") == LocalChat("Qwen/Qwen3-0.6B")
    assert get_llm(lambda messages: "hi").complete([{"role": "user", "content": "?"}]).text == "hi"


def test_what_is_none_is_told():
    with pytest.raises(UnknownNameError, match="'smollm2'"):
        get_llm("smolm2")
    with pytest.raises(HydralabError, match="got int"):
        get_llm(3)


def test_a_registered_name_stands_for_what_makes_a_model():
    LLMS.add("of this test", lambda: Scripted(lambda messages: "hi"))
    check_llm("of this test")


def test_the_check_refutes():
    class Silent:
        name, window = "silent", None

        def complete(self, messages, **options):
            return "hi"

        def stream(self, messages, **options):
            return iter(())

    with pytest.raises(HydralabError, match=r"'silent' breaks its contract.*reply.*expected a Reply"):
        check_llm(Silent())


def test_a_server_without_a_scheme_is_refused_rather_than_asked_of_openai():
    with pytest.raises(
        HydralabError, match=r"'localhost:11434' is no URL, expected one that begins with http://"
    ):
        get_llm("openai:qwen3@localhost:11434")


def test_an_unknown_model_is_told_how_models_of_servers_are_written():
    with pytest.raises(HydralabError, match=r"unknown chat model 'gpt-4o'; .* at OpenAI 'openai:gpt-4o'"):
        get_llm("gpt-4o")


def test_importing_the_room_is_light():
    code = (
        "import sys, hydralab.llms; print({'openai', 'torch', 'transformers', 'pydantic'} & set(sys.modules))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "set()"
