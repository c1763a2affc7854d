"""Replies of chat models that were asked for a checkpoint: some written by hand, many made of them by a seed."""

import json
import random
import re
from pathlib import Path

GOOD = (
    {
        "title": "Launch budget and date",
        "summary": "The marketing budget is 84,500 euros. The launch is on 13 May in Hamburg.",
        "keywords": ["budget", "launch", "Hamburg"],
        "entities": [{"type": "money", "text": "84,500 euros"}, {"type": "place", "text": "Hamburg"}],
        "decisions": ["The launch is on 13 May."],
        "open_tasks": ["Ann books the hall."],
    },
    {
        "title": "新品发布会：预算与日期",
        "summary": "市场推广预算四十万元，发布会定在五月十三日，地点在上海。",
        "keywords": ["预算", "发布会", "上海"],
        "entities": [{"type": "money", "text": "四十万元"}, {"type": "place", "text": "上海"}],
        "decisions": ["发布会定在五月十三日。"],
        "open_tasks": ["李雷联系场地。"],
    },
    {
        "title": 'The "quiet" mode, {braces} and [brackets]',
        "summary": 'Users asked for a "quiet" mode; see {config.yaml}.\nPath C:\\temp\\new, 50 % done.',
        "keywords": ["quiet mode"],
        "entities": [{"type": "product", "text": "CN-A10293"}],
        "decisions": [],
        "open_tasks": [],
    },
    {
        "title": "👩‍👩‍👧 plans",
        "summary": "They fly to Oslo on Friday 🎉; שלום was said.",
        "keywords": [],
        "entities": [],
        "decisions": [],
        "open_tasks": ["Buy the tickets"],
    },
)

ODD = (
    "",
    "   \n",
    "null",
    "[]",
    "{}",
    "{",
    "}{",
    "[[[[[[",
    "true",
    "42",
    '"just a text"',
    "I'm sorry, but I can't help with that.",
    "抱歉，我无法处理这个请求。",
    "The user talked about the budget. Then they decided to launch in May.",
    '{"error": "overloaded"}',
    '{"title": null, "summary": null}',
    '{"title": "", "summary": ""}',
    '{"title": NaN, "summary": NaN, "keywords": NaN}',
    '{"summary": {"facts": ["84,500 euros"], "decisions": ["13 May"]}}',
    '{"summary": ["One.", "Two."], "title": ["A", "B"]}',
    '{"title": "T", "summary": 42}',
    '{"title": "T", "summary": "S", "keywords": "budget, launch、date", "decisions": "none"}',
    '{"title": "T", "summary": "S", "entities": ["Ann", "Hamburg"]}',
    '{"title": "T", "summary": "S", "entities": {"person": ["Ann"], "地点": ["上海"]}}',
    '{"title": "T", "summary": "S", "entities": [{"name": "Ann", "label": "PERSON"}, {"type": "x"}, 3, null]}',
    '{"title": "T", "summary": "S", "open_tasks": [{"task": "call", "owner": "Ann"}], "extra": [1, 2]}',
    '{"checkpoint": {"title": "T", "summary": "nested"}}',
    '[{"title": "T", "summary": "in a list"}]',
    '{"标题": "发布会", "摘要": "预算四十万元。", "关键词": "预算、日期"}',
    '{"Title": "T", "SUMMARY": "upper case"}',
    "title: T\nsummary: no JSON at all",
    "<checkpoint><title>T</title></checkpoint>",
    '\x00\ufeff{"title": "T", "summary": "behind a mark"}',
    '{"title": "T", "summary": "half a pair \ud83d"}',
    '{"title": "T", "summary": "half a pair \\ud83d escaped"}',
    '{"title": "T", "summary": "deep", "keywords": ' + "[" * 3000 + "]" * 3000 + "}",
)

RECORDED = tuple(json.loads(Path(__file__).with_name("recorded.json").read_text("utf-8")))
"""What SmolLM2 (135 million parameters) answered to the prompt: none of it JSON."""


def fenced(text, chance):
    return f"```{chance.choice(['json', 'JSON', ''])}\n{text}\n```"


def in_prose(text, chance):
    before = chance.choice(["Here is the JSON you asked for:\n", "好的，结果如下：", "Sure {as requested}: "])
    return f"{before}{text}{chance.choice(['', chr(10) + 'Let me know if it helps!', ' 希望有帮助。'])}"


def thought_about(text, _chance):
    return f'<think>The user wants {{"title": "no, wrong"}}…</think>\n{text}'


def twice(text, chance):
    other = json.dumps({"note": chance.choice(["draft", "草稿"])}, ensure_ascii=False)
    return chance.choice([f"{text}\n{text}", f"{other}\n{text}", f"{text}\n{other}"])


def trailing_commas(text, _chance):
    return re.sub(r'(["\]}])([\]}])', r"\1,\2", text)


def with_nan(text, _chance):
    return text.replace("{", '{"confidence": NaN, ', 1)


def half_a_pair(text, chance):
    at = text.index('"summary": "') + len('"summary": "')
    return text[:at] + chance.choice(["\ud83d", "\\ud83d"]) + text[at:]


def in_single_quotes(text, _chance):
    return text.replace('"', "'")


def as_python(text, _chance):
    return repr(json.loads(text)).replace("[]", "None")


def without_quotes_on_keys(text, _chance):
    for key in ("title", "summary", "keywords", "entities", "decisions", "open_tasks"):
        text = text.replace(f'"{key}":', f"{key}:")
    return text


def escaped(text, _chance):
    return json.dumps(json.loads(text), ensure_ascii=True)


def with_comments(text, _chance):
    return text.replace("{", "{ // the checkpoint\n", 1)


def with_raw_newlines(text, _chance):
    return json.dumps(json.loads(text), ensure_ascii=False, indent=2).replace(". ", ".\n")


def without_commas(text, _chance):
    return text.replace('", "', '" "', 1)


def cut_off(text, chance):
    return text[: chance.randrange(len(text))]


def fenced_and_cut_off(text, chance):
    return "```json\n" + cut_off(text, chance)


def damaged(text, chance):
    at = chance.randrange(len(text))
    return text[:at] + chance.choice(["", '"', "{", "]", ",", "\\", "}", "\n"]) + text[at + 1 :]


MENDABLE = (
    fenced,
    in_prose,
    thought_about,
    twice,
    trailing_commas,
    with_nan,
    half_a_pair,
    as_python,
    without_quotes_on_keys,
    escaped,
    with_comments,
    with_raw_newlines,
    without_commas,
)
"""After these all is there: title and summary must come through."""

HARMFUL = (in_single_quotes, cut_off, fenced_and_cut_off, damaged)


def corpus(seed=5, rounds=4):
    """Return (how it was made, reply) pairs: those written by hand, and several hundred made of the good ones."""
    chance = random.Random(seed)
    made = [("good", json.dumps(each, ensure_ascii=False)) for each in GOOD]
    made += [("odd", each) for each in (*ODD, *RECORDED)]
    for _ in range(rounds):
        for each in GOOD:
            text = json.dumps(each, ensure_ascii=False)
            for change in (*MENDABLE, *HARMFUL, *HARMFUL):
                made.append((change.__name__, change(text, chance)))
    return made
