"""Summaries in plain text: by a chat model, or of the dialogue's own sentences where there is none or it fails."""

from __future__ import annotations

import re
from dataclasses import dataclass
from time import perf_counter

import polars as pl

from hydralab.checkpoints import (
    UNKNOWN_WINDOW,
    Extraction,
    extract_content,
    parts_of,
    prompt_text,
    said_lines,
    source_hash,
    within,
    within_tokens,
)
from hydralab.errors import HydralabError
from hydralab.frames import build, event
from hydralab.llms import LLM, LLMError, ask
from hydralab.llms.prompting import fence, prompt, prompt_language
from hydralab.texts import Tokenizer, sentences

__all__ = ["Told", "count_words", "shortened", "summarise_turns", "summary_row", "within_words"]

TOKENS_A_WORD = {"en": 1.4, "zh": 1.5}
TITLES = {"en": "Summary", "zh": "摘要"}
WRAPPING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|^```\w*\s*|\s*```$|</?summary>", re.DOTALL)
CHINESE = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class Told:
    """A summary.

    Attributes
    ----------
    events
        The events table: a row when a model was asked and failed, or its reply had to be cut.
    failed
        Whether a model was asked and did not write it.
    """

    text: str
    events: pl.DataFrame
    failed: bool = False


def count_words(text: str) -> int:
    """Return the length of a text: Chinese characters and other words.

    >>> count_words("预算四十万 for the launch")
    8
    """
    return len(CHINESE.findall(text)) + len(CHINESE.sub(" ", text).split())


def within_words(text: str, most: int) -> str:
    """Return the leading sentences that have at most so many words; of a first one that hasn't, its beginning.

    >>> within_words("The budget is fixed. We meet in May.", 5)
    'The budget is fixed.'
    """
    return within(text, lambda part: count_words(part) <= most)


def shortened(text: str, most: int, counter: Tokenizer) -> str:
    """Return a summary that has at most so many tokens: its most telling sentences where it is longer.

    >>> from hydralab.texts import tokenizer
    >>> shortened("We talked a while. The budget is 84,500 euros. It rained.", 10, tokenizer())
    'The budget is 84,500 euros.'
    """
    if counter.count(text) <= most:
        return text
    schema = {"round": pl.Int64, "role": pl.String, "speaker": pl.String, "text": pl.String}
    said = pl.DataFrame([(0, "assistant", None, text)], schema=schema, orient="row")
    return within_tokens(_extracted(said, "", most, counter), most, counter)


def summarise_turns(
    turns: pl.DataFrame,
    *,
    llm: LLM | None,
    tokenizer: Tokenizer,
    words: int,
    before: str = "",
    tokens: int | None = None,
    prompts: str | None = None,
) -> Told:
    """Return a summary of turns, merged with the one before.

    Parameters
    ----------
    turns
        At least one turn of one dialogue; system turns are left out where there are others.
    llm
        Writes the summary; what does not fit its window at once is merged in part by part. None, and where it
        fails, takes the most telling sentences of the turns and of the summary before.
    words, tokens
        The most of both; see `count_words`.
    before
        The summary so far.
    prompts
        A folder with prompts of your own.
    """
    started = perf_counter()
    spoken = turns.filter(pl.col("role") != "system")
    turns = spoken if spoken.height else turns
    language = prompt_language(before + "\n".join(turns["text"].to_list()))
    most = tokens or int(words * TOKENS_A_WORD[language])

    def short(text: str) -> str:
        return within_tokens(within_words(text, words), most, tokenizer)

    status, detail, failed = "ok", "from the sentences of the dialogue", False
    text = ""
    if llm is not None:
        try:
            written, cut = _written(turns, before, llm, words, tokenizer, language, prompts)
            text = short(written)
            if cut or text != written:
                status = "salvaged"
            detail = f"by {llm.name}{'' if status == 'ok' else f', cut to {words} words'}"
        except HydralabError as error:
            status, failed = "failed", True
            detail = f"from the sentences of the dialogue; {error}"
    if not text:
        text = short(_extracted(turns, before, most, tokenizer))
    spent = (perf_counter() - started) * 1e3
    item = f"{turns['turn_id'][0]} to {turns['turn_id'][-1]}"
    happened = event(
        "summarise",
        status,
        detail=detail,
        dialogue_id=turns["dialogue_id"][0],
        item_id=item,
        milliseconds=spent,
    )
    return Told(text, build("events", [] if status == "ok" else [happened]), failed)


