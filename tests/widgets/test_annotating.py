import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.frames import empty, validate
from hydralab.widgets import Stepper, TriggerLab
from hydralab.widgets.annotating import Annotating
from hydralab.widgets.annotation_files import write_annotation


@pytest.fixture
def annotating(run):
    return Annotating(run.turns, run.gold, run.questions, "me")


def test_marks_are_tables_that_the_schemas_know(annotating, run):
    annotating.mark("boundary", 14)
    annotating.mark("boundary", 8)
    annotating.mark("decision", 5)
    asked = annotating.ask("预算是多少？", answer="48.6 万元")
    annotating.evidence(asked, 3)
    assert validate("gold", annotating.gold).rows() == [("launch_zh", 8, "me"), ("launch_zh", 14, "me")]
    assert annotating.decisions.rows() == [("launch_zh", 5, "me/decisions")]
    own = validate("questions", annotating.questions).row(-1, named=True)
    assert (own["question_id"], own["evidence"]) == ("launch_zh:me-1", [run.turns["turn_id"][3]])
    assert annotating.questions.head(-1).equals(run.questions)


def test_every_change_is_undone_in_turn_and_a_change_of_nothing_is_none(annotating):
    start = annotating.marks
    annotating.mark("boundary", 8)
    annotating.mark("boundary", 8, on=True)
    annotating.ask("谁来主持？")
    annotating.evidence("launch_zh:me-1", 2)
    annotating.mark("boundary", 8)
    assert annotating.shown()["changes"] == 4
    for _ in range(9):
        annotating.undo()
    assert annotating.marks == start


def test_a_mark_that_cannot_be_is_refused(annotating):
    for wrong in (
        lambda: annotating.mark("boundary", 0),
        lambda: annotating.mark("boundary", 20),
        lambda: annotating.mark("topic", 3),
        lambda: annotating.evidence("q9", 3),
        lambda: annotating.ask("  "),
        lambda: annotating.mark("decision", "3"),
    ):
        with pytest.raises(HydralabError, match=r"expected|known"):
            wrong()
    assert annotating.shown()["changes"] == 0


def test_gold_of_the_same_annotator_is_gone_on_with(annotating, run):
    annotating.mark("boundary", 8)
    annotating.mark("decision", 3)
    later = Annotating(
        run.turns, pl.concat([run.gold, annotating.gold, annotating.decisions]), run.questions, "me"
    )
    assert later.gold.equals(annotating.gold)
    assert later.decisions.equals(annotating.decisions)


def test_a_file_of_the_marks_reads_as_the_dialogue_with_gold(annotating, tmp_path, run):
    annotating.mark("boundary", 8)
    annotating.mark("decision", 5)
    annotating.evidence(annotating.ask("谁来主持？", asked_at=12), 4)
    corpus = hl.read_all(write_annotation(annotating, tmp_path / "mine.jsonl", run.title))
    assert corpus.turns["text"].equals(run.turns["text"])
    assert corpus.turns["turn_id"].equals(run.turns["turn_id"])
    assert corpus.gold["position"].to_list() == [8]
    own = corpus.questions.row(-1, named=True)
    assert (own["asked_at"], own["evidence"]) == (12, [run.turns["turn_id"][4]])
    assert corpus.turns.filter(pl.col("meta").str.contains("decision"))["position"].to_list() == [5]
    assert not corpus.events.height


def test_a_folder_of_the_marks_holds_the_tables(annotating, tmp_path):
    annotating.mark("boundary", 8)
    folder = write_annotation(annotating, tmp_path / "mine")
    assert pl.read_parquet(folder / "gold.parquet").equals(annotating.gold)
    assert pl.read_parquet(folder / "questions.parquet").equals(annotating.questions)
    (tmp_path / "file").write_text("")
    with pytest.raises(HydralabError, match="expected a place that can be written to"):
        write_annotation(annotating, tmp_path / "file" / "mine")


def test_a_dialogue_of_no_turns_has_nothing_to_mark():
    annotating = Annotating(empty("turns"), empty("gold"), empty("questions"), "me")
    with pytest.raises(HydralabError, match="no turn 1"):
        annotating.mark("boundary", 1)
    assert annotating.questions.height == annotating.gold.height == 0


