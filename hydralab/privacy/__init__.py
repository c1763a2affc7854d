"""What should not be kept: found in texts and tables, and taken out before anything is written."""

from __future__ import annotations

from hydralab.privacy.finding import KINDS, find_private, redact
from hydralab.privacy.ids import hashed_ids
from hydralab.privacy.readable_text import PrivateSpan
from hydralab.privacy.tables import redact_json, redact_table

__all__ = ["KINDS", "PrivateSpan", "find_private", "hashed_ids", "redact", "redact_json", "redact_table"]
