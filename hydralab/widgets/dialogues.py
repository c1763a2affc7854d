"""One dialogue of a lab, opened in a widget that changes something on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError
from hydralab.lab import Lab

__all__ = ["OpenDialogue", "check_lab", "open_dialogue"]


@dataclass(frozen=True, eq=False)
class OpenDialogue:
    """What a lab holds of one dialogue.

    Attributes
    ----------
    title
        Its title, else its id.
    vectors
        Float32 (n, d), a unit row a turn.
    questions
        Its gold questions.
    listed
        (id, title) of all dialogues of the lab, for a chooser; "" where one has no title.
    """

    lab: Lab = field(repr=False)
    dialogue_id: str
    title: str
    turns: pl.DataFrame = field(repr=False)
    vectors: NDArray[np.float32] = field(repr=False)
    questions: pl.DataFrame = field(repr=False)
    listed: Sequence[tuple[str, str]] = field(repr=False)


def check_lab(lab: object, name: str) -> Lab:
    """Return a lab that has a dialogue; `name` is that of the widget it was given to.

    Raises
    ------
    HydralabError
        It is no lab, or an empty one.
    """
    if not isinstance(lab, Lab):
        raise HydralabError(f"{name}: got {type(lab).__name__}, expected a lab")
    if not lab.dialogues.height:
        raise HydralabError(f"{name}: the lab has no dialogue, expected at least one")
    return lab


def open_dialogue(lab: Lab, dialogue: str | None = None) -> OpenDialogue:
    """Return a dialogue by id or title; the lab's first when None.

    >>> import hydralab as hl
    >>> open_dialogue(hl.Lab(hl.read_all(hl.example("launch_en")))).turns.height
    22
    """
    name = lab.dialogue_id(dialogue or lab.dialogues["dialogue_id"][0])
    listed = lab.dialogues.select("dialogue_id", pl.col("title").fill_null("")).rows()
    return OpenDialogue(
        lab=lab,
        dialogue_id=name,
        title=dict(listed)[name] or name,
        turns=lab.dialogue_turns(name),
        vectors=lab.vectors(name),
        questions=lab.questions.filter(pl.col("dialogue_id") == name),
        listed=listed,
    )
