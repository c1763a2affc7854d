"""Results of `attend` made of words and drawn numbers, so that figures and widgets need no model."""

import re

import numpy as np
import polars as pl

from hydralab import frames
from hydralab.attention import Attention, Layout
from hydralab.attention.capture import Sums
from hydralab.packing import Packing, pack

ANSWERS = {"en": ["It", " was", " 84", ",", "500", "."], "zh": ["预", "算", "是", " 48", ".6", "万"]}


def context(texts, query="What was the budget?", budget=200_000):
    rows = [
        {
            "dialogue_id": "a",
            "turn_id": f"a:{t}",
            "position": t,
            "round": t // 2,
            "role": ("user", "assistant")[t % 2],
            "text": text,
            "tokens": len(text) // 4 + 1,
        }
        for t, text in enumerate(texts)
    ]
    return pack(
        query,
        frames.build("turns", rows),
        budget=budget,
        packing=Packing(system="Be brief.", recent_rounds=None),
    )


def attention(texts, *, answer=ANSWERS["en"], layers=3, heads=2, seed=0, effects=None, query=None):
    """Attention from each token of `answer` to a context of the texts as recent turns.

    A token is a word; `effects` are what leaving each turn out does, in their order.
    """
    ctx = context(texts, **({"query": query} if query else {}))
    kept = ctx.kept.sort("order")
    pieces = [re.findall(r"\s*\S+\s*", text) for text in kept["text"]]
    segments = np.concatenate(
        [[kept.height], *([place] * len(each) for place, each in enumerate(pieces)), [kept.height]]
    ).astype(np.int64)
    words = ["<s>", *(piece for each in pieces for piece in each), "</s>"]
    items = pl.DataFrame(
        {
            "to": np.arange(kept.height + 2, dtype=np.int32),
            "section": [*kept["section"], "template", "answer"],
            "item_id": [*kept["item_id"], "template", "answer"],
            "label": [*kept["label"], None, None],
            "text": [*kept["text"], None, None],
            "tokens": np.bincount(segments, minlength=kept.height + 2),
        }
    )
    rng = np.random.default_rng(seed)
    count, rows = len(words) + len(answer), len(answer)
    of = np.concatenate([segments, np.full(rows, kept.height + 1)])
    token_mass = rng.dirichlet(np.full(count, 0.3), (layers, heads)).astype(np.float32)
    mass = rng.dirichlet(np.full(kept.height + 2, 0.5), (layers, heads, rows)).astype(np.float32)
    sink = np.zeros_like(mass)
    sink[..., kept.height] = mass[..., kept.height] / 2
    sinks = np.zeros((layers, heads, count), dtype=bool)
    sinks[..., 0] = True
    turns = items.filter(section="recent")
    control = None
    if effects is not None:
        control = turns.select("to", "item_id", effect=pl.Series(effects, dtype=pl.Float64))
    return Attention(
        model="drawn",
        context=ctx,
        answer="".join(answer),
        written=True,
        source="answer",
        layout=Layout("".join(words), np.arange(len(words)), segments, items, 0),
        rows=pl.DataFrame(
            {
                "from": np.arange(rows, dtype=np.int32),
                "position": np.arange(len(words) - 1, count - 1),
                "token_id": np.arange(rows),
                "text": answer,
                "log_probability": np.full(rows, -0.5),
            }
        ),
        tokens=pl.DataFrame(
            {
                "position": np.arange(count),
                "token_id": np.arange(count),
                "text": [*words, *answer],
                "to": of.astype(np.int32),
            }
        ),
        sums=Sums(
            mass=mass,
            sink=sink,
            token_mass=token_mass,
            sink_keys=sinks,
            top_key=rng.integers(0, count, (layers, heads, rows)),
            top_mass=np.full((layers, heads, rows), 0.5, dtype=np.float32),
            rollout=None,
        ),
        control=control,
    )
