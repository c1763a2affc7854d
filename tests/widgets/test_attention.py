import gc
import json
import weakref
from pathlib import Path
from time import perf_counter

import nbformat
import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances as live_widgets
from nbclient import NotebookClient

from hydralab.errors import HydralabError
from hydralab.widgets import AttentionExplorer
from tests.plots.attentions import ANSWERS, attention
from tests.widgets.conftest import unpacked

TEXTS = [
    "the launch is in autumn",
    "市场推广 预算 是 48.6 万元",
    "<b>staff</b> <script>benefits</script> come next",
]
EFFECTS = [0.1, 6.5, -0.2]
MOST_BYTES = 1_000_000
MOST_PICTURE = 50_000
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def widget():
    made = AttentionExplorer(attention(TEXTS, effects=EFFECTS))
    yield made
    made.close()


def size(widget):
    """Bytes of what a notebook keeps of a widget: its state, and the still picture beside."""
    state = {name: value for name, value in widget.get_state().items() if name not in ("_esm", "_css")}
    data, _ = widget._repr_mimebundle_()
    return len(json.dumps(state, default=str, ensure_ascii=False).encode()) + len(data["text/html"].encode())


def test_it_opens_at_the_item_whose_leaving_out_costs_most(widget):
    assert widget.item == "a:1"
    assert "".join(widget._result["sides"][0]["text"]["pieces"]) == TEXTS[1]


def test_it_hands_back_the_table_that_is_shown(widget):
    found = attention(TEXTS, effects=EFFECTS)
    widget.layer, widget.head = 2, 1
    assert widget.frame.equals(found.measures(layers=2, heads=1))
    assert widget._result["sides"][0]["values"] == [
        None if value is None else pytest.approx(value, rel=1e-3) for value in widget.frame["lift"]
    ]
    widget.word = 2
    assert widget.frame.equals(found.measures(layers=2, heads=1, rows=[2, 3, 4, 5]))


def test_another_item_shows_its_text_and_how_strongly_each_token_was_looked_at(widget):
    widget.item = "a:2"
    text = widget._result["sides"][0]["text"]
    assert "".join(text["pieces"]) == TEXTS[2]
    assert len(text["heat"]) == len(text["times"]) == len(text["pieces"])
    assert all(0 <= heat <= 100 for heat in text["heat"])


@pytest.mark.parametrize(
    "change", [{"measure": "lfit"}, {"layer": 3}, {"head": -2}, {"word": 9}, {"item": "b:1"}]
)
def test_what_there_is_not_is_told_and_breaks_nothing(widget, change):
    before, (name, value) = widget._result, *change.items()
    kept = getattr(widget, name)
    widget.set_state({name: value})
    assert str(value) in widget.error
    assert (widget._result, getattr(widget, name)) == (before, kept)
    widget.layer = 1
    assert (widget.error, widget._result["pick"]["layer"]) == ("", 1)


def test_two_contexts_of_one_query_are_shown_together():
    with_it = attention(TEXTS, effects=EFFECTS)
    without = attention([TEXTS[0], TEXTS[2]], effects=[0.5, 0.1])
    made = AttentionExplorer(with_it, without, names=("with", "without"))
    assert made.frame["side"].unique(maintain_order=True).to_list() == ["with", "without"]
    made.item = "a:1"
    assert "".join(made._result["sides"][1]["text"]["pieces"]) == TEXTS[2]
    assert [side["name"] for side in made._overview["sides"]] == ["with", "without"]
    assert made._result["scale"]["leave_one_out"] == [-0.2, 6.5]
    first, second = (
        {item["key"]: item["colour"] for item in side["items"]} for side in made._overview["sides"]
    )
    assert second["a:0"] == first["a:0"]
    made.close()


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (attention(TEXTS, query="And the date?"), "the contexts are of two queries"),
        (attention(TEXTS, layers=4), "expected the same model"),
        ("no result", "got str, expected what hl.attend returns"),
    ],
)
def test_what_can_t_be_compared_is_refused(other, said):
    with pytest.raises(HydralabError, match=said):
        AttentionExplorer(attention(TEXTS), other)


def test_8000_tokens_and_200_items_stay_under_a_megabyte_and_answer_at_once():
    rng = np.random.default_rng(0)
    words = np.array(["budget", "预算", "launch", "发布会", "benefits", "Wednesday"])
    texts = [" ".join(rng.choice(words, 40)) for _ in range(198)]
    large = attention(texts, answer=[" 预算"] * 64, layers=30, heads=9, effects=rng.normal(size=198).tolist())
    assert len(large.layout.ids) > 7_900
    assert large.context.kept.height == 200
    made = AttentionExplorer(large, large)
    assert size(made) < MOST_BYTES
    assert len(made._repr_mimebundle_()[0]["text/html"].encode()) < MOST_PICTURE
    start = perf_counter()
    made.layer = 12
    assert perf_counter() - start < 1.5
    made.close()


