"""Checkpoints: spans of a dialogue with title, summary, key phrases, entities, decisions and open tasks.

Made without a model and without a look ahead: a checkpoint depends on the turns of its span alone. A chat
model can write their words anew (`summarise_checkpoints`), from the same turns.
"""

from __future__ import annotations

from hydralab.checkpoints.calls import open_call
from hydralab.checkpoints.content import FACT_ENTITIES, Extraction, extract_content, prompt_text
from hydralab.checkpoints.editing import (
    EDITABLE,
    edit_checkpoint,
    mark_checkpoint,
    merge_checkpoints,
    split_checkpoint,
)
from hydralab.checkpoints.extracting import (
    close_spans,
    extract_checkpoint,
    extract_checkpoints,
    read_ahead,
    source_hash,
)
from hydralab.checkpoints.finding import KINDS, find_checkpoints
from hydralab.checkpoints.fitting import UNKNOWN_WINDOW, parts_of, said_lines, within, within_tokens
from hydralab.checkpoints.llm_checkpoints import SummarisedCheckpoints, summarise_checkpoints
from hydralab.checkpoints.llm_extraction import Summarising
from hydralab.checkpoints.salvage import find_object
from hydralab.checkpoints.sentences import read_texts
from hydralab.checkpoints.spans import Span, find_spans

__all__ = [
    "EDITABLE",
    "FACT_ENTITIES",
    "KINDS",
    "UNKNOWN_WINDOW",
    "Extraction",
    "Span",
    "SummarisedCheckpoints",
    "Summarising",
    "close_spans",
    "edit_checkpoint",
    "extract_checkpoint",
    "extract_checkpoints",
    "extract_content",
    "find_checkpoints",
    "find_object",
    "find_spans",
    "mark_checkpoint",
    "merge_checkpoints",
    "open_call",
    "parts_of",
    "prompt_text",
    "read_ahead",
    "read_texts",
    "said_lines",
    "source_hash",
    "split_checkpoint",
    "summarise_checkpoints",
    "within",
    "within_tokens",
]
