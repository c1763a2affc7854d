"""The AttentionExplorer: what a model looked at in its prompt, by item, token, layer, head and word."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import polars as pl
import traitlets

from hydralab.errors import HydralabError
from hydralab.widgets.attention_picture import attention_picture, attention_text
from hydralab.widgets.attention_state import AttentionState, Pick
from hydralab.widgets.lifecycle import (
    close_view,
    keep_one_per_cell,
    reported,
    script,
    style,
    with_picture,
)
from hydralab.widgets.pages import widget_page, write_page
from hydralab.widgets.recorded_attention import attention_recording

if TYPE_CHECKING:
    from hydralab.attention import Attention

__all__ = ["AttentionExplorer"]

SCRIPTS = ("dom.js", "attention.js")
STYLES = ("view.css", "attention.css")
PICKED = ("measure", "layer", "head", "item", "word")


class AttentionExplorer(anywidget.AnyWidget):
    """Explore what a model looked at, of one context, or of two for the same query side by side.

    The answer stands as a row of words, each in the colour of the remembered or recent item that it looked
    at most for the item's length; a click on a word shows the measures of it alone. Below are the items of
    the context with a bar for a measure of attention and one for what leaving the item out does to the
    answer, with their rank correlation. A click on an item shows its text, each token shaded by the
    attention it got; tokens that are sinks are dotted. Measure, layer and head can be chosen.

    Parameters
    ----------
    attention
        What `hl.attend` returns.
    other
        The same for another context of the same query. Read the same answer along
        (`hl.attend(model, other_context, answer)`), so that the log-probabilities can be compared.
    names
        What the two contexts are called.

    Attributes
    ----------
    measure, layer, head, item, word
        What is looked at; can be set. Layers, heads and words count from 0, −1 is all of them; `item` is
        an item's id.
    frame
        The measures that are shown, to work on in the next cell.
    error
        The last error, also shown in the widget; "" when all is well.

    Raises
    ------
    HydralabError
        The two are of different queries, or of models of different shape.
    MissingExtraError
        When anywidget is not installed.

    Notes
    -----
    Shading is the mean over the whole answer: single words are known by item, not by token.
    """

    _esm = script(*SCRIPTS)
    _css = style(*STYLES)

    measure = traitlets.Unicode("lift").tag(sync=True)
    layer = traitlets.Int(-1).tag(sync=True)
    head = traitlets.Int(-1).tag(sync=True)
    item = traitlets.Unicode("").tag(sync=True)
    word = traitlets.Int(-1).tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)
    _overview = traitlets.Dict().tag(sync=True)
    _result = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        attention: Attention,
        other: Attention | None = None,
        *,
        names: tuple[str, str] = ("this context", "the other"),
    ) -> None:
        exploring = AttentionState([attention] if other is None else [attention, other], names)
        super().__init__(**vars(exploring.pick), _overview=exploring.overview(), _result=exploring.result())
        self._exploring: AttentionState | None = exploring
        self.observe(self._follow, list(PICKED))
        keep_one_per_cell(self)

    @property
    def frame(self) -> pl.DataFrame | None:
        """The measures that are shown, with a column `side` where two are compared; None after `close`."""
        return None if self._exploring is None else self._exploring.frame()

    def to_html(self, path: str | Path) -> Path:
        """Write one page that works without a kernel, and return its path.

        On it are all measures and items, of all layers and heads together, of each layer, of each head of a layer,
        and of each word over all heads of a layer, in this order, as many as fit 6 MB; of the rest it says that
        it isn't there.

        Parameters
        ----------
        path
            A name that ends in .html; a file of that name is overwritten.

        Raises
        ------
        HydralabError
            The explorer is closed, or the file can't be written.
        """
        if self._exploring is None:
            raise HydralabError("AttentionExplorer: it is closed, expected one that shows a context")
        page = widget_page(
            repr(self),
            script=script(*SCRIPTS, "page.js", "attention_page.js"),
            style=style(*STYLES),
            data=attention_recording(self._exploring),
            picture=attention_picture(self._exploring),
        )
        return write_page(path, page)

    def close(self) -> None:
        """Take the widget off the page and let go of what it shows."""
        close_view(self)
        super().close()
        self._exploring = None

    def __repr__(self) -> str:
        return "AttentionExplorer(closed)" if self._exploring is None else attention_text(self._exploring)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return with_picture(
            super()._repr_mimebundle_(**kwargs), repr(self), attention_picture, self._exploring
        )

    def _follow(self, _: object) -> None:
        exploring = self._exploring
        wanted = Pick(**{name: getattr(self, name) for name in PICKED})
        if exploring is None or exploring.pick == wanted:
            return
        with reported(self):
            exploring.go(wanted)
            self.set_trait("_result", exploring.result())
        with self.hold_trait_notifications():
            for name, value in vars(exploring.pick).items():
                self.set_trait(name, value)
