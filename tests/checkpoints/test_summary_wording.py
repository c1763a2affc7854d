from hydralab.checkpoints.sentences import read_texts
from hydralab.checkpoints.summary_wording import Quote, fallback_title, write_summary


def test_clauses_of_one_sentence_join_and_others_end():
    quotes = [
        Quote(0, "预算四十万，", goes_on=True),
        Quote(1, "五月办。"),
        Quote(4, "场地在西岸，", goes_on=True),
    ]
    assert write_summary(quotes, chinese=True) == "预算四十万，五月办。场地在西岸。"


def test_a_clause_whose_next_one_is_left_out_ends():
    quotes = [Quote(0, "The budget is fixed,", goes_on=True), Quote(2, "we meet in May")]
    assert write_summary(quotes, chinese=False) == "The budget is fixed. we meet in May."


def test_a_speaker_is_named_once_a_turn_of_speech():
    quotes = [Quote(0, "Oak.", "Ann"), Quote(1, "Sage.", "Ann"), Quote(2, "Tiles.", "Bob")]
    assert write_summary(quotes, chinese=False) == "Ann: Oak. Sage. Bob: Tiles."


def test_nothing_said_is_an_empty_summary():
    assert write_summary([], chinese=True) == ""


def test_a_title_without_key_phrases_is_how_the_span_begins():
    sentences = read_texts(
        ["Hmm, and then it was all the same to me and to you and to everybody there was."]
    )[0]
    title = fallback_title(sentences, 30, chinese=False)
    assert title.startswith("Then it was all")
    assert title.endswith("…")
    assert len(title) <= 30
    assert fallback_title(read_texts(["```\nx\n```"])[0], 30, chinese=True) == "代码、表格或链接"
