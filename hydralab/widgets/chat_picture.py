"""What is left of a Chat where no kernel runs: the last turns, what is remembered, the last prompt."""

from __future__ import annotations

from html import escape

from hydralab.plots.figures import shorten
from hydralab.widgets.chat_state import ChatState
from hydralab.widgets.pictures import framed, prompt_picture, table_of

__all__ = ["chat_picture", "chat_text"]

PICTURED_TURNS, PICTURED_ITEMS = 12, 8


def chat_picture(chatting: ChatState) -> str:
    """Return the conversation's end, its memory and the prompt that is shown, as HTML without scripts."""
    state = chatting.state()
    head = f"<b>{escape(state['dialogue'])}</b> · {escape(state['model'])} · {escape(state['strategy'])}"
    turns = [
        {
            "turn": str(turn["position"]),
            "role": turn["role"],
            "text": shorten(" ".join(turn["text"][:600].split()), 220) + (" ✂" if turn["cut_reply"] else ""),
        }
        for turn in state["turns"][-PICTURED_TURNS:]
    ]
    items = [
        {
            "remembered": f"{'📌 ' if item['pinned'] else ''}{item['kind']}",
            "where": item["place"],
            "what": shorten(" ".join(f"{item['title']} {item['text'][:400]}".split()), 160),
            "": "in the last prompt" if item["sent"] else "",
        }
        for item in state["items"][:PICTURED_ITEMS]
    ]
    return framed([head, table_of(turns), table_of(items), prompt_picture(state["moment"])])


def chat_text(chatting: ChatState) -> str:
    """Return a chat in one line, without address or id."""
    state, agent = chatting.state(), chatting.agent
    items = len(state["items"])
    return (
        f"Chat({agent.llm.name!r}, {agent.strategy.name!r}, {agent.turns.height} turns, "
        f"{items} item{'' if items == 1 else 's'} remembered)"
    )
