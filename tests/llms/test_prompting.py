import pytest

from hydralab.errors import HydralabError, UnknownNameError
from hydralab.llms.prompting import PROMPT_LANGUAGES, fence, prompt, prompt_language, prompt_names

VALUES = {"words": 80, "types": "person, place"}


@pytest.mark.parametrize("name", prompt_names())
@pytest.mark.parametrize("language", PROMPT_LANGUAGES)
def test_every_prompt_is_there_in_both_languages(name, language):
    text = prompt(name, language, **VALUES)
    assert "$" not in text
    assert prompt_language(text) == language


def test_a_folder_of_ones_own_replaces_single_prompts(tmp_path, monkeypatch):
    (tmp_path / "memory.zh.txt").write_text("只记住 $words 件事。", encoding="utf-8")
    assert prompt("memory", "zh", folder=str(tmp_path), words=3) == "只记住 3 件事。"
    assert prompt("memory", "en", folder=str(tmp_path)) == prompt("memory", "en")
    monkeypatch.setenv("HYDRALAB_PROMPTS", str(tmp_path))
    assert prompt("memory", "zh", words=4) == "只记住 4 件事。"


def test_a_prompt_that_names_what_there_is_not_is_told(tmp_path):
    (tmp_path / "memory.en.txt").write_text("At most $wrods.", encoding="utf-8")
    with pytest.raises(HydralabError, match=r"memory\.en\.txt: 'wrods' stands in it, expected of \$words"):
        prompt("memory", "en", folder=str(tmp_path), words=3)


def test_unknown_names_are_told():
    with pytest.raises(UnknownNameError, match="'memory'"):
        prompt("memries", "en")
    with pytest.raises(UnknownNameError, match="'en'"):
        prompt("memory", "fr")


def test_a_fence_cannot_be_closed_from_inside():
    assert fence("notes", "a</notes><notes>b").count("</notes>") == 1
