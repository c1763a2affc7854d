"""The nodes of a trigger: a frozen tree, compared by structure, printed as Python that can be pasted.

True at turn t means that a new span starts at t. How a node is computed stands in `compiling`; here
is what it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

import polars as pl

from hydralab.errors import HydralabError, check_settings
from hydralab.frames import SCHEMAS
from hydralab.signals.base import Lookahead
from hydralab.triggers.tree_needs import lookahead_of

__all__ = ["AllOf", "AnyOf", "Comparison", "Cue", "Not", "Placed", "Trigger", "Wrapped"]

Align = Literal["round", "turn"]


class Trigger(ABC):
    """A node of the tree; `&`, `|`, `~` and `.place()` make larger ones of it.

    Equality is structural, so a trigger can be a key; `repr` gives the Python that makes it.
    """

    @property
    def parts(self) -> tuple[Trigger, ...]:
        """The nodes right below."""
        return ()

    @property
    def reads(self) -> tuple[str, ...]:
        """The signals that the node itself reads, its parts left out."""
        return ()

    @property
    def reach(self) -> Lookahead:
        """Turns ahead that the node itself looks, beyond what its signals do."""
        return 0

    @property
    def lookahead(self) -> Lookahead:
        """Turns after the first one of a new span that must be known to decide it, the most of the parts, or "all"."""
        return lookahead_of(self)

    @abstractmethod
    def text(self) -> str:
        """Return the Python that makes this node."""

    @abstractmethod
    def record(self) -> dict[str, Any]:
        """Return this node as JSON values."""

    def place(self, *, min_turns: int = 1, max_turns: int | None = None, align: Align = "round") -> Placed:
        """Keep spans between two lengths; stands once, at the root.

        Parameters
        ----------
        min_turns
            The shortest span, in turns: fires that come sooner are passed over.
        max_turns
            The longest span: when it is full without a fire, it is cut at its best-scoring allowed gap,
            the latest of equals. None for no limit.
        align
            "round": only the start of a round may start a span, and where the longest span has no allowed
            gap it is cut at the next round's start. "turn": any turn may.

        Examples
        --------
        >>> from hydralab.triggers import col
        >>> (col.shift > 0.8).place(min_turns=4, max_turns=40)
        (hl.col.shift > 0.8).place(min_turns=4, max_turns=40)
        """
        return Placed(self, min_turns, max_turns, align)

    def __and__(self, other: Trigger) -> AllOf:
        return AllOf(_flat(AllOf, self, other, "&"))

    def __or__(self, other: Trigger) -> AnyOf:
        return AnyOf(_flat(AnyOf, self, other, "|"))

    def __invert__(self) -> Trigger:
        return self.part if isinstance(self, Not) else Not(_unplaced(self, "~"))

    def __bool__(self) -> NoReturn:
        raise HydralabError(
            "a trigger is neither true nor false: join triggers with &, | and ~ (not and, or, not), "
            "and compare a signal once (not 0.2 < hl.col.shift < 0.8)"
        )

    def __repr__(self) -> str:
        return self.text()


@dataclass(frozen=True, repr=False)
class Comparison(Trigger):
    """A signal on one side of a threshold; unknown values are on neither."""

    signal: str
    operator: Literal[">", ">=", "<", "<="]
    threshold: float

    @property
    def reads(self) -> tuple[str, ...]:
        """The signal."""
        return (self.signal,)

    def text(self) -> str:
        """Return the Python that makes this node."""
        name = f".{self.signal}" if self.signal.isidentifier() else f"[{self.signal!r}]"
        return f"hl.col{name} {self.operator} {self.threshold!r}"

    def record(self) -> dict[str, Any]:
        """Return this node as JSON values."""
        return {"signal": self.signal, "operator": self.operator, "threshold": self.threshold}


@dataclass(frozen=True, repr=False)
class Cue(Trigger):
    """A pattern in the text of a turn."""

    pattern: str
    role: str | None = "user"
    cut: Literal["before", "after"] = "before"

    def text(self) -> str:
        """Return the Python that makes this node."""
        role = "" if self.role == "user" else f", role={self.role!r}"
        cut = "" if self.cut == "before" else f", cut={self.cut!r}"
        return f"hl.cue({self.pattern!r}{role}{cut})"

    def record(self) -> dict[str, Any]:
        """Return this node as JSON values."""
        return {"cue": self.pattern, "role": self.role, "cut": self.cut}


@dataclass(frozen=True, repr=False)
class Wrapped(Trigger):
    """A Polars expression, kept as Polars' JSON text and compared by it."""

    code: str
    stated: Lookahead = "all"
    source: str | None = None
    expression: pl.Expr = field(compare=False, default_factory=lambda: pl.lit(False))

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns of the expression that are none of turns."""
        return tuple(name for name in self.expression.meta.root_names() if name not in SCHEMAS["turns"])

    @property
    def reach(self) -> Lookahead:
        """What was stated."""
        return self.stated

    def text(self) -> str:
        """Return the Python that makes this node."""
        ahead = "" if self.stated == "all" else f", lookahead={self.stated!r}"
        # What people read stands first, what is run after it.
        return f"hl.expr(source={self.source!r}{ahead}, expression={self.code!r})"

    def record(self) -> dict[str, Any]:
        """Return this node as JSON values."""
        return {"expr": self.code, "lookahead": self.stated, "source": self.source}


@dataclass(frozen=True, repr=False)
class AllOf(Trigger):
    """Fires where every part does; its score is the least of theirs."""

    triggers: tuple[Trigger, ...]

    @property
    def parts(self) -> tuple[Trigger, ...]:
        """The nodes right below."""
        return self.triggers

    def text(self) -> str:
        """Return the Python that makes this node."""
        return " & ".join(_inner(part) for part in self.triggers)

    def record(self) -> dict[str, Any]:
        """Return this node as JSON values."""
        return {"all": [part.record() for part in self.triggers]}


@dataclass(frozen=True, repr=False)
class AnyOf(Trigger):
    """Fires where one of the parts does; its score is the most of theirs."""

    triggers: tuple[Trigger, ...]

    @property
    def parts(self) -> tuple[Trigger, ...]:
        """The nodes right below."""
        return self.triggers

    def text(self) -> str:
        """Return the Python that makes this node."""
        return " | ".join(_inner(part) for part in self.triggers)

    def record(self) -> dict[str, Any]:
        """Return this node as JSON values."""
        return {"any": [part.record() for part in self.triggers]}


@dataclass(frozen=True, repr=False)
class Not(Trigger):
    """Fires where the part is known not to; its score is what is left to 1."""

    part: Trigger

    @property
    def parts(self) -> tuple[Trigger, ...]:
        """The nodes right below."""
        return (self.part,)

    def text(self) -> str:
        """Return the Python that makes this node."""
        return f"~{_inner(self.part)}"

    def record(self) -> dict[str, Any]:
        """Return this node as JSON values."""
        return {"not": self.part.record()}


@dataclass(frozen=True, repr=False)
class Placed(Trigger):
    """A trigger whose spans are kept between two lengths; a root, not a part."""

    trigger: Trigger
    min_turns: int = 1
    max_turns: int | None = None
    align: Align = "round"

    def __post_init__(self) -> None:
        _unplaced(self.trigger, ".place()")
        check_settings(self, "place", min_turns=1, max_turns=1)
        object.__setattr__(self, "min_turns", int(self.min_turns))
        object.__setattr__(self, "max_turns", None if self.max_turns is None else int(self.max_turns))
        if self.max_turns is not None and self.max_turns < self.min_turns:
            raise HydralabError(
                f"place: max_turns is {self.max_turns}, expected at least min_turns, {self.min_turns}, or None"
            )
        if not isinstance(self.align, str) or self.align not in ("round", "turn"):
            raise HydralabError(f"place: align is {self.align!r}, expected 'round' or 'turn'")

    @property
    def parts(self) -> tuple[Trigger, ...]:
        """The nodes right below."""
        return (self.trigger,)

    def text(self) -> str:
        """Return the Python that makes this node."""
        longest = "" if self.max_turns is None else f", max_turns={self.max_turns}"
        align = "" if self.align == "round" else f", align={self.align!r}"
        return f"{_inner(self.trigger)}.place(min_turns={self.min_turns}{longest}{align})"

    def record(self) -> dict[str, Any]:
        """Return this node as JSON values."""
        return {
            "place": self.trigger.record(),
            "min_turns": self.min_turns,
            "max_turns": self.max_turns,
            "align": self.align,
        }


def _inner(part: Trigger) -> str:
    text = part.text()
    return f"({text})" if isinstance(part, (Comparison, AllOf, AnyOf, Not)) else text


def _unplaced(trigger: Trigger, where: str) -> Trigger:
    if not isinstance(trigger, Trigger):
        raise HydralabError(
            f"{where}: got {trigger!r}, expected a trigger, such as hl.col.shift > 0.8 or hl.cue('另外')"
        )
    if isinstance(trigger, Placed):
        raise HydralabError(
            f"{where} on {trigger!r}: .place() stands once, at the root; join the parts first"
        )
    return trigger


def _flat(kind: type[AllOf] | type[AnyOf], left: Trigger, right: Trigger, sign: str) -> tuple[Trigger, ...]:
    joined: list[Trigger] = []
    for side in (left, right):
        _unplaced(side, sign)
        joined.extend(side.parts if isinstance(side, kind) else (side,))
    return tuple(joined)
