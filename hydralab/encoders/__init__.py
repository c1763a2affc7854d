"""Encoders turn texts into unit vectors: by name, by function, batched, cached, in bounded memory."""

from __future__ import annotations

from hydralab.encoders.contract import Embedding, Encoder
from hydralab.encoders.embedding import embed
from hydralab.encoders.names import ENCODERS, get_encoder

__all__ = ["ENCODERS", "Embedding", "Encoder", "embed", "get_encoder"]
