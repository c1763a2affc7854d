"""The life of a widget: its script and style from the package, one set a cell, closed with all it opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

from hydralab.errors import HydralabError, unknown_name
from hydralab.theme import css_variables

if TYPE_CHECKING:
    from ipywidgets import DOMWidget
    from traitlets import HasTraits

__all__ = ["answer", "close_view", "keep_one_per_cell", "reported", "script", "style", "with_picture"]

Shown = TypeVar("Shown")


@cache
def script(*names: str) -> str:
    """Return the named files of `static/` as one ES module.

    A front end loads a widget's script from a string and can't follow relative imports; so the files
    share one scope, each uses names of those before it, and only the last exports.
    """
    return "\n".join(_asset(name) for name in names)


@cache
def style(*names: str) -> str:
    """Return the named style sheets of `static/` behind the theme's colours."""
    return "\n".join([f".hl-view {{\n{css_variables()}\n}}", *(_asset(name) for name in names)])


def _asset(name: str) -> str:
    return files("hydralab.widgets").joinpath("static", name).read_text(encoding="utf-8")


def close_view(view: DOMWidget) -> None:
    """Close the layout that ipywidgets opened for a view; the view's own `close` calls this."""
    if view.layout is not None:
        view.layout.close()


def with_picture(bundle: Any, text: str, picture: Callable[[Shown], str], shown: Shown | None) -> Any:
    """Return what a view shows in a notebook, with a picture for where no kernel runs and a line of text.

    Parameters
    ----------
    bundle
        Of the view's own `_repr_mimebundle_`.
    picture
        Makes HTML without scripts of `shown`.
    shown
        What the view works on; None once it is closed, and then there is the text alone.
    """
    if shown is None:
        return {"text/plain": text}, {}
    data, metadata = bundle or ({}, {})
    return {**data, "text/html": picture(shown), "text/plain": text}, metadata


@contextmanager
def reported(view: HasTraits) -> Iterator[None]:
    """Show an error in the view's `error` trait instead of raising it where nobody would see it.

    A handler of a widget runs outside any cell: what it raises goes to a log. `error` is emptied when
    the block succeeds.
    """
    try:
        yield
    except Exception as error:
        view.set_trait("error", _told(error))
    else:
        view.set_trait("error", "")


def answer(
    view: DOMWidget, message: Mapping[str, Any], answers: Mapping[str, Callable[[], dict[str, Any] | None]]
) -> None:
    """Answer what a view asks: {"ask": name, "id": id, …} by {"id": id, …}, always.

    One of `answers` that returns None has done what it was asked, and has nothing to tell.
    What can't be answered is answered by {"id": id, "error": words} and shown in the view's `error`;
    an answer leaves an error that is shown where it is, for it may be of something else.
    """
    try:
        name = str(message.get("ask"))
        if name not in answers:
            raise unknown_name("question of a view", name, answers)
        found = answers[name]() or {}
    except Exception as error:
        view.set_trait("error", _told(error))
        found = {"error": _told(error)}
    view.send({**found, "id": message.get("id")})


def _told(error: Exception) -> str:
    return f"{error}" if isinstance(error, HydralabError) else f"{type(error).__name__}: {error}"


class _Cell:
    """The widgets that the latest run of one notebook cell opened."""

    def __init__(self) -> None:
        self.run: str = ""
        self.views: WeakSet[DOMWidget] = WeakSet()


_CELLS: dict[str, _Cell] = {}


def keep_one_per_cell(view: DOMWidget) -> None:
    """Close what an earlier run of the notebook cell that now opens `view` had opened.

    Outside a kernel nothing is known of cells, and nothing is closed.
    """
    cell_id, run = _running_cell()
    if not cell_id:
        return
    cell = _CELLS.setdefault(cell_id, _Cell())
    if cell.run != run:
        for earlier in list(cell.views):
            earlier.close()
        cell.views.clear()
        cell.run = run
    cell.views.add(view)


def _running_cell() -> tuple[str, str]:
    """Return the id of the cell that is running and of this run of it; both empty outside a kernel.

    Where the front end doesn't send an id the cell is known by its source.
    """
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if shell is None or not hasattr(shell, "get_parent"):
        return "", ""
    request = shell.get_parent()
    source = str(request.get("content", {}).get("code", ""))
    known = request.get("metadata", {}).get("cellId") or sha256(source.encode()).hexdigest()
    return str(known), str(request.get("header", {}).get("msg_id", ""))
