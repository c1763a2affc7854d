"""Branches of a conversation tree: regenerated answers and edited questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hydralab.errors import ReadError, brief, unknown_name
from hydralab.readers.ids import hash_id
from hydralab.readers.records import DialogueRecord, Failure, TurnRecord, reason_of
from hydralab.readers.times import to_utc

__all__ = ["Branch", "branch_dialogues", "branch_paths", "check_branches", "turns_along"]

BRANCHES = ("current", "all")


@dataclass(frozen=True)
class Branch:
    """A path through a tree: node ids from the root to a leaf.

    `fork` is the id of the first node that no earlier branch has; None for the current branch.
    """

    path: tuple[str, ...]
    fork: str | None = None


def check_branches(which: str) -> None:
    """Raise when `which` is neither "current" nor "all"."""
    if which not in BRANCHES:
        raise unknown_name("value of branches", which, BRANCHES)


def branch_paths(
    parents: Mapping[str, str | None], current: str | None = None, which: str = "current"
) -> list[Branch]:
    """Return the branches of a tree, the current one first.

    Parameters
    ----------
    parents
        Node id → id of its parent, siblings in order, the newest last. A parent that is no node makes
        a root.
    current
        The last node of the current branch, or one on it; None: the last child at every fork.
    which
        "current" or "all".

    >>> branch_paths({"a": None, "b": "a", "c": "a"}, which="all")
    [Branch(path=('a', 'c'), fork=None), Branch(path=('a', 'b'), fork='b')]
    """
    check_branches(which)
    roots = [node for node, parent in parents.items() if parent not in parents]
    if not roots:
        raise ReadError("a message tree without a root" if parents else "a message tree without messages")
    children: dict[str, list[str]] = {}
    for node, parent in parents.items():
        if parent is not None and parent in parents:
            children.setdefault(parent, []).append(node)
    start = current if current is not None and current in parents else roots[-1]
    leaf = _newest_leaf(start, children)
    seen: set[str] = set()
    found = [Branch(_path(leaf, parents))]
    seen.update(found[0].path)
    if which == "current":
        return found
    for other in (node for node in parents if node not in children):
        path = _path(other, parents)
        fork = next((node for node in path if node not in seen), None)
        if fork is not None:
            found.append(Branch(path, fork))
            seen.update(path)
    return found


def branch_dialogues(
    reader: str,
    parents: Mapping[str, str | None],
    turns_of: Callable[[Sequence[str]], Sequence[TurnRecord | Failure]],
    about: Mapping[str, Any],
    *,
    current: str | None,
    which: str,
) -> Iterator[DialogueRecord]:
    """Yield a dialogue for each branch: the current one keeps the id, another adds # and its fork.

    Parameters
    ----------
    reader
        Its name, for the id of a conversation without one.
    parents, current, which
        As in `branch_paths`.
    turns_of
        Turns of a path of node ids, and what of it could not be read (see `turns_along`).
    about
        Fields of `DialogueRecord`: dialogue_id, title, user, language.
    """
    main, *others = branch_paths(parents, current, which)
    first = _dialogue(turns_of(main.path), about)
    yield first
    known = {turn.source_id for turn in first.turns}
    for branch in others:
        other = _dialogue(turns_of(branch.path), about)
        fresh = {turn.source_id for turn in other.turns} - known
        if not fresh:
            continue
        known |= fresh
        base = about.get("dialogue_id") or _derived(reader, first.turns or other.turns)
        yield replace(other, dialogue_id=f"{base}#{branch.fork}")


def turns_along(
    path: Iterable[str], turn_of: Callable[[str], TurnRecord | Failure | None]
) -> list[TurnRecord | Failure]:
    """Convert the nodes of a path one by one; one that can't be read becomes a failure that names it.

    >>> turns_along(["a", "b"], {"a": TurnRecord("user", "hi")}.__getitem__)[1].reason
    "message 'b': no field 'b'"
    """
    found: list[TurnRecord | Failure] = []
    for node in path:
        try:
            turn = turn_of(node)
        except Exception as error:  # whatever a message makes a reader raise costs that message only
            found.append(Failure(f"message {brief(node)}: {reason_of(error)}", item_id=node))
            continue
        found += [] if turn is None else [turn]
    return found


def _dialogue(found: Iterable[TurnRecord | Failure], about: Mapping[str, Any]) -> DialogueRecord:
    turns: list[TurnRecord] = []
    problems: list[Failure] = []
    for one in found:
        if isinstance(one, Failure):
            problems.append(one)
        else:
            turns.append(one)
    return DialogueRecord(turns, problems=problems, **about)


def _derived(reader: str, turns: Sequence[TurnRecord]) -> str:
    return hash_id(reader, turns[0], to_utc(turns[0].time)[0])


def _newest_leaf(node: str, children: Mapping[str, Sequence[str]]) -> str:
    seen = set()
    while node in children and node not in seen:
        seen.add(node)
        node = children[node][-1]
    return node


def _path(leaf: str, parents: Mapping[str, str | None]) -> tuple[str, ...]:
    path: list[str] = []
    seen: set[str] = set()
    node: str | None = leaf
    while node is not None and node in parents:
        if node in seen:
            raise ReadError(f"a message tree that runs in a circle at {node!r}")
        seen.add(node)
        path.append(node)
        node = parents[node]
    return tuple(reversed(path))
