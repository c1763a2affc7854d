import gc
import weakref

import pytest
from ipywidgets.widgets.widget import _instances as live_widgets

from hydralab.widgets import Stepper

VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def stepper(run):
    widget = Stepper(run, at=14)
    yield widget
    widget.close()


def received(widget, **message):
    """Let the widget handle a message as if the browser had sent it, and return its answers."""
    sent = []
    widget.send = lambda content, buffers=None: sent.append(content)
    widget._handle_custom_msg(message, [])
    del widget.send
    return sent


def test_it_hands_back_the_context_that_is_shown(stepper, run):
    assert stepper.context.frame.equals(run.step(14).frame)
    stepper.position = 16
    assert stepper.context.at == 16
    assert stepper._moment["position"] == 16


def test_it_opens_where_the_first_gold_question_was_asked(run):
    opened = Stepper(run)
    assert opened.position == run.questions["asked_at"].min()
    opened.close()


def test_it_opens_at_a_gold_question_by_its_id(run):
    opened = Stepper(run, at="launch_zh:q02")
    assert (opened.position, opened.context.query_id) == (16, "launch_zh:q02")
    opened.close()


def test_a_position_past_the_end_becomes_the_end(stepper):
    stepper.position = 1_000
    assert stepper.position == 19


def test_a_question_moves_to_where_it_was_asked(stepper):
    stepper.question = "launch_zh:q02"
    assert stepper.position == 16
    assert stepper.context.query_id == "launch_zh:q02"


def test_an_error_is_shown_and_leaves_the_place_as_it_was(stepper):
    stepper.question = "q99"
    assert stepper.error.startswith("no question 'q99' in this run")
    assert (stepper.position, stepper.question) == (14, "")
    stepper.position = 15
    assert stepper.error == ""


def test_it_answers_what_the_view_asks_by_the_number_of_the_question(stepper):
    (answer,) = received(stepper, ask="block", id=3, number=0)
    assert (answer["id"], len(answer["rows"])) == (3, 20)
    for name in ("prompt", "diff", "misses"):
        (answer,) = received(stepper, ask=name, id=name)
        assert answer["id"] == name
        assert len(answer) > 1
    (answer,) = received(stepper, ask="search", id=4, text="预算")
    assert answer["found"][0] in range(20)


@pytest.mark.parametrize(
    "wrong", [{"ask": "nonsense"}, {"ask": "block"}, {"ask": "block", "number": "x"}, {}]
)
def test_what_it_cant_answer_is_answered_by_an_error_that_is_shown(stepper, wrong):
    (answer,) = received(stepper, id=7, **wrong)
    assert answer == {"id": 7, "error": stepper.error}
    assert stepper.error


def test_an_answer_leaves_the_error_of_something_else_in_view(stepper):
    stepper.question = "q99"
    received(stepper, ask="block", id=1, number=0)
    assert stepper.error.startswith("no question 'q99'")


def test_close_frees_every_widget_and_the_run(run):
    """FAULTS 35, 44."""
    before = len(live_widgets)
    widget = Stepper(run)
    controller = weakref.ref(widget._stepping)
    assert len(live_widgets) > before
    widget.close()
    widget.close()
    gc.collect()
    assert len(live_widgets) == before
    assert controller() is None
    assert widget.context is None


def test_the_saved_notebook_has_a_picture_and_a_line_of_text(stepper):
    """FAULTS 36."""
    data, _ = stepper._repr_mimebundle_()
    assert set(data) == {VIEW, "text/html", "text/plain"}
    assert data["text/plain"] == "Stepper(新品发布会筹备与员工福利, hydration, turn 14 of 20)"
    assert "之前提到的市场推广预算是多少" in data["text/html"]
    assert "data:image/png;base64," in data["text/html"]
    assert len(data["text/html"].encode()) < 50_000


def test_the_picture_is_the_same_every_time_and_holds_no_id(stepper, run):
    """FAULTS 36."""
    other = Stepper(run, at=14)
    one, two = stepper._repr_mimebundle_()[0], other._repr_mimebundle_()[0]
    assert one["text/html"] == two["text/html"]
    assert stepper.model_id not in one["text/html"]
    assert "0x" not in repr(stepper)
    other.close()


def test_nothing_is_loaded_from_elsewhere(stepper):
    """FAULTS 45."""
    shipped = stepper._esm + stepper._css + stepper._repr_mimebundle_()[0]["text/html"]
    plain = shipped.replace("http://www.w3.org/2000/svg", "")
    for word in ("http://", "https://", "//cdn", "require(", "import(", "@import", "innerHTML"):
        assert word not in plain
