import warnings

import pytest

from hydralab import frames, theme
from hydralab.plots import plot_checkpoints
from hydralab.plots.figures import shorten


def checkpoints(titles, turns=4):
    rows = [
        {
            "checkpoint_id": f"a#{row}", "dialogue_id": "a", "title": title,
            "start": row * turns, "end": row * turns + turns - 1,
            "tokens": 100 + row, "status": "open" if row == len(titles) - 1 else "ready",
        }
        for row, title in enumerate(titles)
    ]  # fmt: skip
    return frames.build("checkpoints", rows)


def test_each_checkpoint_is_a_bar_over_its_turns_with_its_title():
    ax = plot_checkpoints(checkpoints(["预算与日期", "budget", None]))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["预算与日期", "budget", "turns 8–11"]
    first = ax.patches[0]
    assert (first.get_x(), first.get_width()) == (-0.5, 4)


def test_the_open_span_is_hatched():
    first, last = plot_checkpoints(checkpoints(["a", "b"])).patches
    assert not first.get_hatch()
    assert last.get_hatch()


@pytest.mark.parametrize("many", [0, 1, 31, 300])
def test_any_number_of_checkpoints_is_drawn(many):
    assert plot_checkpoints(checkpoints(["t"] * many))._repr_png_()[0].startswith(b"\x89PNG")


def test_too_many_for_titles_become_a_skyline_of_tokens():
    ax = plot_checkpoints(checkpoints(["t"] * 40))
    assert [bar.get_height() for bar in ax.patches] == list(range(100, 140))
    assert ax.get_ylabel() == "tokens of a span"


def test_long_titles_are_cut_by_width_not_by_characters():
    assert shorten("市" * 30, 20) == "市" * 9 + "…"
    assert shorten("m" * 30, 20) == "m" * 19 + "…"


def test_long_titles_leave_the_bars_their_room():
    ax = plot_checkpoints(checkpoints(["市场推广预算" * 30, "b"]))
    ax._repr_png_()
    assert ax.get_position().width > 0.45


def test_without_a_chinese_font_a_span_is_named_by_its_turns(monkeypatch):
    """FAULTS 34."""
    monkeypatch.setattr(theme, "find_cjk_font", lambda: None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ax = plot_checkpoints(checkpoints(["预算", "budget"]))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["turns 0–3", "budget"]
