"""Optional packages load when first used; a missing one names the extra that brings it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from hydralab.errors import MissingExtraError

__all__ = ["load_optional"]


def load_optional(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import `module`, or say what it is for and how to install it.

    >>> load_optional("json", extra="all", purpose="reading").__name__
    'json'
    >>> load_optional("no_such_module", extra="torch", purpose="minilm")
    Traceback (most recent call last):
    ...
    hydralab.errors.MissingExtraError: minilm needs 'no_such_module': in the checkout, pip install ".[torch]"
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or module.split(".")[0] != error.name.split(".")[0]:
            raise
        raise MissingExtraError(
            f'{purpose} needs {module.split(".")[0]!r}: in the checkout, pip install ".[{extra}]"'
        ) from error