def summary_row(
    covered: pl.DataFrame, told: Told, *, trigger: str, at: int, tokenizer: Tokenizer
) -> pl.DataFrame:
    """Return a summary as a checkpoint of the turns it covers.

    Parameters
    ----------
    covered
        All turns that the summary stands for.
    trigger
        Tells the summaries of one strategy from other checkpoints.
    at
        Position of the newest turn: the summary is there from then on.
    """
    dialogue_id, positions = covered["dialogue_id"][0], covered["position"]
    title = TITLES[prompt_language(told.text)]
    times = covered["time"].drop_nulls()
    return build(
        "checkpoints",
        [
            {
                "checkpoint_id": f"{dialogue_id}#{positions[0]}-{positions[-1]}",
                "dialogue_id": dialogue_id,
                "kind": "topic",
                "start": positions[0],
                "end": positions[-1],
                "start_turn_id": covered["turn_id"][0],
                "end_turn_id": covered["turn_id"][-1],
                "trigger": trigger,
                "title": title,
                "summary": told.text,
                "keywords": [],
                "entities": [],
                "decisions": [],
                "open_tasks": [],
                "time": times[-1] if len(times) else None,
                "tokens": tokenizer.count(prompt_text(title, told.text)),
                "decided_at": at,
                "ready_at": at,
                "status": "failed" if told.failed else "ready",
                "source_hash": source_hash(covered),
            }
        ],
    )


def _written(
    turns: pl.DataFrame,
    before: str,
    llm: LLM,
    words: int,
    counter: Tokenizer,
    language: str,
    prompts: str | None,
) -> tuple[str, bool]:
    """Return a model's summary, and whether one of its replies was cut off."""
    instructions = prompt("running_summary", language, folder=prompts, words=words)
    reply_tokens = int(words * TOKENS_A_WORD[language]) + 64
    window = llm.window or UNKNOWN_WINDOW
    room = int(window * 0.9) - counter.count(instructions) - 2 * reply_tokens - 32
    if room < reply_tokens:
        raise LLMError(
            f"chat model {llm.name!r}: a window of {window} tokens is too small for its summary", "too_long"
        )
    summary, cut = before, False
    for part in parts_of(said_lines(turns), room, counter):
        messages = [
            {"role": "system", "content": instructions},
            {"role": "user", "content": f"{fence('summary', summary)}\n{fence('dialogue', part)}"},
        ]
        reply = ask(llm, messages, max_tokens=reply_tokens, temperature=0.0)
        summary = WRAPPING.sub("", reply.text).strip()
        if reply.outcome == "refused" or not summary:
            raise LLMError(f"chat model {llm.name!r}: {reply.outcome} reply {reply.text[:300]!r}", "refused")
        if reply.outcome == "cut":
            # The last sentence lacks its end, and half a number is another number.
            summary, cut = _without_last(summary), True
    return summary, cut


def _extracted(turns: pl.DataFrame, before: str, most: int, counter: Tokenizer) -> str:
    said = turns.select("round", "role", "speaker", "text")
    if before:
        so_far = pl.DataFrame(
            [(said["round"][0], "assistant", None, before)], schema=said.schema, orient="row"
        )
        said = pl.concat([so_far, said])
    found = extract_content(said, counter, Extraction(summary_tokens=most, summary_share=1.0))
    return str(found["summary"] or found["title"])


def _without_last(text: str) -> str:
    listed = sentences(text)
    return text[: text.rfind(listed[-1])].strip() if len(listed) > 1 else text
