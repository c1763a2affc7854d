"""Find a dialogue in a store, or begin one, and go on where it was left."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import numpy as np
import polars as pl

from hydralab.agent.dialogue import Changed, LiveDialogue
from hydralab.agent.manual_edits import ManualEdits
from hydralab.agent.stored_dialogue import StoredDialogue
from hydralab.encoders import Encoder
from hydralab.encoders.turn_vectors import TurnVectors
from hydralab.errors import HydralabError, brief, check_value
from hydralab.frames import build, empty
from hydralab.packing import BudgetError
from hydralab.privacy.finding import redact as redact_text
from hydralab.readers import count_turns
from hydralab.recall.documents import Documents
from hydralab.replay import Timeline
from hydralab.signals import default_signals
from hydralab.signals.saved_signals import kept_signals
from hydralab.stores import Store
from hydralab.stores.settings import Settings
from hydralab.stores.tombstones import forgotten_behind
from hydralab.strategies import Strategy
from hydralab.texts import Tokenizer, language

__all__ = ["check_settings", "dialogue_row", "find_dialogue", "name_to_keep", "open_dialogue"]

LONGEST_TITLE = 48


def check_settings(budget: Any, max_tokens: Any, dialogue: Any, user: Any, system: Any, reflect: Any) -> None:
    """Refuse settings of an agent that can't be meant."""
    check_value("Agent: budget", budget, "int", least=1)
    check_value("Agent: max_tokens", max_tokens, "int", least=1)
    if max_tokens >= budget:
        raise BudgetError(
            f"Agent: max_tokens of {max_tokens} leave nothing of a budget of {budget} for a prompt"
        )
    for name, given in (("dialogue", dialogue), ("user", user), ("system", system)):
        check_value(f"Agent: {name}", given, "str | None")
    if not isinstance(reflect, bool) and not callable(reflect):
        raise HydralabError(f"Agent: reflect is {brief(reflect)}, expected True, False or a function")


def find_dialogue(store: Store, dialogue: str | None, user: str | None = None) -> pl.DataFrame:
    """Return the row of the dialogues table that an id or a title means; of a new one an id and a title alone.

    Titles are looked for among the dialogues of the user and of nobody; another user's of that id is not told of,
    a new one has an id of its own then.

    Raises
    ------
    HydralabError
        Several have the title; or the dialogue is a user's, and none is named.

    >>> from hydralab.stores import MemoryStore
    >>> find_dialogue(MemoryStore(), "plans").select("dialogue_id", "title").row(0)
    ('plans', 'plans')
    """
    if dialogue is None:
        return build("dialogues", [{"dialogue_id": f"chat-{uuid4().hex[:12]}"}])
    theirs = pl.col("user_id").is_null() if user is None else pl.col("user_id").fill_null(user) == user
    same = store.read("dialogues", dialogue_id=dialogue)
    if user is None and same.height and same["user_id"].item() is not None:
        raise HydralabError(f"dialogue {dialogue!r} is a user's, expected user= to say whose")
    found = same.filter(theirs)
    if not found.height:
        found = store.read("dialogues").filter(theirs, pl.col("title") == dialogue)
    if found.height > 1:
        listed = ", ".join(map(repr, found["dialogue_id"].head(12)))
        raise HydralabError(
            f"{found.height} dialogues have the title {dialogue!r}; expected one of their ids: {listed}"
        )
    if found.height:
        return found
    name = f"{dialogue}-{uuid4().hex[:12]}" if same.height else dialogue
    return build("dialogues", [{"dialogue_id": name, "title": dialogue}])


def name_to_keep(store: Store, dialogue: str | None, redact: Sequence[str]) -> str | None:
    """Return a dialogue's id or title as it may be kept: with a hash in it where something private was taken out.

    Ids stand in clear in every store, and two dialogues that are named by two addresses are to stay two. One that the
    store knows by this very id keeps it.

    >>> from hydralab.stores import MemoryStore
    >>> name_to_keep(MemoryStore(), "ann@example.org", ["email"])
    '[email]-e2bfe0610556'
    >>> name_to_keep(MemoryStore(), "plans", ["email"])
    'plans'
    """
    if dialogue is None:
        return None
    clean = redact_text(dialogue, redact)
    if clean == dialogue or store.read("dialogues", dialogue_id=dialogue).height:
        return dialogue
    return f"{clean}-{hashlib.blake2b(dialogue.encode(), digest_size=6).hexdigest()}"


def dialogue_row(found: pl.DataFrame, message: str, user: str | None) -> pl.DataFrame:
    """Return the row of a dialogue that begins with a message."""
    title = " ".join(message.split())
    short = title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…"
    return found.with_columns(
        title=pl.coalesce("title", pl.lit(short)),
        user_id=pl.lit(user, pl.String),
        language=pl.lit(language(message)),
        source=pl.lit("agent"),
    )


def open_dialogue(
    found: pl.DataFrame,
    store: Store,
    strategy: Strategy,
    *,
    encoder: Encoder,
    tokenizer: Tokenizer,
    user: str | None,
    changed: Changed,
) -> LiveDialogue:
    """Return a dialogue with all that the store holds of it: turns, vectors, checkpoints, facts, marks, pins."""
    name, title = found.select("dialogue_id", "title").row(0)
    tombstones = forgotten_behind(store)
    if user is not None and tombstones.filter(kind="user", name=user).height:
        raise HydralabError(f"user {user!r} was forgotten in {store!r}, expected another id")
    kept = StoredDialogue(store, name)
    turns = count_turns(kept.read("turns"), tokenizer)
    vectors = np.zeros((0, encoder.dim), np.float32)
    if turns.height:
        vectors = TurnVectors(encoder, store, progress=False).of(name, turns)
    facts = _earlier_facts(store, name, strategy, user)
    of_documents = Documents(tokenizer, TurnVectors(encoder, store, progress=False), store)
    documents, document_vectors = of_documents.of(name, user)
    named, _ = kept_signals(Settings(store))
    kept.knows("memories", facts)
    timeline = Timeline(
        turns,
        vectors,
        strategy,
        encoder=encoder,
        tokenizer=tokenizer,
        title=title or "",
        signals={**default_signals(encoder.name), **named},
        memories=facts,
        documents=documents,
        document_vectors=document_vectors,
        user_id=user,
    )
    checkpoints = kept.read("checkpoints")
    # The span that a lab holds open at the end of a dialogue goes on growing.
    opened = checkpoints.filter(pl.col("status") == "open")["checkpoint_id"].to_list()
    if opened:
        kept.remove("checkpoints", opened, settings={})
    wordless = pl.col("title").is_null() & pl.col("summary").is_null()  # as a turn of it was forgotten
    timeline.adopt(
        {
            "boundaries": kept.read("boundaries"),
            "checkpoints": checkpoints.filter(pl.col("status") != "open", ~wordless),
            "memories": kept.read("memories"),
        }
    )
    timeline.hold()
    return LiveDialogue(
        timeline, kept, encoder, edits=ManualEdits.of(kept), changed=changed, forgotten=tombstones.height
    )


def _earlier_facts(store: Store, name: str, strategy: Strategy, user: str | None) -> pl.DataFrame:
    """Return the facts of the user's other dialogues, for a strategy that takes them."""
    if user is None or not getattr(strategy, "across_dialogues", False):
        return empty("memories")
    return store.read("memories").filter((pl.col("user_id") == user) & (pl.col("dialogue_id") != name))
