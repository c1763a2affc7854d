"""The Stepper: a replayed dialogue, and at every turn the prompt as the model saw it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from hydralab.errors import HydralabError
from hydralab.packing import Context
from hydralab.widgets.lifecycle import answer, close_view, keep_one_per_cell, reported, script, style
from hydralab.widgets.pages import stepper_recording, widget_page, write_page
from hydralab.widgets.pictures import stepper_picture, stepper_text
from hydralab.widgets.stepping import Stepping

if TYPE_CHECKING:
    from hydralab.replay import Run

__all__ = ["Stepper"]


SCRIPTS = ("dom.js", "curve.js", "search.js", "transcript.js", "context.js", "stepper.js")
STYLES = ("view.css", "context.css", "stepper.css")


class Stepper(anywidget.AnyWidget):
    """Step through a replay in a notebook.

    The transcript has a coloured band a checkpoint; turns that were recalled into the prompt are
    outlined. Beside it stands the prompt of the turn: items by section with tokens, scores and
    reasons, what was dropped and why, the budget, the exact messages, the difference to the turn
    before, and where the evidence of gold questions was lost. ← and → step while the widget has the
    focus, Page Up and Page Down go to the next checkpoint, Home and End to the ends, / searches the
    transcript. A turn without a prompt, such as a blank one, says why there is none.

    Parameters
    ----------
    run
        What `lab.replay` returns.
    at
        Where to open: a turn, or the id of a gold question. Without it, where there is something to
        see: where the first gold question was asked, else the first prompt with something recalled,
        else the last prompt.

    Attributes
    ----------
    position
        The turn shown; can be set.
    question
        The id of the gold question whose prompt is shown, "" for the turn's own; can be set.
    context
        The Context that is shown, to work on in the next cell.
    error
        The last error, also shown in the widget; "" when all is well.

    Raises
    ------
    MissingExtraError
        When anywidget is not installed.

    >>> import hydralab as hl
    >>> lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
    >>> stepper = Stepper(lab.replay(hl.Hydration(), budget=600))
    >>> stepper.position = 16
    >>> stepper.context.at
    16
    >>> stepper.close()
    """

    _esm = script(*SCRIPTS)
    _css = style(*STYLES)

    position = traitlets.Int(0).tag(sync=True)
    question = traitlets.Unicode("").tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)
    _overview = traitlets.Dict().tag(sync=True)
    _curve = traitlets.Bytes(b"").tag(sync=True)
    _first = traitlets.Dict().tag(sync=True)
    _moment = traitlets.Dict().tag(sync=True)

    def __init__(self, run: Run, *, at: int | str | None = None) -> None:
        stepping = Stepping(run, at)
        super().__init__(
            position=stepping.position,
            question=stepping.question,
            _overview=stepping.overview(),
            _curve=stepping.curve(),
            _first=stepping.block_here(),
            _moment=stepping.moment(),
        )
        self._stepping: Stepping | None = stepping
        self.observe(self._follow, ["position", "question"])
        self.on_msg(self._answer)
        keep_one_per_cell(self)

    @property
    def context(self) -> Context | None:
        """The prompt that is shown; None where none was made, and after `close`."""
        return None if self._stepping is None else self._stepping.context()

    def to_html(self, path: str | Path, *, prompts: int = 500) -> Path:
        """Write one page that steps without a kernel, and return its path.

        The page holds the transcript and the prompts nearest to the present turn, as many as `prompts` says
        and as fit 6 MB; elsewhere it says so. Nothing in it is loaded from another place.

        Parameters
        ----------
        path
            A name that ends in .html; a file of that name is overwritten.
        prompts
            The most prompts of turns, and the most of gold questions.

        Raises
        ------
        HydralabError
            The stepper is closed, or the file can't be written.
        """
        if self._stepping is None:
            raise HydralabError("Stepper: it is closed, expected one that shows a run")
        page = widget_page(
            f"{self._overview['dialogue']} · {self._overview['strategy']}",
            script=script(*SCRIPTS, "page.js"),
            style=style(*STYLES),
            data=stepper_recording(self._stepping, prompts),
            picture=stepper_picture(self._stepping),
        )
        return write_page(path, page)

    def close(self) -> None:
        """Take the widget off the page and let go of the run."""
        close_view(self)
        super().close()
        self._stepping = None

    def __repr__(self) -> str:
        return "Stepper(closed)" if self._stepping is None else stepper_text(self._stepping)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        if self._stepping is None:
            return {"text/plain": repr(self)}, {}
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/html": stepper_picture(self._stepping), "text/plain": repr(self)}, metadata

    def _follow(self, _: object) -> None:
        stepping = self._stepping
        if stepping is None or (stepping.position, stepping.question) == (self.position, self.question):
            return
        with reported(self):
            stepping.go(self.position, self.question)
            self.set_trait("_moment", stepping.moment())
        with self.hold_trait_notifications():
            self.position, self.question = stepping.position, stepping.question

    def _answer(self, _: object, message: Mapping[str, Any], __: object) -> None:
        stepping = self._stepping
        if stepping is None:
            return
        answers = {
            "block": lambda: stepping.block(int(message["number"])),
            "search": lambda: stepping.search(str(message["text"])),
            "prompt": stepping.prompt,
            "diff": stepping.difference,
            "misses": stepping.losses,
        }
        answer(self, message, answers)
