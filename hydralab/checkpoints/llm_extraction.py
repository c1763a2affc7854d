"""A chat model's notes on a span of turns, in parts where the span is longer than the model reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from hydralab.checkpoints.fitting import UNKNOWN_WINDOW, parts_of, said_lines, within_tokens
from hydralab.errors import check_settings
from hydralab.llms import LLM, LLMError, Message, ask
from hydralab.llms.prompting import PROMPT_LANGUAGES, fence, prompt, prompt_language
from hydralab.texts import ENTITY_TYPES, Tokenizer, language

if TYPE_CHECKING:
    from hydralab.checkpoints.llm_notes import Notes

__all__ = ["NotedSpan", "Summarising", "note_span"]

MARGIN = 0.1
"""Of the window kept free: the model counts by its own tokenizer."""

SMALLEST_PART = 64
MOST_HALVINGS = 4
MOST_LEVELS = 8
WORDS_A_TOKEN = {"en": 0.75, "zh": 0.8}
SHOWN = 300


@dataclass(frozen=True)
class Summarising:
    """How a chat model writes checkpoints.

    Attributes
    ----------
    summary_tokens
        The most tokens of a summary. The model is told in words; what is over is cut at a sentence.
    reply_tokens
        The most tokens of a reply.
    tries
        How often a part is asked for when the answer can't be used. What a server fails at is repeated by the
        model itself, see `OpenAIChat`.
    temperature
        As the model takes it; 0 for the likeliest words.
    window
        Tokens that the model reads and writes; None asks the model, and takes 8,192 where it doesn't know.
    longest_line
        The most characters of a decision or task.
    prompts
        A folder with prompts of your own; see `hydralab.llms.prompting.prompt`.

    >>> Summarising(summary_tokens=64).tries
    2
    """

    summary_tokens: int = 128
    reply_tokens: int = 800
    tries: int = 2
    temperature: float | None = 0.0
    window: int | None = None
    longest_line: int = 300
    prompts: str | None = None

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_settings(self, summary_tokens=1, reply_tokens=1, tries=1, window=1, longest_line=2)


@dataclass(frozen=True)
class NotedSpan:
    """What a model noted of a span.

    Attributes
    ----------
    notes
        As it said them.
    summary
        Its summary, within the tokens.
    whole
        Whether every answer was one JSON object and nothing else.
    tries
        The most often that an answer was asked for.
    remarks
        What was done to get there.
    """

    notes: Notes
    summary: str
    whole: bool
    tries: int
    remarks: tuple[str, ...] = ()


def note_span(turns: pl.DataFrame, llm: LLM, summarising: Summarising, counter: Tokenizer) -> NotedSpan:
    """Return a model's notes on some turns of one dialogue.

    A span that does not fit the model's window is noted in parts, and the notes are merged, in as many levels
    as it takes.

    Raises
    ------
    LLMError
        The model can't be reached, refuses, or its answers hold no summary.
    """
    lines = said_lines(turns)
    writer = _Writer(llm, summarising, counter, prompt_language("\n".join(turns["text"].to_list())))
    for _ in range(MOST_HALVINGS):
        try:
            return writer.note(lines)
        except LLMError as error:
            if error.kind != "too_long" or writer.room <= SMALLEST_PART:
                raise
            writer = _Writer(llm, summarising, counter, writer.language, writer.room // 2)
    return writer.note(lines)


@dataclass(frozen=True)
class _Answer:
    notes: Notes
    whole: bool
    tries: int


@dataclass(frozen=True)
class _Writer:
    """A model, how it is asked, and how much it may be given at once."""

    llm: LLM
    summarising: Summarising
    counter: Tokenizer
    language: str
    limit: int | None = None

    @property
    def room(self) -> int:
        """Tokens of turns or notes that fit into one request."""
        if self.limit is not None:
            return self.limit
        window = self.summarising.window or self.llm.window or UNKNOWN_WINDOW
        asked = max(self.counter.count(self._instructions(name)) for name in ("checkpoint", "merge"))
        room = int(window * (1 - MARGIN)) - min(self.summarising.reply_tokens, window // 4) - asked - 32
        if room < SMALLEST_PART:
            raise LLMError(
                f"a window of {window} tokens leaves {room} for the turns, expected at least {SMALLEST_PART}"
            )
        return room

    def note(self, lines: Sequence[str]) -> NotedSpan:
        parts = parts_of(lines, self.room, self.counter)
        answers = [self._asked("checkpoint", "dialogue", part) for part in parts]
        remarks = [f"noted in {len(parts)} parts"] if len(parts) > 1 else []
        levels = 0
        while len(answers) > 1:
            if (levels := levels + 1) > MOST_LEVELS:
                raise LLMError(f"notes on {len(parts)} parts did not get shorter in {MOST_LEVELS} merges")
            notes = [_compact(answer.notes, self.room // 2, self.counter) for answer in answers]
            answers = [
                self._asked("merge", "notes", part, before=answers)
                for part in parts_of(notes, self.room, self.counter)
            ]
        answer = answers[0]
        assert answer.notes.summary is not None
        most = self.summarising.summary_tokens
        summary = within_tokens(answer.notes.summary, most, self.counter)
        if _is_foreign(summary, self.language):
            remarks.append(f"written in {language(summary)}")
        if summary != answer.notes.summary:
            remarks.append(f"summary cut to {most} tokens")
        return NotedSpan(answer.notes, summary, answer.whole, answer.tries, tuple(remarks))

    def _instructions(self, name: str) -> str:
        words = max(10, int(self.summarising.summary_tokens * WORDS_A_TOKEN[self.language]))
        types = ", ".join(ENTITY_TYPES)
        return prompt(name, self.language, folder=self.summarising.prompts, words=words, types=types)

    def _asked(self, name: str, tag: str, part: str, *, before: Sequence[_Answer] = ()) -> _Answer:
        """Ask until an answer has a summary."""
        from hydralab.checkpoints.llm_notes import read_notes

        messages: list[Message] = [
            {"role": "system", "content": self._instructions(name)},
            {"role": "user", "content": fence(tag, part)},
        ]
        settings = self.summarising
        for tried in range(1, settings.tries + 1):
            reply = ask(
                self.llm, messages, max_tokens=settings.reply_tokens, temperature=settings.temperature
            )
            if reply.outcome == "refused":
                raise LLMError(f"it refused: {reply.text[:SHOWN]!r}", "refused")
            notes, whole = read_notes(reply.text)
            last = tried == settings.tries
            if notes.summary and (last or not _is_foreign(notes.summary, self.language)):
                sound = whole and reply.outcome == "ok" and all(each.whole for each in before)
                return _Answer(notes, sound, max([tried, *(each.tries for each in before)]))
        raise LLMError(f"no summary in its {reply.outcome} answer {reply.text!r}", "malformed")


def _is_foreign(text: str, own: str) -> bool:
    return language(text) in PROMPT_LANGUAGES and language(text) != own


def _compact(notes: Notes, room: int, counter: Tokenizer) -> str:
    """Return notes as JSON that fits into the room: without lists, and then with less summary, where it is over."""
    told = notes.model_dump(exclude_none=True)
    for name in ("entities", "keywords", "open_tasks", "decisions"):
        if counter.count(written := json.dumps(told, ensure_ascii=False)) <= room:
            return written
        told.pop(name, None)
    short = {"summary": within_tokens(notes.summary or "", max(room - 8, 1), counter)}
    return json.dumps(short, ensure_ascii=False)
