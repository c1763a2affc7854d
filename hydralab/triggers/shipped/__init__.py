"""The triggers that hydralab brings, one file each; importing them files them by name."""

from __future__ import annotations

from hydralab.triggers.shipped.asked import asked
from hydralab.triggers.shipped.bocpd import bocpd
from hydralab.triggers.shipped.change_points import cut_at_change_points
from hydralab.triggers.shipped.default import default_trigger
from hydralab.triggers.shipped.drift import drift
from hydralab.triggers.shipped.every import every
from hydralab.triggers.shipped.graphseg import graphseg
from hydralab.triggers.shipped.greedyseg import greedyseg
from hydralab.triggers.shipped.learned import learned
from hydralab.triggers.shipped.marks import marks
from hydralab.triggers.shipped.texttiling import texttiling
from hydralab.triggers.shipped.valleys import valleys

__all__ = [
    "asked",
    "bocpd",
    "cut_at_change_points",
    "default_trigger",
    "drift",
    "every",
    "graphseg",
    "greedyseg",
    "learned",
    "marks",
    "texttiling",
    "valleys",
]
