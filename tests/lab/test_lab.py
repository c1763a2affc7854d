import dataclasses

import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.frames import build

README_TRIGGER = ((hl.col.shift > 0.8) | hl.cue("换个话题|另外")).place(min_turns=4, max_turns=40)


@pytest.fixture
def lab():
    return hl.Lab(hl.read_all(hl.example("launch_zh")))


def test_the_cell_of_the_readme_works_as_written():
    corpus = hl.read_all(hl.example("launch_zh"))
    lab = hl.Lab(corpus)
    trigger = ((hl.col.shift > 0.8) | hl.cue("换个话题|另外")).place(min_turns=4, max_turns=40)
    lab.signals()
    lab.checkpoints(trigger)
    ctx = lab.hydrate("之前提到的市场推广预算是多少？", budget=1000)
    run = lab.replay(hl.Hydration(trigger), budget=1000)
    assert "48.6 万元" in ctx.prompt
    assert ctx.tokens <= 1000
    assert run.steps.height == 15


def test_its_english_counterpart_works_too():
    lab = hl.Lab(hl.read_all(hl.example("launch_en")))
    trigger = ((hl.col.shift > 0.8) | hl.cue("another topic|by the way")).place(min_turns=4, max_turns=40)
    lab.checkpoints(trigger)
    ctx = lab.hydrate("What was the marketing budget we mentioned earlier?", budget=400)
    assert "84,500" in ctx.prompt


@pytest.mark.parametrize(
    ("name", "asked", "wanted"),
    [
        (
            "launch_zh",
            ["之前提到的市场推广预算是多少？", "我们当时定的目标客户是哪些人？"],
            ["48.6 万", "新手父母"],
        ),
        (
            "launch_en",
            ["What was the marketing budget we mentioned earlier?", "Who were the target customers again?"],
            ["84,500", "two-income households"],
        ),
    ],
)
def test_budget_and_customers_are_in_the_prompt_when_asked_back(name, asked, wanted):
    lab = hl.Lab(hl.read_all(hl.example(name)))
    for query, answer in zip(asked, wanted, strict=True):
        assert answer in lab.hydrate(query, budget=400, at=14).prompt


def test_a_turn_equal_to_the_query_is_not_recalled(lab):
    query = "之前提到的市场推广预算是多少？"
    kept = lab.hydrate(query, budget=2000).kept
    assert query not in kept.filter(pl.col("section") == "recalled")["text"].to_list()


def test_a_named_signal_is_a_column_and_can_be_triggered_on(lab):
    table = lab.signals(shift_long=hl.Shift(window=6, lag=3))
    assert {"shift", "shift_raw", "shift_long"} <= set(table.columns)
    assert lab.boundaries(hl.col.shift_long > 0.9).height < lab.boundaries(hl.col.shift_long > 0.1).height


def test_an_unknown_signal_lists_the_known_ones_nearest_first(lab):
    with pytest.raises(HydralabError, match=r"'shfit'.*known: 'shift'"):
        lab.boundaries(hl.col.shfit > 0.5)


def test_checkpoints_are_found_marked_merged_split_and_edited(lab):
    placed = lab.checkpoints(README_TRIGGER)
    assert placed["start"][0] == 0
    assert lab.find(text="预算").height >= 1
    marked = lab.mark(6)
    assert 6 in marked["start"].to_list()
    merged = lab.merge(marked["checkpoint_id"][0], marked["checkpoint_id"][1])
    assert merged.height == marked.height - 1
    split = lab.split(merged["checkpoint_id"][0], 3)
    assert split.height == marked.height
    edited = lab.edit(split["checkpoint_id"][0], title="发布会")
    assert edited["title"][0] == "发布会"
    assert lab.checkpoints().equals(edited)


def test_a_checkpoint_tells_which_of_several_dialogues_is_edited():
    names = ("launch_zh", "launch_en")
    lab = hl.Lab(pl.concat([hl.read_all(hl.example(name)).turns for name in names]))
    placed = lab.checkpoints()
    for name in names:
        own = placed.filter(dialogue_id=name)["checkpoint_id"].to_list()
        assert lab.edit(own[0], title=f"{name} begins").row(0, named=True)["title"] == f"{name} begins"
        assert set(lab.merge(own[0], own[1])["dialogue_id"]) == {name}
    with pytest.raises(HydralabError, match="dialogue= is needed"):
        lab.edit("none#0-1", title="x")


