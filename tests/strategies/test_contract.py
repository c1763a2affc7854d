"""Every registered strategy holds the contract; one that looks ahead is refuted."""

from dataclasses import dataclass

import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.replay import check_strategy
from hydralab.strategies import STRATEGIES, FullHistory, Hydration


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_registered_strategy_holds_the_contract(name):
    """FAULTS 1, 4, 5."""
    check_strategy(STRATEGIES[name]())


def test_the_preset_of_the_literature_holds_the_contract():
    check_strategy(Hydration.literature())


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


def test_an_unknown_strategy_names_the_known_ones():
    with pytest.raises(HydralabError, match="unknown strategy 'hydraton'; known: 'hydration'"):
        STRATEGIES["hydraton"]
