"""Compare: the prompts of several replays at the same turn, and which evidence each one lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import polars as pl
import traitlets

from hydralab.errors import HydralabError
from hydralab.packing import Context
from hydralab.widgets.compare_picture import compare_picture, compare_text
from hydralab.widgets.compare_state import CompareState
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
from hydralab.widgets.recorded_steps import compare_recording

if TYPE_CHECKING:
    from hydralab.replay import Replayed

__all__ = ["Compare"]

SCRIPTS = ("dom.js", "context.js", "lines.js", "losses.js", "compare.js")
STYLES = ("view.css", "context.css", "compare.css")


class Compare(anywidget.AnyWidget):
    """Compare replays of one dialogue: strategies, budgets, or settings of one strategy.

    The tokens of the prompts stand over the turns, a line a run; below, the prompts of the same turn side
    by side; at the bottom, how much gold evidence each run had in its prompts, against the budget where
    there are several, and for each piece of evidence the stage at which each run lost it. A click on a row
    shows the prompts of that question. ← and → step while the widget has the focus, Home and End go to
    the ends.

    Parameters
    ----------
    runs
        What `lab.replay` or `hl.load_run` return, in a list, or name → run.
    at
        Where to open: a turn, or the id of a gold question.

    Attributes
    ----------
    position
        The turn shown; can be set.
    question
        The id of the gold question whose prompts are shown, "" for the turn's own; can be set.
    shown
        Numbers of the runs whose prompts stand side by side, from 0; can be set.
    contexts
        Name → the Context that is shown.
    summary
        A row a run: tokens, and the share of evidence in its prompts.
    misses
        A row a piece of evidence, a column a run: the stage at which it was met or lost.
    error
        The last error, also shown in the widget; "" when all is well.

    Raises
    ------
    HydralabError
        No run, something that is none, or runs of different dialogues.
    MissingExtraError
        When anywidget is not installed.

    >>> import hydralab as hl
    >>> lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
    >>> compare = Compare([lab.replay(each, budget=400) for each in ("hydration", "sliding_window")], at=14)
    >>> compare.misses.columns
    ['question_id', 'turn_id', 'hydration', 'sliding_window']
    >>> compare.close()
    """

    _esm = script(*SCRIPTS)
    _css = style(*STYLES)

    position = traitlets.Int(0).tag(sync=True)
    question = traitlets.Unicode("").tag(sync=True)
    shown = traitlets.List(traitlets.Int()).tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)
    _overview = traitlets.Dict().tag(sync=True)
    _moment = traitlets.Dict().tag(sync=True)

    def __init__(
        self, runs: Mapping[str, Replayed] | Sequence[Replayed], *, at: int | str | None = None
    ) -> None:
        comparing = CompareState(runs, at)
        super().__init__(
            position=comparing.position,
            question=comparing.question,
            shown=comparing.shown,
            _overview=comparing.overview(),
            _moment=comparing.moment(),
        )
        self._comparing: CompareState | None = comparing
        self.observe(self._follow, ["position", "question", "shown"])
        self.on_msg(self._answer)
        keep_one_per_cell(self)

    @property
    def contexts(self) -> dict[str, Context | None]:
        """Name → the prompt that is shown, None where none was made; empty after `close`."""
        return {} if self._comparing is None else self._comparing.contexts()

    @property
    def summary(self) -> pl.DataFrame | None:
        """A row a run; None after `close`."""
        return None if self._comparing is None else self._comparing.summary

    @property
    def misses(self) -> pl.DataFrame | None:
        """A row a piece of evidence, a column a run; None after `close`."""
        return None if self._comparing is None else self._comparing.misses

    def to_html(self, path: str | Path, *, prompts: int = 500, questions: int = 100) -> Path:
        """Write one page that steps without a kernel, and return its path.

        The page holds the prompts of all runs at the turns nearest to the present one, as many as `prompts` says
        and as fit 6 MB; elsewhere it says so.

        Parameters
        ----------
        path
            A name that ends in .html; a file of that name is overwritten.
        prompts
            The most turns with prompts.
        questions
            The most gold questions, with their prompts and what was lost.

        Raises
        ------
        HydralabError
            The widget is closed, or the file can't be written.
        """
        if self._comparing is None:
            raise HydralabError("Compare: it is closed, expected one that shows runs")
        page = widget_page(
            repr(self),
            script=script(*SCRIPTS, "page.js", "compare_page.js"),
            style=style(*STYLES),
            data=compare_recording(self._comparing, prompts, questions),
            picture=compare_picture(self._comparing),
        )
        return write_page(path, page)

    def close(self) -> None:
        """Take the widget off the page and let go of the runs."""
        close_view(self)
        super().close()
        self._comparing = None

    def __repr__(self) -> str:
        return "Compare(closed)" if self._comparing is None else compare_text(self._comparing)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return with_picture(super()._repr_mimebundle_(**kwargs), repr(self), compare_picture, self._comparing)

    def _follow(self, _: object) -> None:
        comparing = self._comparing
        wanted = (self.position, self.question, self.shown)
        if comparing is None or (comparing.position, comparing.question, comparing.shown) == wanted:
            return
        with reported(self):
            comparing.show(self.shown)
            comparing.go(self.position, self.question)
            self.set_trait("_moment", comparing.moment())
        with self.hold_trait_notifications():
            self.position, self.question = comparing.position, comparing.question
            self.shown = comparing.shown

    def _answer(self, _: object, message: Mapping[str, Any], __: object) -> None:
        comparing = self._comparing
        if comparing is None:
            return
        answers: dict[str, Callable[[], dict[str, Any]]] = {
            "losses": lambda: comparing.losses(int(message["start"]))
        }
        answer(self, message, answers)