def test_hydrate_uses_the_checkpoints_that_were_edited(lab):
    lab.checkpoints(README_TRIGGER)
    first = lab.checkpoints()["checkpoint_id"][0]
    lab.edit(first, title="市场推广预算与目标客户", summary="市场推广预算定为一百万。")
    assert "市场推广预算定为一百万" in lab.hydrate("市场推广预算是多少？", budget=2000).prompt


def test_several_dialogues_need_a_name_and_the_error_lists_their_titles():
    one, two = (hl.read_all(hl.example(name)) for name in ("launch_zh", "launch_en"))
    lab = hl.Lab(hl.Corpus(*(pl.concat([getattr(c, t) for c in (one, two)])
                             for t in ("dialogues", "turns", "questions", "gold", "events"))))  # fmt: skip
    with pytest.raises(HydralabError, match="dialogue= is needed, there are 2 dialogues: '新品发布会"):
        lab.hydrate("预算？")
    assert lab.hydrate("预算？", dialogue="launch_zh", budget=500).dialogue_id == "launch_zh"
    with pytest.raises(HydralabError, match="no dialogue 'launch'; nearest: 'launch_"):
        lab.replay(dialogue="launch")
    assert lab.checkpoints()["dialogue_id"].n_unique() == 2


def test_a_lab_on_turns_alone_needs_no_corpus():
    lab = hl.Lab(hl.read(hl.example("launch_en")))
    assert lab.dialogues["language"].to_list() == ["en"]
    assert lab.hydrate("budget?", budget=300).tokens <= 300


def test_a_lab_on_no_turns_answers_all_the_same():
    lab = hl.Lab(build("turns", []))
    assert lab.checkpoints().height == lab.boundaries().height == lab.signals().height == 0


def test_another_tokenizer_counts_the_turns_again(lab):
    given = hl.tokenizer()
    letters = dataclasses.replace(
        given, name="letters", encode_batch=lambda texts: [[ord(each) for each in text] for text in texts]
    )
    other = hl.Lab(hl.read_all(hl.example("launch_zh")), tokenizer=letters)
    assert other.tokenizer.name == "letters"
    assert other.turns["tokens"].to_list() == other.turns["text"].str.len_chars().to_list()
    assert not other.turns["tokens"].equals(lab.turns["tokens"])


def test_neither_data_nor_a_store_is_an_error():
    with pytest.raises(HydralabError, match="expected a corpus, a turns table, or store="):
        hl.Lab()


def test_a_store_opens_where_it_was_left(tmp_path):
    path = tmp_path / "lab.db"
    with hl.Lab(hl.read_all(hl.example("launch_zh")), store=str(path)) as first:
        first.checkpoints(README_TRIGGER)
        first.edit(first.checkpoints()["checkpoint_id"][0], title="发布会")
        left = first.checkpoints()
    with hl.Lab(store=str(path)) as again:
        assert again.turns.equals(first.turns)
        assert again.questions.equals(first.questions)
        assert again.checkpoints().equals(left)
    with hl.Lab(hl.read_all(hl.example("launch_zh")), store=str(path)) as same:
        assert same.turns.height == 20


def test_a_signal_that_is_given_anew_changes_what_is_decided(lab):
    trigger = (hl.col.mine > 0.8).place(min_turns=2)
    lab.signals(mine=hl.Shift(window=3, lag=1))
    first = lab.hydrate("预算？", strategy=hl.Hydration(trigger))
    lab.signals(mine=hl.Shift(window=1, lag=1))
    again = lab.hydrate("预算？", strategy=hl.Hydration(trigger))
    fresh = hl.Lab(hl.read_all(hl.example("launch_zh")))
    fresh.signals(mine=hl.Shift(window=1, lag=1))
    assert again.messages == fresh.hydrate("预算？", strategy=hl.Hydration(trigger)).messages
    assert first.query == again.query


def test_a_strategy_may_be_given_by_name(lab):
    assert lab.replay("sliding_window", budget=400).strategy == hl.SlidingWindow()
    with pytest.raises(HydralabError, match="unknown strategy 'hydraton'; known: 'hydration'"):
        lab.hydrate("x", strategy="hydraton")


def test_a_mark_is_kept_as_a_manual_boundary():
    lab = hl.Lab(hl.read_all(hl.example("launch_zh")), store="memory")
    lab.checkpoints("every")
    lab.mark(4)
    manual = lab.store.read("boundaries").filter(pl.col("trigger") == "manual")
    assert manual["position"].to_list() == [4]


