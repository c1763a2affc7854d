"""Slow topics: vectors seen along the directions that change slowly in a corpus, as an encoder of its own."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Self
from zipfile import BadZipFile

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.backend import to_backend, to_numpy
from hydralab.core.slow_topics import project_slowly, slow_directions
from hydralab.encoders.contract import Encoder, Vectors
from hydralab.encoders.embedding import embed
from hydralab.encoders.names import PREFIXES, get_encoder
from hydralab.encoders.windows import DEFAULT_WINDOW, cut_windows
from hydralab.errors import HydralabError, check_value
from hydralab.texts import key_texts

__all__ = ["LEAST_TURNS", "SlowTopics", "dialogue_lengths"]

LEAST_TURNS = 200
"""Turns below which the directions say more of the sample than of its topics."""

FORMAT = 1

PREFIX = "slow_topics:"
"""What a spec of `get_encoder` begins with that names a file."""


@dataclass(frozen=True, eq=False)
class SlowTopics:
    """The directions in which turns stay like their neighbours, fitted on dialogues without any label.

    It is an encoder: whatever takes one (`hl.Lab`, `hl.embed`, the command's ``--encoder``) takes it, so signals,
    triggers and widgets see the adapted vectors. Recall finds single facts better by raw vectors.

    Made by `fit` or `load`, used by `transform` and `encode`.

    Attributes
    ----------
    encoder
        The encoder whose vectors are adapted; None when it was fitted on vectors of an unnamed one.
    mean, projection
        Float64 (d,) and (d, r); None where there were too few turns, and vectors stay as they are.
    turns
        How many turns it was fitted on.

    Notes
    -----
    It helps where topics recur in the corpus that it was fitted on and hurts on another: fit it on dialogues of
    the kind that are to be cut. With fewer than 200 turns it isn't trusted: a warning says so and `transform`
    gives back what it gets.

    References
    ----------
    Wiskott, Sejnowski, "Slow feature analysis", Neural Computation 14(4), 2002; see `hydralab.core.slow_topics`.

    >>> import hydralab as hl
    >>> turns = hl.read(hl.example("long_en"))
    >>> topics = hl.SlowTopics.fit(turns)
    >>> topics.dim, topics.trusted
    (32, True)
    >>> topics.encode(["The venue is booked."]).shape
    (1, 32)
    """

    encoder: Encoder | None
    mean: NDArray[np.float64] | None = field(repr=False)
    projection: NDArray[np.float64] | None = field(repr=False)
    turns: int

    @classmethod
    def fit(
        cls,
        turns: pl.DataFrame,
        vectors: Vectors | None = None,
        *,
        encoder: str | Encoder | Callable[[list[str]], Any] | None = None,
        rank: int = 32,
        lags: int = 4,
        ridge: float = 4.0,
        least: int = LEAST_TURNS,
    ) -> Self:
        """Fit on dialogues, without looking at any boundary.

        Parameters
        ----------
        turns
            Turns table of one or more dialogues, each in one piece. With `vectors`, any table with the column
            dialogue_id.
        vectors
            Float32 (n, d) unit rows of the turns; computed by `encoder` when None.
        encoder
            What makes the vectors: anything that `hl.get_encoder` takes. None is "use" without vectors, and
            with vectors an unnamed one, so that only `transform` can be used.
        rank
            Dimensions of what comes out.
        lags
            Turns up to so far apart are compared.
        ridge
            How strongly few turns are pulled towards no direction at all.
        least
            Turns below which nothing is fitted.

        Raises
        ------
        HydralabError
            Vectors of another number of rows than turns, a dialogue in pieces, or settings out of range.
        """
        for name, value, lowest in (("rank", rank, 1), ("lags", lags, 1), ("least", least, 0)):
            check_value(name, value, "int", least=lowest)
        lengths = dialogue_lengths(turns)
        named = None if encoder is None and vectors is not None else get_encoder(encoder or "use")
        rows: Vectors = embed(key_texts(turns), named or "use").vectors if vectors is None else vectors
        if np.ndim(rows) != 2 or len(rows) != turns.height:
            raise HydralabError(
                f"SlowTopics: vectors of shape {np.shape(rows)} for {turns.height} turns, expected one row a turn"
            )
        if turns.height < least:
            warnings.warn(
                f"SlowTopics: {turns.height} turns, expected at least {least}; vectors are left as they are",
                stacklevel=2,
            )
            return cls(named, None, None, turns.height)
        found = slow_directions(to_backend(rows), lengths, rank=rank, lags=lags, ridge=ridge)
        return cls(named, to_numpy(found.mean), to_numpy(found.projection), turns.height)

    @property
    def trusted(self) -> bool:
        """Whether there were turns enough; if not, vectors stay as they are."""
        return self.projection is not None

    @property
    def name(self) -> str:
        """The encoder's name, with what was done to it."""
        return f"{'vectors' if self.encoder is None else self.encoder.name}, slow topics"

    @property
    def dim(self) -> int:
        """Columns of what comes out."""
        return self._named().dim if self.projection is None else int(self.projection.shape[1])

    @property
    def cache_key(self) -> str | None:
        """The encoder's key and a hash of what was fitted; None where the encoder has none."""
        key = getattr(self.encoder, "cache_key", None)
        if key is None or self.mean is None or self.projection is None:
            return key
        fitted = sha256(self.mean.tobytes() + self.projection.tobytes()).hexdigest()[:16]
        return f"{key}-slow-{fitted}"

    def transform(self, vectors: Vectors) -> Vectors:
        """Return vectors along the slow directions: float32 (n, r) unit rows, a row of zeros stays one.

        Raises
        ------
        HydralabError
            Vectors of another encoder: their dimension differs.
        """
        if self.mean is None or self.projection is None:
            return vectors
        if np.ndim(vectors) != 2 or vectors.shape[1] != len(self.mean):
            raise HydralabError(
                f"SlowTopics: vectors of shape {np.shape(vectors)}, expected (n, {len(self.mean)}), as it was fitted on"
            )
        mean, projection = to_backend(self.mean), to_backend(self.projection)
        return np.asarray(to_numpy(project_slowly(to_backend(vectors), mean, projection)), dtype=np.float32)

    def windows(self, text: str) -> list[str]:
        """Cut a text as the encoder wants it."""
        cut: Callable[[str], list[str]] | None = getattr(self._named(), "windows", None)
        return cut_windows(text, DEFAULT_WINDOW) if cut is None else cut(text)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the adapted vectors of texts: float32 (n, dim)."""
        return self.transform(embed(list(texts), self._named()).vectors)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Return the adapted vectors of what is searched for: float32 (n, dim)."""
        return self.transform(embed(list(texts), self._named(), kind="query").vectors)

    def save(self, path: str | Path) -> Path:
        """Write it to a file, which ``hl.get_encoder("slow_topics:PATH")`` reads.

        Raises
        ------
        HydralabError
            It was fitted on vectors of an unnamed encoder, or of one that its name doesn't make again.
        """
        base = self._named().name
        try:
            get_encoder(base)
        except HydralabError as error:
            raise HydralabError(f"SlowTopics: {base!r} is no encoder that its name makes again") from error
        about = np.asarray(json.dumps({"format": FORMAT, "encoder": base, "turns": self.turns}))
        path = Path(path)
        with path.open("wb") as file:
            if self.mean is None or self.projection is None:
                np.savez(file, about=about)
            else:
                np.savez(file, about=about, mean=self.mean, projection=self.projection)
        return path

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote. The encoder is made by its name.

        Raises
        ------
        HydralabError
            No such file, or none of this kind.
        """
        try:
            with np.load(path, allow_pickle=False) as stored:
                about = json.loads(str(stored["about"]))
                mean, projection = (
                    np.asarray(stored[name]) if name in stored else None for name in ("mean", "projection")
                )
            return cls(get_encoder(about["encoder"]), mean, projection, about["turns"])
        except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
            if isinstance(error, HydralabError):
                raise
            raise HydralabError(f"SlowTopics: {str(path)!r} can't be read: {error}") from error

    def _named(self) -> Encoder:
        if self.encoder is None:
            raise HydralabError(
                "SlowTopics: fitted on vectors of an unnamed encoder, expected encoder= to encode or save"
            )
        return self.encoder


def dialogue_lengths(turns: pl.DataFrame) -> list[int]:
    """Return how many turns each dialogue has, in order.

    Raises
    ------
    HydralabError
        A dialogue's rows stand apart.

    >>> dialogue_lengths(pl.DataFrame({"dialogue_id": ["a", "a", "b"]}))
    [2, 1]
    """
    runs = turns["dialogue_id"].rle().struct.unnest()
    if runs["value"].n_unique() < runs.height:
        raise HydralabError("turns: the rows of a dialogue stand apart, expected each dialogue in one piece")
    return [int(length) for length in runs["len"]]


def _load_named(spec: str) -> SlowTopics:
    return SlowTopics.load(spec.removeprefix(PREFIX))


PREFIXES[PREFIX] = _load_named
