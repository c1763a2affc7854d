"""Texts and vectors encrypted in a table, each bound to its place: AES-256-GCM through `cryptography`."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, insert, inspect, select

from hydralab.errors import StoreError, check_value
from hydralab.optional import load_optional
from hydralab.schemas import KEYS, TEXTS
from hydralab.stores.codec import FURTHER
from hydralab.stores.schema import CIPHER, VERSION

__all__ = ["KEY_VARIABLE", "Cipher", "hidden_columns", "key_given", "opened_cipher"]

KEY_VARIABLE = "HYDRALAB_KEY"
NONCE, SALT, KEY = 12, 16, 32
"""Bytes."""

COST = 2**15
"""Scrypt's work to make a key of a passphrase: 32 MB and about a tenth of a second."""

PROOF = b"hydralab"
"""What is encrypted beside the salt, to tell a wrong key before anything is read or written."""

FURTHER_HIDDEN: Mapping[str, tuple[str, ...]] = {
    "checkpoints": ("source_hash",),
    "vectors": ("source_hash", "vector"),
    "verdicts": ("item_scores",),
    "context": ("scores",),
    "signals": (FURTHER,),
    "candidates": (FURTHER,),
    "settings": ("value",),
}
"""Beside the columns with words: vectors, scores, and hashes, from which a short text could be guessed."""

EVENT_PLACE = ("time", "stage", "dialogue_id", "item_id", "status")
"""What an event, which has no key, is bound to."""


def hidden_columns(table: str) -> tuple[str, ...]:
    """Return the columns of a table that are encrypted.

    >>> hidden_columns("turns"), hidden_columns("vectors")
    (('speaker', 'text', 'parts', 'meta'), ('source_hash', 'vector'))
    """
    return (*TEXTS.get(table, ()), *FURTHER_HIDDEN.get(table, ()))


class Cipher:
    """Encrypts the cells of rows, and decrypts them where they stand.

    A cell is its nonce, the ciphertext and the tag. Table, column and key of the row are the associated data,
    so that a cell that was moved, or swapped with another, is no longer read.
    """

    def __init__(self, key: bytes, where: str) -> None:
        self._where = where
        aead = load_optional(
            "cryptography.hazmat.primitives.ciphers.aead", extra="privacy", purpose="an encrypted store"
        )
        self._aes = aead.AESGCM(key)

    def seal(self, content: bytes, place: bytes) -> bytes:
        """Encrypt some bytes for a place."""
        nonce = secrets.token_bytes(NONCE)
        return nonce + bytes(self._aes.encrypt(nonce, content, place))

    def unseal(self, sealed: bytes, place: bytes) -> bytes:
        """Decrypt what was sealed for this place; `cryptography.exceptions.InvalidTag` where it wasn't."""
        return bytes(self._aes.decrypt(sealed[:NONCE], sealed[NONCE:], place))

    def hide(self, table: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Encrypt the cells of encoded rows, in place."""
        for row in rows:
            for column in hidden_columns(table):
                value = row.get(column)
                if value is not None:
                    content = value if isinstance(value, bytes) else value.encode()
                    row[column] = self.seal(content, _place(table, column, row))
        return rows

    def show(
        self, table: str, columns: Sequence[str], rows: list[tuple[Any, ...]], model: str | None
    ) -> list[tuple[Any, ...]]:
        """Return rows with their cells decrypted.

        Raises
        ------
        StoreError
            A cell was not written with this key for this place.
        """
        from cryptography.exceptions import InvalidTag

        hidden = [(number, name) for number, name in enumerate(columns) if name in hidden_columns(table)]
        shown = []
        for row in rows:
            cells, named = list(row), {**dict(zip(columns, row, strict=True)), "model": model}
            for number, name in hidden:
                if cells[number] is None:
                    continue
                try:
                    content = self.unseal(cells[number], _place(table, name, named))
                except (InvalidTag, TypeError) as error:
                    key = ", ".join(str(named.get(each)) for each in KEYS[table])
                    raise StoreError(
                        f"{self._where} is damaged: {table}.{name} of {key or 'an event'} was not written there "
                        "by hydralab with this key; it is left as it is"
                    ) from error
                cells[number] = content if name == "vector" else content.decode()
            shown.append(tuple(cells))
        return shown


def key_given(key: str | None) -> str | None:
    """Return the key that was given, or the one of the environment."""
    check_value("SqliteStore: key", key, "str | None")
    return key or os.environ.get(KEY_VARIABLE) or None


def opened_cipher(connection: Connection, where: str, key: str | None) -> Cipher | None:
    """Return what encrypts a database, None where it is in clear text; a new one is set up with the key.

    Parameters
    ----------
    connection
        In a write transaction where there are no tables yet, else in any.

    Raises
    ------
    StoreError
        It is encrypted and the key is missing or another, or it is in clear text and a key is given.
    """
    tables = set(inspect(connection).get_table_names())
    stored = (
        connection.execute(select(CIPHER.c.salt, CIPHER.c.proof)).first() if CIPHER.name in tables else None
    )
    if stored is None:
        if key is None:
            return None
        if VERSION.name in tables:
            raise StoreError(
                f"{where} is not encrypted and a key is given (key= or {KEY_VARIABLE}); nothing was changed: "
                "export it, and import it into a new file with the key"
            )
        CIPHER.create(connection)
        salt = secrets.token_bytes(SALT)
        cipher = Cipher(_derived(key, salt), where)
        connection.execute(insert(CIPHER).values(salt=salt, proof=cipher.seal(PROOF, salt)))
        return cipher
    if key is None:
        raise StoreError(
            f"{where} is encrypted, expected its key in {KEY_VARIABLE} or as key=; without it nothing can be read, "
            "and nothing was changed"
        )
    return _proved(where, Cipher(_derived(key, stored.salt), where), stored.salt, stored.proof)


def _proved(where: str, cipher: Cipher, salt: bytes, proof: bytes) -> Cipher:
    from cryptography.exceptions import InvalidTag

    try:
        cipher.unseal(proof, salt)
    except InvalidTag as error:
        raise StoreError(
            f"{where} is encrypted with another key than the one given; nothing was changed"
        ) from error
    return cipher


def _derived(key: str, salt: bytes) -> bytes:
    scrypt = load_optional(
        "cryptography.hazmat.primitives.kdf.scrypt", extra="privacy", purpose="an encrypted store"
    )
    return bytes(scrypt.Scrypt(salt=salt, length=KEY, n=COST, r=8, p=1).derive(key.encode()))


def _place(table: str, column: str, row: Mapping[str, Any]) -> bytes:
    key = KEYS[table] or EVENT_PLACE
    return json.dumps(
        [table, column, row.get("model") if table == "vectors" else None, *(row[each] for each in key)]
    ).encode()
