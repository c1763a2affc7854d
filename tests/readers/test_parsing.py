"""JSON as it is found: what is broken costs itself alone."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.readers import Failure, Item
from hydralab.readers.parsing import close_json, json_items, json_records, json_shape

TEXTS = st.text(max_size=6)
ATOMS = st.none() | st.booleans() | st.integers() | TEXTS
VALUES = ATOMS | st.lists(ATOMS, max_size=3) | st.dictionaries(TEXTS, ATOMS, max_size=3)
RECORDS = st.lists(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=3), min_size=2, max_size=4)


def values(text):
    return [found.value for found in json_records(text) if isinstance(found, Item)]


def failures(text):
    return [found for found in json_records(text) if isinstance(found, Failure)]


@given(RECORDS, st.sampled_from([None, 2]))
def test_a_list_and_lines_give_the_same_records(records, indent):
    assert values(json.dumps(records, indent=indent)) == records
    assert values("\n".join(json.dumps(record) for record in records)) == records


@given(RECORDS, st.data())
def test_a_list_cut_off_anywhere_keeps_the_records_before_the_cut(records, data):
    whole = json.dumps(records)
    cut = data.draw(st.integers(1, len(whole) - 1))
    found = values(whole[:cut])
    assert found == records[: len(found)]
    assert len(failures(whole[:cut])) == 1


@given(RECORDS, st.data())
def test_one_broken_record_loses_no_other(records, data):
    number = data.draw(st.integers(0, len(records) - 1))
    written = [json.dumps(record) for record in records]
    written[number] = '{"id": tru, "turns": [1, 2]}'
    kept = [record for at, record in enumerate(records) if at != number]
    assert values("[" + ", ".join(written) + "]") == kept
    assert values("\n".join(written)) == kept


@pytest.mark.parametrize("indent", [None, 2])
def test_a_missing_quote_loses_one_record(indent):
    whole = json.dumps(
        [{"id": "a", "text": "x"}, {"id": "b", "text": "y"}, {"id": "c", "text": "z"}], indent=indent
    )
    broken = whole.replace('"y"', '"y')
    assert [record["id"] for record in values(broken)] == ["a", "c"]
    assert failures(broken)[0].record == 1


def test_a_failure_names_its_line():
    assert failures('{"a": 1}\n{"a": 2}\n{"a": \n{"a": 4}')[0].line == 3
    assert failures('[\n {"a": 1},\n {"a": tru}\n]')[0].line == 3


def test_what_follows_the_end_is_told():
    assert "after the end" in failures('[{"a": 1}] and more')[0].reason
    assert "broken JSON" in failures('{"a": 1}\nand more')[0].reason


def test_keys_and_values_of_an_object_come_one_by_one():
    found = list(json_items('{"ann": [1], "bob": [tru], "cem": [3]}'))
    assert [(item.key, item.value) for item in found if isinstance(item, Item)] == [
        ("ann", [1]),
        ("cem", [3]),
    ]


@given(VALUES, st.data())
def test_the_beginning_of_a_value_parses_to_the_same_kind(value, data):
    whole = json.dumps({"turns": [value, value]})
    cut = data.draw(st.integers(1, len(whole)))
    assert isinstance(close_json(whole[:cut]), dict)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, "[" + "}" * 100_000, "\x00", "", '"', "[1"]
)
def test_nonsense_is_told_and_soon(text):
    assert json_shape(text) in ("list", "dict", "lines", "")
    assert not any(isinstance(value, dict) for value in values(text))
