"""The sliders of a trigger and the text of the same trigger, each made from the other."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from hydralab.errors import HydralabError

__all__ = ["Controls", "Rule", "read_controls", "write_controls"]


@dataclass(frozen=True)
class Rule:
    """A signal and the value it has to exceed, in the signal's unit."""

    signal: str
    value: float


@dataclass(frozen=True)
class Controls:
    """What the sliders and boxes say.

    Attributes
    ----------
    rules
        Signals with their thresholds.
    cue
        A regular expression that the turn has to match; "" for none.
    every
        Whether all of them have to hold (and), not one (or).
    min_turns, max_turns
        The shortest and the longest span.
    """

    rules: tuple[Rule, ...] = (Rule("shift", 0.8),)
    cue: str = ""
    every: bool = False
    min_turns: int = 4
    max_turns: int = 40
    extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_json(cls, given: Mapping[str, Any]) -> Controls:
        """Return the controls that a browser sent.

        Raises
        ------
        HydralabError
            Neither a signal nor a cue, a cue that is no regular expression, or a longest span that is
            shorter than the shortest.
        """
        rules = tuple(Rule(str(rule["signal"]), float(rule["value"])) for rule in given["rules"])
        controls = cls(
            rules, str(given["cue"]), bool(given["every"]), int(given["min_turns"]), int(given["max_turns"]),
            dict(given.get("extra", {})),
        )  # fmt: skip
        if not rules and not controls.cue:
            raise HydralabError("controls: neither a signal nor a cue, expected at least one of them")
        if controls.max_turns < controls.min_turns:
            raise HydralabError(
                f"controls: max {controls.max_turns} is below min {controls.min_turns}, expected as many turns or more"
            )
        try:
            re.compile(controls.cue)
        except re.error as error:
            raise HydralabError(f"cue: {controls.cue!r} is no regular expression: {error}") from error
        return controls

    def to_json(self) -> dict[str, Any]:
        """Return the controls for the browser."""
        return asdict(self)


def write_controls(controls: Controls) -> str:
    """Return the trigger's text.

    >>> write_controls(Controls(cue="换个话题|另外"))
    "((hl.col.shift > 0.8) | hl.cue('换个话题|另外')).place(min_turns=4, max_turns=40)"
    """
    parts = [f"(hl.col.{rule.signal} > {rule.value:g})" for rule in controls.rules]
    parts += [f"hl.cue({controls.cue!r})"] if controls.cue else []
    joined = (" & " if controls.every else " | ").join(parts)
    whole = f"({joined})" if len(parts) > 1 else joined
    extra = "".join(f", {name}={value!r}" for name, value in controls.extra.items())
    return f"{whole}.place(min_turns={controls.min_turns}, max_turns={controls.max_turns}{extra})"


def read_controls(text: str) -> Controls | None:
    """Return the controls that say the same as a trigger's text, None when no controls can.

    >>> read_controls("(hl.col.depth > 0.2).place(min_turns=3, max_turns=9)").rules
    (Rule(signal='depth', value=0.2),)
    >>> read_controls("texttiling") is None
    True
    """
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        return _of_tree(tree)
    except (SyntaxError, ValueError, AttributeError, TypeError, KeyError):
        return None


def _of_tree(tree: ast.expr) -> Controls:
    # A tree of another form fails on some attribute here, which `read_controls` takes for a no.
    if not isinstance(tree, ast.Call) or tree.func.attr != "place" or tree.args:  # type: ignore[attr-defined]
        raise ValueError("not placed")
    placement = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in tree.keywords}
    inner = tree.func.value  # type: ignore[attr-defined]
    operators: set[type] = set()
    leaves = _leaves(inner, operators)
    cues = [leaf for leaf in leaves if isinstance(leaf, str)]
    if len(operators) > 1 or len(cues) > 1:
        raise ValueError("mixed")
    return Controls(
        rules=tuple(leaf for leaf in leaves if isinstance(leaf, Rule)),
        cue=cues[0] if cues else "",
        every=operators == {ast.BitAnd},
        min_turns=int(placement.pop("min_turns")),
        max_turns=int(placement.pop("max_turns")),
        extra=placement,
    )


def _leaves(node: ast.expr, operators: set[type]) -> list[Rule | str]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.BitAnd):
        operators.add(type(node.op))
        return _leaves(node.left, operators) + _leaves(node.right, operators)
    if isinstance(node, ast.Compare):
        (operator,), (value,) = node.ops, node.comparators
        column = node.left
        if not isinstance(operator, ast.Gt) or column.value.attr != "col":  # type: ignore[attr-defined]
            raise ValueError("not a rule")
        return [Rule(column.attr, float(ast.literal_eval(value)))]  # type: ignore[attr-defined]
    if node.func.attr != "cue" or node.keywords:  # type: ignore[attr-defined]
        raise ValueError("not a cue")
    (pattern,) = node.args  # type: ignore[attr-defined]
    return [str(ast.literal_eval(pattern))]
