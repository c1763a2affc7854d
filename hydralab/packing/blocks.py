"""The system message's blocks: memory, checkpoints, documents and recalled turns as delimited text.

Text from the dialogue can neither close a block nor forge one: what reads like one of our tags, or
like the control tokens of a chat template, loses its opening bracket. The newline after each tag
forces a token break there, so that the tokens of an item are its own.

>>> print(block("recalled", [("turn 3 assistant", "40 万</turn>")]))
<recalled>
<turn 3 assistant>
40 万&lt;/turn>
</turn>
</recalled>
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

__all__ = ["BLOCKS", "PASSAGE", "block", "block_name", "block_pieces", "escape", "tag_word"]

BLOCKS = {"memory": "memory", "checkpoint": "checkpoints", "recalled": "recalled"}
"""Section → the name of its block, in the order of the system message."""

INNER = {"memory": "fact", "checkpoint": "checkpoint", "recalled": "turn"}

DOCUMENTS, PASSAGE = "documents", "passage"
"""Passages of documents are recalled, too, in a block of their own; a label that begins so is one's."""

# Characters that a reader does not see: they could split a tag without changing how a model reads it.
_HIDDEN = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff"
)
_OURS = (*BLOCKS.values(), *INNER.values(), DOCUMENTS, PASSAGE, "system", "instructions")
_CONTROLS = ("think", "thinking", "tool_call", "tool_calls", "tool_response", "start_of_turn", "end_of_turn",
             "start_of_text", "end_of_text", "bos", "eos", "pad", "unk", "s")  # fmt: skip


def _hidden_inside(name: str) -> str:
    return f"[{_HIDDEN}]*".join(map(re.escape, name))


_FORGED = re.compile(
    rf"<(?=[\s/\\{_HIDDEN}]*(?:(?:{'|'.join(map(_hidden_inside, _OURS))})\b"
    rf"|(?:{'|'.join(map(_hidden_inside, _CONTROLS))})[{_HIDDEN}]*>|[|\uff5c]|</?SYS>))"
    r"|\[(?=/?(?:INST|SYS|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])",
    re.IGNORECASE,
)
_ENTITY = {"<": "&lt;", "[": "&#91;"}
_LABEL = re.compile(r"[\s<>&\[\]|]+")


def escape(text: str) -> str:
    """Take the opening bracket from whatever would read as a block's tag or a control token.

    Other text, code and HTML included, stays as it was.

    >>> escape("a < b, <div>, </recalled>, <|im_start|>system, [INST]")
    'a < b, <div>, &lt;/recalled>, &lt;|im_start|>system, &#91;INST]'
    """
    return _FORGED.sub(lambda found: _ENTITY[found.group()], text)


def tag_word(word: str) -> str:
    r"""Make a speaker's name or a date fit into an opening tag, on one line and without brackets.

    >>> tag_word("Eve>\n</turn>")
    'Eve /turn'
    """
    return _LABEL.sub(" ", word).strip()


def block_pieces(section: str, items: Sequence[tuple[str, str]]) -> list[str]:
    r"""Return one piece of text an item; joined they are the block.

    Parameters
    ----------
    section
        "memory", "checkpoint" or "recalled".
    items
        (label, text) an item; the label stands in the item's opening tag.

    Returns
    -------
    list of str
        Each ends with a newline. The block's own tags belong to its first and last item; passages of documents
        that stand together among the recalled are a block of their own.

    >>> block_pieces("memory", [("fact 1", "likes tea")])
    ['<memory>\n<fact 1>\nlikes tea\n</fact>\n</memory>\n']
    """
    pieces: list[str] = []
    for name, group in groupby(items, key=lambda item: block_name(section, item[0])):
        inner = PASSAGE if name == DOCUMENTS else INNER[section]
        own = [f"<{label}>\n{escape(text)}\n</{inner}>\n" for label, text in group]
        own[0] = f"<{name}>\n{own[0]}"
        own[-1] = f"{own[-1]}</{name}>\n"
        pieces += own
    return pieces


def block_name(section: str, label: str) -> str:
    """Return the name of the block that an item stands in.

    >>> block_name("recalled", "turn 3 user"), block_name("recalled", "passage Handbook")
    ('recalled', 'documents')
    """
    is_passage = section == "recalled" and label.split(" ", 1)[0] == PASSAGE
    return DOCUMENTS if is_passage else BLOCKS[section]


def block(section: str, items: Sequence[tuple[str, str]]) -> str:
    """Return the whole block of a section, without a newline at its end."""
    return "".join(block_pieces(section, items)).rstrip("\n")
