import polars as pl
import pytest

from hydralab.errors import HydralabError
from hydralab.recall import BLENDS
from hydralab.registry import Registry, generation


def test_a_name_registered_again_from_the_same_place_replaces_the_entry():
    things = Registry("thing")

    def make(value):
        @things.register("one")
        def thing():
            return value

        return thing

    make(1)
    make(2)
    assert things["one"]() == 2


def test_the_same_name_from_elsewhere_is_refused():
    with pytest.raises(HydralabError, match=r"blend 'dense' is already registered by hydralab\.recall"):
        BLENDS.add("dense", pl.col("lexical"))


def test_an_unknown_name_lists_the_known_ones_nearest_first():
    things = Registry("thing")
    things.add("shift", 1)
    things.add("depth", 2)
    with pytest.raises(HydralabError, match="unknown thing 'shfit'; known: 'shift', 'depth'"):
        things["shfit"]
    assert "shift" in things
    assert list(things) == ["depth", "shift"]


def test_it_shows_its_names():
    things = Registry("thing")
    things.add("shift", 1)
    things.add("depth", 2)
    assert repr(things) == "Registry('thing': depth, shift)"


def test_the_generation_changes_when_a_name_comes_to_stand_for_something_else():
    things, before = Registry("thing"), generation()
    things.add("one", object())
    assert generation() == before
    things.add("one", object())
    assert generation() != before


def test_filing_the_same_again_or_something_new_keeps_the_generation():
    things, thing, before = Registry("thing"), object(), generation()
    things.add("one", thing)
    things.add("one", thing)
    things.add("two", thing)
    assert generation() == before
