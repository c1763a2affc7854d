"""Encoders turn texts into unit vectors: by name or function, batched, cached, in bounded memory."""

from __future__ import annotations

from hydralab.encoders.callables import FunctionEncoder
from hydralab.encoders.contract import Embedding, Encoder
from hydralab.encoders.cross_encoder import CrossEncoder, PairFunction, PairScorer, score_pairs
from hydralab.encoders.cross_fitting import cross_fitted
from hydralab.encoders.e5 import E5
from hydralab.encoders.embedding import embed
from hydralab.encoders.encoder_checks import ENCODER_CHECKS, check_encoder
from hydralab.encoders.hugging_face import HuggingFace
from hydralab.encoders.names import ENCODERS, get_encoder
from hydralab.encoders.openai_server import OpenAIEncoder
from hydralab.encoders.slow_topics import SlowTopics
from hydralab.encoders.tables import vectors_table
from hydralab.encoders.use_multilingual import Use
from hydralab.encoders.vector_caches import forget_texts

__all__ = [
    "E5",
    "ENCODERS",
    "ENCODER_CHECKS",
    "CrossEncoder",
    "Embedding",
    "Encoder",
    "FunctionEncoder",
    "HuggingFace",
    "OpenAIEncoder",
    "PairFunction",
    "PairScorer",
    "SlowTopics",
    "Use",
    "check_encoder",
    "cross_fitted",
    "embed",
    "forget_texts",
    "get_encoder",
    "score_pairs",
    "vectors_table",
]
