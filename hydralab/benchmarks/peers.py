"""hydralab beside other memories on the same turns, encoder and questions: time to add and to recall, and recall.

None of them asks a chat model here: mem0 stores what it is given (`infer=False`), LlamaIndex keeps messages in its
vector memory, Chroma is a collection of turns. Each gets the same vectors, and a query's time is without encoding it.
Nothing is sent anywhere; mem0's and Chroma's telemetry is switched off.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any, Protocol
from uuid import uuid4

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.encoders import Encoder, embed, get_encoder
from hydralab.errors import unknown_name
from hydralab.frames import Corpus
from hydralab.metrics import score_ranked
from hydralab.optional import load_optional
from hydralab.readers import example, read_all
from hydralab.recall import Recall, Recaller
from hydralab.recall.blending import blend_expression
from hydralab.texts import key_texts

__all__ = ["PEERS", "Peer", "measure_peers"]

BUNDLED = ("long_en", "long_zh")
K = 10
SHOWN = ("recall_any@10", "recall_proportional@5", "recall_proportional@10")
WARMING = 8
"""Turns by which each is tried before it is measured, so that nothing counts what is loaded at first use."""

QUIET = {"ANONYMIZED_TELEMETRY": "False", "MEM0_TELEMETRY": "False"}


class Peer(Protocol):
    """A memory of one dialogue."""

    def add(self, turns: pl.DataFrame, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Take in turns with their texts and unit rows."""

    def recall(self, query: str, vector: NDArray[np.float32], k: int) -> list[str]:
        """Return the ids of the k turns that are nearest to a query, best first."""


class Hydralab:
    """hydralab's recall with its default blend."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def add(self, turns: pl.DataFrame, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Index turns."""
        self._recaller = Recaller(turns, vectors, encoder=self._encoder)

    def recall(self, query: str, vector: NDArray[np.float32], k: int) -> list[str]:
        """Return the best turns by the default blend."""
        return list(self._recaller.find(query, vector=vector).item_ids[:k])


