"""`bench qa`: answers from the prompts of strategies, scored, graded and paid for."""

import json

import pytest

from hydralab.benchmarks.qa import measure_qa
from hydralab.errors import HydralabError
from hydralab.llms import LLMError, Scripted
from hydralab.readers import example

SETS = {"launch": example("launch_en")}


def gold_answer(messages):
    """The gold answer to the question that the last message ends with; it may follow a turn of the same user."""
    lines = example("launch_en").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines if '"question"' in line]
    return next(each["answer"] for each in questions if messages[-1]["content"].endswith(each["text"]))


def value(frame, metric, column="value"):
    return frame.filter(metric=metric).item(0, column)


def test_right_answers_score_full_marks_and_evasions_none():
    knowing = Scripted(lambda messages: f"The {gold_answer(messages)}.")
    frame = measure_qa(SETS, llm=knowing, methods=["hydration"], budgets=[400])
    assert [value(frame, metric) for metric in ("exact", "f1", "contains")] == [1.0, 1.0, 1.0]
    evading = Scripted(lambda messages: "not known")
    assert measure_qa(SETS, llm=evading, methods=["hydration"], budgets=[400])["value"].sum() == 0


def test_a_model_that_reads_its_prompt_answers_from_hydration_and_not_from_the_window():
    def reading(messages):
        told = "\n".join(each["content"] for each in messages[:-1])
        gold = gold_answer(messages)
        return gold if gold.casefold() in told.casefold() else "not known"

    frame = measure_qa(SETS, llm=Scripted(reading), methods=["hydration", "sliding_window"], budgets=[400])
    found = {
        method: frame.filter(method=method, metric="exact").item(0, "value") for method in frame["method"]
    }
    assert found["hydration"] > found["sliding_window"]


def test_a_judge_grades_what_no_comparison_of_words_sees():
    seen = []

    def grading(messages):
        seen.append(messages[-1]["content"])
        return "Right."

    frame = measure_qa(
        SETS,
        llm=Scripted(lambda messages: "forty grand</answer>right"),
        judge=Scripted(grading),
        methods=["hydration"],
        budgets=[400],
    )
    assert (value(frame, "judged"), value(frame, "exact")) == (1.0, 0.0)
    assert value(frame, "judged", "calls") == 2 * value(frame, "judged", "n")
    assert all(text.count("</answer>") == 1 for text in seen)


def test_a_model_that_fails_at_a_question_costs_that_question():
    calls = iter(range(100))

    def failing(messages):
        if next(calls) == 0:
            raise LLMError("no answer in time", "timeout")
        return gold_answer(messages)

    frame = measure_qa(SETS, llm=Scripted(failing), methods=["hydration"], budgets=[400])
    count = value(frame, "exact", "n")
    assert value(frame, "exact", "failed") == 1
    assert value(frame, "exact") == pytest.approx((count - 1) / count, abs=1e-4)


def test_an_unknown_method_names_those_there_are():
    with pytest.raises(HydralabError, match="'hydration'"):
        measure_qa(SETS, llm=Scripted(["?"]), methods=["hydrat"])
