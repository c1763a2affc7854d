"""The Chat: a conversation with a model, and beside it its memory as it forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread, Timer
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from hydralab.errors import HydralabError
from hydralab.packing import Context
from hydralab.widgets.chat_picture import chat_picture, chat_text
from hydralab.widgets.chat_state import ChatState
from hydralab.widgets.lifecycle import (
    answer,
    close_view,
    keep_one_per_cell,
    reported,
    script,
    style,
    with_picture,
)
from hydralab.widgets.pages import Fitting, widget_page, write_page

if TYPE_CHECKING:
    from hydralab.agent import Agent

__all__ = ["Chat"]

SCRIPTS = ("dom.js", "context.js", "memory.js", "chat.js")
STYLES = ("view.css", "context.css", "chat.css")

SOON = 0.1
"""Seconds."""


class Chat(anywidget.AnyWidget):
    """Chat with a model and watch its memory.

    On the left what is said, the reply as it is written; beside it what is remembered: checkpoints as they form,
    facts as they are noted, and what was recalled for the last reply, or for any one that is clicked. An item can
    be pinned, so that it is in every prompt, written anew, or forgotten. "/checkpoint title" closes a span by
    hand. Enter sends, Shift+Enter begins a line, Escape stops the reply.

    Parameters
    ----------
    agent
        An `hl.Agent`. It is not closed with the widget, and may be talked with in other cells meanwhile.

    Attributes
    ----------
    context
        The prompt that is shown; None before there is one.
    error
        The last error, also shown in the widget; "" when all is well.

    Raises
    ------
    HydralabError
        `agent` is no agent.
    MissingExtraError
        When anywidget is not installed.

    >>> import hydralab as hl
    >>> agent = hl.Agent(hl.Scripted(["Noted.", "84,500 euros."]), budget=2_000)
    >>> widget = Chat(agent)
    >>> widget.say("The marketing budget is 84,500 euros.")
    >>> widget
    Chat('scripted', 'hydration', 2 turns, 0 items remembered)
    >>> widget.close()
    """

    _esm = script(*SCRIPTS)
    _css = style(*STYLES)

    error = traitlets.Unicode("").tag(sync=True)
    _state = traitlets.Dict().tag(sync=True)
    _said = traitlets.Unicode("").tag(sync=True)
    _chatting: ChatState | None = None

    def __init__(self, agent: Agent) -> None:
        chatting = ChatState(agent)
        super().__init__(_state=chatting.state())
        self._chatting = chatting
        self._due: Timer | None = None
        self._unfollow = chatting.follow(self._show_soon)
        self.on_msg(self._heard)
        keep_one_per_cell(self)

    @property
    def agent(self) -> Agent | None:
        """Who is talked with; None after `close`."""
        return None if self._chatting is None else self._chatting.agent

    @property
    def context(self) -> Context | None:
        """The prompt that is shown; None before there is one, and after `close`."""
        return None if self._chatting is None else self._chatting.context

    def say(self, text: str) -> None:
        """Say something, as if it had been typed, and wait for the reply; what fails is in `error`."""
        chatting = self._chatting
        if chatting is None:
            return
        with reported(self):
            try:
                for said in chatting.say(text):
                    self._said = said
            finally:
                self._show()
                self._said = ""

    def to_html(self, path: str | Path) -> Path:
        """Write one page that works without a kernel, and return its path.

        It shows the conversation, what is remembered, and the prompts of this conversation, as many as fit 6 MB,
        the newest first.

        Parameters
        ----------
        path
            A name that ends in .html; a file of that name is overwritten.

        Raises
        ------
        HydralabError
            The chat is closed, or the file can't be written.
        """
        if self._chatting is None:
            raise HydralabError("Chat: it is closed, expected one that shows a conversation")
        moments = dict(Fitting().take(iter(self._chatting.moments().items()), least=0))
        page = widget_page(
            repr(self),
            script=script(*SCRIPTS, "page.js", "chat_page.js"),
            style=style(*STYLES),
            data={"state": self._chatting.state(), "moments": moments},
            picture=chat_picture(self._chatting),
        )
        return write_page(path, page)

    def close(self) -> None:
        """Take the widget off the page, stop the reply that is being written, and let go of the agent."""
        if self._chatting is not None:
            self._chatting.stop()
            self._unfollow()
        close_view(self)
        super().close()
        self._chatting = None

    def __repr__(self) -> str:
        return "Chat(closed)" if self._chatting is None else chat_text(self._chatting)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return with_picture(super()._repr_mimebundle_(**kwargs), repr(self), chat_picture, self._chatting)

    def _show(self) -> None:
        if self._chatting is not None:
            self.set_trait("_state", self._chatting.state())

    def _show_soon(self) -> None:
        """Show what was stored: an exchange stores much in a moment, and all of it is shown at once."""
        if self._due is None:
            self._due = Timer(SOON, self._show_due)
            self._due.daemon = True
            self._due.start()

    def _show_due(self) -> None:
        self._due = None  # first, so that what is stored meanwhile is shown as well
        self._show()

    def _heard(self, _: object, message: Mapping[str, Any], __: object) -> None:
        """Do or answer what the view asks; a reply is waited for in a thread of its own, so that the kernel is free."""
        chatting = self._chatting
        if chatting is None:
            return
        if message.get("ask"):
            answer(self, message, {"prompt": chatting.prompt})
            return
        item = str(message.get("item", ""))
        does: dict[str, Callable[[], Any]] = {
            "say": Thread(target=self.say, args=(str(message.get("text", "")),), daemon=True).start,
            "stop": chatting.stop,
            "look": lambda: chatting.look_at(str(message.get("turn", ""))),
            "pin": lambda: chatting.agent.pin(item, pinned=bool(message.get("pinned"))),
            "edit": lambda: chatting.agent.edit(item, str(message.get("text", ""))),
            "forget": lambda: chatting.agent.forget(item),
        }
        name = str(message.get("do"))
        with reported(self):
            if name not in does:
                raise HydralabError(f"Chat: {name!r} is nothing to do, expected {', '.join(does)}")
            does[name]()
        if name != "say":
            self._show()
