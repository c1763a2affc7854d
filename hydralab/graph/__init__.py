"""Entities of a dialogue and the relations between them, as tables, as a networkx graph, and to walk along."""

from __future__ import annotations

from hydralab.graph.growing_graph import DialogueGraph
from hydralab.graph.measuring import measure_relations
from hydralab.graph.path_wording import tell_path
from hydralab.graph.rules import RELATION_LABELS
from hydralab.graph.walking import Hop, Path, Walk, walk

__all__ = [
    "RELATION_LABELS",
    "DialogueGraph",
    "Hop",
    "Path",
    "Walk",
    "measure_relations",
    "tell_path",
    "walk",
]
