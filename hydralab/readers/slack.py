"""Slack's workspace export: a zip (or folder) with a folder a channel and a file a day.

A channel is a dialogue, a day a session. Everyone is of role "user" with the name as speaker;
notices (who joined, who changed the topic) are of role "system". Mentions and links are written out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from hydralab.errors import ReadError
from hydralab.readers.blocks import image_part
from hydralab.readers.looks import Look
from hydralab.readers.records import READERS, DialogueRecord, Failure, Item, TurnRecord, reason_of
from hydralab.readers.sources import Source

__all__ = ["Slack"]

DAY = re.compile(r"^(?P<channel>.+)/(?P<day>\d{4}-\d{2}-\d{2})\.json$")
LISTS = ("channels.json", "groups.json", "mpims.json", "dms.json")
MARKED = re.compile(r"<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>")
NOTICES = re.compile(r"(channel|group|bot)_\w+|pinned_item|unpinned_item|reminder_add|huddle_thread")


@dataclass(frozen=True)
class Names:
    """Display names of users, and names of channels, by their ids."""

    users: Mapping[str, str]
    channels: Mapping[str, str]


@READERS.register("slack")
@dataclass(frozen=True)
class Slack:
    """Slack's workspace export."""

    def sniff(self, look: Look) -> float:
        """Certain by a list of channels or users beside files of days."""
        if look.kind != "archive":
            return 0.0
        listed = {PurePosixPath(name).name for name in look.names}
        has_lists = "users.json" in listed and any(name in listed for name in LISTS)
        return 0.95 if has_lists and any(map(DAY.match, look.names)) else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each channel with its messages in the order of their times."""
        names = source.names()
        root = next(
            str(PurePosixPath(name).parent) for name in names if PurePosixPath(name).name == "users.json"
        )
        prefix = "" if root == "." else f"{root}/"
        known, about, problems = _lists(source, prefix, names)
        yield from problems
        days: dict[str, list[str]] = {}
        for name in names:
            day = DAY.match(name.removeprefix(prefix))
            if day:
                days.setdefault(day["channel"], []).append(name)
        for channel, files in days.items():
            turns, problems = _channel(source, files, known)
            yield from problems
            listed = about.get(channel, {})
            yield DialogueRecord(_in_order(turns), listed.get("id"), _title(channel, listed, known))


def _lists(
    source: Source, prefix: str, names: tuple[str, ...]
) -> tuple[Names, dict[str, Mapping[str, Any]], list[Failure]]:
    """Return names by id, what is known of each channel's folder, and what could not be read."""
    problems: list[Failure] = []

    def entries(name: str) -> list[Mapping[str, Any]]:
        if prefix + name not in names:
            return []
        try:
            return [entry for entry in source.open(prefix + name).json() if isinstance(entry, Mapping)]
        except (ReadError, TypeError) as error:
            problems.append(Failure(str(error)))
            return []

    users = {str(user.get("id")): _display_name(user) for user in entries("users.json")}
    about: dict[str, Mapping[str, Any]] = {}
    for name in LISTS:
        for channel in entries(name):
            about[str(channel.get("name") or channel.get("id"))] = channel
    channels = {str(channel.get("id")): folder for folder, channel in about.items()}
    return Names(users, channels), about, problems


def _title(folder: str, listed: Mapping[str, Any], known: Names) -> str:
    """Return #name of a channel, the names of those in a direct message."""
    if listed.get("name") or not listed.get("members"):
        return f"#{folder}"
    return ", ".join(known.users.get(str(member), str(member)) for member in listed["members"])


def _display_name(user: Mapping[str, Any]) -> str:
    profile = user.get("profile") or {}
    found = (
        profile.get("display_name") or user.get("real_name") or profile.get("real_name") or user.get("name")
    )
    return str(found or user.get("id"))


def _channel(source: Source, files: list[str], known: Names) -> tuple[list[TurnRecord], list[Failure]]:
    turns: list[TurnRecord] = []
    problems: list[Failure] = []
    for name in files:
        day = PurePosixPath(name).stem
        try:
            found = list(source.open(name).records())
        except ReadError as error:
            problems.append(Failure(str(error)))
            continue
        for item in found:
            if isinstance(item, Failure):
                problems.append(Failure(f"{name}: {item.reason}", item.line, item.record))
                continue
            try:
                turns.append(_turn(item, day, known))
            except Exception as error:  # whatever a message makes the reader raise costs that message only
                problems.append(Failure(f"{name}: no message: {reason_of(error)}", item.line, item.record))
    return turns, problems


def _in_order(turns: list[TurnRecord]) -> list[TurnRecord]:
    return sorted(turns, key=lambda turn: float(str(turn.time)))


def _turn(item: Item, day: str, known: Names) -> TurnRecord:
    message = item.value
    stamp = message["ts"]
    float(stamp)
    subtype = str(message.get("subtype") or "")
    text = _written(str(message.get("text") or ""), known)
    parts = [*map(_attachment, message.get("attachments") or ()), *map(_file, _files(message))]
    parts = [{**part, "text": _written(part["text"], known)} if part.get("text") else part for part in parts]
    if not text:
        # What a bot says stands in its attachments alone.
        text = "\n".join(part.pop("text") for part in parts if part.get("text"))
    parts = [part for part in parts if part["type"] == "image" or part.get("name") or part.get("text")]
    meta = {
        "subtype": subtype,
        "thread": message.get("thread_ts") if message.get("thread_ts") != stamp else None,
        "reactions": {one["name"]: one.get("count") for one in message.get("reactions") or ()},
    }
    is_notice = bool(NOTICES.fullmatch(subtype)) and subtype != "bot_message"
    return TurnRecord(
        "system" if is_notice else "user",
        text,
        _speaker(message, known),
        stamp,
        day,
        stamp,
        parts,
        {key: value for key, value in meta.items() if value},
    )


def _speaker(message: Mapping[str, Any], known: Names) -> str | None:
    user = message.get("user") or (message.get("comment") or {}).get("user")
    if user:
        profile = message.get("user_profile") or {}
        return (
            known.users.get(str(user)) or profile.get("display_name") or profile.get("real_name") or str(user)
        )
    bot = message.get("bot_profile") or {}
    return message.get("username") or bot.get("name") or message.get("bot_id")


def _files(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    single = [message["file"]] if isinstance(message.get("file"), Mapping) else []
    return [*(message.get("files") or ()), *single]


def _file(file: Mapping[str, Any]) -> dict[str, Any]:
    name = file.get("title") or file.get("name")
    if str(file.get("mimetype", "")).startswith("image/"):
        return image_part(
            name=name, alt=file.get("alt_txt"), width=file.get("original_w"), height=file.get("original_h")
        )
    text = file.get("plain_text") or file.get("preview")
    return {"type": "attachment", "name": name, **({"text": text} if text else {})}


def _attachment(found: Mapping[str, Any]) -> dict[str, Any]:
    text = found.get("text") or found.get("fallback")
    return {"type": "attachment", "name": found.get("title"), **({"text": str(text)} if text else {})}


def _written(text: str, known: Names) -> str:
    def write(found: re.Match[str]) -> str:
        sign, target, label = found[1], found[2], found[3]
        if sign == "@":
            return f"@{known.users.get(target) or label or target}"
        if sign == "#":
            return f"#{label or known.channels.get(target) or target}"
        if sign == "!":
            return label or f"@{target.split('^')[0]}"
        return f"{label} ({target})" if label and label not in target else target

    return html.unescape(MARKED.sub(write, text))
