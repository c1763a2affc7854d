import pytest

from hydralab.errors import HydralabError
from hydralab.signals import SIGNALS, default_signals
from hydralab.signals.storing import signal_from_json, signal_to_json


@pytest.mark.parametrize("name", list(SIGNALS))
def test_every_registered_signal_is_the_same_after_a_round_trip(name):
    signal = SIGNALS[name]()
    assert signal_from_json(signal_to_json(signal)) == signal


def test_settings_are_kept():
    for signal in default_signals("minilm").values():
        assert signal_from_json(signal_to_json(signal)) == signal


@pytest.mark.parametrize("text", ["", "[]", "null", '{"signal": "shift", "windw": 3}', '{"window": 3}', "{"])
def test_what_is_no_signal_is_named(text):
    with pytest.raises(HydralabError, match="is no signal"):
        signal_from_json(text)


def test_an_unknown_signal_lists_the_known_ones():
    with pytest.raises(HydralabError, match="unknown signal 'shfit'; known: 'shift'"):
        signal_from_json('{"signal": "shfit"}')
