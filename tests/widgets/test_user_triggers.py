import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.widgets.user_triggers import run_source, save_module

FUNCTION = """
@hl.trigger(lookahead=0, reads=("tokens",))
def long_winded(signals, *, least=40):
    return pl.col("tokens") > least
"""
SEGMENTER = """
import math
@hl.segmenter(lookahead=0, vectors=False)
def squares(turns, vectors):
    return [n * n for n in range(2, math.isqrt(turns.height - 1) + 1)]
"""


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (FUNCTION, "hl.get_trigger('long_winded')"),
        (FUNCTION + "(long_winded & hl.cue('另外')).place(min_turns=3)", None),
        (SEGMENTER, "hl.get_trigger('squares')"),
        ("mine = hl.col.shift > 0.5", "hl.col.shift > 0.5"),
    ],
)
def test_python_makes_a_trigger(source, text, lab):
    made = run_source(source)
    assert repr(made) == (text or "(hl.get_trigger('long_winded') & hl.cue('另外')).place(min_turns=3)")
    assert lab.boundaries(made)["position"].min() > 0


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def f(:", "line 1: "),
        ("x = 1\ny = x / 0", "line 2: ZeroDivisionError"),
        ("x = 1", "it makes no trigger"),
        ("", "it makes no trigger"),
        ("hl.col.shift", "it makes no trigger"),
        ("@hl.trigger\ndef f(signals, *, least):\n    return None", "parameter 'least' has no default"),
    ],
)
def test_what_makes_none_is_told_with_the_line(source, told):
    with pytest.raises(HydralabError, match=told):
        run_source(source)


def test_a_trigger_is_written_as_a_module_with_its_functions_and_never_over_another_file(tmp_path):
    trigger = run_source(FUNCTION).place(min_turns=3)
    path = save_module(repr(trigger), tmp_path / "my_trigger.py", FUNCTION)
    space = {"__name__": "my_trigger"}
    exec(compile(path.read_text(encoding="utf-8"), path, "exec"), space)
    assert space["trigger"] == trigger
    assert space["long_winded"] == hl.get_trigger("long_winded")
    save_module("hl.col.shift > 0.5", path)
    assert "long_winded" not in path.read_text(encoding="utf-8")
    path.write_text("precious = 1\n")
    with pytest.raises(HydralabError, match="was not written here"):
        save_module(repr(trigger), path)
    with pytest.raises(HydralabError, match="no name of a module"):
        save_module(repr(trigger), tmp_path / "../mine.txt")