def test_one_item_of_20_000_tokens_is_cut_and_says_so():
    made = AttentionExplorer(attention(["word " * 20_000, "short"]))
    made.item = "a:0"
    assert made._result["sides"][0]["text"]["cut"] == 17_000
    assert size(made) < MOST_BYTES
    made.close()


def test_the_saved_notebook_has_the_answer_the_bars_and_a_line_of_text(widget):
    """FAULTS 36, 45."""
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"] == "AttentionExplorer(drawn, 'What was the budget?')"
    picture = data["text/html"]
    assert "+6.5" in picture
    assert "rank correlation with leave one out" in picture
    assert "http" not in picture
    assert len(picture.encode()) < MOST_PICTURE
    again = AttentionExplorer(attention(TEXTS, effects=EFFECTS))
    assert again._repr_mimebundle_()[0]["text/html"] == picture
    again.close()


def test_texts_are_escaped_in_the_picture(widget):
    widget.item = "a:2"
    picture = widget._repr_mimebundle_()[0]["text/html"]
    assert "<script" not in picture
    assert "&lt;script&gt;benefits" in picture


def test_without_the_control_and_in_chinese():
    made = AttentionExplorer(attention(TEXTS, answer=ANSWERS["zh"]))
    assert [side["words"] for side in made._overview["sides"]] == [["预", "算", "是", " 48.6", "万"]]
    assert not made._result["sides"][0]["agreement"]["tried"]
    assert "leaving items out was not tried" in made._repr_mimebundle_()[0]["text/html"]
    made.close()


def test_close_frees_every_widget_and_the_attention():
    """FAULTS 35, 44."""
    before = len(live_widgets)
    made = AttentionExplorer(attention(TEXTS))
    held = weakref.ref(made._exploring)
    made.close()
    gc.collect()
    assert (len(live_widgets), held(), made.frame) == (before, None, None)
    assert repr(made) == "AttentionExplorer(closed)"


@pytest.mark.notebook
@pytest.mark.slow
def test_a_cell_run_twenty_times_has_as_many_live_widgets_as_run_once():
    """FAULTS 35, 44."""
    cells = [
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom tests.plots.attentions import attention\n"
        "from ipywidgets.widgets.widget import _instances\nimport hydralab as hl\nfound = attention(['one', 'two'])",
        "hl.widgets.AttentionExplorer(found)",
        "len(_instances)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in cells])
    client = NotebookClient(notebook, timeout=120, kernel_name="python3")
    with client.setup_kernel():
        client.execute_cell(notebook.cells[0], 0)
        counts = []
        for _ in range(20):
            for index in (1, 2):
                client.execute_cell(notebook.cells[index], index)
            counts.append(notebook.cells[2].outputs[0]["data"]["text/plain"])
    assert counts == ["2"] * 20


def test_a_page_holds_measures_and_shades_of_each_layer_head_and_word(widget, tmp_path):
    """FAULTS 45."""
    told = unpacked(widget.to_html(tmp_path / "attention.html"))
    layers, heads = told["overview"]["layers"], told["overview"]["heads"]
    assert len(told["texts"]) == (layers + 1) * (heads + 1)
    for pick in ({"layer": 2, "head": 1}, {"layer": 0}, {"word": 1}):
        widget.set_trait("layer", -1)
        for name, value in {"head": -1, "word": -1, "item": "a:2", **pick}.items():
            setattr(widget, name, value)
        now = widget._result["sides"][0]
        key = f"{widget.layer} {widget.head}"
        held = told["measures"][f"{key} {widget.word}"][widget.measure]
        assert held["sides"][0]["values"] == now["values"]
        assert held["scale"] == widget._result["scale"]
        looked = told["texts"][key][0]
        assert looked["looked"] == now["looked"]
        assert {**looked["texts"]["a:2"], "pieces": told["pieces"][0]["a:2"]} == json.loads(
            json.dumps(now["text"])
        )


def test_a_page_shows_a_picture_without_scripts_and_none_is_written_once_closed(widget, tmp_path):
    page = widget.to_html(tmp_path / "attention.html").read_text(encoding="utf-8")
    assert "turn 1" in page.split("<noscript>")[1].split("</noscript>")[0]
    assert "<script>benefits" not in page
    widget.close()
    with pytest.raises(HydralabError, match="it is closed"):
        widget.to_html(tmp_path / "attention.html")
