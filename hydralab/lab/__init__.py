"""The lab: dialogues on the bench, and the questions one asks of them."""

from __future__ import annotations

from hydralab.lab.lab import Lab

__all__ = ["Lab"]
