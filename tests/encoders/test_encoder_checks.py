"""Every encoder that has a name keeps the contract, and one that breaks it is told how."""

import numpy as np
import pytest

from hydralab.encoders import ENCODER_CHECKS, ENCODERS, check_encoder, get_encoder
from hydralab.errors import HydralabError

LIGHT = {"use"}
CASES = [
    pytest.param(name, check, marks=() if name in LIGHT else pytest.mark.model)
    for name in ENCODERS
    for check in ENCODER_CHECKS
]


@pytest.mark.parametrize(("name", "check"), CASES)
def test_registered_encoders_keep_the_contract(name, check):
    ENCODER_CHECKS[check](get_encoder(name))


def test_a_function_keeps_the_contract():
    check_encoder(lambda texts: [[len(text), text.count("e") + 1] for text in texts])


class Broken:
    """Counts characters, and is wrong in one way."""

    name, dim = "broken", 2

    def __repr__(self):
        return "Broken()"

    def encode(self, texts):
        return np.array([[len(text), 1] for text in texts], dtype=float)


class NoName(Broken):
    name = ""


class WrongDim(Broken):
    dim = 3


class Address(Broken):
    __repr__ = object.__repr__


class Restless(Broken):
    def __init__(self):
        self.calls = 0

    def encode(self, texts):
        self.calls += 1
        return np.array([[len(text), self.calls] for text in texts], dtype=float)


class Nowhere(Broken):
    def encode(self, texts):
        return np.zeros((len(texts), 2))


class Whole(Broken):
    def windows(self, text):
        return [text]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (NoName, "names: name is ''"),
        (WrongDim, r"blank: .*expected \(1, 3\)"),
        (Address, "printable: repr is .* expected one without an address"),
        (Restless, "any batch: .* moves by"),
        (Nowhere, "unit rows: .* has length 0"),
        (Whole, "long text: a text of 1 MB is one window"),
    ],
)
def test_a_broken_contract_is_told(kind, message):
    with pytest.raises(HydralabError, match=message):
        check_encoder(kind())
