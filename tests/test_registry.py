import polars as pl
import pytest

from hydralab.errors import HydralabError
from hydralab.recall import BLENDS
from hydralab.registry import Registry


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
