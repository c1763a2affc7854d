"""The TriggerLab: change a trigger and see at once where it cuts, and how well."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import polars as pl
import traitlets

from hydralab.errors import HydralabError
from hydralab.packing import DEFAULT_BUDGET
from hydralab.widgets.controls import Controls
from hydralab.widgets.lifecycle import (
    answer,
    close_view,
    keep_one_per_cell,
    reported,
    script,
    style,
    with_picture,
)
from hydralab.widgets.pages import widget_page, write_page
from hydralab.widgets.pictures import triggerlab_picture, triggerlab_text
from hydralab.widgets.recorded_triggers import triggerlab_recording
from hydralab.widgets.triggerlab_state import TriggerLabState

if TYPE_CHECKING:
    from hydralab.lab import Lab
    from hydralab.triggers import Trigger

__all__ = ["TriggerLab"]

SCRIPTS = ("dom.js", "slider.js", "curve.js", "form.js", "sweep.js", "triggerlab.js")
STYLES = ("view.css", "triggerlab.css")


class TriggerLab(anywidget.AnyWidget):
    """Prototype a trigger on a dialogue of a lab.

    Sliders set thresholds of signals, a box takes cue words, another the whole expression; all three
    show the same trigger. The same box takes functions: Python with `@hl.trigger`, `@hl.step_trigger` or
    `@hl.segmenter`, run in the kernel by its button or Ctrl Enter, and by nothing else. The curve shows where
    the trigger starts new spans, where the one before it did, or one that is kept to compare with, and the gold;
    below stand Pk, WindowDiff, F1, Score and the ratio beside the floors, and the checkpoints that come of it.
    A text that is no trigger says what is wrong and changes nothing.

    The sweep shows what other values of a parameter would give: checkpoints, tokens a span, Score, and when asked
    for, the evidence of gold questions in prompts made with those checkpoints. That takes a second or more a value;
    it goes on in steps and can be stopped.

    Parameters
    ----------
    lab
        The lab.
    gold
        A gold table, such as `stepper.gold` or `stepper.decisions`; the lab's when None. Of several annotators
        one can be chosen.
    dialogue
        Id or title of the dialogue to begin with. With several there is a chooser.
    trigger
        A trigger or its text to begin with. When None, the one that the lab's checkpoints were placed by, if
        it is another than the default; else one with sliders.
    budget
        Tokens of a prompt, for the evidence of the sweep.

    Attributes
    ----------
    trigger
        The trigger that is shown, to work on in the next cell.
    boundaries, checkpoints
        What it makes of the dialogue.
    swept
        What was tried of its parameters: checkpoints, tokens, score and evidence a value.
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

    _esm = script(*SCRIPTS)
    _css = style(*STYLES)

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
        *,
        budget: int = DEFAULT_BUDGET,
    ) -> None:
        tuning = TriggerLabState(lab, gold, dialogue, trigger, budget)
        super().__init__(text=tuning.text, _result=tuning.result(), _curve=tuning.curve())
        self._tuning: TriggerLabState | None = tuning
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

    @property
    def swept(self) -> pl.DataFrame | None:
        """A row a value of a parameter that was tried; None after `close`."""
        return None if self._tuning is None else self._tuning.swept

    def to_html(self, path: str | Path) -> Path:
        """Write one page that works without a kernel, and return its path.

        On it the threshold of the first signal moves over 41 values and the shortest span over 1 to 8 turns; the
        rest is as it is now. Evidence is on it where it was asked for. The page has 6 MB at most; what doesn't
        fit is left out, and said to be where one looks for it.

        Parameters
        ----------
        path
            A name that ends in .html; a file of that name is overwritten.

        Raises
        ------
        HydralabError
            The lab is closed, or the file can't be written.
        """
        if self._tuning is None:
            raise HydralabError("TriggerLab: it is closed, expected one that shows a trigger")
        page = widget_page(
            repr(self),
            script=script(*SCRIPTS, "page.js", "triggerlab_page.js"),
            style=style(*STYLES),
            data=triggerlab_recording(self._tuning),
            picture=triggerlab_picture(self._tuning),
        )
        return write_page(path, page)

    def close(self) -> None:
        """Take the widget off the page and let go of the lab."""
        close_view(self)
        super().close()
        self._tuning = None

    def __repr__(self) -> str:
        return "TriggerLab(closed)" if self._tuning is None else triggerlab_text(self._tuning)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return with_picture(super()._repr_mimebundle_(**kwargs), repr(self), triggerlab_picture, self._tuning)

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
            "dialogue": lambda: self._changed(lambda: tuning.open(message["dialogue_id"])),
            "annotator": lambda: self._changed(lambda: tuning.score_by(str(message["annotator"]))),
            "keep": lambda: self._changed(lambda: tuning.keep(bool(message["on"]))),
            "run": lambda: self._changed(lambda: tuning.run(str(message["source"]))),
            "titles": lambda: tuning.titles(message["spans"]),
            "sweep": lambda: tuning.sweep(
                str(message["parameter"]), [float(value) for value in message["values"]]
            ),
            "evidence": lambda: tuning.ask(str(message["parameter"]), float(message["value"])),
            "peek": lambda: tuning.peek(message["position"]),
            "save": lambda: {"path": str(tuning.save_module(message["path"]))},
        }
        answer(self, message, answers)

    def _changed(self, change: Callable[[], None]) -> dict[str, Any]:
        """Make a change, and show and answer that it is made."""
        change()
        self._show()
        self.error = ""
        return {}
