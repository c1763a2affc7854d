"""The Stepper: a replayed dialogue, and at every turn the prompt as the model saw it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import polars as pl
import traitlets

from hydralab.errors import HydralabError
from hydralab.packing import Context
from hydralab.widgets.annotating import Annotating
from hydralab.widgets.annotation_files import folder_of, read_annotation, write_annotation
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
from hydralab.widgets.pictures import stepper_picture, stepper_text
from hydralab.widgets.recorded_steps import stepper_recording
from hydralab.widgets.stepper_state import StepperState

if TYPE_CHECKING:
    from hydralab.replay import Replayed

__all__ = ["Stepper"]


SCRIPTS = ("dom.js", "curve.js", "search.js", "annotate.js", "transcript.js", "context.js", "stepper.js")
STYLES = ("view.css", "context.css", "stepper.css", "annotate.css")


class Stepper(anywidget.AnyWidget):
    """Step through a replay in a notebook.

    The transcript has a coloured band a checkpoint; turns that were recalled into the prompt are
    outlined. Beside it stands the prompt of the turn: items by section with tokens, scores and
    reasons, what was dropped and why, the budget, the exact messages, the difference to the turn
    before, and where the evidence of gold questions was lost. ← and → step while the widget has the
    focus, Page Up and Page Down go to the next checkpoint, Home and End to the ends, / searches the
    transcript. A turn without a prompt, such as a blank one, says why there is none.

    "annotate", or A, opens a bar to mark the dialogue by hand: a boundary (B) or a decision (D) at the
    turn, the turn as evidence (E) for a question, old or typed there; U takes the last mark back.
    `gold`, `decisions` and `questions` are the marks as tables: `TriggerLab(lab, gold=stepper.decisions)`,
    `lab.annotate(gold=stepper.gold, questions=stepper.questions)`; saved, `hl.widgets.read_annotation` reads them.

    Parameters
    ----------
    run
        What `lab.replay` or `hl.load_run` returns.
    at
        Where to open: a turn, or the id of a gold question. Without it, where there is something to
        see: where the first gold question was asked, else the first prompt with something recalled,
        else the last prompt.
    annotator
        Who marks: goes into the gold table. Gold of this name that the run has is gone on with.

    Attributes
    ----------
    position
        The turn shown; can be set.
    question
        The id of the gold question whose prompt is shown, "" for the turn's own; can be set.
    context
        The Context that is shown, to work on in the next cell.
    gold, decisions
        The boundaries and the decisions that were marked, as gold tables.
    questions
        The questions table as it stands now: those of the run, with evidence that was added, and typed ones.
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
    _marks = traitlets.Dict().tag(sync=True)

    def __init__(self, run: Replayed, *, at: int | str | None = None, annotator: str = "me") -> None:
        stepping = StepperState(run, at)
        annotating = Annotating(run.turns, run.gold, run.questions, annotator)
        super().__init__(
            position=stepping.position,
            question=stepping.question,
            _overview=stepping.overview(),
            _curve=stepping.curve(),
            _first=stepping.block_here(),
            _moment=stepping.moment(),
            _marks=annotating.shown(),
        )
        self._stepping: StepperState | None = stepping
        self._annotating = annotating
        self.observe(self._follow, ["position", "question"])
        self.on_msg(self._answer)
        keep_one_per_cell(self)

    @property
    def context(self) -> Context | None:
        """The prompt that is shown; None where none was made, and after `close`."""
        return None if self._stepping is None else self._stepping.context()

    @property
    def gold(self) -> pl.DataFrame:
        """The boundaries that were marked."""
        return self._annotating.gold

    @property
    def decisions(self) -> pl.DataFrame:
        """The decisions that were marked: a gold table of the annotator's name with "/decisions" behind it."""
        return self._annotating.decisions

    @property
    def questions(self) -> pl.DataFrame:
        """The questions as they stand now."""
        return self._annotating.questions

    def mark(self, kind: str, position: int | None = None, on: bool | None = True) -> None:
        """Mark a turn by hand, as the buttons do.

        Parameters
        ----------
        kind
            "boundary" or "decision".
        position
            The turn; the one shown when None.
        on
            False takes the mark away, None turns it over.

        Raises
        ------
        HydralabError
            Another kind, no such turn, or a boundary at turn 0.
        """
        self._annotating.mark(kind, self.position if position is None else position, on)
        self._marks = self._annotating.shown()

    def ask(self, text: str, *, answer: str = "", asked_at: int | None = None) -> str:
        """Add a question and return its id.

        Parameters
        ----------
        answer
            Of gold; "" when it isn't known.
        asked_at
            The turn after which it is asked; the last one when None.

        Raises
        ------
        HydralabError
            A blank question, or no such turn.
        """
        question_id = self._annotating.ask(text, answer, asked_at)
        self._marks = self._annotating.shown()
        return question_id

    def mark_evidence(self, question_id: str, position: int | None = None, on: bool | None = True) -> None:
        """Mark a turn as evidence for a question; parameters and errors as of `mark`."""
        self._annotating.evidence(question_id, self.position if position is None else position, on)
        self._marks = self._annotating.shown()

    def undo(self) -> None:
        """Take the last mark, or the last question, back."""
        self._annotating.undo()
        self._marks = self._annotating.shown()

    def save_annotation(self, path: str | Path) -> Path:
        """Write what was marked, and return where.

        Parameters
        ----------
        path
            A name that ends in .jsonl: the dialogue with its marks in hydralab's own format, for
            `hl.read_all`. Any other name: a folder with gold, decisions and questions as Parquet.

        Raises
        ------
        HydralabError
            It can't be written.
        """
        return write_annotation(self._annotating, path, str(self._overview["dialogue"]))

    def load_annotation(self, path: str | Path) -> None:
        """Take what `save_annotation` wrote, in the place of the marks; `undo` takes it back.

        Raises
        ------
        HydralabError
            It can't be read, or isn't what was written.
        """
        self._annotating.take(*read_annotation(path, annotator=self._annotating.annotator))
        self._marks = self._annotating.shown()

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
            script=script(*SCRIPTS, "page.js", "stepper_page.js"),
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
        return with_picture(super()._repr_mimebundle_(**kwargs), repr(self), stepper_picture, self._stepping)

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
        answers: dict[str, Callable[[], dict[str, Any] | None]] = {
            "block": lambda: stepping.block(int(message["number"])),
            "search": lambda: stepping.search(str(message["text"])),
            "prompt": stepping.prompt,
            "diff": stepping.difference,
            "misses": stepping.losses,
            "mark": lambda: self.mark(str(message["kind"]), message["position"], None),
            "evidence": lambda: self.mark_evidence(str(message["question"]), message["position"], None),
            "ask": lambda: {
                "question": self.ask(
                    str(message["text"]), answer=str(message["answer"]), asked_at=message["asked_at"]
                )
            },
            "undo": self.undo,
            "save": lambda: {"path": str(self.save_annotation(folder_of(stepping.run.dialogue_id)))},
        }
        answer(self, message, answers)
