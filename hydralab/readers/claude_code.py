"""Claude Code's session files: JSON Lines of messages, tool calls and their results.

Lines of one assistant message (same `message.id`) become one turn; each tool result becomes a turn
of role "tool" that names its call. What the program puts into the user's mouth (`isMeta`, summaries,
output of commands) is of role "system". When the user went back and wrote anew, the abandoned end is a
branch; so is the work of a subagent (`isSidechain`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hydralab.readers.blocks import Blocks, split_blocks
from hydralab.readers.looks import Look
from hydralab.readers.records import READERS, DialogueRecord, Failure, TurnRecord, reason_of
from hydralab.readers.sources import Source
from hydralab.readers.trees import check_branches

__all__ = ["ClaudeCode"]

MESSAGES = ("user", "assistant")
PUT_IN = re.compile(
    r"\s*<(local-command-(stdout|stderr|caveat)|bash-std(out|err)|system-reminder|task-notification)>"
)
TITLES = {"summary": "summary", "custom-title": "customTitle", "ai-title": "aiTitle"}


@dataclass
class Session:
    """One session while its lines come in: what came last is at the end."""

    name: str | None
    line: int | None
    turns: list[TurnRecord] = field(default_factory=list)
    abandoned: list[list[TurnRecord]] = field(default_factory=list)
    sidechains: dict[str, list[TurnRecord]] = field(default_factory=dict)
    heads: dict[str, str] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    calls: dict[str, str] = field(default_factory=dict)
    messages: dict[str, int] = field(default_factory=dict)


@READERS.register("claude_code")
@dataclass(frozen=True)
class ClaudeCode:
    """Claude Code's session files.

    Parameters
    ----------
    branches
        "current", or "all" for abandoned ends and the work of subagents as dialogues of their own.
    """

    branches: str = "current"

    def __post_init__(self) -> None:
        """Check the option."""
        check_branches(self.branches)

    def sniff(self, look: Look) -> float:
        """Certain when a line has `type`, `message` and `sessionId` or `uuid`."""
        typed = (record for record in look.objects if record.get("type") in MESSAGES)
        fits = any(isinstance(record.get("message"), Mapping) and _is_marked(record) for record in typed)
        return 0.95 if look.kind == "json" and fits else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each session of the file, then its branches when asked for."""
        session: Session | None = None
        title: str | None = None
        for item in source.records():
            if isinstance(item, Failure):
                yield item
                continue
            try:
                title = _title(item.value) or title
                if _starts_new(item.value, session):
                    if session:
                        yield from self._finished(session, title)
                    session = Session(item.value.get("sessionId"), item.line)
                if session:
                    _add(session, item.value)
            except Exception as error:  # whatever a line makes the reader raise costs that line only
                yield Failure(reason_of(error), item.line, item.record)
        if session:
            yield from self._finished(session, title)

    def _finished(self, session: Session, title: str | None) -> Iterator[DialogueRecord | Failure]:
        main = DialogueRecord(session.turns, session.name, title, line=session.line)
        if session.turns:
            yield main
        branches = {str(turns[0].source_id): turns for turns in session.abandoned} | session.sidechains
        if self.branches == "all" or not session.turns:
            for name, turns in branches.items():
                yield replace(main, turns=turns, dialogue_id=f"{session.name}#{name}")
        elif branches:
            reason = f'{len(branches)} branches and subagents left out; branches="all" reads them'
            yield Failure(reason, session.line, status="ok")


def _is_marked(record: Mapping[str, Any]) -> bool:
    return "sessionId" in record or "uuid" in record


def _title(line: Mapping[str, Any]) -> str | None:
    found = line.get(TITLES.get(str(line.get("type")), ""))
    return found if isinstance(found, str) and found else None


def _starts_new(line: Mapping[str, Any], session: Session | None) -> bool:
    """Say whether a message opens a session: the first, or one of another id that follows nothing."""
    if line.get("type") not in MESSAGES:
        return False
    if session is None:
        return True
    given = line.get("sessionId")
    is_other = given is not None and given != session.name
    return is_other and line.get("parentUuid") not in session.places and not line.get("isSidechain")


