"""What a store remembers of a lab beside its tables: encoder, tokenizer, triggers, named signals."""

from __future__ import annotations

from hydralab.frames import build
from hydralab.stores import Store

__all__ = ["Settings"]

LAB = ""
"""Where a settings row says its dialogue: that of the whole lab."""


class Settings:
    """Named texts of a lab and of its dialogues, kept in the store's table "settings".

    >>> from hydralab.stores import MemoryStore
    >>> settings = Settings(MemoryStore())
    >>> settings.set("encoder", "use")
    >>> settings.get("encoder"), settings.get("trigger", "launch_zh")
    ('use', None)
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, name: str, dialogue_id: str = LAB) -> str | None:
        """Return a setting, None where it was never set."""
        return self.all(dialogue_id).get(name)

    def all(self, dialogue_id: str = LAB) -> dict[str, str]:
        """Return every setting of a dialogue, or of the lab, by name."""
        return dict(self._store.read("settings", dialogue_id=dialogue_id).select("name", "value").rows())

    def set(self, name: str, value: str, dialogue_id: str = LAB) -> None:
        """Write a setting, in the place of its last value."""
        row = {"dialogue_id": dialogue_id, "name": name, "value": value}
        write = self._store.replace if name in self.all(dialogue_id) else self._store.append
        write("settings", build("settings", [row]))
