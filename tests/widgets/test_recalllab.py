import gc
import json
import weakref

import pytest
from ipywidgets.widgets.widget import _instances as live_widgets

from hydralab.errors import HydralabError
from hydralab.widgets import RecallLab
from hydralab.widgets.sliders import Sliders
from tests.widgets.conftest import unpacked


@pytest.fixture
def widget(lab):
    made = RecallLab(lab, budget=600)
    yield made
    made.close()


def edit(widget, **change):
    """Let the widget take an edit as if the browser had sent it."""
    widget.set_state({"_edit": {**change, "serial": widget._edit.get("serial", 0) + 1}})


def test_it_hands_back_what_is_shown(widget, lab):
    edit(widget, query="员工福利有什么更新？", at=None)
    assert widget.query == "员工福利有什么更新？"
    assert widget.context.query == widget.query
    assert widget.candidates.height == len(widget._result["candidates"])
    made = lab.hydrate(widget.query, budget=600)
    assert made.prompt == widget.context.prompt


def test_a_slider_changes_candidates_and_prompt(widget):
    before = [row["id"] for row in widget._result["candidates"]]
    edit(widget, sliders={**Sliders.named("default").to_json(), "blend": "", "weights": {"recency": 1}})
    assert [row["id"] for row in widget._result["candidates"]] != before
    edit(widget, sliders=Sliders.named("lexical", budget=200).to_json())
    assert widget.context.budget == 200


@pytest.mark.parametrize(
    "change",
    [{"sliders": {}}, {"question": "q99"}, {"dialogue_id": "nobody"}, {"query": "x", "at": "soon"}],
)
def test_a_wrong_edit_is_told_and_breaks_nothing(widget, change):
    before = widget._result
    edit(widget, **change)
    assert widget.error
    assert widget._result == before
    edit(widget, question="launch_zh:q02")
    assert (widget.error, widget._result["question"]) == ("", "launch_zh:q02")


def test_the_query_can_be_set_from_python(widget):
    widget.query = "客户是谁？"
    assert widget._result["query"] == "客户是谁？"
    assert widget._result["question"] == ""


def test_close_frees_every_widget_and_the_lab(lab):
    """FAULTS 35, 44."""
    before = len(live_widgets)
    made = RecallLab(lab)
    controller = weakref.ref(made._recalling)
    made.close()
    gc.collect()
    assert len(live_widgets) == before
    assert controller() is None
    assert (made.strategy, made.context, made.candidates) == (None, None, None)


def test_the_saved_notebook_has_tables_and_a_line_of_text(widget, lab):
    """FAULTS 36, 46."""
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"] == "RecallLab(新品发布会筹备与员工福利, '之前提到的市场推广预算是多少？')"
    assert "◆ gold evidence: turn 3" in data["text/html"]
    assert len(data["text/html"].encode()) < 50_000
    other = RecallLab(lab, budget=600)
    assert other._repr_mimebundle_()[0]["text/html"] == data["text/html"]
    other.close()


def test_a_page_holds_the_gold_questions_and_what_else_is_asked(widget, lab, tmp_path):
    """FAULTS 45."""
    page = widget.to_html(tmp_path / "recall.html", queries=["预算"], blends=["lexical"])
    told = unpacked(page)
    asked = lab.questions["question_id"].to_list()
    assert set(told["told"]) == {
        f"{blend}\n{key}" for blend in ("default", "lexical") for key in (*asked, "预算")
    }
    assert told["missing"] == 0
    first = told["told"][told["first"]]
    assert first["candidates"] == json.loads(json.dumps(widget._result["candidates"]))
    assert first["messages"][-1]["text"].endswith(widget.query)
    assert "之前提到的市场推广预算是多少" in page.read_text(encoding="utf-8").split("<noscript>")[1]


def test_a_page_of_a_typed_query_opens_on_it_and_none_is_written_once_closed(widget, tmp_path):
    widget.query = "推广的日期"
    told = unpacked(widget.to_html(tmp_path / "recall.html", questions=0))
    assert [words for _, words in told["queries"]] == ["推广的日期"]
    widget.close()
    with pytest.raises(HydralabError, match="it is closed"):
        widget.to_html(tmp_path / "recall.html")