def _add(session: Session, line: Mapping[str, Any]) -> None:
    parent = line.get("parentUuid")
    if line.get("type") not in MESSAGES:
        if line.get("uuid") and not line.get("isSidechain"):
            session.places[line["uuid"]] = len(session.turns)
        return
    session.name = line.get("sessionId") or session.name
    blocks = split_blocks(line["message"].get("content"))
    if line.get("isSidechain"):
        head = line.get("agentId") or session.heads.get(str(parent)) or str(line.get("uuid"))
        session.heads[str(line.get("uuid"))] = head
        _append(session, session.sidechains.setdefault(head, []), line, blocks)
        return
    place = session.places.get(str(parent))
    if place is not None and _is_prompt(line, blocks) and _left_behind(session.turns[place:]):
        session.abandoned.append(session.turns[place:])
        del session.turns[place:]
    _append(session, session.turns, line, blocks)
    session.places[str(line.get("uuid"))] = len(session.turns)


def _is_prompt(line: Mapping[str, Any], blocks: Blocks) -> bool:
    return line["type"] == "user" and not blocks.results and not line.get("isMeta")


def _left_behind(turns: Sequence[TurnRecord]) -> bool:
    """Say whether turns are an abandoned end; late results of parallel calls alone are none."""
    return any(turn.role == "user" or (turn.role == "assistant" and turn.text) for turn in turns)


def _append(session: Session, turns: list[TurnRecord], line: Mapping[str, Any], blocks: Blocks) -> None:
    if line["type"] == "assistant":
        session.calls.update(
            {part["id"]: part["name"] for part in blocks.parts if part["type"] == "tool_call" and part["id"]}
        )
        message = line["message"].get("id")
        last = turns[-1] if turns else None
        if last and message and last.meta.get("message") == message:
            turns[-1] = _joined(last, blocks)
            return
    turns.extend(_turns(session, line, blocks))


def _joined(turn: TurnRecord, blocks: Blocks) -> TurnRecord:
    text = "\n\n".join(piece for piece in (turn.text, blocks.text) if piece)
    thinking = "\n\n".join(piece for piece in (turn.meta.get("thinking"), blocks.thinking) if piece)
    meta = {**turn.meta, **({"thinking": thinking} if thinking else {})}
    return replace(turn, text=text, parts=(*turn.parts, *blocks.parts), meta=meta)


def _turns(session: Session, line: Mapping[str, Any], blocks: Blocks) -> Iterator[TurnRecord]:
    """Yield a turn for each tool result, then one for what else the line says."""
    name = line.get("uuid")
    time, session_id = line.get("timestamp"), line.get("sessionId")
    has_rest = bool(blocks.text or blocks.parts) or not blocks.results
    several = len(blocks.results) + has_rest > 1
    for number, result in enumerate(blocks.results):
        part = {key: value for key, value in result.items() if key != "text"}
        tool = session.calls.get(str(result["id"]))
        part = {**part, "name": tool} if tool else part
        source_id = f"{name}/{number}" if several and name else name
        yield TurnRecord("tool", result.get("text", ""), tool, time, session_id, source_id, (part,))
    if has_rest:
        is_put_in = line.get("isMeta") or line.get("isCompactSummary") or PUT_IN.match(blocks.text)
        role = "system" if is_put_in and line["type"] == "user" else line["type"]
        yield TurnRecord(role, blocks.text, None, time, session_id, name, blocks.parts, _meta(line, blocks))


def _meta(line: Mapping[str, Any], blocks: Blocks) -> dict[str, Any]:
    message = line["message"]
    found = {
        "message": message.get("id") if line["type"] == "assistant" else None,
        "model": message.get("model"),
        "thinking": blocks.thinking,
        "compact_summary": line.get("isCompactSummary"),
    }
    return {key: value for key, value in found.items() if value}
