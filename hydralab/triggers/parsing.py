"""A trigger's text: the Python that its `repr` gives, read by an allowlist and never run."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from hydralab.errors import HydralabError
from hydralab.triggers.building import Column, col, cue, expr
from hydralab.triggers.forms import get_trigger
from hydralab.triggers.machine import StateMachine
from hydralab.triggers.tree import Trigger

__all__ = ["parse_trigger"]

MAKERS: dict[str, Callable[..., Trigger]] = {
    "cue": cue,
    "expr": expr,
    "get_trigger": get_trigger,
    "StateMachine": StateMachine,
}
"""What may be called, with or without ``hl.`` before it; another name is a registered trigger."""

LONGEST = 20_000
"""Characters of a trigger's text."""

EXAMPLE = "(hl.col.shift > 0.8) | hl.cue('另外')"


def parse_trigger(text: str) -> Trigger:
    """Read a trigger from its text.

    Parameters
    ----------
    text
        What `repr` of a trigger gives: comparisons of signals (``hl.col.shift > 0.8``), ``hl.cue(…)``,
        ``hl.expr(…)``, ``hl.get_trigger(…)``, ``hl.StateMachine(…)``, joined by ``&``, ``|`` and ``~``, and
        ``.place(…)`` at the end. ``hl.`` may be left out; a bare name, or one called with keywords, is a registered
        trigger.

    Raises
    ------
    HydralabError
        Text that is none of this, with the column where it stops being.

    >>> parse_trigger("col.shift > 0.8 | other")
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: trigger text, column 13: '0.8 | other' is no number; put each comparison in brackets
    >>> parse_trigger("((col.shift > 0.8) | cue('另外')).place(min_turns=4)")
    ((hl.col.shift > 0.8) | hl.cue('另外')).place(min_turns=4)
    >>> parse_trigger("every(n=8)")
    hl.get_trigger('every', n=8)
    """
    if not isinstance(text, str):
        raise HydralabError(f"trigger text: got {type(text).__name__}, expected a text")
    if len(text) > LONGEST:
        raise HydralabError(f"trigger text: {len(text):,} characters, expected at most {LONGEST:,}")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else "too deeply nested, or with a NUL"
        raise HydralabError(
            f"trigger text {text.strip()[:60]!r} is no expression ({reason}), such as {EXAMPLE}"
        ) from error
    try:
        return _trigger(tree.body)
    except RecursionError as error:
        raise HydralabError("trigger text: too deeply nested") from error


def _trigger(node: ast.expr) -> Trigger:
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _trigger(left) | _trigger(right)
        case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
            return _trigger(left) & _trigger(right)
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return ~_trigger(operand)
        case ast.Compare():
            return _comparison(node)
        case ast.Call(func=ast.Attribute(value=ast.expr() as inner, attr="place")):
            return _trigger(inner).place(**_keywords(node, positional=False)[1])
        case ast.Call():
            return _call(node)
        case ast.Name(id=name):
            return get_trigger(name)
    if _column(node) is not None:
        raise _error(node, "is a signal, not a trigger; compare it with a number, such as hl.col.shift > 0.8")
    if isinstance(node, ast.BoolOp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
        raise _error(node, "joins by and, or, not; use &, | and ~, each comparison in brackets")
    raise _error(node, f"is no trigger, such as {EXAMPLE}")


def _comparison(node: ast.Compare) -> Trigger:
    if len(node.ops) > 1:
        raise _error(node, "compares twice; join two comparisons by &, each in brackets")
    left, right = node.left, node.comparators[0]
    column, threshold, swapped = _column(left), right, False
    if column is None:
        column, threshold, swapped = _column(right), left, True
    if column is None:
        raise _error(node, "compares no signal; a signal is written col.NAME, such as hl.col.shift > 0.8")
    number = _number(threshold)
    match node.ops[0]:
        case ast.Gt():
            return column < number if swapped else column > number
        case ast.GtE():
            return column <= number if swapped else column >= number
        case ast.Lt():
            return column > number if swapped else column < number
        case ast.LtE():
            return column >= number if swapped else column <= number
    raise _error(node, "compares by something else than >, >=, < or <=")


def _column(node: ast.expr) -> Column | None:
    match node:
        case ast.Attribute(value=owner, attr=name) if _is_col(owner):
            return col[name]
        case ast.Subscript(value=owner, slice=ast.Constant(value=str(name))) if _is_col(owner):
            return col[name]
    return None


def _is_col(node: ast.expr) -> bool:
    match node:
        case ast.Name(id="col") | ast.Attribute(value=ast.Name(id="hl"), attr="col"):
            return True
    return False


def _number(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int(number) | float(number)) if not isinstance(number, bool):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _number(operand)
    raise _error(node, "is no number; put each comparison in brackets")


def _call(node: ast.Call) -> Trigger:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="hl"), attr=name):
            pass
        case _:
            raise _error(
                node, f"calls something else than {', '.join(MAKERS)}, .place() or a registered trigger"
            )
    arguments, keywords = _keywords(node, positional=name in MAKERS)
    try:
        return MAKERS[name](*arguments, **keywords) if name in MAKERS else get_trigger(name, **keywords)
    except TypeError as error:
        raise _error(node, f"has wrong arguments: {error}") from error


def _keywords(node: ast.Call, *, positional: bool) -> tuple[list[Any], dict[str, Any]]:
    if node.args and not positional:
        raise _error(node, "has an argument without its name, expected name=value")
    keywords = {keyword.arg: _value(keyword.value) for keyword in node.keywords if keyword.arg is not None}
    if len(keywords) < len(node.keywords) or any(isinstance(argument, ast.Starred) for argument in node.args):
        raise _error(node, "spreads arguments by a star, expected them written out")
    return [_value(argument) for argument in node.args], keywords


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=None | bool() | int() | float() | str()):
            return node.value
        case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            return _number(node)
        case ast.List(elts=items):
            return [_value(item) for item in items]
        case ast.Tuple(elts=items):
            return tuple(_value(item) for item in items)
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {
                _value(key): _value(value) for key, value in zip(keys, values, strict=True) if key is not None
            }
    return _trigger(node)


def _error(node: ast.expr, what: str) -> HydralabError:
    return HydralabError(f"trigger text, column {node.col_offset + 1}: {ast.unparse(node)[:60]!r} {what}")
