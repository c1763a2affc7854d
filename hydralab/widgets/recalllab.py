"""The RecallLab: a query, the weights of its scores, and at once what is recalled and what is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import polars as pl
import traitlets

from hydralab.errors import HydralabError
from hydralab.packing import Context
from hydralab.strategies import Hydration
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
from hydralab.widgets.pictures import recalllab_picture, recalllab_text
from hydralab.widgets.recalllab_state import RecallLabState
from hydralab.widgets.recorded_recall import recalllab_recording
from hydralab.widgets.sliders import Sliders

if TYPE_CHECKING:
    from hydralab.lab import Lab

__all__ = ["RecallLab"]

SCRIPTS = ("dom.js", "slider.js", "context.js", "candidates.js", "recalllab.js")
STYLES = ("view.css", "context.css", "recalllab.css")


class RecallLab(anywidget.AnyWidget):
    """Try recall and packing on a dialogue of a lab.

    Type a query or pick a gold question; move the weights of the scores, the numbers of candidates and
    the budget. The candidates stand in a table that sorts by any score, with a bar a score and what
    became of each; beside it the packed prompt. Of a gold question, its evidence is marked: met, or the
    stage at which it was lost.

    Parameters
    ----------
    lab
        The lab; its present checkpoints are recalled from.
    query
        What is asked first, or the id of a gold question; the first of these when None and there is one.
    dialogue
        Id or title of the dialogue to begin with. With several there is a chooser.
    budget
        Tokens for everything that is sent, to begin with.
    strategy
        An `hl.Hydration` to begin with; what the sliders don't show of it (a second stage, a judge, recent rounds,
        …) stays as it is. The default one when None.

    Attributes
    ----------
    strategy
        `Hydration` with the settings that are shown, to replay or compare in the next cell.
    candidates
        The candidates table of the query, every score a column.
    context
        The prompt; None where none fits the budget.
    query
        What is asked; can be set.
    error
        The last error, also shown in the widget; "" when all is well.

    Raises
    ------
    HydralabError
        The lab is empty, or has no such dialogue; the strategy is no `hl.Hydration`, or its blend no weighted sum.
    MissingExtraError
        When anywidget is not installed.

    >>> import hydralab as hl
    >>> widget = RecallLab(hl.Lab(hl.read_all(hl.example("launch_en"))), "What was the marketing budget?")
    >>> "84,500" in widget.context.prompt
    True
    >>> widget.close()
    """

    _esm = script(*SCRIPTS)
    _css = style(*STYLES)

    query = traitlets.Unicode("").tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)
    _edit = traitlets.Dict().tag(sync=True)
    _answered = traitlets.Int(0).tag(sync=True)
    _result = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        lab: Lab,
        query: str | None = None,
        *,
        dialogue: str | None = None,
        budget: int = 1_000,
        strategy: Hydration | None = None,
    ) -> None:
        recalling = RecallLabState(lab, query, dialogue, strategy=strategy, budget=budget)
        super().__init__(query=recalling.query, _result=recalling.result())
        self._recalling: RecallLabState | None = recalling
        self.observe(self._edited, "_edit")
        self.observe(self._asked, "query")
        self.on_msg(self._answer)
        keep_one_per_cell(self)

    @property
    def strategy(self) -> Hydration | None:
        """The strategy of the settings that are shown; None after `close`."""
        return None if self._recalling is None else self._recalling.strategy

    @property
    def candidates(self) -> pl.DataFrame | None:
        """The candidates table that is shown; None after `close`."""
        return None if self._recalling is None else self._recalling.candidates

    @property
    def context(self) -> Context | None:
        """The prompt that is shown; None where none fits the budget, and after `close`."""
        return None if self._recalling is None else self._recalling.context

    def to_html(
        self,
        path: str | Path,
        *,
        queries: Sequence[str] = (),
        blends: Sequence[str] = (),
        questions: int = 100,
    ) -> Path:
        """Write one page that works without a kernel, and return its path.

        It holds candidates and prompt of the present query, of `queries` and of the dialogue's gold questions,
        with the settings that are shown, and where `blends` are named, with those too: as many as fit 6 MB.

        Parameters
        ----------
        path
            A name that ends in .html; a file of that name is overwritten.
        queries
            Further queries, asked at the end of the dialogue.
        blends
            Names of `hl.BLENDS`.
        questions
            The most gold questions.

        Raises
        ------
        HydralabError
            The lab is closed, there is no such blend, or the file can't be written.
        """
        if self._recalling is None:
            raise HydralabError("RecallLab: it is closed, expected one that shows a dialogue")
        data = recalllab_recording(self._recalling, queries=queries, blends=blends, questions=questions)
        page = widget_page(
            repr(self),
            script=script(*SCRIPTS, "page.js", "recalllab_page.js"),
            style=style(*STYLES),
            data=data,
            picture=recalllab_picture(self._recalling),
        )
        return write_page(path, page)

    def close(self) -> None:
        """Take the widget off the page and let go of the lab."""
        close_view(self)
        super().close()
        self._recalling = None

    def __repr__(self) -> str:
        return "RecallLab(closed)" if self._recalling is None else recalllab_text(self._recalling)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return with_picture(
            super()._repr_mimebundle_(**kwargs), repr(self), recalllab_picture, self._recalling
        )

    def _edited(self, change: Mapping[str, Any]) -> None:
        """Take what the view sends: sliders, a query, a gold question, or a dialogue."""
        edit, recalling = change["new"], self._recalling
        with reported(self):
            if recalling is not None and edit:
                takes: dict[str, Callable[[], None]] = {
                    "sliders": lambda: recalling.set(Sliders.of_json(edit["sliders"])),
                    "query": lambda: recalling.ask(str(edit["query"]), edit.get("at")),
                    "question": lambda: recalling.pick(str(edit["question"])),
                    "dialogue_id": lambda: recalling.open(str(edit["dialogue_id"])),
                }
                for name in takes.keys() & edit.keys():
                    takes[name]()
                self._show()
        self._answered = int(edit.get("serial", 0))

    def _asked(self, change: Mapping[str, Any]) -> None:
        with reported(self):
            if self._recalling is not None and change["new"] != self._recalling.query:
                self._recalling.ask(change["new"])
                self._show()

    def _show(self) -> None:
        assert self._recalling is not None
        with self.hold_sync():
            self.query = self._recalling.query
            self._result = self._recalling.result()

    def _answer(self, _: object, message: Mapping[str, Any], __: object) -> None:
        if self._recalling is not None:
            answer(self, message, {"prompt": self._recalling.prompt})
