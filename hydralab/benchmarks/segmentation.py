"""How well segmenters place boundaries on dialogues with gold, beside the floors: fitted on nothing, or on what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.benchmarks.jobs import done_once
from hydralab.benchmarks.results import BENCHES, Bench, foundations
from hydralab.encoders import cross_fitted, embed, get_encoder
from hydralab.frames import Corpus
from hydralab.metrics import mean_interval, score_boundaries
from hydralab.readers import example, read_all
from hydralab.signals import default_signals
from hydralab.signals.compute import dialogue_slices
from hydralab.texts import key_texts
from hydralab.texts.folders import cache_folder
from hydralab.triggers import Trigger, default_trigger, find_boundaries, fit_trigger, resolve_trigger

__all__ = ["METHODS", "README_TRIGGERS", "Method", "measure_segmentation"]

Vectors = NDArray[np.float32]

BUNDLED = ("launch_zh", "launch_en", "long_zh", "long_en")
DIALOGUES_A_PART = 50
SEEDS = 20
METRICS = ("pk", "window_diff", "f1", "tolerance_f1", "boundary_similarity", "score", "ratio")
TRAIN = "_train"
"""What the name of a set ends in on which triggers for the sets of the same first name are learned."""

README_TRIGGERS = {
    "readme, zh": '((hl.col.shift > 0.8) | hl.cue("换个话题|另外")).place(min_turns=4, max_turns=40)',
    "readme, en": '((hl.col.shift > 0.8) | hl.cue("on another note|by the way")).place(min_turns=4, max_turns=40)',
}
"""The trigger that the README shows, in both languages."""


@dataclass(frozen=True)
class Method:
    """A segmenter, and what it may see beside the dialogue that it cuts.

    Attributes
    ----------
    trigger
        A trigger, its name or text; None for one that is learned.
    fitted
        "nothing": it sees one dialogue. "corpus": vectors are seen along slow topics of the other dialogues,
        without labels. "labels": the trigger is learned from the gold of other dialogues.
    """

    trigger: Trigger | str | None
    fitted: Literal["nothing", "corpus", "labels"] = "nothing"


METHODS: Mapping[str, Method] = {
    "default": Method("default"),
    "default, any turn": Method(default_trigger(align="turn")),
    "valleys": Method("valleys"),
    "texttiling": Method("texttiling"),
    "greedyseg": Method("greedyseg"),
    "graphseg": Method("graphseg"),
    "change points": Method("change_points"),
    "change points, online": Method("change_points(lookahead=1)"),
    "bocpd, online": Method("bocpd(concentration=16.0)"),
    "slow topics, change points": Method("change_points(penalty=1.5, scale='unit')", "corpus"),
    "slow topics, change points, online": Method(
        "change_points(penalty=1.5, scale='unit', lookahead=1)", "corpus"
    ),
    "slow topics, bocpd, online": Method("bocpd", "corpus"),
    "learned, online": Method(None, "labels"),
}
"""What `measure_segmentation` compares on sets that are named."""


@dataclass(frozen=True)
class Part:
    """Some dialogues of a set with their gold, and the trigger that cuts them."""

    corpus: Corpus
    vectors: Vectors
    trigger: str
    encoder: str
    floors: bool

    def key(self) -> str:
        """Return a hash of all that its result rests on."""
        shown = [self.trigger, self.encoder, str(self.floors), *key_texts(self.corpus.turns)]
        shown += [repr(row) for row in self.corpus.gold.rows()]
        return sha256("\0".join(shown).encode() + self.vectors.tobytes()).hexdigest()


def measure_segmentation(
    sets: Mapping[str, Path] | None = None,
    *,
    methods: Sequence[str] | None = None,
    encoders: Sequence[str] = ("use",),
    jobs: int | None = None,
    progress: bool = False,
) -> pl.DataFrame:
    """Score segmenters against gold boundaries, with the floors beside.

    Parameters
    ----------
    sets
        Name → file or folder with gold boundaries; the bundled dialogues when None. Where a set is named NAME_train,
        triggers for the other sets that begin with NAME_ are learned on it; else on one half of a set's dialogues
        for the other half.
    methods
        Of `METHODS`, or texts of triggers; when None all, and the README's triggers on the bundled dialogues.
    encoders
        Each is measured with each method.
    jobs
        Processes; see `hydralab.benchmarks.jobs.done_once`.

    Returns
    -------
    DataFrame
        A row a set, encoder, method and metric: set, split ("one dialogue": nothing fitted; "cross-fitted": on
        other dialogues, no labels; "half against half" or "fitted on NAME": with labels), method ("floor: …" for
        floors), encoder, lookahead, metric (Pk, WindowDiff and Score as SuperDialseg has them; ratio is predicted
        per gold boundary, in sum), value, lo, hi (95 %, bootstrap over dialogues), n (dialogues), excluded (those
        without a gold boundary, which ratio leaves out), seconds (of cutting and scoring; vectors are there),
        default (whether it is the library's).
    """
    paths = {name: example(name) for name in BUNDLED} if sets is None else sets
    corpora = {name: read_all(path) for name, path in paths.items()}
    chosen = _chosen(methods, bundled=sets is None)
    rows: list[dict[str, Any]] = []
    for encoder in encoders:
        vectors = {name: _embedded(corpus, encoder, progress) for name, corpus in corpora.items()}
        for name in corpora:
            parts = dict(_parts(name, corpora, vectors, chosen, encoder))
            keys = {f"{key} {part.key()}": part for key, part in parts.items()}
            done = done_once(
                _scored, keys, rests_on=foundations("segmentation"), jobs=jobs, progress=progress
            )
            rows += _rows(name, encoder, chosen, parts, list(done))
    return pl.DataFrame(rows, infer_schema_length=None)


def _chosen(methods: Sequence[str] | None, *, bundled: bool) -> dict[str, Method]:
    if methods is not None:
        return {name: METHODS[name] if name in METHODS else Method(resolve_trigger(name)) for name in methods}
    if bundled:
        one = {name: each for name, each in METHODS.items() if each.fitted == "nothing"}
        return one | {name: Method(text) for name, text in README_TRIGGERS.items()}
    return dict(METHODS)


def _embedded(corpus: Corpus, encoder: str, progress: bool) -> Vectors:
    return embed(key_texts(corpus.turns), get_encoder(encoder), progress=progress).vectors


def _parts(
    name: str,
    corpora: Mapping[str, Corpus],
    vectors: Mapping[str, Vectors],
    chosen: Mapping[str, Method],
    encoder: str,
) -> Iterator[tuple[str, Part]]:
    """Yield the parts of a set by method: a method's name, a line break, and a number."""
    corpus, rows = corpora[name], vectors[name]
    slices = list(dialogue_slices(corpus.turns))
    fitted = {each.fitted for each in chosen.values()}
    slow = cross_fitted(corpus.turns, rows) if "corpus" in fitted and len(slices) > 1 else None
    learned = _learned(name, corpora, vectors, encoder) if "labels" in fitted else None
    for place, (method, each) in enumerate(chosen.items()):
        seen = slow if each.fitted == "corpus" else rows
        if seen is None or (each.fitted == "labels" and learned is None):
            continue
        folds = 2 if each.fitted == "labels" else 1
        for start in range(0, len(slices), DIALOGUES_A_PART):
            for fold in range(folds):
                some = slices[start + fold : start + DIALOGUES_A_PART : folds]
                if some:
                    trigger = repr(learned[fold] if learned and folds == 2 else resolve_trigger(each.trigger))
                    yield f"{method}\n{start} {fold}", _part(corpus, seen, some, trigger, encoder, place == 0)


def _part(
    corpus: Corpus, vectors: Vectors, slices: list[slice], trigger: str, encoder: str, floors: bool
) -> Part:
    turns = pl.concat([corpus.turns[each] for each in slices])
    names = turns["dialogue_id"].unique().implode()
    kept = {
        table: getattr(corpus, table).filter(pl.col("dialogue_id").is_in(names))
        for table in ("dialogues", "gold")
    }
    some = Corpus(kept["dialogues"], turns, corpus.questions.clear(), kept["gold"], corpus.events.clear())
    return Part(some, np.concatenate([vectors[each] for each in slices]), trigger, encoder, floors)


def _learned(
    name: str, corpora: Mapping[str, Corpus], vectors: Mapping[str, Vectors], encoder: str
) -> list[Trigger] | None:
    """Return the triggers for the even and the odd dialogues of a set; None where there is nothing to learn on."""
    teacher = _teacher(name, corpora)
    if teacher is not None:
        corpus = corpora[teacher]
        return [_kept(fit_trigger(corpus.turns, corpus.gold, vectors[teacher], encoder=encoder))] * 2
    corpus, rows = corpora[name], vectors[name]
    slices = list(dialogue_slices(corpus.turns))
    if len(slices) < 10:
        return None
    found = []
    for other in (slices[1::2], slices[::2]):
        part = _part(corpus, rows, other, "", encoder, floors=False)
        found.append(_kept(fit_trigger(part.corpus.turns, part.corpus.gold, part.vectors, encoder=encoder)))
    return found


def _teacher(name: str, sets: Mapping[str, Any]) -> str | None:
    first = name.split("_")[0]
    return next((each for each in sets if each == first + TRAIN and each != name), None)


def _kept(model: Any) -> Trigger:
    """Return a model's trigger by a file that other processes can read, named by its content."""
    folder = cache_folder("bench-models")
    folder.mkdir(parents=True, exist_ok=True)
    name = sha256(model.to_json().encode()).hexdigest()[:16]
    return resolve_trigger(f"learned(model={str(model.save(folder / f'{name}.json'))!r})")


def _scored(part: Part) -> pl.DataFrame:
    """Return a row a dialogue with its measures, method null, and those of the floors where they are asked for."""
    started = perf_counter()
    trigger = resolve_trigger(part.trigger)
    found = find_boundaries(trigger, part.corpus.turns, part.vectors, encoder=part.encoder)
    several = part.corpus.gold["annotator"].n_unique() > 1
    scores = score_boundaries(
        found,
        part.corpus.gold,
        part.corpus.turns,
        seeds=SEEDS if part.floors else 1,
        annotator="each" if several else None,
    )
    own = scores.dialogues.with_columns(
        pl.lit(None, dtype=pl.String).alias("method"),
        pl.lit(str(trigger.lookahead)).alias("lookahead"),
        pl.lit((perf_counter() - started) / max(scores.dialogues.height, 1)).alias("seconds"),
    )
    if not part.floors:
        return own
    beside = scores.floors.with_columns(pl.lit(None, dtype=pl.String).alias("lookahead"), seconds=0.0)
    return pl.concat([own, beside.select(own.columns).cast(own.schema)])


def _rows(
    name: str,
    encoder: str,
    chosen: Mapping[str, Method],
    parts: Mapping[str, Part],
    done: Sequence[pl.DataFrame],
) -> Iterator[dict[str, Any]]:
    named = [
        frame.with_columns(
            pl.when(pl.col("method").is_null())
            .then(pl.lit(key.partition("\n")[0]))
            .otherwise("floor: " + pl.col("method"))
            .alias("method")
        )
        for key, frame in zip(parts, done, strict=True)
    ]
    for (method,), table in (
        pl.concat(named).partition_by("method", as_dict=True, maintain_order=True).items()
    ):
        each = chosen.get(str(method), Method(""))
        split = {"nothing": "one dialogue", "corpus": "cross-fitted"}.get(each.fitted, "half against half")
        if each.fitted == "labels" and _same_trigger(parts, str(method)):
            split = f"fitted on {name.split('_')[0]}{TRAIN}"
        for metric in METRICS:
            yield {
                "set": name,
                "split": split,
                "method": method,
                "encoder": encoder,
                "lookahead": table["lookahead"][0],
                "metric": metric,
                **_value(table, metric),
                "n": table["dialogue_id"].n_unique(),
                "excluded": table.filter(pl.col("gold") == 0)["dialogue_id"].n_unique(),
                "seconds": round(float(table["seconds"].sum()), 2),
                "default": method == "default",
            }


def _same_trigger(parts: Mapping[str, Part], method: str) -> bool:
    return len({part.trigger for key, part in parts.items() if key.partition("\n")[0] == method}) == 1


def _value(table: pl.DataFrame, metric: str) -> dict[str, float | None]:
    """Return the mean over dialogues with its interval; of the ratio that of the sums, without one."""
    if metric == "ratio":
        gold = float(table["gold"].sum())
        return {"value": float(table["predicted"].sum()) / gold if gold else None, "lo": None, "hi": None}
    means = table.group_by("dialogue_id", maintain_order=True).agg(pl.col(metric).mean())[metric]
    found = mean_interval(means.to_numpy())
    return {"value": found.mean, "lo": found.lo, "hi": found.hi}


BENCHES.add(
    "segmentation",
    Bench(
        measure_segmentation,
        lambda: {"trigger": default_trigger(), "signals": default_signals()},
        "boundaries of segmenters against gold, beside the floors",
    ),
)
