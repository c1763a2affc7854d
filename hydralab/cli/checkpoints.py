"""`hydralab checkpoints`: where a dialogue's topics end, and what was said in them."""

from __future__ import annotations

from hydralab.cli.options import DialogueName, EncoderName, FormatName, Source, TriggerText, open_lab
from hydralab.cli.output import AsJson, Out, emit, show_table

__all__ = ["checkpoints_command"]

SHOWN = ("start", "end", "kind", "title", "keywords", "tokens", "status")


def checkpoints_command(
    file: Source,
    trigger: TriggerText = None,
    dialogue: DialogueName = None,
    encoder: EncoderName = "use",
    fmt: FormatName = None,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Place checkpoints by a trigger and show them."""
    lab = open_lab(file, encoder=encoder, fmt=fmt)
    placed = lab.checkpoints(trigger, dialogue)
    if emit({}, {"checkpoints": placed}, as_json=as_json, out=out):
        several = placed["dialogue_id"].n_unique() > 1
        columns = (("dialogue_id",) if several else ()) + SHOWN
        show_table(f"{placed.height} checkpoints", placed, columns, spare=("keywords", "status", "tokens"))
