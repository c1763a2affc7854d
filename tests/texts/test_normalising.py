"""Text that is safe to keep, and text that is equal for matching."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.texts import normalise, scrub

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("given_text", "kept"),
    [
        ("\ufeff预算\r\n四十万\x00", "预算\n四十万"),
        ("old Mac\rline", "old Mac\nline"),
        ("half \ud83d pair", "half \ufffd pair"),
        ("whole \ud83d\ude00 pair", "whole 😀 pair"),
        ("\u202bשלום\u202c stays", "\u202bשלום\u202c stays"),
    ],
)
def test_scrub_removes_what_breaks_files_and_keeps_the_rest(given_text, kept):
    """FAULTS 11: BOMs, lone surrogates, NULs, CRLF and right-to-left marks."""
    assert scrub(given_text) == kept


@given(ANY_TEXT)
def test_scrubbed_text_encodes_and_is_left_alone_the_second_time(text):
    """FAULTS 11."""
    clean = scrub(text)
    clean.encode("utf-8")
    assert "\x00" not in clean
    assert scrub(clean) == clean


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ＣＮ－Ａ１０２９３", "cn-a10293"),
        ("Straße", "STRASSE"),
        ("café", "cafe\u0301"),
        ("市场　推广", "市场 推广"),
        ("soft\u00adhyphen", "softhyphen"),
        ("\u202eleft to right\u202c", "left to right"),
    ],
)
def test_spellings_of_the_same_words_are_equal(one, other):
    assert normalise(one) == normalise(other)


@given(ANY_TEXT)
def test_normalising_twice_changes_nothing(text):
    assert normalise(normalise(text)) == normalise(text)


@given(ANY_TEXT)
def test_normalised_text_has_single_spaces_only(text):
    assert normalise(text) == " ".join(normalise(text).split())