def test_turns_of_a_dialogue_that_the_corpus_does_not_list_are_refused(lab):
    with pytest.raises(
        HydralabError, match="turns: row 0: dialogue 'launch_zh' is not in the table dialogues"
    ):
        hl.Corpus(turns=lab.turns)


def test_a_list_of_strategies_is_what_compare_takes(lab):
    for wrong in (None, "hydration", 5):
        with pytest.raises(HydralabError, match=r"expected a list such as \[hl.Hydration\(\)\]"):
            lab.compare(wrong)


def test_two_dialogues_of_one_title_are_told_apart_by_their_ids():
    corpus = hl.read_all(hl.example("launch_zh"))
    turns = pl.concat(
        [corpus.turns, corpus.turns.with_columns(dialogue_id=pl.lit("b"), turn_id="b" + pl.col("turn_id"))]
    )
    dialogues = build("dialogues", [{"dialogue_id": name, "title": "预算"} for name in ("launch_zh", "b")])
    lab = hl.Lab(hl.Corpus(dialogues=dialogues, turns=turns))
    with pytest.raises(
        HydralabError, match=r"2 dialogues have the title '预算'; expected .*: 'launch_zh', 'b'"
    ):
        lab.replay(dialogue="预算")
    assert lab.dialogue_id("b") == "b"


def test_the_overview_says_what_helps_to_choose_a_dialogue(lab):
    listed = lab.overview.row(0, named=True)
    assert listed["title"].startswith("新品发布会")
    assert (listed["turns"], listed["tokens"]) == (20, lab.turns["tokens"].sum())
    assert listed["first_time"] == lab.turns["time"].min() < listed["last_time"] == lab.turns["time"].max()


def test_a_dialogue_without_turns_is_in_the_overview_too():
    lab = hl.Lab(hl.Corpus(dialogues=build("dialogues", [{"dialogue_id": "empty"}])))
    assert lab.overview.select("turns", "tokens", "first_time").row(0) == (0, 0, None)


def test_a_turn_that_says_nothing_but_a_tool_call_is_found_by_its_arguments():
    call = '[{"type": "tool_call", "id": "c1", "name": "book_table", "arguments": {"restaurant": "Osteria Lume"}}]'
    rows = [
        ("user", "Somewhere nice tonight, please.", None),
        ("assistant", "", call),
        ("user", "Thanks!", None),
    ]
    turns = [
        {"dialogue_id": "a", "turn_id": f"a:{i}", "position": i, "round": i, "role": role, "text": text,
         "tokens": 1, "parts": parts}
        for i, (role, text, parts) in enumerate(rows)
    ]  # fmt: skip
    lab = hl.Lab(build("turns", turns))
    assert lab.vectors()[1].any()
    assert lab.recall("Which restaurant was it?")["item_id"][0] == "a:1"


def test_a_trigger_that_is_written_anew_under_its_name_is_the_one_that_cuts(lab):
    def cuts_every(turns):
        @hl.trigger(name="mine_anew", lookahead=0, reads=("tokens",))
        def mine_anew(signals):
            return pl.int_range(pl.len()) % turns == 0

        ctx = lab.hydrate("预算？", strategy=hl.Hydration("mine_anew", least=0.0), budget=4000)
        return ctx.frame.filter(pl.col("section") == "checkpoint")["item_id"].sort().to_list()

    assert cuts_every(5) != cuts_every(9)


def test_a_path_in_the_place_of_a_corpus_is_told_how_to_read_it():
    with pytest.raises(HydralabError, match=r"got 'chat.zip', expected .*hl\.Lab\(hl\.read_all\(path\)\)"):
        hl.Lab("chat.zip")


@pytest.mark.parametrize("at", [11, 20, 31])
def test_what_a_turn_says_is_not_seen_before_it(at):
    corpus = hl.read_all(hl.example("long_en"))
    turns = corpus.turns.head(60)
    other = turns.with_columns(
        text=pl.when(pl.col("position") == at).then(pl.lit("By the way, the bees!")).otherwise("text")
    )
    query = "What was decided on the salary?"
    contexts = [hl.Lab(frame).hydrate(query, at=at, budget=1_000) for frame in (turns, other, turns.head(at))]
    assert contexts[0].frame.equals(contexts[1].frame)
    assert contexts[0].prompt == contexts[2].prompt
