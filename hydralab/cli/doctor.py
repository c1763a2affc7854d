"""`hydralab doctor`: what this installation can do, and what it would need for the rest."""

from __future__ import annotations

import platform
import shutil
import socket
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

import polars as pl

from hydralab.cli.output import AsJson, Out, emit, show_table

__all__ = ["diagnose", "doctor_command"]

PACKAGES = (
    "hydralab", "polars", "numpy", "hnswlib", "tiktoken", "jieba", "torch", "transformers", "ipywidgets", "anywidget",
    "jupyterlab", "matplotlib", "sqlalchemy", "openai", "psycopg", "redis",
)  # fmt: skip
SERVERS = {"PostgreSQL": 5432, "Redis": 6379}


def doctor_command(as_json: AsJson = False, out: Out = None) -> None:
    """Check versions, encoders, tokenizers, fonts, compiler and servers."""
    found = pl.DataFrame(list(diagnose()), schema=["what", "name", "state", "detail"], orient="row")
    if emit({}, {"doctor": found}, as_json=as_json, out=out):
        show_table("hydralab doctor", found, whole="detail")


def diagnose() -> Iterator[tuple[str, str, str, str]]:
    """Yield (what, name, "ok" or "missing", detail) for everything hydralab can use."""
    yield "python", platform.python_implementation(), "ok", platform.python_version()
    for package in PACKAGES:
        try:
            yield "package", package, "ok", version(package)
        except PackageNotFoundError:
            yield "package", package, "missing", "optional" if package in PACKAGES[6:] else "needed"
    yield from _encoders()
    yield _attempt("tokenizer", "cl100k_base", _count_tokens)
    yield _attempt("font", "Chinese glyphs", _cjk_font)
    compiler = shutil.which("g++")
    yield "compiler", "g++", "ok" if compiler else "missing", compiler or "needed to install hnswlib"
    for name, port in SERVERS.items():
        yield _server(name, port)


def _encoders() -> Iterator[tuple[str, str, str, str]]:
    from hydralab.encoders import ENCODERS, get_encoder

    for name in ENCODERS:
        yield _attempt("encoder", name, lambda name=name: f"{get_encoder(name).dim} dimensions")  # type: ignore[misc]


def _count_tokens() -> str:
    from hydralab.texts import tokenizer

    return f"{tokenizer().count('你好，hydralab')} tokens in 你好，hydralab"


def _cjk_font() -> str:
    from hydralab.theme import find_cjk_font

    if find_spec("matplotlib") is None:
        raise LookupError('pip install ".[notebook]" in the checkout')
    found = find_cjk_font()
    if found is None:
        raise LookupError("Debian: fonts-noto-cjk")
    return str(found)


def _attempt(what: str, name: str, check: Callable[[], str]) -> tuple[str, str, str, str]:
    try:
        return what, name, "ok", check()
    except Exception as error:  # the report goes on, whatever one part raises
        return what, name, "missing", f"{error}"


def _server(name: str, port: int) -> tuple[str, str, str, str]:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=0.3):
            return "server", name, "ok", f"listens on port {port}"
    except OSError:
        return "server", name, "missing", f"nothing listens on port {port}; optional"
