import json

import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.replay import saving
from hydralab.widgets.stepper_state import StepperState


@pytest.fixture(scope="module", params=["launch_zh", "launch_en"])
def run(request):
    return hl.Lab(hl.read_all(hl.example(request.param))).replay(hl.Hydration(), budget=400)


@pytest.fixture
def folder(run, tmp_path):
    return run.save(tmp_path / "run")


def test_a_run_from_disk_shows_what_the_one_in_memory_shows(run, folder):
    again = hl.load_run(folder)
    for table in ("turns", "gold", "questions", "steps", "events", "boundaries", "checkpoints", "signals"):
        assert getattr(again, table).equals(getattr(run, table)), table
    assert again.misses().equals(run.misses())
    asked = run.questions["question_id"][1]
    assert again.misses(asked).equals(run.misses(asked))
    assert (again.strategy.name, repr(again.strategy)) == (run.strategy.name, repr(run.strategy))
    assert again.manifest().items() >= run.manifest().items()


def test_every_prompt_is_the_same_to_the_last_score(run, folder, monkeypatch):
    monkeypatch.setattr(saving, "MOST_DROPPED", 10_000)
    again = hl.load_run(run.save(folder))
    pairs = [(again.step(each), run.step(each)) for each in run.steps["position"].unique()]
    pairs += [(again.ask(each), run.ask(each)) for each in run.questions["question_id"]]
    for saved, made in pairs:
        assert saved.frame.equals(made.frame)
        assert saved.messages == made.messages
        assert saved.explain() == made.explain()
        assert (saved.tokens, saved.at, saved.reserve) == (made.tokens, made.at, made.reserve)


def test_dropped_items_are_bounded_and_what_was_sent_is_whole(run, folder, monkeypatch):
    monkeypatch.setattr(saving, "MOST_DROPPED", 3)
    again, question = hl.load_run(run.save(folder)), run.questions["question_id"][0]
    assert again.ask(question).kept.equals(run.ask(question).kept)
    assert again.ask(question).dropped.height == min(3, run.ask(question).dropped.height)


def test_the_stepper_opens_on_a_run_from_disk(run, folder):
    one, other = StepperState(run, 14), StepperState(hl.load_run(folder), 14)
    assert one.moment() == other.moment()
    assert one.losses() == other.losses()
    assert one.overview() == other.overview()


def test_a_prompt_that_was_not_saved_or_not_made_says_so(run, tmp_path):
    again = hl.load_run(run.save(tmp_path / "few", prompts=3))
    assert again.ask(run.questions["question_id"][0]).tokens <= 400
    with pytest.raises(HydralabError, match=r"no prompt of turn 0 in run .*: it was not saved"):
        again.step(1)
    with pytest.raises(HydralabError, match="expected 0 to"):
        again.step(99)
    small = hl.Lab(run.turns).replay(hl.FullHistory(system="Long. " * 30), budget=100)
    with pytest.raises(HydralabError, match=r"no prompt of turn 0 .*system text needs"):
        hl.load_run(small.save(tmp_path / "small")).step(0)


def _cut_a_table(folder):
    path = folder / "context.parquet"
    path.write_bytes(path.read_bytes()[:-40])


def _swap_the_turns(folder):
    turns = pl.read_parquet(folder / "turns.parquet")
    turns.with_columns(text=pl.lit("other")).write_parquet(folder / "turns.parquet")


def _write_another_manifest(folder):
    (folder / "manifest.json").write_text(json.dumps({"name": "another tool"}))


def _lose_a_key(folder):
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    del manifest["budget"]
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda folder: (folder / "manifest.json").unlink(), "is missing"),
        (lambda folder: (folder / "manifest.json").write_text("{"), "Expecting property name"),
        (lambda folder: (folder / "steps.parquet").unlink(), "is missing"),
        (lambda folder: pl.DataFrame({"a": [1]}).write_parquet(folder / "gold.parquet"), "gold: column"),
        (lambda folder: pl.DataFrame({"a": [1]}).write_parquet(folder / "context.parquet"), "query_id"),
        (_cut_a_table, "parquet"),
        (_swap_the_turns, "other turns than the manifest says"),
        (_write_another_manifest, 'has no "format": 1'),
        (_lose_a_key, "says nothing of 'budget'"),
    ],
)
def test_a_damaged_or_foreign_folder_is_refused_in_one_sentence(folder, damage, reason):
    damage(folder)
    with pytest.raises(HydralabError, match="no run can be read from it") as caught:
        hl.load_run(folder)
    assert reason in str(caught.value)


def test_a_folder_that_is_none_is_refused(tmp_path):
    with pytest.raises(HydralabError, match="no folder is there"):
        hl.load_run(tmp_path / "nothing")
    (tmp_path / "file").write_text("")
    with pytest.raises(HydralabError, match="expected a folder that can be written to"):
        hl.Lab(hl.from_frame(pl.DataFrame({"role": ["user"], "text": ["Hello?"]}))).replay().save(
            tmp_path / "file" / "run"
        )
