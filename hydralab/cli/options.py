"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from hydralab.lab import Lab

__all__ = ["Budget", "DialogueName", "EncoderName", "FormatName", "Source", "TriggerText", "open_lab"]

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
    str | None, typer.Option("--trigger", help="A trigger's name or text, as Python writes it.")
]
Budget = Annotated[int, typer.Option("--budget", min=1, help="Tokens for everything that is sent.")]


def open_lab(source: str, *, encoder: str = "use", fmt: str | None = None) -> Lab:
    """Return a lab on what a command was given: a path, or the name of a bundled dialogue."""
    from hydralab.lab import Lab
    from hydralab.readers import example, examples, read_all

    path = example(source) if not Path(source).exists() and source in examples() else source
    return Lab(read_all(path, format=fmt), encoder=encoder)
