"""What a chat model notes of a span, checked: wrong types are read as meant or left out, none is made up."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from hydralab.checkpoints.salvage import find_object
from hydralab.texts import ENTITY_TYPES, scrub

__all__ = ["Entity", "Notes", "read_notes"]

NOTHING = frozenset({"", "none", "n/a", "na", "null", "nil", "-", "无", "没有", "暂无", "空"})
SEPARATORS = re.compile(r"[,，、;；\n]")
BULLETS = re.compile(r"\s*\n+\s*|^\s*(?:[-*•]|\d+[.)、])\s*", re.MULTILINE)
WORDS = ("text", "name", "value", "entity", "content", "task", "decision", "description", "title", "文本")
KINDS = ("type", "kind", "label", "category", "类型")

OTHER = "other"
TYPES = {
    **{name: name for name in ENTITY_TYPES},
    "organization": "organisation",
    "company": "organisation",
    "org": "organisation",
    "location": "place",
    "city": "place",
    "people": "person",
    "name": "person",
    "amount": "money",
    "percentage": "percent",
    "number": "quantity",
    "id": "identifier",
    "人物": "person",
    "人名": "person",
    "人": "person",
    "地点": "place",
    "地名": "place",
    "组织": "organisation",
    "机构": "organisation",
    "公司": "organisation",
    "产品": "product",
    "日期": "date",
    "时间": "time",
    "金额": "money",
    "百分比": "percent",
    "数量": "quantity",
    "邮箱": "email",
    "网址": "url",
    "电话": "phone",
    "编号": "identifier",
}


def _text(value: Any) -> str | None:
    """Return one text, or None where there is none."""
    if isinstance(value, list):
        value = " ".join(each for each in map(_text, value) if each)
    if isinstance(value, dict):
        value = next((value[name] for name in WORDS if isinstance(value.get(name), str)), None)
    if value is None or isinstance(value, bool | list | dict):
        return None
    text = " ".join(scrub(str(value)).split())
    return None if text.lower().rstrip(".。") in NOTHING else text


def _summary(value: Any) -> str | None:
    if isinstance(value, dict):  # {"facts": [...], "decisions": [...]}
        parts = [_text(each) for each in value.values()]
        return " ".join(part for part in parts if part) or None
    return _text(value)


def _texts(value: Any, separator: re.Pattern[str]) -> list[str] | None:
    if value is None:
        return None
    if isinstance(value, str):
        value = separator.split(value)
    elif isinstance(value, dict):
        value = list(value.values())
    elif not isinstance(value, list):
        value = [value]
    found = [_text(each) for each in value]
    return list(dict.fromkeys(each for each in found if each))


def _keywords(value: Any) -> list[str] | None:
    return _texts(value, SEPARATORS)


def _lines(value: Any) -> list[str] | None:
    return _texts(value, BULLETS)


def _entities(value: Any) -> list[dict[str, str]] | None:
    if value is None:
        return None
    if isinstance(value, str):
        value = SEPARATORS.split(value)
    if isinstance(value, dict):  # {"person": ["李雷", …], …}
        value = [
            {"type": kind, "text": each}
            for kind, named in value.items()
            for each in (named if isinstance(named, list) else [named])
        ]
    found = [_entity(each) for each in value] if isinstance(value, list) else []
    return [each for each in found if each]


def _entity(value: Any) -> dict[str, str] | None:
    text = _text(value)
    if text is None:
        return None
    given = next((value[name] for name in KINDS if value.get(name)), "") if isinstance(value, dict) else ""
    return {"type": TYPES.get(str(given).strip().lower(), OTHER), "text": text}


class Entity(BaseModel):
    """Something named, and of which type it is: one of `ENTITY_TYPES`, or "other"."""

    type: str
    text: str


class Notes(BaseModel):
    """What a model noted; None of what it did not say, [] of what it said there is none."""

    model_config = ConfigDict(extra="ignore")

    title: Annotated[
        str | None, BeforeValidator(_text), Field(validation_alias=AliasChoices("title", "标题"))
    ] = None
    summary: Annotated[
        str | None, BeforeValidator(_summary), Field(validation_alias=AliasChoices("summary", "摘要", "总结"))
    ] = None
    keywords: Annotated[
        list[str] | None,
        BeforeValidator(_keywords),
        Field(validation_alias=AliasChoices("keywords", "关键词")),
    ] = None
    entities: Annotated[
        list[Entity] | None,
        BeforeValidator(_entities),
        Field(validation_alias=AliasChoices("entities", "实体")),
    ] = None
    decisions: Annotated[
        list[str] | None,
        BeforeValidator(_lines),
        Field(validation_alias=AliasChoices("decisions", "决定", "决策")),
    ] = None
    open_tasks: Annotated[
        list[str] | None,
        BeforeValidator(_lines),
        Field(validation_alias=AliasChoices("open_tasks", "open tasks", "opentasks", "tasks", "待办")),
    ] = None

    @property
    def missing(self) -> list[str]:
        """The columns that the model said nothing of."""
        return [name for name in type(self).model_fields if getattr(self, name) is None]


def _known_keys() -> frozenset[str]:
    aliases = [field.validation_alias for field in Notes.model_fields.values()]
    return frozenset(
        str(choice) for alias in aliases if isinstance(alias, AliasChoices) for choice in alias.choices
    )


KEYS = _known_keys()


def read_notes(reply: str) -> tuple[Notes, bool]:
    """Return the notes in a reply, and whether the reply was one whole JSON object of them.

    >>> notes, whole = read_notes('Here: {"title": "Launch", "entities": {"person": ["Li Lei"]}}')
    >>> notes.title, notes.entities[0].type, notes.summary, whole
    ('Launch', 'person', None, False)
    """
    found = find_object(reply, KEYS)
    return Notes.model_validate(found.value or {}), found.whole