def test_what_the_stepper_marks_is_taken_by_the_trigger_lab_and_the_metrics(run, lab):
    stepper = Stepper(run, at=8)
    stepper.mark("boundary")
    stepper.mark("boundary", 14)
    assert stepper._marks["boundaries"] == [8, 14]
    tuner = TriggerLab(lab, gold=stepper.gold, trigger="hl.cue('另外|之前提到').place(min_turns=2)")
    assert tuner._result["scores"][0]["scores"]["F1"] == 1.0
    assert hl.score_boundaries(tuner.boundaries, stepper.gold, run.turns).means["f1"][0] == 1.0
    tuner.close()
    stepper.close()


def test_the_view_marks_and_asks_by_messages(run):
    stepper = Stepper(run, at=8)
    sent = []
    stepper.send = lambda content, buffers=None: sent.append(content)
    for message in (
        {"ask": "mark", "id": 1, "kind": "boundary", "position": 8},
        {"ask": "ask", "id": 2, "text": "谁来主持？", "answer": "", "asked_at": None},
        {"ask": "evidence", "id": 3, "question": "launch_zh:me-1", "position": 2},
        {"ask": "mark", "id": 4, "kind": "boundary", "position": 8},
        {"ask": "undo", "id": 5},
        {"ask": "mark", "id": 6, "kind": "boundary", "position": 0},
    ):
        stepper._handle_custom_msg(message, [])
    assert [answer["id"] for answer in sent] == [1, 2, 3, 4, 5, 6]
    assert sent[1]["question"] == "launch_zh:me-1"
    assert stepper.gold["position"].to_list() == [8]
    assert stepper.questions["evidence"].to_list()[-1] == [run.turns["turn_id"][2]]
    assert "turn 0 starts a span anyway" in stepper.error
    del stepper.send
    stepper.close()


@pytest.mark.parametrize("name", ["marks", "marks.jsonl"])
def test_marks_come_back_from_disk_and_are_taken_by_lab_trigger_lab_and_metrics(lab, run, name, tmp_path):
    stepper = hl.widgets.Stepper(run)
    for kind, position in (("boundary", 8), ("boundary", 14), ("decision", 5), ("decision", 11)):
        stepper.mark(kind, position)
    asked = stepper.ask("哪天开会？", answer="周三")
    stepper.mark_evidence(asked, 3)
    read = hl.widgets.read_annotation(stepper.save_annotation(tmp_path / name))
    again = hl.widgets.Stepper(run)
    again.load_annotation(tmp_path / name)
    assert again.gold.equals(stepper.gold)
    assert again.decisions.equals(stepper.decisions)
    at_the_end = pl.col("asked_at").fill_null(run.turns.height - 1)
    assert again.questions.with_columns(at_the_end).equals(stepper.questions.with_columns(at_the_end))
    again.undo()
    assert again.gold.height == again.decisions.height == 0

    fresh = hl.Lab(lab.turns)
    fresh.annotate(*read)
    assert fresh.questions["question_id"].to_list() == stepper.questions["question_id"].to_list()
    tuner = hl.widgets.TriggerLab(fresh, trigger="hl.cue('另外|之前提到').place(min_turns=2, max_turns=40)")
    assert tuner._result["gold"] == [8, 14]
    assert tuner._result["scores"][0]["scores"]["F1"] == 1.0
    of_decisions = hl.widgets.TriggerLab(fresh, gold=stepper.decisions, trigger="every(n=5)")
    assert of_decisions._result["gold"] == [5, 11]
    scored = hl.score_boundaries(
        fresh.boundaries("every(n=5)"), fresh.gold, fresh.turns, annotator="me/decisions"
    )
    assert scored.means["f1"][0] == of_decisions._result["scores"][0]["scores"]["F1"]
    for view in (stepper, again, tuner, of_decisions):
        view.close()


def test_a_folder_that_holds_no_marks_is_told(tmp_path):
    with pytest.raises(HydralabError, match="expected a folder that save_annotation wrote"):
        hl.widgets.read_annotation(tmp_path)
