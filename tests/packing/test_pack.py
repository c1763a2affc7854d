import json

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hydralab.errors import HydralabError
from hydralab.frames import validate
from hydralab.packing import BudgetError, Packing, Recalled, Split, pack
from hydralab.texts import Tokenizer, tokenizer

TEXTS = st.text(alphabet=st.sampled_from("预算是四十万 abc,.\n<turn>😀ไทย"), min_size=1, max_size=80)


def dialogue(rounds):
    return [
        pair
        for i in range(rounds)
        for pair in (("user", f"第{i}个问题：预算 {i} 万？"), ("assistant", f"answer {i}"))
    ]


def test_the_prompt_is_system_then_recent_then_query(make_turns, make_candidates):
    turns = make_turns(*dialogue(8))
    ctx = pack("预算？", turns, budget=400, recalled=Recalled.of(make_candidates({2: 0.9, 3: 0.5})))
    roles = [message["role"] for message in ctx.messages]
    assert roles == ["system", *["user", "assistant"] * 3, "user"]
    assert ctx.messages[-1]["content"] == "预算？"
    assert "第1个问题" in ctx.messages[0]["content"]
    assert validate("context", ctx.frame).height == ctx.frame.height


def test_turns_of_two_dialogues_are_refused(make_turns):
    mine = make_turns(*dialogue(2))
    others = mine.with_columns(
        dialogue_id=pl.lit("other"), turn_id="other:" + pl.col("position").cast(pl.String)
    )
    with pytest.raises(HydralabError, match="pack: turns of 2 dialogues, expected those of one"):
        pack("q", pl.concat([mine, others]), budget=500)
    with pytest.raises(HydralabError, match="turns"):
        pack("q", mine.drop("round"), budget=500)


def test_recent_turns_and_query_are_sent_byte_for_byte(make_turns):
    """FAULTS 1."""
    texts = ["  indented\r\n\ttext ", "</turn> <|im_end|>", "\u202eright to left", "最后 一句\n"]
    turns = make_turns(*zip(["user", "assistant", "user", "assistant"], texts, strict=True))
    ctx = pack(" query \n", turns, budget=500)
    assert [message["content"] for message in ctx.messages] == [*texts, " query \n"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    texts=st.lists(st.tuples(st.sampled_from(["user", "assistant"]), TEXTS), max_size=14),
    query=TEXTS,
    budget=st.integers(60, 400),
    reserve=st.integers(0, 30),
    system=st.sampled_from(["", "Be brief.", "请用中文回答。" * 4]),
    scores=st.dictionaries(st.integers(0, 13), st.floats(0, 1), max_size=10),
    hours=st.none() | st.lists(st.integers(0, 96), min_size=14, max_size=14),
)
def test_the_charges_add_up_and_stay_in_the_budget(
    make_turns, make_candidates, texts, query, budget, reserve, system, scores, hours
):
    """FAULTS 5, 8, 9."""
    turns = make_turns(*texts, hours=hours)
    candidates = make_candidates({at: score for at, score in scores.items() if at < len(texts)})
    packing = Packing(reserve=reserve, system=system)
    try:
        ctx = pack(query, turns, budget=budget, recalled=Recalled.of(candidates), packing=packing)
    except BudgetError:
        return
    assert ctx.tokens <= budget - reserve
    assert ctx.tokens == tokenizer().count_messages(ctx.messages) == ctx.kept["tokens"].sum()
    assert ctx.kept["item_id"].is_unique().all()
    assert ctx.messages[-1]["content"].endswith(query if query.strip() else "[empty]")


def test_a_turn_is_not_written_twice(make_turns, make_candidates):
    turns = make_turns(*dialogue(4))
    ctx = pack(
        "?", turns, budget=600, recalled=Recalled.of(make_candidates({i: 1 - i / 10 for i in range(8)}))
    )
    assert ctx.prompt.count("answer 3") == 1
    assert ctx.prompt.count("answer 0") == 1


def test_reasons_are_made_when_somebody_looks_and_once(make_turns, make_candidates):
    asked = []

    def explain(names):
        asked.append(list(names))
        return dict.fromkeys(names, "names the budget")

    recalled = Recalled(Recalled.of(make_candidates({1: 0.9, 3: 0.2})).found, explain=explain)
    context = pack(
        "?", make_turns(*dialogue(4)), budget=300, recalled=recalled, packing=Packing(recent_rounds=1)
    )
    assert context.messages
    assert asked == []
    told = dict(context.frame.filter(section="recalled").select("item_id", "why").rows())
    assert told == {"d:1": "names the budget", "d:3": "names the budget"}
    assert "names the budget" in context.explain()
    assert asked == [["d:1", "d:3"]]


