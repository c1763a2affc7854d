"""LangGraph's memory store, in which LangMem keeps what it remembers, as a strategy: an adapter to copy from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from hydralab.encoders import embed, get_encoder
from hydralab.errors import check_settings
from hydralab.frames import build
from hydralab.optional import load_optional
from hydralab.packing import Context, Packing, Recalled
from hydralab.strategies.view import STRATEGIES, Observation, View

__all__ = ["LangGraphStore"]


@STRATEGIES.register("langgraph")
@dataclass(frozen=True)
class LangGraphStore:
    """The newest rounds, and the turns that a semantic search in LangGraph's `InMemoryStore` finds for the query.

    Turns are stored word for word, so no language model is asked; hydralab's encoder makes the vectors, and the store
    is filled again from the turns whenever it lacks some. Needs the extra `langgraph`.

    Attributes
    ----------
    encoder
        The name of an encoder.
    recent_rounds, recalled
        The most newest rounds and found turns in a prompt.
    reserve
        Tokens kept free for the reply.

    >>> LangGraphStore(recalled=5).recent_rounds
    3
    """

    encoder: str = "use"
    recent_rounds: int = 3
    recalled: int = 20
    reserve: int = 0

    name = "langgraph"
    recall_config = None

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_settings(self, recalled=1)
        get_encoder(self.encoder)

    def observe(self, view: View) -> Observation:
        """Remember nothing beyond the turns."""
        return Observation()

    def context(self, view: View, query: str, budget: int) -> Context:
        """Return the newest rounds, what the store finds for the query, and the query."""
        store = _filled(self.encoder, view.dialogue_id, view.turns.select("turn_id", "role", "text").rows())
        found = store.search(
            (view.dialogue_id,), query=query, filter={"position": {"$lt": view.at}}, limit=self.recalled
        )
        rows = [
            {"query_id": view.query_id, "dialogue_id": view.dialogue_id, "item_id": item.key, "kind": "turn",
             "score": item.score, "rank": rank, "source_turn_ids": [item.key]}
            for rank, item in enumerate((each for each in found if each.value["text"] != query), start=1)
        ]  # fmt: skip
        recalled = Recalled.of(build("candidates", rows)) if rows else None
        packing = Packing(recent_rounds=self.recent_rounds, reserve=self.reserve)
        return view.pack(query, budget, strategy=self.name, recalled=recalled, packing=packing)


@dataclass
class _Kept:
    store: Any
    said: list[tuple[str, str, str]] = field(default_factory=list)


@lru_cache(maxsize=8)
def _kept(encoder: str, dialogue_id: str) -> _Kept:
    """Return a store that stays for the prompts to come: only what is new is then encoded."""
    memory = load_optional("langgraph.store.memory", extra="langgraph", purpose="the strategy 'langgraph'")

    def vectors(texts: Sequence[str]) -> list[list[float]]:
        return embed(list(texts), encoder).vectors.tolist()

    return _Kept(
        memory.InMemoryStore(index={"dims": get_encoder(encoder).dim, "embed": vectors, "fields": ["text"]})
    )


def _filled(encoder: str, dialogue_id: str, said: Sequence[tuple[str, str, str]]) -> Any:
    """Return the store with at least these turns; one of another dialogue of the same id is made anew."""
    kept = _kept(encoder, dialogue_id)
    known = min(len(said), len(kept.said))
    if kept.said[:known] != list(said[:known]):
        _kept.cache_clear()
        kept, known = _kept(encoder, dialogue_id), 0
    for position, (turn_id, role, text) in enumerate(said[len(kept.said) :], start=len(kept.said)):
        if role in ("user", "assistant") and text.strip():
            kept.store.put((dialogue_id,), turn_id, {"text": text, "position": position})
        kept.said.append((turn_id, role, text))
    return kept.store
