"""Running a model: an answer written, and the log-probabilities of one that is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hydralab.attention.models import LanguageModel
from hydralab.attention.prefixes import can_share, score_by_prefix
from hydralab.errors import HydralabError

__all__ = ["BATCH_TOKENS", "check_length", "log_probabilities", "score_sequences", "write_answer"]

Ids = NDArray[np.int64]

BATCH_TOKENS = 4_096
"""So many tokens, padding included, go through the model at once."""

BATCH_BYTES = 256_000_000
"""The logits of a batch take at most so much."""


def check_length(model: LanguageModel, tokens: int) -> None:
    """Refuse a text that is longer than the model was made for."""
    most = model.most_tokens
    if most is not None and tokens > most:
        raise HydralabError(
            f"attend: prompt and answer are {tokens} tokens, but {model.name!r} takes at most {most}; "
            "hydrate with a smaller budget"
        )


def write_answer(model: LanguageModel, ids: Ids, most: int) -> Ids:
    """Return what the model writes after a prompt, its likeliest token each time, without its end token.

    Raises
    ------
    HydralabError
        It ends at once.
    """
    import torch

    network = model.network
    prompt = torch.from_numpy(ids)[None].to(network.device)
    ends = network.generation_config.eos_token_id
    ends = {ends} if isinstance(ends, int) else set(ends or ())
    with torch.inference_mode():
        whole = network.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            do_sample=False,
            temperature=None,
            top_p=None,
            top_k=None,
            max_new_tokens=most,
            pad_token_id=min(ends, default=0),
        )
    written = [token for token in whole[0, len(ids) :].tolist() if token not in ends]
    if not written:
        raise HydralabError(f"attend: {model.name!r} writes no answer to this prompt; give one with answer=…")
    return np.asarray(written, dtype=np.int64)


def log_probabilities(model: LanguageModel, ids: Ids, rows: Ids) -> NDArray[np.float64] | None:
    """Run the model over one text; return log p of the token after each row, or None for an encoder.

    Parameters
    ----------
    ids
        (n,), the text.
    rows
        (m,), ascending; the logits of other rows aren't computed.
    """
    import torch

    batch = torch.from_numpy(ids)[None].to(model.network.device)
    with torch.inference_mode():
        if not model.can_answer:
            model.network(input_ids=batch)
            return None
        logits = _logits(model, batch, torch.from_numpy(rows) if len(rows) else torch.tensor([0]))[0]
        wanted = batch[0, torch.from_numpy(rows) + 1]
        return _of_tokens(logits[: len(rows)], wanted)


def score_sequences(
    model: LanguageModel, prompts: Sequence[Ids], answer: Ids, *, batch_tokens: int = BATCH_TOKENS
) -> NDArray[np.float64]:
    """Return log p of each answer token after each of several prompts.

    On a processor what prompts share runs once (`score_by_prefix`); else, and where layers attend to a
    window only, they run in batches. Shorter texts of a batch are padded on the right: what stands behind a
    token can't change it in a decoder, so no mask is needed. Both give the figures of each text alone.

    Returns
    -------
    float64 (prompts, answer tokens), in nats.
    """
    if can_share(model):
        return score_by_prefix(model, prompts, answer)
    return _score_in_batches(model, prompts, answer, batch_tokens)


def _score_in_batches(
    model: LanguageModel, prompts: Sequence[Ids], answer: Ids, batch_tokens: int
) -> NDArray[np.float64]:
    import torch

    scores = np.zeros((len(prompts), len(answer)))
    device = model.network.device
    for group in _batches(model, prompts, len(answer), batch_tokens):
        lengths = [len(prompts[i]) for i in group]
        batch = torch.zeros(len(group), max(lengths) + len(answer), dtype=torch.int64)
        for row, i in enumerate(group):
            batch[row, : lengths[row] + len(answer)] = torch.from_numpy(np.concatenate([prompts[i], answer]))
        places = [np.arange(length - 1, length - 1 + len(answer)) for length in lengths]
        kept = np.unique(np.concatenate(places))
        with torch.inference_mode():
            logits = _logits(model, batch.to(device), torch.from_numpy(kept))
        wanted = torch.from_numpy(answer).to(device)
        for row, i in enumerate(group):
            scores[i] = _of_tokens(logits[row, np.searchsorted(kept, places[row])], wanted)
    return scores


def _batches(model: LanguageModel, prompts: Sequence[Ids], answer: int, most: int) -> Iterator[list[int]]:
    words = int(model.network.config.get_text_config().vocab_size)
    group: list[int] = []
    for i in sorted(range(len(prompts)), key=lambda i: -len(prompts[i])):
        size = len(group) + 1
        longest = len(prompts[group[0] if group else i]) + answer
        # Each text of a batch may want other rows, and every text then gets the logits of all.
        if group and (size * longest > most or size * size * answer * words * 4 > BATCH_BYTES):
            yield group
            group = []
        group.append(i)
    if group:
        yield group


def _logits(model: LanguageModel, batch: Any, rows: Any) -> Any:
    """Return the logits of some rows: (batch, rows, vocabulary)."""
    rows = rows.to(batch.device)
    if "logits_to_keep" in signature(model.network.forward).parameters:
        return model.network(input_ids=batch, use_cache=False, logits_to_keep=rows).logits
    return model.network(input_ids=batch, use_cache=False).logits[:, rows]


def _of_tokens(logits: Any, tokens: Any) -> NDArray[np.float64]:
    chances = logits.float().log_softmax(dim=-1)
    found: NDArray[np.float64] = chances.gather(-1, tokens[:, None])[:, 0].double().cpu().numpy()
    return found