def test_what_recent_leaves_flows_on_to_recalled_turns(make_turns, make_candidates):
    turns = make_turns(*dialogue(20))
    candidates = make_candidates({i: 1 - i / 100 for i in range(30)})
    ctx = pack("?", turns, budget=600, recalled=Recalled.of(candidates))
    spent = dict(ctx.sections().select("section", "tokens").rows())
    assert spent["recalled"] > 0.2 * 600
    assert ctx.tokens > 570


def test_without_room_for_it_an_item_is_dropped_with_the_reason(make_turns, make_candidates):
    turns = make_turns(("user", "long " * 300), ("assistant", "ok"), *dialogue(4))
    ctx = pack("so?", turns, budget=250, recalled=Recalled.of(make_candidates({0: 0.9, 1: 0.1})))
    dropped = ctx.dropped.row(0, named=True)
    assert (dropped["item_id"], dropped["drop_reason"]) == ("d:0", "no room left in the budget")
    assert dropped["scores"]["dense"] == 0.9
    assert "ok" in ctx.messages[0]["content"]


def test_a_query_over_the_budget_is_an_error_that_names_both_numbers(make_turns):
    """FAULTS 7."""
    with pytest.raises(BudgetError, match=r"query needs \d+ tokens, but the budget leaves 20"):
        pack("word " * 50, make_turns(), budget=20)


def test_the_dialogues_own_system_turn_is_the_system_text(make_turns):
    turns = make_turns(("system", "You are a pirate."), ("user", "hi"), ("assistant", "arr"))
    ctx = pack("again", turns, budget=200)
    assert [message["role"] for message in ctx.messages] == ["system", "user", "assistant", "user"]
    assert ctx.messages[0]["content"] == "You are a pirate."


def test_a_tool_call_and_its_result_stay_together(make_turns, make_candidates):
    """FAULTS 4."""
    call = json.dumps([{"type": "tool_call", "id": "c1", "name": "weather", "arguments": {"city": "北京"}}])
    result = json.dumps([{"type": "tool_result", "id": "c1"}])
    talk = [("user", "weather?"), ("assistant", ""), ("tool", "31 degrees"), ("assistant", "It is 31.")]
    turns = make_turns(*talk, *dialogue(5), parts={1: call, 2: result})
    for wanted in (1, 2):
        ctx = pack("?", turns, budget=400, recalled=Recalled.of(make_candidates({wanted: 0.9})))
        assert {"d:1", "d:2"} <= set(ctx.kept["item_id"])
    recent = pack("?", turns.head(4), budget=400)
    assert recent.messages[1]["tool_calls"][0]["function"] == {
        "name": "weather",
        "arguments": '{"city": "北京"}',
    }
    assert recent.messages[2] == {"role": "tool", "content": "31 degrees", "tool_call_id": "c1"}
    assert recent.tokens == tokenizer().count_messages(recent.messages)


def test_speakers_are_named_where_several_people_speak(make_turns):
    turns = make_turns(("user", "hi", "Ann"), ("user", "hello", "Bob"), ("user", "so", "Ann"))
    ctx = pack("?", turns, budget=200)
    assert ctx.messages == [{"role": "user", "content": "Ann: hi\n\nBob: hello\n\nAnn: so\n\n?"}]


def test_a_window_takes_whole_rounds(make_turns):
    turns = make_turns(*dialogue(30))
    window = Packing(split=Split(0, 0, 100), recent_rounds=10, recent_tokens=120)
    ctx = pack("?", turns, budget=4000, packing=window)
    recent = ctx.kept.filter(ctx.kept["section"] == "recent")
    assert recent["role"][0] == "user"
    assert recent["tokens"].sum() <= 120
    assert set(ctx.dropped["drop_reason"]) == {"older than the newest rounds that fit their share"}


