"""Put a store to the test, one's own as well as hydralab's."""

from __future__ import annotations

from hydralab.errors import StoreError, brief
from hydralab.stores.contract_checks import PROMISES
from hydralab.stores.protocol import Store

__all__ = ["check_store"]


def check_store(store: Store) -> list[str]:
    """Check every promise of a store and return their names, or raise what it broke.

    Parameters
    ----------
    store
        An open store that may be thrown away: the checks write dialogues and models into it whose
        names begin with "check_store". That it keeps what it holds when it is closed and opened
        again is not checked.

    Raises
    ------
    StoreError
        The store broke a promise; the message says which.

    >>> from hydralab.stores import MemoryStore
    >>> check_store(MemoryStore())[:2]
    ['an_unwritten_table_is_empty', 'a_table_comes_back_as_it_was']
    """
    if not isinstance(store, Store):
        raise StoreError(f"store: got {brief(store)}, expected an open store such as hl.MemoryStore()")
    dialogues = {name: f"check_store:{name}" for name in PROMISES}
    if store.read("turns", dialogue_id=list(dialogues.values())).height:
        raise StoreError(
            f"{store!r} was checked before, expected a store without the dialogues of check_store"
        )
    for name, keeps in PROMISES.items():
        try:
            keeps(store, dialogues[name])
        except Exception as error:  # whatever a store of the user's raises breaks the promise
            told = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
            promise = name.replace("_", " ")
            raise StoreError(f"{store!r} breaks a promise of stores, {promise!r}: {told}") from error
    return list(PROMISES)
