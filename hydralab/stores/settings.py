"""What a store remembers of a lab beside its tables: encoder, tokenizer, triggers, named signals."""

from __future__ import annotations

from collections.abc import Mapping

from hydralab.frames import build
from hydralab.stores.protocol import Store

__all__ = ["LAB", "Settings"]

LAB = ""
"""Where a settings row says its dialogue: that of the whole lab."""


class Settings:
    """Named texts of a lab and of its dialogues, kept in the store's table "settings".

    >>> from hydralab.stores import MemoryStore
    >>> settings = Settings(MemoryStore())
    >>> settings.write({(LAB, "encoder"): "use"})
    >>> settings.get("encoder"), settings.get("trigger", "launch_zh")
    ('use', None)
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.encrypted = bool(getattr(store, "encrypted", False))
        """Whether the store keeps texts and vectors encrypted."""

    def get(self, name: str, dialogue_id: str = LAB) -> str | None:
        """Return a setting, None where it was never set."""
        return self.all(dialogue_id).get(name)

    def all(self, dialogue_id: str = LAB) -> dict[str, str]:
        """Return every setting of a dialogue, or of the lab, by name."""
        return dict(self._store.read("settings", dialogue_id=dialogue_id).select("name", "value").rows())

    def write(self, values: Mapping[tuple[str, str], str]) -> None:
        """Write settings, (dialogue, name) → value, each in the place of its last value."""
        rows = [
            {"dialogue_id": where, "name": name, "value": value} for (where, name), value in values.items()
        ]
        given = build("settings", rows)
        with self._store.transaction():
            names = given["dialogue_id"].unique().to_list()
            present = self._store.read("settings", dialogue_id=names).select("dialogue_id", "name")
            known = given.join(present, on=["dialogue_id", "name"], how="semi")
            self._store.replace("settings", known)
            self._store.append("settings", given.join(known, on=["dialogue_id", "name"], how="anti"))