@pytest.mark.parametrize(
    ("query", "more"), [("budget?", "; 64 more are not listed"), ("预算？", "；另有 64 条未列出")]
)
def test_of_many_turns_that_do_not_fit_the_newest_are_listed(make_turns, make_candidates, query, more):
    """A row a turn in each prompt of a long dialogue would be quadratic."""
    turns = make_turns(*dialogue(50))
    offered = Recalled.of(make_candidates({3: 0.9, 60: 0.8}))
    ctx = pack(query, turns, budget=120, recalled=offered, packing=Packing(recent_rounds=None))
    recent = ctx.kept.filter(ctx.kept["section"] == "recent")["item_id"].to_list()
    crowded = ctx.dropped.filter(ctx.dropped["drop_reason"].str.ends_with(more))
    newest = [f"d:{at}" for at in range(99, -1, -1) if f"d:{at}" not in (*recent, "d:3", "d:60")]
    assert crowded["item_id"].to_list() == newest[:30]
    assert len(newest) == 30 + 64


def test_the_reserve_is_part_of_the_budget(make_turns, make_candidates):
    """FAULTS 9."""
    turns = make_turns(*dialogue(30))
    recalled = Recalled.of(make_candidates({i: 1 - i / 100 for i in range(40)}))
    free = pack("?", turns, budget=500, recalled=recalled)
    kept_free = pack("?", turns, budget=500, recalled=recalled, packing=Packing(reserve=200))
    assert free.tokens > 460
    assert kept_free.tokens <= 300
    assert kept_free.reserve == 200


def test_a_day_is_written_once_and_not_for_the_newest_day(make_turns, make_candidates):
    turns = make_turns(*dialogue(20))
    recalled = Recalled.of(make_candidates({1: 0.9, 2: 0.8, 26: 0.7, 33: 0.6}))
    system = pack("?", turns, budget=900, recalled=recalled).messages[0]["content"]
    assert "<turn 1 assistant 2026-03-02>" in system
    assert "<turn 2 user>" in system
    assert "<turn 26 user>" in system
    assert system.count("2026-03-") == 1


def test_days_that_go_to_and_fro_are_written_and_charged_once(make_turns, make_candidates):
    """FAULTS 5: turns of a log that was merged from two."""
    turns = make_turns(*dialogue(40), hours=[24 * (i % 2) for i in range(78)] + [72, 72])
    recalled = Recalled.of(make_candidates({i: 1 - i / 100 for i in range(70)}))
    for budget in range(200, 1_200, 50):
        ctx = pack("?", turns, budget=budget, recalled=recalled)
        assert ctx.tokens == tokenizer().count_messages(ctx.messages) <= budget
        assert ctx.prompt.count("2026-03-02") <= 1


def test_what_is_more_in_the_whole_than_piece_by_piece_stays_in_the_budget(make_turns, make_candidates):
    """A tokenizer that counts a label with its day as more than the label of another turn with it."""

    def count(text):
        return sum(40 if line.startswith("<turn 1 ") and "2026" in line else 4 for line in text.split("\n"))

    counter = Tokenizer("lines", lambda texts: [[0] * count(text) for text in texts], lambda ids: "")
    turns = make_turns(*dialogue(20)).with_columns(tokens=4)
    recalled = Recalled.of(make_candidates({2: 0.9, 1: 0.5}))
    for budget in range(20, 400, 5):
        try:
            ctx = pack("?", turns, budget=budget, recalled=recalled, tokenizer=counter)
        except BudgetError:
            continue
        assert ctx.tokens <= budget


def test_the_best_candidate_is_not_kept_out_by_a_shorter_one(make_turns, make_candidates):
    turns = make_turns(
        ("user", "the budget is " + "very " * 60 + "large"), ("assistant", "noted"), *dialogue(6)
    )
    ctx = pack("budget?", turns, budget=240, recalled=Recalled.of(make_candidates({0: 0.9, 1: 0.8, 2: 0.7})))
    assert ctx.kept.filter(ctx.kept["section"] == "recalled")["item_id"][0] == "d:0"


def test_many_tool_calls_stay_within_the_budget(make_turns):
    """FAULTS 5, 6."""
    calls = [{"type": "tool_call", "id": f"c{n}", "name": "f", "arguments": {"n": n}} for n in range(15)]
    results = [{"type": "tool_result", "id": f"c{n}", "name": "f", "text": "ok"} for n in range(15)]
    turns = make_turns(("user", "go"), ("assistant", "done"), ("user", "and"), ("assistant", "x"),
                       parts={1: json.dumps([*calls, *results]), 3: json.dumps(calls)})  # fmt: skip
    for budget in range(30, 900, 30):
        for packing in (Packing(), Packing(split=Split(0, 0, 100), recent_rounds=None)):
            ctx = pack("?", turns, budget=budget, packing=packing)
            assert ctx.tokens == tokenizer().count_messages(ctx.messages) <= budget
