"""The TriggerLab: change a trigger and see at once where it cuts, and how well."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import polars as pl
import traitlets

from hydralab.errors import HydralabError
from hydralab.widgets.controls import Controls
from hydralab.widgets.lifecycle import answer, close_view, keep_one_per_cell, reported, script, style
from hydralab.widgets.pages import picture_page, write_page
from hydralab.widgets.pictures import triggerlab_picture, triggerlab_text
from hydralab.widgets.tuning import Tuning

if TYPE_CHECKING:
    from hydralab.lab import Lab
    from hydralab.triggers import Trigger

__all__ = ["TriggerLab"]


class TriggerLab(anywidget.AnyWidget):
    """Prototype a trigger on a dialogue of a lab.

    Sliders set thresholds of signals, a box takes cue words, another the whole expression; all three
    show the same trigger. The curve shows where it starts new spans, where the trigger before it did,
    and the gold; below stand Pk, WindowDiff, F1, Score and the ratio beside the floors, what other
    thresholds would give, and the checkpoints that come of it. A text that is no trigger says what is
    wrong and changes nothing.

    Parameters
    ----------
    lab
        The lab.
    gold
        A gold table; the lab's when None.
    dialogue
        Id or title of the dialogue to begin with. With several there is a chooser.
    trigger
        A trigger or its text to begin with. When None, the one that the lab's checkpoints were placed by, if
        it is another than the default; else one with sliders.

    Attributes
    ----------
    trigger
        The trigger that is shown, to work on in the next cell.
    boundaries, checkpoints
        What it makes of the dialogue.
    text
        The trigger as text; can be set.
    error
        The last error, also shown in the widget; "" when all is well.

    Raises
    ------
    HydralabError
        The lab is empty, or has no such dialogue.
    MissingExtraError
        When anywidget is not installed.

    >>> import hydralab as hl
    >>> widget = TriggerLab(hl.Lab(hl.read_all(hl.example("launch_zh"))))
    >>> widget.text = "hl.cue('另外').place(min_turns=2, max_turns=40)"
    >>> widget.boundaries["position"].to_list()
    [8]
    >>> widget.close()
    """

    _esm = script("dom.js", "slider.js", "curve.js", "form.js", "sweep.js", "triggerlab.js")
    _css = style("view.css", "triggerlab.css")

    text = traitlets.Unicode("").tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)
    _edit = traitlets.Dict().tag(sync=True)
    _answered = traitlets.Int(0).tag(sync=True)
    _result = traitlets.Dict().tag(sync=True)
    _curve = traitlets.Bytes(b"").tag(sync=True)

    def __init__(
        self,
        lab: Lab,
        gold: pl.DataFrame | None = None,
        dialogue: str | None = None,
        trigger: Trigger | str | None = None,
    ) -> None:
        tuning = Tuning(lab, gold, dialogue, trigger)
        super().__init__(text=tuning.text, _result=tuning.result(), _curve=tuning.curve())
        self._tuning: Tuning | None = tuning
        self.observe(self._edited, "_edit")
        self.observe(self._written, "text")
        self.on_msg(self._answer)
        keep_one_per_cell(self)

    @property
    def trigger(self) -> Trigger | None:
        """The trigger that is shown; None after `close`."""
        return None if self._tuning is None else self._tuning.trigger

    @property
    def boundaries(self) -> pl.DataFrame | None:
        """The boundaries table of the trigger; None after `close`."""
        return None if self._tuning is None else self._tuning.boundaries

    @property
    def checkpoints(self) -> pl.DataFrame | None:
        """The checkpoints table of the trigger; None after `close`."""
        return None if self._tuning is None else self._tuning.checkpoints()

    def to_html(self, path: str | Path) -> Path:
        """Write what is shown as one page of HTML without scripts, and return its path.

        Raises
        ------
        HydralabError
            The lab is closed, or the file can't be written.
        """
        if self._tuning is None:
            raise HydralabError("TriggerLab: it is closed, expected one that shows a trigger")
        return write_page(path, picture_page(repr(self), triggerlab_picture(self._tuning)))

    def close(self) -> None:
        """Take the widget off the page and let go of the lab."""
        close_view(self)
        super().close()
        self._tuning = None

    def __repr__(self) -> str:
        return "TriggerLab(closed)" if self._tuning is None else triggerlab_text(self._tuning)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        if self._tuning is None:
            return {"text/plain": repr(self)}, {}
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/html": triggerlab_picture(self._tuning), "text/plain": repr(self)}, metadata

    def _edited(self, change: Mapping[str, Any]) -> None:
        """Take what the view sends: controls or a text, and whether the hand is still on a slider."""
        edit = change["new"]
        with reported(self):
            if self._tuning is not None and edit:
                keep = bool(edit.get("keep_previous"))
                if "controls" in edit:
                    self._tuning.set_controls(Controls.of_json(edit["controls"]), keep_previous=keep)
                else:
                    self._tuning.write(str(edit["text"]), keep_previous=keep)
                self._show()
        self._answered = int(edit.get("serial", 0))

    def _written(self, change: Mapping[str, Any]) -> None:
        with reported(self):
            if self._tuning is not None and change["new"] != self._tuning.text:
                self._tuning.write(change["new"])
                self._show()

    def _show(self) -> None:
        assert self._tuning is not None
        with self.hold_sync():
            self.text = self._tuning.text
            self._result = self._tuning.result()
            self._curve = self._tuning.curve()

    def _answer(self, _: object, message: Mapping[str, Any], __: object) -> None:
        tuning = self._tuning
        if tuning is None:
            return
        answers: dict[str, Callable[[], dict[str, Any]]] = {
            "dialogue": lambda: self._open(message["dialogue_id"]),
            "titles": lambda: tuning.titles(message["spans"]),
            "sweep": lambda: tuning.sweep([float(value) for value in message["values"]]),
            "peek": lambda: tuning.peek(message["position"]),
            "save": lambda: {"path": str(tuning.save_module(message["path"]))},
        }
        answer(self, message, answers)

    def _open(self, dialogue_id: str) -> dict[str, Any]:
        assert self._tuning is not None
        self._tuning.open(dialogue_id)
        self._show()
        return {}
