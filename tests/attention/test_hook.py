"""A model is as it was afterwards, and reading it takes little memory."""

from threading import Event, Thread

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import hydralab as hl
from hydralab.attention.capture import Capture
from hydralab.attention.hook import capturing
from hydralab.attention.running import log_probabilities

pytestmark = pytest.mark.model

IDS = np.arange(2, 402)


class Largest(TorchDispatchMode):
    """Remembers the size of the largest tensor that is made."""

    def __init__(self):
        super().__init__()
        self.numbers = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        made = func(*args, **(kwargs or {}))
        for each in made if isinstance(made, tuple | list) else [made]:
            if isinstance(each, torch.Tensor):
                self.numbers = max(self.numbers, each.numel())
        return made


def capture_of(ids, rows=(10, 20)):
    return Capture(rows=np.asarray(rows), segments=np.zeros(len(ids), dtype=np.int64), count=1)


@pytest.mark.parametrize("family", ["llama", "gemma2"])
def test_the_output_is_that_of_the_plain_model(tiny, family):
    model, rows = tiny(family), np.asarray([10, 398])
    plain = log_probabilities(model, IDS, rows)
    before = model.network.config._attn_implementation
    with capturing(model.network, capture_of(IDS)):
        read = log_probabilities(model, IDS, rows)
    np.testing.assert_allclose(read, plain, atol=1e-5)
    assert model.network.config._attn_implementation == before


def test_the_model_is_as_it_was_after_an_error(tiny):
    model = tiny("llama")
    before = model.network.config._attn_implementation
    with pytest.raises(ZeroDivisionError), capturing(model.network, capture_of(IDS)):
        raise ZeroDivisionError
    assert model.network.config._attn_implementation == before


def test_another_thread_runs_the_same_model_meanwhile(tiny):
    model = tiny("llama")
    rows = np.asarray([10, 20])
    plain = log_probabilities(model, IDS[:50], rows)
    inside, ran = Event(), Event()
    found = []

    def run():
        inside.wait(30)
        found.append(log_probabilities(model, IDS[:50], rows))
        ran.set()

    other = Thread(target=run)
    other.start()
    capture = capture_of(IDS)
    with capturing(model.network, capture):
        inside.set()
        assert ran.wait(30)
        log_probabilities(model, IDS, rows)
    other.join()
    np.testing.assert_allclose(found[0], plain, atol=1e-6)
    assert capture.sums().mass.shape == (3, 4, 2, 1)


@pytest.mark.parametrize("family", ["llama", "gemma2"])
def test_no_matrix_of_all_tokens_by_all_tokens_is_made(tiny, family):
    """FAULTS 33: reduced to segments while the weights are computed."""
    model = tiny(family)
    ids = np.arange(2_000) % 500
    segments = np.arange(len(ids)) // 100
    capture = Capture(rows=np.arange(1_980, 1_999), segments=segments, count=20, with_rollout=True)
    largest = Largest()
    with torch.inference_mode(), largest, capturing(model.network, capture):
        model.network(input_ids=torch.from_numpy(ids)[None], use_cache=False, logits_to_keep=1)
    # A sliding window's mask is one byte a pair, made once for all heads and layers; weights are 4 × 4 of it.
    assert largest.numbers <= len(ids) ** 2 / (1 if family == "gemma2" else 1.9)
    sums = capture.sums()
    np.testing.assert_allclose(sums.mass.sum(-1), 1, atol=1e-5)
    np.testing.assert_allclose(sums.rollout.sum(-1), 1, atol=1e-5)
    kept = sums.mass.nbytes + sums.sink.nbytes + sums.token_mass.nbytes + sums.sink_keys.nbytes
    assert kept < 1_000_000


def test_a_prompt_that_is_too_long_is_refused_with_both_numbers(tiny, contexts):
    """FAULTS 33: a clear message, not an exhausted memory."""
    model = tiny("llama")
    known = model.network.config.max_position_embeddings
    model.network.config.max_position_embeddings = 300
    try:
        with pytest.raises(hl.HydralabError, match=r"are \d+ tokens, but 'llama' takes at most 300"):
            hl.attend(model, contexts["zh"], "好。")
    finally:
        model.network.config.max_position_embeddings = known
