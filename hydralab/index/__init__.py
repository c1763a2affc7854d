"""Indexes over the rows of a matrix of vectors (exact, HNSW) and over texts (BM25)."""

from __future__ import annotations

from hydralab.index.choosing import INDEXES, choose_index, get_index, open_index
from hydralab.index.contract import Index
from hydralab.index.crossover import CROSSOVER, measure_crossover
from hydralab.index.exact import Exact
from hydralab.index.hnsw import Hnsw
from hydralab.index.index_checks import INDEX_CHECKS, check_index
from hydralab.index.lexical import Lexical
from hydralab.index.storing import IndexFileError

__all__ = [
    "CROSSOVER",
    "INDEXES",
    "INDEX_CHECKS",
    "Exact",
    "Hnsw",
    "Index",
    "IndexFileError",
    "Lexical",
    "check_index",
    "choose_index",
    "get_index",
    "measure_crossover",
    "open_index",
]
