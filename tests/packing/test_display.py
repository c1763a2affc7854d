from html.parser import HTMLParser

from hydralab.packing import Recalled, pack
from hydralab.packing.display import context_html

ALLOWED = {
    "style",
    "div",
    "span",
    "b",
    "i",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "details",
    "summary",
    "pre",
}


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.names, self.attributes = set(), set()

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}


def context(make_turns, make_candidates, text):
    turns = make_turns(
        ("user", text, f"{text}A"), ("assistant", text), *[("user", "q", "B"), ("assistant", "a")] * 4
    )
    return pack(text, turns, budget=900, recalled=Recalled.of(make_candidates({0: 0.9, 1: 0.2})), title=text)


def test_all_text_is_escaped(make_turns, make_candidates):
    hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"
    html = context(make_turns, make_candidates, hostile)._repr_mimebundle_()["text/html"]
    tags = Tags()
    tags.feed(html)
    assert tags.names <= ALLOWED
    assert not {name for name in tags.attributes if name.startswith("on")}
    assert "src=" not in html.replace("src=x", "")


def test_a_context_shows_tokens_sections_scores_and_reasons(make_turns, make_candidates):
    bundle = context(make_turns, make_candidates, "预算是多少？")._repr_mimebundle_()
    assert "/ 900 tokens" in bundle["text/plain"]
    for part in ("recalled", "recent", "dense", "0.90", "free"):
        assert part in bundle["text/html"]


def test_a_long_context_stays_small(make_turns):
    """FAULTS 46."""
    turns = make_turns(*[("user", "word " * 200), ("assistant", "ok")] * 200)
    bundle = pack("?", turns, budget=100_000)._repr_mimebundle_()
    assert len(bundle["text/html"]) < 50_000


def test_two_renderings_are_the_same_and_carry_no_address(make_turns, make_candidates):
    one, two = (context(make_turns, make_candidates, "嗯") for _ in range(2))
    assert one._repr_mimebundle_() == two._repr_mimebundle_()
    assert " at 0x" not in repr(one)


def test_the_table_outweighs_the_style_that_jupyter_gives_every_table(make_turns, make_candidates):
    html = context_html(context(make_turns, make_candidates, "hello"))
    assert "table-layout:auto" in html
    assert ".hl-context.hl-context table td{text-align:left" in html