class Chroma:
    """A collection of Chroma, in memory, by cosine."""

    def __init__(self, encoder: Encoder) -> None:
        chromadb = load_optional("chromadb", extra="peers", purpose="the peer 'chroma'")
        config = load_optional("chromadb.config", extra="peers", purpose="the peer 'chroma'")
        client = chromadb.EphemeralClient(config.Settings(anonymized_telemetry=False))
        self._turns = client.get_or_create_collection(
            f"turns-{uuid4().hex}", configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
        )

    def add(self, turns: pl.DataFrame, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Add all turns at once, in parts as large as Chroma takes."""
        ids = turns["turn_id"].to_list()
        for start in range(0, len(ids), 1_000):
            part = slice(start, start + 1_000)
            self._turns.add(ids=ids[part], embeddings=vectors[part], documents=list(texts[part]))

    def recall(self, query: str, vector: NDArray[np.float32], k: int) -> list[str]:
        """Return the nearest turns."""
        return list(self._turns.query(query_embeddings=vector[None], n_results=k)["ids"][0])


class LlamaIndex:
    """LlamaIndex's vector memory: a message a node."""

    def __init__(self, encoder: Encoder) -> None:
        memory = load_optional("llama_index.core.memory", extra="peers", purpose="the peer 'llama_index'")
        self._known: dict[str, list[float]] = {}
        self._messages = load_optional(
            "llama_index.core.llms", extra="peers", purpose="the peer 'llama_index'"
        )
        self._memory = memory.VectorMemory.from_defaults(
            embed_model=_llama_embedding(self._known), retriever_kwargs={"similarity_top_k": K}
        )
        self._memory.batch_by_user_message = False

    def add(self, turns: pl.DataFrame, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Put message after message, as a conversation does."""
        for (turn_id, role), text, vector in zip(
            turns.select("turn_id", "role").iter_rows(), texts, vectors.tolist(), strict=True
        ):
            self._known[text] = vector
            self._memory.put(
                self._messages.ChatMessage(role=role, content=text, additional_kwargs={"turn_id": turn_id})
            )

    def recall(self, query: str, vector: NDArray[np.float32], k: int) -> list[str]:
        """Return the nearest messages."""
        self._known[query] = vector.tolist()
        return [found.additional_kwargs["turn_id"] for found in self._memory.get(query)][:k]


class Mem0:
    """mem0 without inference, over Qdrant in memory."""

    def __init__(self, encoder: Encoder) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="hydralab-mem0-", ignore_cleanup_errors=True)
        os.environ["MEM0_DIR"] = self._folder.name
        mem0 = load_optional("mem0", extra="peers", purpose="the peer 'mem0'")
        self._known: dict[str, list[float]] = {}
        store = {"embedding_model_dims": encoder.dim, "path": f"{self._folder.name}/qdrant"}
        unused = {"provider": "openai", "config": {"api_key": "unused"}}
        self._memory = mem0.Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "llm": unused,
                "embedder": unused,
                "history_db_path": ":memory:",
            }
        )
        self._memory.embedding_model = _Mem0Embedding(self._known)

    def add(self, turns: pl.DataFrame, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Add turn after turn, as mem0 does without inference."""
        for turn_id, text, vector in zip(turns["turn_id"], texts, vectors.tolist(), strict=True):
            if text.strip():
                self._known[text.strip()] = vector
                self._memory.add(text, user_id="user", infer=False, metadata={"turn_id": turn_id})

    def recall(self, query: str, vector: NDArray[np.float32], k: int) -> list[str]:
        """Return the nearest memories."""
        self._known[query.strip()] = vector.tolist()
        found = self._memory.search(query, top_k=k, filters={"user_id": "user"}, threshold=0.0)["results"]
        return [each["metadata"]["turn_id"] for each in found]


class _Mem0Embedding:
    """Hands mem0, which trims what it is asked, the vectors that are known already."""

    def __init__(self, known: Mapping[str, list[float]]) -> None:
        self._known = known

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self._known[text.strip()]

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        return [self._known[text.strip()] for text in texts]


def _llama_embedding(known: Mapping[str, list[float]]) -> Any:
    """Return an embedding of LlamaIndex's kind that hands out the vectors that are known already."""
    embeddings = load_optional("llama_index.core.embeddings", extra="peers", purpose="the peer 'llama_index'")

    class Known(embeddings.BaseEmbedding):  # type: ignore[name-defined]
        def _get_text_embedding(self, text: str) -> list[float]:
            return known[text]

        def _get_query_embedding(self, query: str) -> list[float]:
            return known[query]

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return known[query]

    return Known()


PEERS: Mapping[str, Callable[[Encoder], Peer]] = MappingProxyType(
    {"hydralab": Hydralab, "chroma": Chroma, "llama_index": LlamaIndex, "mem0": Mem0}
)
"""Name → what makes an empty memory."""


def measure_peers(
    sets: Mapping[str, Path] | None = None,
    *,
    methods: Sequence[str] | None = None,
    encoder: str = "use",
    progress: bool = False,
) -> pl.DataFrame:
    """Measure memories side by side.

    Parameters
    ----------
    sets
        Name → file or folder with dialogues and questions; the two long bundled dialogues when None.
    methods
        Of `PEERS`; all when None.
    encoder
        Whose vectors all of them get.

    Returns
    -------
    DataFrame
        A row a set and method: set, method, encoder, turns, questions, add_milliseconds (a turn), recall_milliseconds
        (a query, median), recall_any@10, recall_proportional@5, recall_proportional@10. All questions are asked at
        the end of the dialogue, as not all of them can leave later turns out.
    """
    from tqdm.auto import tqdm

    chosen = list(PEERS) if methods is None else list(methods)
    for name in chosen:
        if name not in PEERS:
            raise unknown_name("method", name, PEERS)
    os.environ.update(QUIET)
    paths = {name: example(name) for name in BUNDLED} if sets is None else sets
    jobs = [(name, path, method) for name, path in paths.items() for method in chosen]
    return pl.DataFrame(
        [
            {"set": name, "method": method, "encoder": encoder, **_measured(read_all(path), method, encoder)}
            for name, path, method in tqdm(jobs, disable=not progress, unit="run")
        ]
    )


def _measured(corpus: Corpus, method: str, encoder: str) -> dict[str, Any]:
    chosen = get_encoder(encoder)
    _warm(method, corpus, chosen)
    added, recalled, ranked = 0.0, [], {}
    asked = corpus.questions
    for dialogue_id in asked["dialogue_id"].unique(maintain_order=True):
        turns = corpus.turns.filter(pl.col("dialogue_id") == dialogue_id)
        texts, questions = key_texts(turns), asked.filter(pl.col("dialogue_id") == dialogue_id)
        vectors = embed(texts, chosen).vectors
        queries = embed(questions["text"].to_list(), chosen, kind="query").vectors
        peer = PEERS[method](chosen)
        started = perf_counter()
        peer.add(turns, texts, vectors)
        added += perf_counter() - started
        for (question_id, text), vector in zip(
            questions.select("question_id", "text").iter_rows(), queries, strict=True
        ):
            started = perf_counter()
            ranked[question_id] = peer.recall(text, vector, K)
            recalled.append(perf_counter() - started)
    means = score_ranked(ranked, asked, ks=(5, K)).means.row(0, named=True)
    return {
        "turns": corpus.turns.height,
        "questions": means["questions"],
        "add_milliseconds": round(1e3 * added / max(corpus.turns.height, 1), 3),
        "recall_milliseconds": round(1e3 * float(np.median(recalled)), 3),
        **{
            name: round(means[name], 4)
            for name in ("recall_any@10", "recall_proportional@5", "recall_proportional@10")
        },
    }


def _warm(method: str, corpus: Corpus, encoder: Encoder) -> None:
    turns = corpus.turns.filter(pl.col("dialogue_id") == pl.col("dialogue_id").first()).head(WARMING)
    texts = key_texts(turns)
    vectors = embed(texts, encoder).vectors
    peer = PEERS[method](encoder)
    peer.add(turns, texts, vectors)
    peer.recall(texts[0], vectors[0], 1)


BENCHES.add(
    "peers",
    Bench(
        measure_peers,
        lambda: {"recall": Recall(), "blend": str(blend_expression(Recall().blend))},
        "hydralab beside other memories: time and recall",
    ),
)
