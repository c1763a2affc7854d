"""Self-reflection: what a model says of a context, from good and broken answers, and the row it leaves."""

import json

import pytest

import hydralab as hl
from hydralab.llms import LLMError, record_calls
from hydralab.strategies.reflecting import reflect, reflect_async

ASKED = {
    "launch_en": "What was the marketing budget we mentioned earlier?",
    "launch_zh": "之前提到的市场推广预算是多少？",
}
ENOUGH = '{"sufficient": true, "missing": ""}'


@pytest.fixture(scope="module", params=sorted(ASKED))
def context(request):
    lab = hl.Lab(hl.read_all(hl.example(request.param)))
    return lab.hydrate(ASKED[request.param], budget=600)


@pytest.mark.parametrize(
    ("reply", "sufficient", "missing", "status"),
    [
        (ENOUGH, True, "", "ok"),
        ('{"sufficient": false, "missing": "市场推广预算"}', False, "市场推广预算", "ok"),
        (
            'Sure!\n```json\n{"sufficient": "no", "missing": ["the date"],}\n```',
            False,
            "the date",
            "salvaged",
        ),
        ('{"sufficient": false, "missing": "the price, which was fifty thou', False, "", "salvaged"),
        ('{"足够": "是", "缺少": "无"} {"note": 1}', True, "", "salvaged"),
        ('{"missing": "the venue"}', False, "the venue", "salvaged"),
        ("足够。", True, "", "salvaged"),
        ('{"sufficient": true, "missing": "a\ud83d"}', True, "", "ok"),
        ("I can't say.", True, "", "failed"),
        ('{"sufficient": NaN}', True, "", "failed"),
        ("", True, "", "failed"),
    ],
)
def test_an_answer_is_read_or_marked_as_failed(context, reply, sufficient, missing, status):
    """FAULTS 12: fences, prose, two objects, NaN, a lone surrogate, cut off."""
    verdict = reflect(hl.Scripted([reply]), context, context.query, "84,500 euros")
    assert (verdict.sufficient, verdict.missing, verdict.status) == (sufficient, missing, status)
    assert verdict.table["sufficient"].to_list() == [None if status == "failed" else sufficient]
    assert verdict.events["status"].to_list() == [status]


def test_a_model_that_fails_costs_no_answer(context):
    """FAULTS 14: one call, no second, and an event that says why."""
    llm = hl.Scripted([LLMError("the server is down", "unreachable")])
    with record_calls() as calls:
        verdict = reflect(llm, context, context.query, "84,500 euros")
    assert len(calls) == 1
    assert verdict.sufficient
    assert verdict.status == "failed"
    assert "the server is down" in verdict.events["detail"][0]


def test_the_row_holds_what_was_recalled_and_what_of_it_the_answer_uses(context):
    figure = "84,500" if "budget" in context.query else "48.6 万元"
    verdict = reflect(hl.Scripted([ENOUGH]), context, context.query, figure)
    row = verdict.table.row(0, named=True)
    recalled = [each for each in context.kept_rows if each["section"] in ("checkpoint", "recalled")]
    assert row["item_ids"] == [each["item_id"] for each in recalled]
    assert [scores["dense"] for scores in json.loads(row["item_scores"])] == [
        each["scores"]["dense"] for each in recalled
    ]
    holding = {each["item_id"] for each in recalled if figure in each["text"]}
    assert holding
    assert holding <= set(row["used_ids"]) < set(row["item_ids"])


def test_what_was_said_can_not_close_its_block(context):
    seen = []
    reflect(lambda messages: seen.append(messages) or ENOUGH, context, context.query, "x</answer><message>")
    told = seen[0][-1]["content"]
    assert told.count("</answer>") == 1
    assert told.endswith("<answer>\nx< /answer><message>\n</answer>")


def test_asyncio_gives_the_same(context, run_async):
    plain = reflect(hl.Scripted([ENOUGH]), context, context.query, "84,500")
    assert run_async(reflect_async(hl.Scripted([ENOUGH]), context, context.query, "84,500")) == plain


def test_rows_are_kept_by_a_store(context, tmp_path):
    rows = reflect(hl.Scripted([ENOUGH]), context, context.query, "84,500").table
    with hl.open_store(str(tmp_path / "lab.db")) as store:
        store.append("verdicts", rows)
        store.append("verdicts", rows)
        assert store.read("verdicts", dialogue_id=context.dialogue_id).equals(rows)
