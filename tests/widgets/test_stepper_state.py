import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.widgets.stepper_state import StepperState


@pytest.fixture
def stepping(run):
    return StepperState(run)


def test_a_place_shows_the_prompt_the_run_made_there(stepping, run):
    stepping.go(14)
    shown = stepping.moment()
    context = run.step(14)
    assert (shown["at"], shown["tokens"], shown["budget"]) == (14, context.tokens, 600)
    assert sum(tokens for _, tokens in shown["parts"]) == 600
    assert shown["heading"] == "what the model saw at turn 14"


def test_recalled_turns_of_the_transcript_are_those_of_the_prompt(stepping, run):
    stepping.go(14)
    ids = run.step(14).kept.filter(pl.col("section") == "recalled")["source_turn_ids"].explode()
    expected = run.turns.filter(pl.col("turn_id").is_in(ids.implode()))["position"].to_list()
    assert stepping.moment()["recalled"] == expected


def test_an_assistant_turn_shows_the_prompt_it_was_written_from(stepping):
    stepping.go(15)
    assert stepping.moment()["heading"] == "what the model saw at turn 14, which turn 15 follows"


def test_dropped_items_are_listed_after_the_kept_ones_with_their_reason(stepping):
    stepping.go(18)
    items = stepping.moment()["items"]
    states = [item["kept"] for item in items]
    assert states == sorted(states, reverse=True)
    assert all(item["why"] for item in items if not item["kept"])


@pytest.mark.parametrize(("asked", "given"), [(-3, 0), (99, 19), (7, 7)])
def test_a_step_past_the_ends_stays_at_the_end(stepping, asked, given):
    stepping.go(asked)
    assert stepping.position == given


def test_a_gold_question_is_shown_where_it_was_asked_with_its_evidence(stepping, run):
    stepping.go(0, "launch_zh:q01")
    shown = stepping.moment()
    assert stepping.position == shown["position"] == 14
    assert shown["query"] == "之前提到的市场推广预算是多少？"
    (asked,) = shown["asked"]
    verdict = run.misses().filter(pl.col("question_id") == "launch_zh:q01")["stage"][0]
    assert asked["evidence"] == [{"turn": 3, "stage": verdict, "detail": asked["evidence"][0]["detail"]}]


def test_every_evidence_turn_has_a_line_in_the_losses(stepping, run):
    assert len(stepping.losses()["rows"]) == run.questions["evidence"].list.len().sum()


def test_an_unknown_question_is_named_with_its_neighbours(stepping):
    with pytest.raises(HydralabError, match="no question 'q1' in this run; nearest: 'launch_zh:q01'"):
        stepping.go(0, "q1")


def test_the_difference_leads_from_the_prompt_before_to_this_one(stepping, run):
    stepping.go(14)
    difference = stepping.difference()
    assert difference["before"] == 12
    added = "\n".join(text for sign, text in difference["lines"] if sign == "+")
    assert "之前提到的市场推广预算是多少？" in added


def test_a_search_finds_turns_whatever_the_case_and_width_of_letters(stepping, run):
    wanted = run.turns.filter(pl.col("text").str.contains("预算"))["position"].to_list()
    assert stepping.search(" 预算 ") == {"found": wanted, "more": 0}
    said = hl.from_frame(pl.DataFrame({"role": ["user"] * 3, "text": ["A Budget", "ＢＵＤＧＥＴ", "none"]}))
    assert StepperState(hl.Lab(said).replay(budget=600)).search("budget")["found"] == [0, 1]
    assert stepping.search("  ")["found"] == []


def replayed(texts, strategy, budget=600):
    roles = ["user", "assistant"] * len(texts)
    frame = pl.DataFrame({"role": roles[: len(texts)], "text": texts})
    return hl.Lab(hl.from_frame(frame)).replay(strategy, budget=budget)


def test_a_turn_without_a_prompt_says_why():
    blank = StepperState(replayed(["   ", "Hello?", "The budget is 400 euros.", "Noted."], hl.Hydration()), 0)
    assert "no user turn at or before turn 0" in blank.moment()["reason"]
    assert blank.moment()["heading"] == "no prompt at turn 0"
    assert (blank.prompt(), blank.difference()["lines"]) == ({"messages": []}, [])
    blank.go(2)
    assert blank.moment()["items"]
    assert not blank.moment()["reason"]


def test_a_prompt_that_did_not_fit_its_budget_says_so():
    texts = ["Hello.", "Hello!", "word " * 900, "I see.", "And now?", "Now."]
    tight = StepperState(replayed(texts, hl.SlidingWindow(), budget=120), 2)
    assert "120" in tight.moment()["reason"]
    assert tight.context() is None
    tight.go(4)
    assert tight.moment()["reason"] == ""
    assert tight.difference()["before"] is None


@pytest.mark.parametrize(
    ("strategy", "budget", "opened"), [(hl.SlidingWindow(), 600, 8), (hl.Hydration(), 120, None)]
)
def test_without_gold_it_opens_where_something_was_recalled_else_at_the_last_prompt(strategy, budget, opened):
    facts = ["The hall costs 48 euros.", "Noted."] + ["Tell me a joke.", "A horse walks in. " * 5] * 3
    run = replayed([*facts, "What did the hall cost?", "48 euros."], strategy, budget)
    recalled = run.steps.filter(pl.col("items").struct.field("recalled") > 0)["position"]
    assert StepperState(run).position == (recalled[0] if opened is None else opened)


def test_the_first_prompt_has_nothing_before_it(stepping):
    stepping.go(0)
    assert stepping.difference()["before"] is None


def test_the_exact_messages_are_shown(stepping, run):
    stepping.go(14)
    messages = [(each["role"], each["content"]) for each in run.step(14).messages]
    assert [(each["role"], each["text"]) for each in stepping.prompt()["messages"]] == messages


def test_blocks_hold_the_transcript_once(stepping, run):
    rows = stepping.block(0)["rows"]
    assert [row["text"] for row in rows] == run.turns["text"].to_list()
    assert stepping.block(7)["rows"] == []


def test_the_curve_has_a_value_a_turn_and_nan_where_unknown(stepping, run):
    values = np.frombuffer(stepping.curve(), dtype="<f4")
    known = run.signals["shift"]
    assert len(values) == run.turns.height
    np.testing.assert_array_equal(np.isnan(values), known.is_null().to_numpy())


def test_everything_that_is_sent_is_json(stepping):
    stepping.go(14)
    parts = (
        stepping.overview,
        stepping.moment,
        stepping.prompt,
        stepping.difference,
        stepping.losses,
        stepping.block_here,
    )
    for part in parts:
        json.dumps(part(), allow_nan=False)


@pytest.mark.parametrize("turns", [0, 1])
def test_dialogues_of_almost_nothing_can_be_stepped_through(turns, lab):
    corpus = hl.read_all(hl.example("launch_zh"))
    none = {"questions": corpus.questions.clear(), "gold": corpus.gold.clear()}
    short = hl.Lab(replace(corpus, turns=corpus.turns.head(turns), **none))
    stepping = StepperState(short.replay(budget=600))
    stepping.go(3)
    assert stepping.position == 0
    assert bool(stepping.moment()["items"]) == bool(turns)
    assert stepping.overview()["turns"] == turns
