"""Which token of the prompt belongs to which item of the context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.attention.models import LanguageModel
from hydralab.attention.rendering import Rendered, has_template, render
from hydralab.errors import HydralabError

__all__ = ["Layout", "lay_out", "locate", "prompt_ids"]

FARTHEST = 256
"""So many characters around a cut are tried for a place where tokens begin and end."""

Encode = Callable[[str], list[int]]


@dataclass(frozen=True, eq=False)
class Layout:
    """A prompt in tokens, each of them of one segment.

    Attributes
    ----------
    text
        The prompt as text.
    ids
        int64 (n,), its tokens.
    segments
        int64 (n,), the segment of each token: the number of its item in `items`; the items' number, I, for
        template text; I + 1 is for the answer's tokens, which follow the prompt.
    items
        One row a segment: to (its number), section (of the context table, or "template", "answer"), item_id,
        label, text, start, end (its first token and the one after its last; null where it has none or they
        don't lie together), tokens, shared (tokens that hold characters of template text too).
    straddling
        Tokens that hold characters of two items. Each counts for the first of them.
    """

    text: str
    ids: NDArray[np.int64]
    segments: NDArray[np.int64]
    items: pl.DataFrame = field(repr=False)
    straddling: int


def lay_out(model: LanguageModel, kept: pl.DataFrame) -> Layout:
    """Render the kept items of a context and tell their tokens apart.

    The ids are those of the tokenizer on the whole rendered prompt. Where an item begins and ends among
    them is found by encoding the text up to there: when its ids are the first of the prompt's, the cut
    falls between two tokens. Otherwise a token holds characters of both sides; it counts for the item rather
    than for template text. What a tokenizer says of offsets is not used. A special token that is spelled in
    a text counts as one, as it does for any server that renders the prompt to text first.

    Parameters
    ----------
    kept
        Rows of a context table, all kept, by `order`.

    Raises
    ------
    HydralabError
        The chat template refuses or rewrites the texts, or tokens can't be told apart.
    """
    rendered = render(model, kept)
    ids, before, after = _prompt_ids(model, rendered.text)
    cuts = sorted({place for span in rendered.spans for place in span} | {len(rendered.text)})
    located = locate(rendered.text, ids[before:after], cuts, model.encode)
    return _layout(kept, rendered, ids, {cut: (a + before, b + before) for cut, (a, b) in located.items()})


def prompt_ids(model: LanguageModel, kept: pl.DataFrame) -> NDArray[np.int64]:
    """Return the tokens of the prompt of some kept items."""
    return np.asarray(_prompt_ids(model, render(model, kept).text)[0], dtype=np.int64)


def _prompt_ids(model: LanguageModel, text: str) -> tuple[list[int], int, int]:
    """Return the prompt's ids and where among them its text begins and ends, special tokens around it."""
    bare = model.encode(text)
    if has_template(model):
        return bare, 0, len(bare)
    whole = model.encode(text, special=True)
    before = next((i for i in range(len(whole) - len(bare) + 1) if whole[i : i + len(bare)] == bare), None)
    if before is None:
        raise HydralabError(
            f"attend: the tokenizer of {model.name!r} writes other tokens beside special ones"
        )
    after = before + len(bare)
    # A decoder goes on writing, so nothing may close its prompt; an encoder wants both ends.
    return (whole[:after] if model.can_answer else whole), before, after


def locate(text: str, ids: Sequence[int], cuts: Sequence[int], encode: Encode) -> dict[int, tuple[int, int]]:
    """Find the tokens at which places of a text fall.

    Parameters
    ----------
    text
        What `ids` are the tokens of.
    cuts
        Places in characters, ascending; the last is the end of the text.
    encode
        From text to ids, without special tokens around it.

    Returns
    -------
    dict
        Cut → (a, b): tokens before a lie wholly before the cut, tokens from b on wholly after it. They are
        equal where no token straddles the cut.

    Raises
    ------
    HydralabError
        No token begins or ends near a cut, or the tokens don't spell the text.

    >>> locate("ab cd", [0, 1], [2, 5], lambda text: [0, 1][: len(text.split())])
    {2: (1, 1), 5: (2, 2)}
    """
    ids = list(ids)
    clean = (0, 0)
    found: dict[int, tuple[int, int]] = {}
    for cut in cuts:
        here = _clean_at(text, ids, cut, clean, encode)
        if here is not None:
            found[cut] = (here, here)
            clean = (cut, here)
            continue
        low = _nearest(text, ids, range(cut - 1, max(clean[0], cut - FARTHEST) - 1, -1), clean, encode)
        high = _nearest(text, ids, range(cut + 1, min(len(text), cut + FARTHEST) + 1), clean, encode)
        if low is None or high is None:
            raise HydralabError(
                f"attend: no token begins or ends within {FARTHEST} characters of character {cut} of the prompt, "
                f"near {text[max(cut - 20, 0) : cut + 20]!r}"
            )
        found[cut] = (low[1], high[1])
        clean = low
    if found[cuts[-1]] != (len(ids), len(ids)):
        raise HydralabError("attend: the tokens of the prompt's parts are not the tokens of the prompt")
    return found


def _clean_at(text: str, ids: list[int], cut: int, clean: tuple[int, int], encode: Encode) -> int | None:
    """Return how many tokens lie before a cut, or None when one straddles it."""
    place, token = clean
    since = encode(text[place:cut])
    if ids[token : token + len(since)] == since:
        return token + len(since)
    # Some tokenizers write the start of any text differently, so a part alone doesn't tell.
    so_far = encode(text[:cut]) if place else since
    return len(so_far) if ids[: len(so_far)] == so_far else None


def _nearest(
    text: str, ids: list[int], places: range, clean: tuple[int, int], encode: Encode
) -> tuple[int, int] | None:
    for place in places:
        if place == clean[0]:
            return clean
        token = _clean_at(text, ids, place, clean, encode)
        if token is not None:
            return place, token
    return None


def _layout(
    kept: pl.DataFrame, rendered: Rendered, ids: list[int], located: dict[int, tuple[int, int]]
) -> Layout:
    items = kept.height
    segments = np.full(len(ids), items, dtype=np.int64)
    shared, straddling = np.zeros(items, dtype=np.int64), 0
    starts, ends = np.full(items, -1), np.full(items, -1)
    for item, (first, last) in sorted(enumerate(rendered.spans), key=lambda pair: pair[1]):
        if first == last:
            continue
        (start, after_start), (before_end, end) = located[first], located[last]
        own = segments[start:end]
        taken = own != items
        straddling += int(taken.sum())
        touching = min(after_start - start + end - before_end, end - start)
        shared[item] = max(touching - int(taken.sum()), 0)
        own[~taken] = item
        places = start + np.flatnonzero(~taken)
        if len(places):
            starts[item], ends[item] = places[0], places[-1] + 1
    counts = np.bincount(segments, minlength=items + 2)
    table = pl.DataFrame(
        {
            "to": np.arange(items + 2, dtype=np.int32),
            "section": [*kept["section"].to_list(), "template", "answer"],
            "item_id": [*kept["item_id"].to_list(), "template", "answer"],
            "label": [*kept["label"].to_list(), None, None],
            "text": [*(rendered.text[a:b] for a, b in rendered.spans), None, None],
            "start": [*(int(each) if each >= 0 else None for each in starts), None, None],
            "end": [*(int(each) if each >= 0 else None for each in ends), None, None],
            "tokens": counts,
            "shared": [*shared.tolist(), 0, 0],
        },
        schema={
            "to": pl.Int32,
            "section": pl.String,
            "item_id": pl.String,
            "label": pl.String,
            "text": pl.String,
            "start": pl.Int64,
            "end": pl.Int64,
            "tokens": pl.Int64,
            "shared": pl.Int64,
        },
    )
    return Layout(rendered.text, np.asarray(ids, dtype=np.int64), segments, table, straddling)
