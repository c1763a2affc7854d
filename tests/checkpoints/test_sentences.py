import pytest

from hydralab.checkpoints import sentences as module
from hydralab.checkpoints.sentences import read_texts

CODE = "```python\ncarriers = pd.read_csv(PATH)\n```"
TABLE = "| 公司 | 半包 |\n|---|---|\n| 木禾 | 9.8万 |"
TRACE = 'Traceback (most recent call last):\n  File "sync.py", line 41, in <module>\nValueError: no'


@pytest.mark.parametrize("block", [CODE, TABLE, TRACE, "https://example.org/a/b?c=d", "——", "…"])
def test_code_tables_traces_and_links_are_no_prose(block):
    (alone,) = read_texts([block])[0]
    assert not alone.prose
    assert not alone.phrases


@pytest.mark.parametrize("block", [CODE, TABLE])
def test_words_around_a_block_are_prose(block):
    found = read_texts([f"帮我看下这个\n{block}\n谢谢"])[0]
    assert [sentence.prose for sentence in found] == [True, False, True]


def test_a_long_sentence_is_cut_at_its_commas_and_knows_that_it_goes_on():
    text = "弹性方案可以这样提，" + "早上八点到十点半之间任意打卡，" * 4 + "全员必须在线。"
    found = read_texts([text])[0]
    assert "".join(sentence.text for sentence in found) == text
    assert [sentence.goes_on for sentence in found] == [True] * (len(found) - 1) + [False]


def test_dates_and_amounts_are_no_phrases():
    found = read_texts(["On 7 September the landlord asked for 84,500 euros."])[0][0]
    surfaces = {phrase.surface for phrase in found.phrases}
    assert "landlord" in surfaces
    assert not {"September", "euros"} & surfaces


def test_cues_are_found_in_both_languages():
    decided, done, promised = (
        read_texts([text])[0][0] for text in ("就这么定了", "I've sent it.", "我去问问上游")
    )
    assert decided.decides
    assert done.done
    assert promised.promises


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "\ud800", "\x00", "🙂", "ok"])
def test_any_text_is_read(text):
    """FAULTS 11: lone surrogates, NUL, blank texts."""
    assert all(sentence.text for sentence in read_texts([text])[0])


def test_a_pasted_book_is_read_at_both_ends_in_bounded_time():
    """The middle of a very long text is left out."""
    found = read_texts(["The start is here. " + "Filler goes on. " * 20_000 + "The end is here."])[0]
    assert found[0].text == "The start is here."
    assert found[-1].text == "The end is here."
    assert sum(len(sentence.text) for sentence in found) < 60_000


def test_reading_together_or_alone_is_the_same(monkeypatch):
    texts = ["预算定了，四十万元。", "We chose oak. I'll order it.", "", "预算定了，四十万元。"]
    together = read_texts(texts)
    monkeypatch.setattr(module, "_READ", {})
    assert together == [read_texts([text])[0] for text in texts]


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "_READ", {})
    monkeypatch.setattr(module, "MOST_REMEMBERED", 3)
    assert len(read_texts([f"text {number}" for number in range(9)])) == 9
    assert list(module._READ) == ["text 6", "text 7", "text 8"]
