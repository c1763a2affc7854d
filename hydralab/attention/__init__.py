"""What a real model attends to in a packed context, and whether it mattered to the answer."""

from __future__ import annotations

from hydralab.attention.attend import attend
from hydralab.attention.controls import ablate, leave_one_out, score_answers
from hydralab.attention.measures import (
    agreement,
    distance_adjusted_lift,
    lift,
    mass,
    retrieval_heads,
    retrieval_mass,
    rollout,
    sink_free_mass,
)
from hydralab.attention.models import LANGUAGE_MODELS, LanguageModel, load_language_model
from hydralab.attention.recalling import add_attention, attention_scores, attention_signal
from hydralab.attention.result import Attention
from hydralab.attention.spans import Layout, lay_out

__all__ = [
    "LANGUAGE_MODELS",
    "Attention",
    "LanguageModel",
    "Layout",
    "ablate",
    "add_attention",
    "agreement",
    "attend",
    "attention_scores",
    "attention_signal",
    "distance_adjusted_lift",
    "lay_out",
    "leave_one_out",
    "lift",
    "load_language_model",
    "mass",
    "retrieval_heads",
    "retrieval_mass",
    "rollout",
    "score_answers",
    "sink_free_mass",
]
