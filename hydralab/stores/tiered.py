"""Two tiers as one store: a short window that is quick and may vanish, and a long one that is the truth."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self

import polars as pl

from hydralab.errors import StoreError, brief
from hydralab.frames import build, event
from hydralab.stores import row_rules
from hydralab.stores.auditing import audit_bytes, findings
from hydralab.stores.delegation import delegate
from hydralab.stores.forgetting import find_target, receipt
from hydralab.stores.parquet_export import export_store
from hydralab.stores.protocol import ReadsInParts, Store
from hydralab.stores.redis_window import RedisWindow
from hydralab.stores.sqlstore import SqlStore
from hydralab.stores.users import UserStore

__all__ = ["TieredStore"]


NO_TURNS = "0:"
"""What the stamp of a dialogue begins with that has none."""


class _Growth(NamedTuple):
    """Turns that were added to a dialogue, and its stamps before and after."""

    dialogue_id: str
    before: str
    turns: pl.DataFrame
    after: str


class TieredStore:
    """A store whose newest turns are read from Redis and everything else from SQL.

    Everything is written to `long` first and is durable there when a call returns. The newest turns of each
    dialogue are copied to `short`, and `recent` reads them there after one question to `long`: whether they are
    still the newest. Where Redis is away, was emptied, has let a window expire or holds an outdated one, `recent`
    reads `long`; nothing is lost, and an outage leaves one event.

    Parameters
    ----------
    short
        The window.
    long
        `PostgresStore` or `SqliteStore`.

    >>> import tempfile, hydralab as hl
    >>> from hydralab.stores import RedisWindow, TieredStore
    >>> folder = tempfile.TemporaryDirectory()
    >>> window = RedisWindow("redis://localhost:1/0")  # where no server is
    >>> with TieredStore(short=window, long=hl.SqliteStore(f"{folder.name}/lab.db")) as store:
    ...     store.append("turns", hl.read(hl.example("launch_en")))
    ...     store.recent("launch_en", 8)["position"].to_list()
    [14, 15, 16, 17, 18, 19, 20, 21]
    >>> folder.cleanup()
    """

    read = delegate(Store.read, to="long")
    select = delegate(Store.select, to="long")
    nearest = delegate(Store.nearest, to="long")
    replace = delegate(Store.replace, to="long")
    models = delegate(Store.models, to="long")
    tombstones = delegate(Store.tombstones, to="long")
    set_tombstones = delegate(Store.set_tombstones, to="long")
    read_parts = delegate(ReadsInParts.read_parts, to="long")

    def __init__(self, *, short: RedisWindow, long: Store) -> None:
        if not isinstance(short, RedisWindow) or not isinstance(long, SqlStore):
            raise StoreError(
                f"TieredStore: short is {brief(short)} and long {brief(long)}, "
                "expected a RedisWindow and a PostgresStore or SqliteStore"
            )
        if long.encrypted:
            raise StoreError(
                f"TieredStore: {long!r} is encrypted, and Redis would hold its turns in clear text"
            )
        self.short = short
        self.long = long
        self._grown: list[_Growth] | None = None
        self._told_of = ""

    def append(self, table: str, frame: pl.DataFrame, *, model: str | None = None) -> None:
        """Add rows; see `Store.append`."""
        if table != "turns":
            self.long.append(table, frame, model=model)
            return
        frame = row_rules.checked_rows(table, frame, model)
        with self._growing() as grown:
            frame = self.long.keep_living(table, frame)
            names = frame["dialogue_id"].unique(maintain_order=True).to_list()
            before = {name: self.long.stamp(name) for name in names}
            self.long.append(table, frame)
            for name in names:
                own = frame.filter(pl.col("dialogue_id") == name)
                grown.append(_Growth(name, before[name], own, self.long.stamp(name)))

    def recent(self, dialogue_id: str, count: int) -> pl.DataFrame:
        """Return the newest turns of a dialogue; see `Store.recent`."""
        row_rules.check_recent(dialogue_id, count)
        # What a transaction that is open has written must not be seen by others yet.
        if count > self.short.turns or self._grown is not None:
            return self.long.recent(dialogue_id, count)
        stamp = self.long.stamp(dialogue_id)
        held = self.short.get(self._key(dialogue_id), stamp)
        if held is None:
            held = self.long.recent(dialogue_id, self.short.turns)
            self.short.put(self._key(dialogue_id), stamp, held)
        self._tell_of_outages()
        return held.tail(count)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make writes happen together or not at all; see `Store.transaction`."""
        with self._growing():
            yield

    def export(self, folder: str | Path) -> Path:
        """Write all tables into a new folder of Parquet files; see `hydralab.stores.export_store`."""
        return export_store(self, folder)

    @property
    def cache_folder(self) -> Path | None:
        """Where the long store keeps what can be made again of its tables."""
        return getattr(self.long, "cache_folder", None)

    def forget(
        self,
        *,
        dialogue: str | None = None,
        turn: str | None = None,
        memory: str | None = None,
        user: str | None = None,
    ) -> pl.DataFrame:
        """Make something go for good, from both; see `Store.forget`."""
        meant = {"dialogue": dialogue, "turn": turn, "memory": memory, "user": user}
        reached = find_target(self.long, **meant).reach
        behind = self.long.forget(**meant)
        return pl.concat([behind, receipt([self._drop_window(name) for name in reached])])

    def audit(self, text: str) -> pl.DataFrame:
        """Look for a text everywhere; see `Store.audit`."""
        windows = self.short.contents(f"hydralab:{self.long.store_id}:*")
        lines: list[tuple[str, str, int, str | None]] = [
            (f"window {key}", "cache", audit_bytes(content, text), None) for key, content in windows.items()
        ]
        if self.short.outage:
            lines.append(("windows", "cache", 0, f"not looked at: {self.short.outage}"))
        return pl.concat([self.long.audit(text), findings(lines)])

    def for_user(self, user: str) -> UserStore:
        """Return this store as one user sees it; see `Store.for_user`."""
        return UserStore(self, user)

    def close(self) -> None:
        """Close both."""
        self.short.close()
        self.long.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"TieredStore(short={self.short!r}, long={self.long!r})"

    def _drop_window(self, dialogue_id: str) -> tuple[str, str, int, str | None]:
        """Drop what Redis holds of a dialogue, and return the line of the receipt."""
        gone = self.short.drop(self._key(dialogue_id))
        detail = (
            "dropped"
            if gone
            else "Redis did not answer: never read again, dropped once it answers this process, "
            f"and gone after {self.short.expiry:g} s at the latest"
        )
        return f"window of {dialogue_id}", "cache", int(gone), detail

    def _key(self, dialogue_id: str) -> str:
        return f"hydralab:{self.long.store_id}:{dialogue_id}"

    @contextmanager
    def _growing(self) -> Iterator[list[_Growth]]:
        """Collect what is added to dialogues within a transaction; once it is durable, it goes to the window."""
        with self.long.transaction():  # and with it the turn of this thread
            outermost = self._grown is None
            grown = self._grown = [] if self._grown is None else self._grown
            first = len(grown)
            try:
                yield grown
            except BaseException:
                del grown[first:]
                raise
            finally:
                self._grown = None if outermost else grown
        if outermost:
            for growth in grown:
                self._show(growth)
            self._tell_of_outages()

    def _show(self, growth: _Growth) -> None:
        """Add turns to the window, if it holds those before them."""
        if growth.before == growth.after:
            return
        key, turns = self._key(growth.dialogue_id), growth.turns
        if not growth.before.startswith(NO_TURNS):
            held = self.short.get(key, growth.before)
            if held is None:
                return  # whoever reads next fills it
            turns = pl.concat([held, turns.join(held, on="turn_id", how="anti")]).sort("position")
        self.short.put(key, growth.after, turns)

    def _tell_of_outages(self) -> None:
        if self.short.outage and not self._told_of:
            detail = f"{self.short.outage}; recent turns are read from {self.long!r}"
            self.long.append("events", build("events", [event("store", "salvaged", detail=detail)]))
        self._told_of = self.short.outage
