"""Open Assistant's trees (OASST1, OASST2): a tree a line, or a message a line.

The current branch takes the best-ranked reply at every level (rank 0; the first where none is
ranked).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from hydralab.readers.looks import Look
from hydralab.readers.records import (
    READERS,
    DialogueRecord,
    Failure,
    Item,
    TurnRecord,
    convert_each,
    standard_role,
)
from hydralab.readers.sources import Source
from hydralab.readers.trees import branch_dialogues, check_branches, turns_along

__all__ = ["Oasst"]

UNRANKED = 1 << 30


@READERS.register("oasst")
@dataclass(frozen=True)
class Oasst:
    """Open Assistant's message trees.

    Parameters
    ----------
    branches
        "current" for the best-ranked replies, or "all".
    """

    branches: str = "current"

    def __post_init__(self) -> None:
        """Check the option."""
        check_branches(self.branches)

    def sniff(self, look: Look) -> float:
        """Certain by `message_tree_id`."""
        return (
            0.95
            if look.has("message_tree_id", "prompt") or look.has("message_tree_id", "message_id")
            else 0.0
        )

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each tree's best branch, or all of its branches."""
        flat: dict[str, list[Item]] = {}

        def convert(item: Item) -> Iterator[DialogueRecord]:
            if "prompt" in item.value:
                return self._tree(item.value["message_tree_id"], _unfold(item.value["prompt"]))
            item.value["role"], item.value["text"]
            flat.setdefault(item.value["message_tree_id"], []).append(item)
            return iter(())

        yield from convert_each(source.records(), convert)
        gathered = (
            Item(
                {"message_tree_id": tree, "messages": [one.value for one in items]},
                items[0].line,
                items[0].record,
            )
            for tree, items in flat.items()
        )
        yield from convert_each(
            gathered, lambda item: self._tree(item.value["message_tree_id"], item.value["messages"])
        )

    def _tree(self, tree_id: str, messages: Sequence[Mapping[str, Any]]) -> Iterator[DialogueRecord]:
        nodes = {message["message_id"]: message for message in messages}
        # Of unranked siblings the first is the best, and the current branch takes the last.
        newest_first = list(reversed(nodes))
        worst_first = sorted(newest_first, key=lambda name: -_rank(nodes[name]))
        parents = {name: nodes[name].get("parent_id") for name in worst_first}
        about = {"dialogue_id": tree_id, "language": str(messages[0].get("lang") or "").split("-")[0] or None}
        turns = partial(turns_along, turn_of=partial(_turn, nodes))
        return branch_dialogues("oasst", parents, turns, about, current=None, which=self.branches)


def _rank(message: Mapping[str, Any]) -> int:
    rank = message.get("rank")
    return UNRANKED if rank is None else int(rank)


def _unfold(root: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    waiting = [root]
    while waiting:
        message = waiting.pop()
        found.append(message)
        waiting += reversed(message.get("replies") or ())
    return found


def _turn(nodes: Mapping[str, Mapping[str, Any]], name: str) -> TurnRecord:
    message = nodes[name]
    meta = {field: message[field] for field in ("rank", "deleted", "model_name") if message.get(field)}
    return TurnRecord(
        standard_role(message["role"]),
        message["text"],
        None,
        message.get("created_date"),
        None,
        name,
        (),
        meta,
    )
