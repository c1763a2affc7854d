"""What can't be meant is refused in one sentence that names what was given and what was expected."""

import numpy as np
import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError

LAUNCH = hl.example("launch_en")
NUMBERS = np.zeros(3)
SILENT = hl.Scripted(lambda _: "")

CALLS = {
    "a query that is no text": (lambda lab: lab.hydrate(None), "query: got NoneType, expected a text"),
    "a recall of no text": (lambda lab: lab.recall(["a"]), "query: got list, expected a text"),
    "a budget that is no number": (
        lambda lab: lab.hydrate("a", budget="b"),
        "budget is 'b', expected a whole",
    ),
    "a budget of NaN": (lambda lab: lab.hydrate("a", budget=float("nan")), "budget is nan, expected a whole"),
    "a position of text": (
        lambda lab: lab.hydrate("a", at="b"),
        "at is 'b', expected a position from 0 to 12",
    ),
    "half a position": (lambda lab: lab.recall("a", at=1.5), "at is 1.5, expected a position from 0 to 12"),
    "a truth as position": (lambda lab: lab.hydrate("a", at=True), "at is True, expected a position"),
    "a position after the end": (lambda lab: lab.hydrate("a", at=13), "at is 13, expected a position"),
    "a dialogue that is no name": (lambda lab: lab.signals(dialogue=5), "no dialogue 5; nearest: "),
    "rows as dialogue": (lambda lab: lab.signals(dialogue=lab.turns), "no dialogue .*; nearest: "),
    "numbers as dialogue": (
        lambda lab: lab.hydrate("a", dialogue=NUMBERS),
        r"no dialogue array\(\[0., 0., 0.\]\); ",
    ),
    "numbers as kind": (lambda lab: lab.find(kind=NUMBERS), r"unknown kind of checkpoint array\(\["),
    "a mark of a table": (lambda lab: lab.mark(5, kind=lab.turns), "unknown kind of checkpoint "),
    "an index of a list": (
        lambda lab: hl.Lab(lab.turns, index=["exact"]),
        r"unknown index \['exact'\]; known: ",
    ),
    "gold of a number": (lambda lab: lab.annotate(5), "gold: got 5, expected rows that name columns"),
    "gold of numbers": (lambda lab: lab.annotate([1]), "gold: got 1, expected rows that name columns"),
    "gold of a lone surrogate": (
        lambda lab: lab.annotate([{"dialogue_id": "\ud800", "position": 1}]),
        "gold: a row holds what its columns can't: .*surrogates not allowed",
    ),
    "gold at a huge position": (
        lambda lab: lab.annotate([{"dialogue_id": "a", "position": 10**30}]),
        "gold: a row holds what its columns can't",
    ),
    "a graph before a text": (lambda lab: lab.graph(at="x"), "graph: at is 'x', expected a whole number of"),
    "relations before a list": (lambda lab: lab.relations(at=[1]), r"graph: at is \[1\], expected a whole n"),
    "an intent of numbers": (lambda _: hl.Intent(NUMBERS), r"unknown intent array\(\["),
    "a column of numbers": (
        lambda _: hl.from_frame(pl.DataFrame({"text": ["a"]}), text=NUMBERS),
        r"text is array\(.*expected a text or None",
    ),
    "vectors of a number": (
        lambda lab: hl.find_boundaries("every(n=2)", lab.turns, 5),
        "vectors: got 5 for 12 turns, expected one row a turn",
    ),
    "vectors of a list": (
        lambda lab: hl.compute_signals(lab.turns, [[1]]),
        r"vectors: got \[\[1\]\] for 12 turns",
    ),
    "signals of no rows": (
        lambda lab: hl.find_boundaries("every(n=2)", lab.turns, signals=pl.DataFrame()),
        "signals: column 'dialogue_id' is missing",
    ),
    "signals that are none": (
        lambda lab: hl.find_boundaries("every(n=2)", lab.turns, signals=5),
        "signals: expected a polars DataFrame, got int",
    ),
    "a model of no turns": (
        lambda lab: hl.fit_trigger([], lab.gold),
        "turns: expected a polars DataFrame, got l",
    ),
    "a model of no signals": (
        lambda lab: hl.fit_trigger(lab.turns, lab.gold, lab.vectors(), signals={"a": 1}),
        "signal 'a': got int, expected a signal such as",
    ),
    "a strength of text": (
        lambda lab: hl.fit_trigger(lab.turns, lab.gold, strength="a"),
        "fit_trigger: strength is 'a', expected a number",
    ),
    "JSON of no trigger": (lambda _: hl.to_json("every"), "to_json: trigger is 'every', expected a trigger"),
    "a cue of roles": (lambda _: hl.cue("a", role=NUMBERS), r"cue: role is array\("),
    "a cut of numbers": (lambda _: hl.cue("a", cut=NUMBERS), r"cue: cut is array\("),
    "an alignment of numbers": (lambda _: hl.default_trigger(align=NUMBERS), r"place: align is array\("),
    "checkpoints of no turns": (
        lambda lab: hl.extract_checkpoints(5, lab.boundaries()),
        "turns: expected a polars DataFrame, got int",
    ),
    "checkpoints of no boundaries": (
        lambda lab: hl.extract_checkpoints(lab.turns, []),
        "boundaries: expected a polars DataFrame, got list",
    ),
    "checkpoints by a name": (
        lambda lab: hl.extract_checkpoints(lab.turns, lab.boundaries(), tokenizer="gpt-4"),
        "extract_checkpoints: tokenizer is 'gpt-4', expected what hl.tokenizer returns",
    ),
    "summaries by half a worker": (
        lambda lab: hl.summarise_checkpoints(lab.checkpoints(), lab.turns, SILENT, workers=0.5),
        "summarise_checkpoints: workers is 0.5, expected a whole number of at least 1",
    ),
    "summaries of a status": (
        lambda lab: hl.summarise_checkpoints(lab.checkpoints(), lab.turns, SILENT, statuses="ready"),
        "summarise_checkpoints: statuses is 'ready', expected a tuple such as",
    ),
    "a text as data frame": (lambda _: hl.from_frame("abc"), "got 'abc', expected a path or a data frame"),
    "a time zone of any length": (
        lambda _: hl.read(LAUNCH, timezone="x" * 9999),
        r"timezone 'xxx.*\.\.\.xxx",
    ),
    "a plot on a number": (
        lambda lab: hl.plots.plot_budget(lab.hydrate("a", budget=200), ax=5),
        "plot: ax is 5, expected an Axes of matplotlib or None",
    ),
    "a plot of texts": (lambda _: hl.plots.plot_evidence(["a"]), "plot_evidence: got 'a', expected a run"),
    "a plot of half a name": (
        lambda lab: hl.plots.plot_graph(lab.graph(), most=0.5),
        "plot_graph: most is 0.5, expected a whole number",
    ),
    "a plot of signals": (
        lambda lab: hl.plots.plot_shift(lab.signals(), signal=["shift"]),
        r"plot_shift: signal is \['shift'\], expected a text",
    ),
    "a threshold of text": (
        lambda lab: hl.plots.plot_shift(lab.signals(), threshold="a"),
        "plot_shift: threshold is 'a', expected a number or None",
    ),
    "scores of no turns": (
        lambda lab: hl.score_boundaries(lab.boundaries(), lab.gold, 5),
        "turns: expected a polars DataFrame, got int",
    ),
    "scores by half a seed": (
        lambda lab: hl.score_boundaries(lab.boundaries(), lab.gold, lab.turns, seeds=0.5),
        "score_boundaries: seeds is 0.5, expected a whole number",
    ),
    "scores by a convention of numbers": (
        lambda lab: hl.score_boundaries(lab.boundaries(), lab.gold, lab.turns, convention=NUMBERS),
        r"convention is array\(.*expected a text",
    ),
    "scores against numbers": (
        lambda lab: hl.score_boundaries(lab.boundaries(), lab.gold, lab.turns, annotator=NUMBERS),
        r"annotator is array\(.*expected a text or None",
    ),
    "prices of a number": (
        lambda lab: hl.prompt_costs(lab.steps, 5),
        "price_of: model is 5, expected a text",
    ),
    "verdicts of a number": (lambda _: hl.judged_items(5), "verdicts: expected a polars DataFrame, got int"),
    "a verdict on no context": (
        lambda _: hl.reflect(SILENT, None, "a", "b"),
        "reflect: context is None, expected what lab.hydrate or run.step returns",
    ),
    "a verdict on no answer": (
        lambda lab: hl.reflect(SILENT, lab.hydrate("a", budget=200), "a", None),
        "reflect: answer is None, expected a text",
    ),
    "packing of a number": (
        lambda lab: hl.pack("a", lab.turns, budget=200, packing=0),
        "pack: packing is 0, expected a Packing or None",
    ),
    "a pack of numbers": (
        lambda lab: hl.pack("a", lab.turns, budget=200, recalled=NUMBERS),
        r"pack: recalled is array\(.*expected a Recalled or None",
    ),
    "an index of numbers": (lambda _: hl.get_index(NUMBERS, 4), r"unknown index array\("),
    "an index for a text": (
        lambda _: hl.get_index("auto", 4, size="a"),
        "get_index: size is 'a', expected a w",
    ),
    "turns of one number": (lambda _: hl.Adaptive(turns=5), "Adaptive: turns is 5, expected two numbers"),
    "least of text": (lambda _: hl.Adaptive(least="ab"), "Adaptive: least is 'ab', expected two numbers"),
    "weights of nothing": (lambda _: hl.Adaptive(weights=None), "Adaptive: weights is None, expected 6 num"),
    "an unknown strategy": (
        lambda lab: lab.replay("hydraton"),
        "strategy.* 'hydraton'",
    ),
    "a strategy's class": (
        lambda lab: lab.hydrate("a", strategy=hl.Hydration),
        "expected a strategy such as",
    ),
    "a list as strategy": (lambda lab: lab.hydrate("a", strategy=[]), "expected a strategy such as"),
    "a tokenizer that is none": (
        lambda lab: hl.Lab(lab.turns, tokenizer=5),
        "got 5, expected a name or a tok",
    ),
    "an entity that is no text": (lambda lab: lab.find(entity=5), "find: entity is 5, expected a text"),
    "a mark at no position": (lambda lab: lab.mark("a"), "position is 'a', expected that of a turn"),
    "a mark of no kind": (lambda lab: lab.mark(5, kind=None), "unknown kind of checkpoint None; known: "),
    "a merge of numbers": (lambda lab: lab.merge(5, 6), "unknown checkpoint 5; known: "),
    "a step of no position": (lambda lab: lab.replay(budget=200).step("a"), "no turn 'a' in"),
    "a question of no name": (lambda lab: lab.replay(budget=200).ask(5), "no question 5 in"),
    "a system text of a number": (
        lambda lab: lab.hydrate("a", strategy=hl.FullHistory(system=5)),
        "system is 5, expected a text or None",
    ),
    "a recall of a number": (lambda _: hl.Hydration(recall=5), "Hydration: recall is 5, expected a Recall"),
    "a window of text": (lambda _: hl.Shift(window="a"), "Shift: window is 'a', expected a whole number"),
    "a reach of a truth": (lambda _: hl.Depth(reach=True), "Depth: reach is True, expected .* or None"),
    "rounds of text": (lambda _: hl.SlidingWindow(rounds="a"), "rounds is 'a', expected a whole number"),
    "rounds below none": (lambda _: hl.SlidingWindow(rounds=-1), "rounds is -1, .* of at least 0"),
    "half a turn": (lambda _: hl.Hydration(turns=0.5), "Hydration: turns is 0.5, .* of at least 0, or None"),
    "quotas of a number": (lambda _: hl.Hydration(quotas=5), "quotas is 5, expected a tuple of hl.Quota"),
    "a quota of text": (lambda _: hl.Quota("turn", "dense", "a"), "Quota: number is 'a', expected a whole"),
    "a pool of text": (lambda _: hl.Recall(pool="a"), "Recall: pool is 'a', expected a whole number"),
    "a mmr of text": (lambda _: hl.Recall(mmr="a"), "Recall: mmr is 'a', expected a number"),
    "a place of text": (lambda _: (hl.col.shift > 1).place(min_turns="a"), "place: min_turns is 'a', exp"),
    "a tokenizer of a number": (lambda _: hl.tokenizer(5), "tokenizer is 5, expected a text"),
    "a time zone of a number": (lambda _: hl.read(LAUNCH, timezone=5), "timezone is 5, expected a text"),
    "an encoding of a number": (lambda _: hl.read(LAUNCH, encoding=5), "encoding is 5, expected a text or N"),
    "a format of a number": (lambda _: hl.read(LAUNCH, format=5), "format is 5, expected a name or a reader"),
    "a dimension of text": (lambda _: hl.get_index("exact", "a"), "dim is 'a', expected a whole number of"),
    "an index of a number": (lambda _: hl.get_index(5), "unknown index 5; known: "),
    "a backend of a number": (lambda _: hl.use_backend(5), "backend is 5, expected a text"),
    "an index of no columns": (lambda _: hl.INDEXES["exact"](0), "Exact: dim is 0, expected a whole number"),
    "a graph of text": (lambda _: hl.INDEXES["hnsw"](4, links="a"), "Hnsw: links is 'a', expected a whole"),
    "a window size of text": (lambda _: hl.pk([True], [True], k="a"), "k is 'a', expected a whole number"),
    "a tolerance of text": (lambda _: hl.tolerance_f1([True], [True], tolerance="a"), "tolerance is 'a', e"),
    "a time of a list": (lambda lab: lab.find(since=[5]), r"since \[5\]: expected a time, a date, ISO text"),
    "dialogues of a number": (
        lambda _: hl.MemoryStore().read("turns", dialogue_id=5),
        "dialogue_id is 5, exp",
    ),
    "dialogues of numbers": (lambda _: hl.MemoryStore().read("turns", dialogue_id=[5]), r"id is \[5\], exp"),
    "a store at a number": (lambda _: hl.SqliteStore(5), "SqliteStore: path is 5, expected that of a file"),
    "signals of a number": (
        lambda lab: hl.compute_signals(lab.turns, signals=5),
        "signals: got 5, expected c",
    ),
    "states of a number": (lambda _: hl.StateMachine(5, []), "StateMachine: got 5 and .*expected names of s"),
    "recent rounds of text": (lambda _: hl.Packing(recent_rounds="a"), "Packing: recent_rounds is 'a', exp"),
    "limits of a number": (lambda _: hl.Packing(limits=5), "Packing: got split .* and limits 5, expected an"),
    "a limit below none": (lambda _: hl.Packing(limits={"turn": -1}), r"limits\['turn'\] is -1, expected"),
    "a contract of no store": (lambda _: hl.check_store(5), "store: got 5, expected an open store"),
    "a contract of no index": (lambda _: hl.check_index(5), "index: got 5, expected a name or what makes"),
    "a contract of no strategy": (lambda _: hl.check_strategy(5), "strategy: got 5, expected a strategy"),
    "a contract of no trigger": (lambda _: hl.check_trigger(5), "trigger: got 5, expected a trigger such"),
    "a contract of no encoder": (lambda _: hl.check_encoder(5), "encoder: got int, expected a name, a Hug"),
    "a share of text": (lambda _: hl.Split(system="a"), "split: system 'a', .*expected shares of at least 0"),
    "a trigger text of a number": (lambda _: hl.parse_trigger(5), "trigger text: got int, expected a text"),
    "a trigger JSON of a number": (lambda _: hl.from_json(5), "trigger JSON: "),
    "texts that are none": (lambda _: hl.embed(None), "embed: got NoneType, expected a list of strings"),
    "a number as data frame": (lambda _: hl.from_frame(5), "got int, expected a path or a data frame"),
    "an empty path": (lambda _: hl.read_all(""), "got '', expected a file, a folder or a glob"),
    "no turns": (lambda _: hl.find_boundaries("every(n=2)", 5), "turns: got int, expected a turns table"),
    "other columns": (
        lambda _: hl.compute_signals(pl.DataFrame({"a": [1]})),
        r"turns: got columns \['a'\], expected a turns table",
    ),
    "a stepper through a lab": (hl.widgets.Stepper, r"Stepper: got Lab\(.*, expected a run"),
    "a trigger lab of turns": (lambda lab: hl.widgets.TriggerLab(lab.turns), "got DataFrame, expected a lab"),
    "nothing to read": (lambda _: hl.read(None), "got None, expected a path or a data frame"),
    "an example of a number": (lambda _: hl.example(5), "unknown example 5; known: "),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_value_of_another_kind_is_refused(talk, name):
    call, said = CALLS[name]
    with pytest.raises(HydralabError, match=said):
        call(hl.Lab(talk))


@pytest.mark.parametrize("named", [hl.example, hl.tokenizer, hl.get_trigger, hl.get_index, hl.get_encoder])
def test_a_name_of_any_length_is_told_in_a_line(named):
    with pytest.raises(HydralabError, match=r"unknown .*xxx\.\.\.xxx") as refused:
        named("x" * 10_000)
    assert len(str(refused.value)) < 400


def test_lists_in_lists_are_parameters_of_a_trigger_too():
    nested = hl.get_trigger("every", n=[[1, [2]], []])
    assert nested == hl.get_trigger("every", n=((1, (2,)), ()))
    assert hl.from_json(hl.to_json(nested)) == hl.parse_trigger(repr(nested)) == nested
    assert {nested: 1}[nested] == 1
    with pytest.raises(HydralabError, match="parameter 'n' holds a dict, expected a plain value or list"):
        hl.get_trigger("every", n=[{"a": 1}])


@pytest.mark.parametrize("name", ["position", "dialogue_id", "text", "role"])
def test_no_signal_takes_the_place_of_a_column_of_the_turns(talk, name):
    with pytest.raises(HydralabError, match=f"signal '{name}': the turns have a column of that name"):
        hl.Lab(talk).signals(**{name: hl.Shift()})


@pytest.mark.parametrize("wrong", [5, "shift", hl.Shift])
def test_what_is_no_signal_is_refused_and_forgotten(talk, wrong):
    lab = hl.Lab(talk)
    with pytest.raises(HydralabError, match=r"signal 'mine': got .*expected a signal such as"):
        lab.signals(mine=wrong)
    assert "mine" not in lab.signals().columns


@pytest.mark.parametrize(
    ("column", "wrong"),
    [
        ("title", 5),
        ("keywords", "one word"),
        ("keywords", [1, 2]),
        ("decisions", [None]),
        ("entities", ["Berlin"]),
        ("entities", [{"type": "place"}]),
    ],
)
def test_an_edit_of_another_type_is_refused_and_nothing_lost(talk, column, wrong):
    lab = hl.Lab(talk)
    before = lab.checkpoints("every(n=4)")
    with pytest.raises(HydralabError, match=f"checkpoints: {column} is .*expected a"):
        lab.edit(before["checkpoint_id"][0], **{column: wrong})
    assert lab.checkpoints().equals(before)


def test_an_unknown_signal_is_named_when_a_dialogue_is_replayed(talk):
    with pytest.raises(HydralabError, match="unknown signal 'shfit'; known: 'shift'"):
        hl.Lab(talk).replay(hl.Hydration(hl.col.shfit > 0.5))


def test_a_reserve_that_leaves_nothing_is_told_with_both_numbers(talk):
    """FAULTS 7, 9."""
    with pytest.raises(HydralabError, match="the reserve of 500 tokens leaves nothing of a budget of 300"):
        hl.Lab(talk).hydrate("a", budget=300, strategy=hl.FullHistory(reserve=500))
    with pytest.raises(HydralabError, match="reserve is -1, expected a whole number of at least 0"):
        hl.Lab(talk).hydrate("a", budget=300, strategy=hl.FullHistory(reserve=-1))


def test_a_change_that_the_store_refuses_is_not_kept_in_memory_either(talk, tmp_path):
    lab = hl.Lab(talk, store=str(tmp_path / "lab.db"))
    before = lab.checkpoints("every(n=4)")
    lab.close()
    with pytest.raises(HydralabError, match="is closed"):
        lab.mark(6)
    assert lab.checkpoints().equals(before)
    with hl.Lab(store=str(tmp_path / "lab.db")) as opened:
        assert opened.checkpoints().select(pl.col("checkpoint_id")).equals(before.select("checkpoint_id"))
