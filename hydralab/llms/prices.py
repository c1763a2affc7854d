"""What a chat model's tokens cost, from a table that users can edit."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from platformdirs import user_config_path

from hydralab.errors import HydralabError, check_value, unknown_name
from hydralab.llms.contract import Usage

__all__ = ["Price", "cost_of", "price_of", "prices", "prices_path"]

PER = 1_000_000
VERSION = re.compile(r"-(20\d{2}-\d{2}-\d{2}|20\d{6}|\d{4}|latest)$")


@dataclass(frozen=True)
class Price:
    """What a model's tokens cost, per million.

    Attributes
    ----------
    prompt, completion
        Tokens read and written.
    cached
        Tokens read from the provider's prefix cache; as `prompt` when None.
    currency
        ISO 4217.
    """

    prompt: float
    completion: float
    cached: float | None = None
    currency: str = "USD"


def prices_path() -> Path:
    """Return where the user's own prices stand: $HYDRALAB_PRICES, else prices.toml in the configuration folder.

    >>> prices_path().suffix
    '.toml'
    """
    given = os.environ.get("HYDRALAB_PRICES")
    return Path(given) if given else user_config_path("hydralab") / "prices.toml"


def prices() -> Mapping[str, Price]:
    """Return model → price: those of the package, overridden by the user's file.

    Raises
    ------
    HydralabError
        The user's file can't be read; the message names the file and what was expected.

    >>> prices()["gpt-4o-mini"].prompt
    0.15
    """
    path = prices_path()
    stamp = path.stat().st_mtime_ns if path.exists() else None
    return _merged(str(path), stamp)


def cost_of(model: str, usage: Usage) -> float | None:
    """Return what a reply cost, or None when the model has no price.

    Parameters
    ----------
    model
        The server's name for it; "provider/" in front and a date behind don't matter.
    usage
        Its tokens.

    >>> cost_of("gpt-4o-mini-2024-07-18", Usage(prompt=1_000_000, completion=100_000))
    0.21
    >>> cost_of("a-model-of-one's-own", Usage(prompt=1)) is None
    True
    """
    price = _find(model)
    if price is None:
        return None
    cached = price.prompt if price.cached is None else price.cached
    fresh = max(usage.prompt - usage.cached, 0)
    return (fresh * price.prompt + usage.cached * cached + usage.completion * price.completion) / PER


def price_of(model: str) -> Price:
    """Return a model's price; "provider/" in front and a date behind don't matter.

    Raises
    ------
    UnknownNameError
        The model has none; the message names those that have.

    >>> price_of("openai/gpt-4o-mini-2024-07-18").prompt
    0.15
    """
    check_value("price_of: model", model, "str")
    price = _find(model)
    if price is None:
        raise unknown_name("model in the table of prices", model, prices())
    return price


def _find(model: str) -> Price | None:
    table = prices()
    bare = model.rpartition("/")[2]
    names = (model, bare, VERSION.sub("", bare))
    return next((table[name] for name in names if name in table), None)


@lru_cache(maxsize=4)
def _merged(path: str, stamp: int | None) -> Mapping[str, Price]:
    shipped = _read((files("hydralab.llms") / "prices.toml").read_text("utf-8"), "prices.toml")
    if stamp is None:
        return shipped
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise HydralabError(f"{path}: {error}, expected a table of prices in UTF-8") from error
    return {**shipped, **_read(text, path)}


def _read(text: str, where: str) -> dict[str, Price]:
    try:
        table = tomllib.loads(text)
        currency = str(table.get("currency", "USD"))
        read = {name: Price(**{"currency": currency, **row}) for name, row in table["models"].items()}
        numbers = [
            float(value)
            for price in read.values()
            for value in (price.prompt, price.completion, price.cached)
            if value is not None
        ]
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise HydralabError(
            f'{where}: {error}; expected [models."NAME"] with prompt, completion and maybe cached, '
            "in money per million tokens"
        ) from error
    if min(numbers, default=0.0) < 0:
        raise HydralabError(f"{where}: a price below 0, expected money per million tokens")
    return read
