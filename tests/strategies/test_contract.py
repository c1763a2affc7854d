"""Every registered strategy holds the contract; one that looks ahead is refuted."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

import hydralab as hl
from hydralab import strategies
from hydralab.cli.replay import strategy_named
from hydralab.errors import HydralabError
from hydralab.replay import check_strategy
from hydralab.strategies import STRATEGIES, FullHistory, Hydration, resolve_strategy


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_registered_strategy_holds_the_contract(name):
    """FAULTS 1, 4, 5."""
    check_strategy(STRATEGIES[name]())


def test_strategies_are_built_on_what_checkpoints_exports():
    """Whoever writes a strategy of their own can use the same."""
    sources = [path.read_text(encoding="utf-8") for path in Path(strategies.__file__).parent.glob("*.py")]
    assert any("from hydralab.checkpoints import" in source for source in sources)
    assert not any("from hydralab.checkpoints." in source for source in sources)


def test_the_preset_of_the_literature_holds_the_contract():
    check_strategy(Hydration.literature())


@pytest.mark.parametrize("grown", [{"judge": hl.CalibratedJudge()}, {"adaptive": hl.Adaptive()}])
def test_hydration_that_judges_or_adapts_holds_the_contract(grown):
    check_strategy(Hydration(**grown))


@dataclass(frozen=True)
class Forgets(FullHistory):
    """Answers another query than it was asked."""

    def context(self, view, query, budget):
        return super().context(view, query.upper() + "!", budget)


def test_a_strategy_that_changes_the_query_is_refuted_with_the_step():
    with pytest.raises(
        HydralabError, match=r"breaks its contract: .*turn 1 at budget 300: the query was changed"
    ):
        check_strategy(Forgets())


@pytest.mark.parametrize("trigger", ["change_points", "texttiling", hl.expr(pl.col("tokens") > 40)])
def test_a_trigger_that_needs_the_whole_dialogue_is_refused_with_the_causal_form(trigger):
    lab = hl.Lab(hl.read_all(hl.example("launch_en")))
    with pytest.raises(HydralabError, match=r"looks ahead over the whole dialogue.*expected a causal form"):
        lab.replay(Hydration(trigger))


def test_a_class_that_is_not_yet_a_strategy_is_told_what_it_lacks():
    @dataclass(frozen=True)
    class Half:
        def observe(self, view):
            return hl.Observation()

        def context(self, view, query, budget):
            return view.pack(query, budget)

    with pytest.raises(HydralabError, match=r"Half\(\) has no name and no recall_config, expected name, "):
        hl.Lab(hl.read_all(hl.example("launch_en"))).replay(Half())


def test_what_a_strategy_is_written_with_is_at_hand():
    for name in ("Observation", "Recalled", "Strategy", "View", "pack"):
        assert name in dir(hl)
        assert getattr(hl, name) is not None


def test_a_strategy_may_be_registered_as_a_function_that_makes_it():
    try:
        STRATEGIES.add("short", lambda rounds=2: hl.SlidingWindow(rounds=rounds))
        assert resolve_strategy("short") == hl.SlidingWindow(rounds=2)
        assert strategy_named("short") == hl.SlidingWindow(rounds=2)
    finally:
        del STRATEGIES._entries["short"]


def test_an_unknown_strategy_names_the_known_ones():
    with pytest.raises(HydralabError, match="unknown strategy 'hydraton'; known: 'hydration'"):
        STRATEGIES["hydraton"]
