import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError


@pytest.fixture(scope="module")
def lab():
    return hl.Lab(hl.read_all(hl.example("launch_zh")))


@pytest.fixture(scope="module")
def run(lab):
    return lab.replay(hl.Hydration(), budget=400)


def test_each_user_turn_and_each_question_has_a_step(lab, run):
    asked = lab.turns.filter(pl.col("role") == "user")["turn_id"].to_list()
    assert set(run.steps["query_id"]) == {*asked, *lab.questions["question_id"]}
    assert run.steps["tokens"].max() <= 400


def test_a_step_is_the_prompt_as_it_was(run):
    turn = run.turns.filter(pl.col("text") == "之前提到的市场推广预算是多少？").row(0, named=True)
    ctx = run.step(turn["position"])
    counted = run.steps.filter(pl.col("query_id") == turn["turn_id"]).row(0, named=True)
    assert ctx.tokens == counted["tokens"]
    assert ctx.at == turn["position"]
    assert "48.6 万元" in ctx.prompt
    assert ctx.kept.filter(pl.col("section") == "recalled")["source_turn_ids"].list.len().min() == 1


def test_the_step_of_an_assistant_turn_is_the_prompt_it_was_written_from(run):
    assert run.step(15).messages == run.step(14).messages


def test_a_prompt_holds_nothing_of_its_own_turn_or_later(run):
    for position in run.steps.filter(pl.col("evidence_verbatim").is_null())["position"]:
        kept = run.step(position).kept.filter(pl.col("section") != "query")["source_turn_ids"].explode()
        later = run.turns.filter(pl.col("position") >= position)["turn_id"]
        assert not set(kept.drop_nulls()) & set(later)


def test_a_checkpoint_is_seen_from_the_turn_it_was_decided_at(run):
    for row in run.checkpoints.filter(pl.col("status") == "ready").iter_rows(named=True):
        seen = run.timeline.view(row["decided_at"]).checkpoints["checkpoint_id"]
        before = run.timeline.view(row["decided_at"] - 1).checkpoints["checkpoint_id"]
        assert row["checkpoint_id"] in seen
        assert row["checkpoint_id"] not in before


def test_a_question_is_asked_after_its_turn_and_not_remembered(run):
    question = run.questions.row(0, named=True)
    ctx = run.ask(question["question_id"])
    assert ctx.at == question["asked_at"] + 1
    assert ctx.query == question["text"]


def test_misses_name_the_stage(run, lab):
    hydrated, window = run.misses(), lab.replay(hl.SlidingWindow(rounds=2), budget=400).misses()
    assert hydrated.filter(pl.col("stage") == "met").height > window.filter(pl.col("stage") == "met").height
    assert set(window["stage"]) <= {"met", "outside the window"}
    assert hydrated.columns == ["question_id", "turn_id", "stage", "rank", "detail"]


def test_full_history_and_window_differ_in_what_they_send(lab):
    steps = lab.compare([hl.FullHistory(), hl.SlidingWindow(rounds=2)], budget=4_000)
    last = steps.filter(pl.col("position") == 18).sort("strategy")
    assert last["strategy"].to_list()[0] == "full_history"
    assert last["tokens"][0] > 2 * last["tokens"][-1]


def test_full_history_keeps_its_prefix_stable(lab):
    run = lab.replay(hl.FullHistory(), budget=4_000)
    user_steps = run.steps.filter(pl.col("evidence_verbatim").is_null())
    assert user_steps["stable_prefix_tokens"].to_list()[2] > user_steps["tokens"].to_list()[0]


def test_a_prompt_that_does_not_fit_is_an_event_and_the_replay_goes_on(lab):
    run = lab.replay(hl.FullHistory(system="很长的系统提示。" * 40), budget=200)
    assert run.steps.height == 0
    assert run.events.height == lab.turns.filter(pl.col("role") == "user").height + lab.questions.height
    assert "system text needs" in run.events["detail"][0]
    assert set(run.misses()["stage"]) == {"not packed"}


def test_steps_that_are_none_are_refused(run):
    with pytest.raises(HydralabError, match="no turn 99 in 'launch_zh'; expected 0 to 19"):
        run.step(99)
    with pytest.raises(HydralabError, match="no question 'q9'"):
        run.ask("q9")


def test_a_run_is_saved_as_tables_and_a_manifest(run, tmp_path):
    folder = run.save(tmp_path / "run")
    assert pl.read_parquet(folder / "steps.parquet").equals(run.steps)
    assert '"strategy": "Hydration(' in (folder / "manifest.json").read_text(encoding="utf-8")
    assert (
        run.manifest()
        == hl.Lab(hl.read_all(hl.example("launch_zh"))).replay(hl.Hydration(), budget=400).manifest()
    )


def test_the_spans_of_a_run_tile_the_dialogue_and_the_last_is_open(run):
    spans = run.checkpoints.sort("start")
    assert spans["start"].to_list() == [0, *(spans["end"] + 1).to_list()[:-1]]
    assert spans["end"][-1] == run.turns.height - 1
    assert spans["status"].to_list() == ["ready"] * (spans.height - 1) + ["open"]


def test_a_question_asked_again_gets_the_prompt_of_the_replay():
    lab = hl.Lab(hl.read_all(hl.example("long_zh")))
    run = lab.replay(hl.Hydration(), budget=1000)
    counted = dict(run.steps.select("query_id", "tokens").rows())
    for question_id in run.questions["question_id"].gather_every(5):
        assert run.ask(question_id).tokens == counted[question_id]


def test_a_question_sees_no_checkpoint_that_a_later_turn_decided(run):
    for row in run.checkpoints.filter(pl.col("status") == "ready").iter_rows(named=True):
        view = run.timeline.view_after(row["decided_at"] - 1)
        offered = view.recall("市场推广预算是多少？").candidates["item_id"].to_list()
        assert row["checkpoint_id"] not in offered


def test_turns_with_gaps_in_their_positions_are_refused(lab):
    gaps = lab.turns.filter(pl.col("position") % 3 != 1)
    with pytest.raises(
        HydralabError, match=r"row 1 of 'launch_zh' has position 2, expected 1: a whole dialogue"
    ):
        hl.Lab(gaps).replay(hl.FullHistory())


def test_a_question_asked_past_the_end_is_asked_at_the_end(lab):
    late = lab.questions.with_columns(asked_at=pl.lit(999, dtype=pl.Int64))
    corpus = hl.Corpus(lab.dialogues, lab.turns, late, lab.gold)
    run = hl.Lab(corpus).replay(hl.Hydration(), budget=400)
    assert run.ask(late["question_id"][0]).at == lab.turns.height
    assert set(late["question_id"]) <= set(run.steps["query_id"])
    assert run.misses().height == late["evidence"].list.len().sum()
