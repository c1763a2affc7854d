"""Widgets for JupyterLab: step through replays, compare them, chat, try a trigger or recall, and see the effect.

Each is a thin view, drawn in the browser by the package's own script, over a plain Python controller.
They need the extra `notebook`, which loads when a widget is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hydralab.optional import load_optional

if TYPE_CHECKING:
    from hydralab.widgets.annotation_files import read_annotation
    from hydralab.widgets.attention import AttentionExplorer
    from hydralab.widgets.chat import Chat
    from hydralab.widgets.compare import Compare
    from hydralab.widgets.recalllab import RecallLab
    from hydralab.widgets.stepper import Stepper
    from hydralab.widgets.triggerlab import TriggerLab

__all__ = ["AttentionExplorer", "Chat", "Compare", "RecallLab", "Stepper", "TriggerLab", "read_annotation"]

MODULES = {
    "AttentionExplorer": "hydralab.widgets.attention",
    "Chat": "hydralab.widgets.chat",
    "Compare": "hydralab.widgets.compare",
    "RecallLab": "hydralab.widgets.recalllab",
    "Stepper": "hydralab.widgets.stepper",
    "TriggerLab": "hydralab.widgets.triggerlab",
    "read_annotation": "hydralab.widgets.annotation_files",
}


def __getattr__(name: str) -> Any:
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    load_optional("anywidget", extra="notebook", purpose="a widget")
    return getattr(load_optional(MODULES[name], extra="notebook", purpose="a widget"), name)
