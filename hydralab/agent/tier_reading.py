"""What a prompt of three tiers can need of a dialogue, read from the tiers without reading the rest of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.encoders import Encoder, embed
from hydralab.encoders.turn_vectors import TurnVectors
from hydralab.errors import HydralabError
from hydralab.frames import empty
from hydralab.llms.prompting import prompt_language
from hydralab.packing import Recalled, Transcript
from hydralab.readers import count_turns
from hydralab.recall import Recaller
from hydralab.recall.items import checkpoint_text
from hydralab.stores import Store
from hydralab.strategies import ThreeTier, View
from hydralab.strategies.prompt_items import latest_end, with_words
from hydralab.texts import Tokenizer, key_texts

__all__ = ["TierView", "Tiers"]

OPENING = 4
"""So many first turns are looked through for the system text."""

AROUND = 16
"""So many turns more are read where a round, or a tool call with its results, reaches back further."""

LATE = 8
"""So many summaries more are read than a prompt holds, as one that took longer may have been stored later."""

IS_LONG = pl.col("end") - pl.col("start") >= 64
"""Of a summary: it stands for too many turns to read them for it; it names those of them that were read anyway."""

REASONS = {"en": "near to the query in meaning ({score:.2f})", "zh": "含义与问题相近（{score:.2f}）"}


@dataclass(frozen=True)
class TierView:
    """Some turns of a dialogue, and its newest summaries.

    Attributes
    ----------
    turns
        The turns that open it, and those from somewhere before the window to the newest.
    summaries
        The newest, oldest first.
    """

    turns: pl.DataFrame
    summaries: pl.DataFrame

    @property
    def end(self) -> int:
        """The position after the newest turn."""
        return int(self.turns["position"][-1]) + 1 if self.turns.height else 0


@dataclass(frozen=True)
class Tiers:
    """One dialogue in the tiers of a store.

    Attributes
    ----------
    encoder
        Its vectors are kept under its `cache_key`.
    """

    store: Store
    dialogue_id: str
    strategy: ThreeTier
    encoder: Encoder
    tokenizer: Tokenizer

    def __post_init__(self) -> None:
        """Refuse an encoder whose vectors no store keeps."""
        if getattr(self.encoder, "cache_key", None) is None:
            raise HydralabError(
                f"encoder {self.encoder.name!r} has no key that tells its vectors from others', so no store keeps "
                "them; expected a named encoder such as 'use'"
            )

    @property
    def model(self) -> str:
        """Under which name the vectors are stored."""
        return str(self.encoder.cache_key)  # type: ignore[attr-defined]

    @cached_property
    def vectors(self) -> TurnVectors:
        """Vectors of turns and summaries; those that are missing are made and stored."""
        return TurnVectors(self.encoder, self.store, progress=False)

    def read(self) -> TierView:
        """Return what is always needed: the newest summaries from SQL, the newest turns from the short window."""
        made = self._summaries(self.strategy.summaries + LATE)
        count = self.strategy.window + AROUND
        newest = self.store.recent(self.dialogue_id, count)
        if not newest.height:
            return TierView(newest, made)
        pinned = made.tail(max(self.strategy.summaries, 1)).filter(~IS_LONG)
        begun = [latest_end(made) + 1, int(newest["position"][-1]) - self.strategy.window, *pinned["start"]]
        newest = self._back_to(max(min(begun), 0), newest, count)
        opening = [place for place in range(OPENING) if place < newest["position"][0]]
        before = self._select(position=opening).filter(pl.col("role") == "system")
        return TierView(count_turns(pl.concat([before, newest]), self.tokenizer), made)

    def view(self, tier_view: TierView, at: int, query: str | None = None, query_id: str = "query") -> View:
        """Return what the strategy sees before a position, with what is recalled for a query, if there is one."""
        seen = tier_view.turns.filter(pl.col("position") < at)
        recalled = Recalled()
        if query is not None and seen.height:
            seen, recalled = self._recall(query, seen, at, query_id)
        return View(
            dialogue_id=self.dialogue_id,
            title="",
            at=at,
            turns=seen,
            excerpt=Transcript(seen).before(at),
            boundaries=empty("boundaries"),
            checkpoints=tier_view.summaries,
            memories=empty("memories"),
            tokenizer=self.tokenizer,
            recall=lambda asked: recalled,
            decide=lambda trigger: empty("boundaries"),
            query_id=query_id,
        )

    def embed_turns(self, turns: pl.DataFrame) -> NDArray[np.float32]:
        """Return the vectors of turns, float32 (n, d); those that the store lacks are stored."""
        return self._kept(turns["turn_id"], key_texts(turns), "turn")

    def embed_summaries(self, summaries: pl.DataFrame) -> NDArray[np.float32]:
        """Return the vectors of summaries, float32 (n, d); those that the store lacks are stored.

        Where the oldest of the newest has none, they were made elsewhere, and those before them are embedded, too.
        """
        summaries = with_words(summaries)
        names = summaries["checkpoint_id"]
        if names.len() > 1:
            held = self.store.select(
                "vectors", self.dialogue_id, where={"item_id": names[:1]}, model=self.model
            )
            if not held.height:
                self._embed_rows(with_words(self._summaries(None)))
        return self._embed_rows(summaries)

    def _embed_rows(self, summaries: pl.DataFrame) -> NDArray[np.float32]:
        texts = [checkpoint_text(row) for row in summaries.iter_rows(named=True)]
        return self._kept(summaries["checkpoint_id"], texts, "checkpoint")

    def _kept(self, names: pl.Series, texts: Sequence[str], kind: str) -> NDArray[np.float32]:
        keyed = pl.DataFrame(
            {"item_id": names, "key_text": texts}, schema=dict.fromkeys(("item_id", "key_text"), pl.String)
        )
        named = keyed.with_columns(dialogue_id=pl.lit(self.dialogue_id))
        return self.vectors.of_texts(self.dialogue_id, named, kind=kind)

    def _summaries(self, newest: int | None) -> pl.DataFrame:
        where = {"trigger": [self.strategy.name]}
        return self.store.select("checkpoints", self.dialogue_id, where=where, newest=newest).sort("end")

    def _select(self, **where: Sequence[object]) -> pl.DataFrame:
        if not all(map(len, where.values())):
            return empty("turns")
        return self.store.select("turns", self.dialogue_id, where=where)

    def _back_to(self, start: int, newest: pl.DataFrame, count: int) -> pl.DataFrame:
        """Return the newest turns back to a position, and on to where the round that it lies in begins.

        Parameters
        ----------
        newest, count
            What was read so far, and how many turns were asked for.
        """
        while newest.height == count:  # else there are no more
            begun = newest.filter(pl.col("position") >= start)["round"]
            if newest["position"][0] < start and newest["round"][0] < begun[0]:
                break
            count = max(count, int(newest["position"][-1]) + 1 - start) + AROUND
            newest = self.store.recent(self.dialogue_id, count)
        return newest

    def _recall(
        self, query: str, seen: pl.DataFrame, at: int, query_id: str
    ) -> tuple[pl.DataFrame, Recalled]:
        """Return the turns seen with those that are long-term items, and these items, scored among each other."""
        config = self.strategy.recall
        vector = embed([query], self.encoder, kind="query").vectors[0]
        near = {
            kind: self.store.nearest(vector, count, model=self.model, kind=kind, dialogue_id=self.dialogue_id)
            for kind, count in (("turn", config.turns + 1), ("checkpoint", config.checkpoints))
        }
        ids = {kind: found["item_id"].to_list() for kind, found in near.items()}
        spans = self.store.select(
            "checkpoints", self.dialogue_id, where={"checkpoint_id": ids["checkpoint"]}
        ).filter(pl.col("end") < at, pl.col("status") == "ready")
        turns = self._with_turns(seen, ids["turn"], spans, at)
        recaller = Recaller(turns, self.embed_turns(turns), encoder=self.encoder, config=config)
        recaller.add_checkpoints(_in_rows(spans, turns), vectors=self._embed_rows(spans))
        found = recaller.find(query, query_id=query_id, vector=vector)
        said = REASONS[prompt_language(query)]
        scores = dict(zip(found.item_ids, found.scores["dense"], strict=True)) if len(found) else {}

        def explain(item_ids: Sequence[str]) -> Mapping[str, str]:
            return {name: said.format(score=cosines[name]) for name in item_ids if name in cosines}

        cosines = {**scores, **dict(pl.concat(near.values()).select("item_id", "score").iter_rows())}
        return turns, Recalled(found, spans, empty("memories"), explain)

    def _with_turns(
        self, seen: pl.DataFrame, near: Sequence[str], spans: pl.DataFrame, at: int
    ) -> pl.DataFrame:
        """Add the nearest turns, with what goes with their tool calls, and those that summaries stand for."""
        found = self._select(turn_id=near)
        told = [
            place
            for start, end in spans.select("start", "end").iter_rows()
            for place in range(start, end + 1)
        ]
        of_tools = found.filter((pl.col("role") == "tool") | pl.col("parts").str.contains("tool_call"))[
            "position"
        ]
        beside = [place + step for place in of_tools for step in range(-AROUND, AROUND + 1)]
        known = set(seen["position"]) | set(found["position"])
        wanted = sorted({place for place in [*told, *beside] if 0 <= place < at} - known)
        more = count_turns(pl.concat([found, self._select(position=wanted)]), self.tokenizer)
        whole = pl.concat([seen, more]).unique("position", keep="first", maintain_order=True)
        return whole.filter(pl.col("position") < at).sort("position")


def _in_rows(spans: pl.DataFrame, turns: pl.DataFrame) -> pl.DataFrame:
    """Return summaries with row numbers in the place of positions, by which recall finds the turns they stand for."""
    place = turns["position"]
    start = pl.Series("start", place.search_sorted(spans["start"]), pl.Int64)
    end = pl.Series("end", place.search_sorted(spans["end"], side="right"), pl.Int64) - 1
    rows, nowhere = spans.with_columns(start, end), pl.col("end") < pl.col("start")
    return rows.with_columns(
        start=pl.when(nowhere).then(-1).otherwise("start"),
        end=pl.when(nowhere).then(-1).otherwise("end"),
        decided_at=pl.lit(None, pl.Int64),
        ready_at=pl.lit(None, pl.Int64),
    )
