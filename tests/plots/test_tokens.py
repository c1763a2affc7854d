import pytest

from hydralab import frames
from hydralab.errors import HydralabError
from hydralab.plots import plot_tokens


def steps(strategy, tokens, *, run=None, dialogue="a", positions=None):
    positions = positions or range(0, 2 * len(tokens), 2)
    rows = [
        {
            "run_id": run or strategy, "strategy": strategy, "dialogue_id": dialogue, "position": position,
            "query_id": f"{dialogue}:{number}", "tokens": count,
        }
        for number, (position, count) in enumerate(zip(positions, tokens, strict=True))
    ]  # fmt: skip
    return frames.build("steps", rows)


def lines(ax):
    return {line.get_label(): line for line in ax.lines}


def test_each_strategy_is_a_line_in_its_colour():
    drawn = lines(
        plot_tokens([steps("full_history", [10, 20, 30]), steps("hydration", [10, 20, 20])], budget=25)
    )
    assert list(drawn["full_history"].get_ydata()) == [10, 20, 30]
    assert list(drawn["hydration"].get_xdata()) == [0, 2, 4]
    assert drawn["full_history"].get_color() != drawn["hydration"].get_color()
    assert set(drawn["budget 25"].get_ydata()) == {25}


def test_two_runs_of_a_strategy_are_told_apart():
    drawn = lines(plot_tokens([steps("hydration", [1, 2], run="r1"), steps("hydration", [1, 3], run="r2")]))
    assert sorted(drawn) == ["hydration r1", "hydration r2"]
    assert drawn["hydration r1"].get_linestyle() != drawn["hydration r2"].get_linestyle()


def test_a_gold_question_asked_at_a_turn_is_no_point_of_its_own():
    drawn = lines(plot_tokens(steps("hydration", [5, 50, 6], positions=[0, 0, 2])))
    assert list(drawn["hydration"].get_ydata()) == [5, 6]


def test_prompts_of_very_different_size_have_a_log_scale():
    small, large = steps("hydration", [50, 60]), steps("full_history", [50, 90_000])
    assert plot_tokens([small, large]).get_yscale() == "log"
    assert plot_tokens(small).get_yscale() == "linear"


@pytest.mark.parametrize("table", [frames.empty("steps"), [], steps("hydration", [7])])
def test_no_step_and_one_step_are_drawn(table):
    assert plot_tokens(table)._repr_png_()[0].startswith(b"\x89PNG")


def test_runs_of_several_dialogues_are_refused():
    with pytest.raises(HydralabError, match="steps: a plot shows one dialogue, got 2"):
        plot_tokens([steps("hydration", [1]), steps("hydration", [1], dialogue="b")])
