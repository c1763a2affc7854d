import pytest

from hydralab.checkpoints import Extraction
from hydralab.checkpoints.content import extract_content, prompt_text
from hydralab.errors import HydralabError
from hydralab.texts import language, tokenizer

LAUNCH = (
    "新品发布会怎么排？市场推广预算是 48.6 万元。",
    "建议新品发布会定在 5 月 12 日，目标客户是新手父母。",
    "那发布会就定在 5 月 12 日。",
    "好的，我去联系场地。",
)


@pytest.fixture
def content(make_turns):
    def make(*said, **limits):
        return extract_content(make_turns(*said), tokenizer(), Extraction(**limits))

    return make


def test_a_chinese_span_reads_as_chinese(content):
    found = content(*LAUNCH)
    assert "发布会" in found["title"]
    assert "：" in found["title"]
    assert language(found["summary"]) == "zh"
    assert {"type": "money", "text": "48.6 万元"} in found["entities"]
    assert found["decisions"] == ["那发布会就定在 5 月 12 日。"]
    assert found["open_tasks"] == ["好的，我去联系场地。"]


def test_the_summary_keeps_the_order_and_the_words_of_the_dialogue(content):
    said = [
        "The kiln draws 8 kW.",
        "Pruett agreed on 3 May.",
        "The lease runs three years.",
        "Rent is 640 euros.",
    ]
    summary = content(*said, summary_tokens=40, summary_share=1.0)["summary"]
    places = [" ".join(said).find(sentence) for sentence in summary.split(". ")]
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.parametrize("limit", [1, 5, 20, 60, 128])
def test_the_summary_stays_under_its_limit(content, limit):
    counted = tokenizer()
    for said in (LAUNCH * 3, ("The landlord signed the lease for the pottery studio, " * 30,)):
        found = content(*said, summary_tokens=limit)
        assert counted.count(found["summary"]) <= limit
        assert found["tokens"] == counted.count(prompt_text(found["title"], found["summary"]))


def test_the_same_is_not_said_twice(content):
    found = content(*["The budget is 84,500 euros."] * 8, "Pre-orders open in September.", summary_tokens=20)
    assert found["summary"].count("84,500") == 1


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (("What colour?", "Oak or quartz.", "We decided on oak.", "Fine."), "decision"),
        (("We decided on oak.", "Fine.", "And the tiles?", "In stock."), "topic"),
        (("Did it work?", "Run it again.", "I've fixed it and deployed it.", "Nice."), "task"),
    ],
)
def test_the_last_round_tells_the_kind(content, said, kind):
    assert content(*said)["kind"] == kind


def test_a_promise_kept_is_no_open_task(content):
    kept = content("I'll send the contract to Pruett.", "Good.", "I've sent the contract.")
    assert kept["open_tasks"] == []
    assert content("I'll send the contract to Pruett.", "Good.")["open_tasks"]


def test_speakers_are_named_where_several_people_talk(content):
    said = [
        ("user", "The kiln draws eight kilowatts.", "Ann"),
        ("user", "The landlord signed the letter.", "Bob"),
    ]
    assert (
        content(*said)["summary"]
        == "Ann: The kiln draws eight kilowatts. Bob: The landlord signed the letter."
    )


@pytest.mark.parametrize(
    "said",
    ["```python\nx = 1\n```", "https://example.org/report", "| a | b |\n|---|---|\n| 1 | 2 |", "", "🙂"],
)
def test_code_links_and_tables_make_no_title(content, said):
    title = content(said)["title"]
    assert title
    assert title not in said or not said
    assert "example" not in title


def test_tool_output_counts_where_nobody_speaks(content):
    spoken = content(("user", "Is the kiln allowed?"), ("tool", "database dump of tariffs"))
    assert "tariffs" not in spoken["summary"]
    assert "tariffs" in content(("tool", "database dump of tariffs"))["summary"]


@pytest.mark.parametrize("limits", [{"summary_tokens": 0}, {"summary_share": 0.0}, {"keywords": 0}])
def test_limits_that_no_checkpoint_can_have_are_refused(limits):
    with pytest.raises(HydralabError, match="expected at least 1"):
        Extraction(**limits)
