from dataclasses import dataclass

import numpy as np
import pytest

from hydralab.errors import HydralabError, brief, broken_promises, check_settings, check_value, unknown_name


@dataclass(frozen=True)
class Settings:
    rounds: int = 10
    most: "int | None" = None
    share: float = 0.5
    name: str = "a"
    anything: object = None

    def __post_init__(self):
        check_settings(self, rounds=1, share=0)


@pytest.mark.parametrize(
    "given",
    [
        {"rounds": np.int64(3)},
        {"most": 0},
        {"share": 1},
        {"share": np.float32(0.1)},
        {"anything": [object()]},
    ],
)
def test_what_is_of_the_declared_type_is_taken(given):
    assert Settings(**given)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rounds": 0}, "Settings: rounds is 0, expected a whole number of at least 1"),
        ({"rounds": 2.0}, "Settings: rounds is 2.0, expected a whole number of at least 1"),
        ({"rounds": None}, "Settings: rounds is None, expected a whole number of at least 1"),
        ({"most": -1}, "Settings: most is -1, expected a whole number of at least 0, or None"),
        ({"most": True}, "Settings: most is True, expected a whole number of at least 0, or None"),
        ({"share": float("nan")}, "Settings: share is nan, expected a number of at least 0"),
        ({"share": "a"}, "Settings: share is 'a', expected a number of at least 0"),
        ({"name": 5}, "Settings: name is 5, expected a text"),
    ],
)
def test_what_is_not_is_told_in_one_sentence(given, said):
    with pytest.raises(HydralabError) as refused:
        Settings(**given)
    assert str(refused.value) == said


def test_a_long_value_is_told_in_short():
    assert len(brief("x" * 10_000)) == 80
    assert "\n" not in brief(type("Lines", (), {"__repr__": lambda _: "a\nb"})())
    assert len(brief([["x" * 10_000] * 1000] * 1000)) < 4000
    assert brief(10**10_000) == "a number of 33,220 bits"
    assert len(str(unknown_name("encoder", "x" * 10_000, ["use"]))) < 120
    with pytest.raises(HydralabError, match=r"x\.\.\.x+', expected a whole number"):
        check_value("n", "x" * 10_000, "int")


def test_a_check_that_raises_anything_is_a_broken_promise():
    def fails(given):
        raise KeyError(given)

    assert broken_promises({"one": fails, "two": str}, "a") == ["one: KeyError: 'a'"]
