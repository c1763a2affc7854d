import pytest

import hydralab as hl
from hydralab.theme import strategy_colour


@pytest.fixture(scope="module")
def lab():
    return hl.Lab(hl.read_all(hl.example("launch_en")))


def test_a_line_a_strategy_over_budgets(lab):
    runs = [
        lab.replay(name, budget=budget) for name in ("hydration", "sliding_window") for budget in (600, 250)
    ]
    ax = hl.plots.plot_evidence(runs)
    hydration, window = ax.get_lines()
    assert hydration.get_xdata().tolist() == [250, 600]
    assert hydration.get_color() == strategy_colour("hydration")
    assert hydration.get_ydata()[-1] > window.get_ydata()[-1]


def test_runs_without_gold_say_so(lab):
    bare = hl.Lab(lab.turns).replay("full_history", budget=300)
    assert hl.plots.plot_evidence([bare]).texts[0].get_text() == "no gold questions with evidence"
