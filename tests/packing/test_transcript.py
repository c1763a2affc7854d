"""Turns as prompts take them: the same as a table of the turns so far, at every moment."""

from hypothesis import given
from hypothesis import strategies as st

from hydralab.packing import Transcript, pack

CALL = '[{"type": "tool_call", "id": "c", "name": "clock", "arguments": {}}]'
RESULT = '[{"type": "tool_result", "id": "c", "name": "clock"}]'
TALK = (
    ("system", "Be brief."),
    ("user", "what time is it?", "Ann"),
    ("assistant", ""),
    ("tool", "9:00"),
    ("assistant", "nine"),
    ("user", "thanks", "Bob\nJones"),
    ("system", "Be briefer."),
    ("assistant", "welcome"),
)


def excerpt_of(make_turns, at):
    return Transcript(make_turns(*TALK, parts={2: CALL, 3: RESULT})).before(at)


def test_an_excerpt_packs_like_the_table_of_the_turns_so_far(make_turns):
    turns = make_turns(*TALK, parts={2: CALL, 3: RESULT})
    whole = Transcript(turns)
    for at in [*range(len(TALK) + 1), *range(len(TALK), -1, -1)]:
        one = pack("and now?", whole.before(at), budget=300)
        two = pack("and now?", turns.head(at), budget=300)
        assert one.frame.equals(two.frame)
        assert (one.at, one.tokens, one.messages) == (two.at, two.tokens, two.messages)


def test_speakers_are_written_once_a_second_person_has_spoken(make_turns):
    assert [turn["speaker"] for turn in excerpt_of(make_turns, 5).rows(0)] == [None] * 4
    assert [turn["speaker"] for turn in excerpt_of(make_turns, 6).rows(0)] == [
        "Ann",
        None,
        None,
        None,
        "Bob Jones",
    ]


def test_a_result_that_is_yet_to_come_is_no_part_of_the_unit(make_turns):
    assert [item.item_id for item in excerpt_of(make_turns, 3).unit("d:2")] == ["d:2"]
    assert [item.item_id for item in excerpt_of(make_turns, 5).unit("d:2")] == ["d:2", "d:3"]
    assert excerpt_of(make_turns, 2).unit("d:2") == ()


@given(at=st.integers(0, len(TALK)))
def test_rows_leave_system_turns_apart(at):
    spoken = [line for line in TALK[:at] if line[0] != "system"]
    system = [line[1] for line in TALK[:at] if line[0] == "system"]
    excerpt = Transcript(_turns()).before(at)
    assert [turn["text"] for turn in excerpt.rows(0)] == [line[1] for line in spoken]
    assert excerpt.system == "\n\n".join(system)


def _turns():
    from hydralab.frames import build, number_rounds

    rounds = number_rounds([line[0] for line in TALK], [None] * len(TALK))
    rows = [
        {"dialogue_id": "d", "turn_id": f"d:{i}", "position": i, "round": rounds[i], "role": line[0],
         "text": line[1], "tokens": 3}
        for i, line in enumerate(TALK)
    ]  # fmt: skip
    return build("turns", rows)
