import copy
import pickle
import warnings

import matplotlib.pyplot as plt
import nbformat
import polars as pl
import pytest
from matplotlib.figure import Figure
from nbclient import NotebookClient

from hydralab import frames, plots
from hydralab.errors import HydralabError
from hydralab.plots import plot_shift

CELL = """
from hydralab import frames, plots
from hydralab.plots import plot_shift
rows = [{"dialogue_id": "a", "position": t, "shift": t / 9} for t in range(10)]
plot_shift(frames.build("signals", rows))
"""


def signals(turns, dialogue="a"):
    return frames.build(
        "signals", [{"dialogue_id": dialogue, "position": t, "shift": t / 100} for t in range(turns)]
    )


def run_cell(source):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    return notebook.cells[0].outputs


@pytest.mark.notebook
@pytest.mark.parametrize("also", ["", "import matplotlib.pyplot\n", "%matplotlib inline\n"])
def test_a_returned_plot_is_shown_exactly_once(also):
    outputs = run_cell(also + CELL)
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(outputs) == len(pictures) == 1
    assert "0x" not in pictures[0]["data"]["text/plain"]


def test_pyplot_never_hears_of_a_plot_however_often_a_cell_runs():
    """FAULTS 35."""
    before = plt.get_fignums()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(30):
            plot_shift(signals(5))
    assert plt.get_fignums() == before


def test_a_plot_goes_onto_the_axes_it_is_given_and_leaves_their_display_alone():
    left, right = Figure().subplots(ncols=2)
    assert plot_shift(signals(5), ax=right) is right
    assert right.has_data()
    assert not left.has_data()
    assert not hasattr(right, "_repr_png_")


def test_a_plot_can_be_pickled_and_copied():
    ax = plot_shift(signals(5))
    for twin in (pickle.loads(pickle.dumps(ax)), copy.deepcopy(ax)):
        assert twin._repr_png_()[0].startswith(b"\x89PNG")


def test_the_same_table_gives_the_same_picture():
    assert plot_shift(signals(9))._repr_png_() == plot_shift(signals(9))._repr_png_()


def test_several_dialogues_are_refused_by_name():
    both = pl.concat([signals(3), signals(3, "b")])
    with pytest.raises(HydralabError, match="signals: a plot shows one dialogue, got 2 \\('a', 'b'\\)"):
        plot_shift(both)


def test_the_look_is_that_of_the_theme_after_the_block_is_left():
    ax = plot_shift(signals(5))
    assert ax.figure.get_facecolor()[3] == 0
    assert ax.xaxis.get_label().get_color() == "#757A83"


@pytest.mark.parametrize("name", plots.__all__)
def test_what_cannot_be_drawn_is_refused(name):
    with pytest.raises(HydralabError, match="is 5, expected"):
        getattr(plots, name)(5)
