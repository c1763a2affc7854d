"""Options that several commands share."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from hydralab.frames import Corpus
    from hydralab.lab import Lab

__all__ = [
    "Budget",
    "DialogueName",
    "EncoderName",
    "FormatName",
    "Source",
    "TriggerText",
    "default_budget",
    "open_corpus",
    "open_lab",
]

Source = Annotated[
    str, typer.Argument(metavar="FILE", help="A file, folder, zip or glob; or the name of an example.")
]
FormatName = Annotated[
    str | None, typer.Option("--format", help="The reader to use; told by content when left out.")
]
DialogueName = Annotated[str | None, typer.Option("--dialogue", help="Id or title, where there are several.")]
EncoderName = Annotated[
    str, typer.Option("--encoder", help="use, minilm, e5, a folder or a Hugging Face id.")
]
TriggerText = Annotated[
    str | None,
    typer.Option(
        "--trigger", help="A name, such as valleys, or Python: \"(col.shift > 0.8) | cue('by the way')\"."
    ),
]


def default_budget() -> int:
    """Return the budget where none is named, the lab's."""
    from hydralab.packing.split import DEFAULT_BUDGET

    return DEFAULT_BUDGET


Budget = Annotated[
    int,
    typer.Option(
        "--budget",
        min=1,
        default_factory=default_budget,
        show_default="as in the lab",
        help="Tokens for everything that is sent.",
    ),
]


def open_corpus(source: str, fmt: str | None = None) -> Corpus:
    """Return what a command was given: dialogues at a path, or the bundled one of a name."""
    from hydralab.readers import example, examples, read_all

    path = example(source) if not os.path.exists(source) and source in examples() else source
    return read_all(path, format=fmt, progress=None if sys.stderr.isatty() else False)


def open_lab(source: str, *, encoder: str = "use", fmt: str | None = None) -> Lab:
    """Return a lab on what a command was given."""
    from hydralab.lab import Lab

    return Lab(open_corpus(source, fmt), encoder=encoder)
