"""What prompts would cost at a model's prices, with a provider's prefix cache and without."""

from __future__ import annotations

import polars as pl

from hydralab.errors import check_value
from hydralab.frames import validate
from hydralab.llms import Price, price_of

__all__ = ["prompt_costs"]

PER = 1_000_000


def prompt_costs(
    steps: pl.DataFrame,
    model: str | Price = "gpt-4o-mini",
    *,
    cached_from: int = 0,
    cached_block: int = 1,
) -> pl.DataFrame:
    """Return what the prompts of a replay would cost to be read, though none was sent.

    Parameters
    ----------
    steps
        A steps table, such as `run.steps` or `lab.compare(…)`.
    model
        A model of the price table (`hydralab.llms.prices`), or a price of your own.
    cached_from, cached_block
        The shortest prefix that the provider keeps, and by how many tokens it grows: 0 and 1 for all of it, as a
        server of one's own comes near; 1,024 and 128 at OpenAI. A prefix is taken to be kept from one prompt to
        the next.

    Returns
    -------
    DataFrame
        A row a prompt: run_id, strategy, dialogue_id, query_id, tokens, cached_tokens (of these in the cache), cost
        and cost_cached (without the cache and with it, in the price's currency).

    Raises
    ------
    UnknownNameError
        The model has no price.

    >>> from hydralab.frames import build
    >>> step = {"run_id": "r", "strategy": "s", "dialogue_id": "d", "query_id": "q", "tokens": 2_000,
    ...         "stable_prefix_tokens": 1_500}
    >>> costs = prompt_costs(build("steps", [step]), Price(prompt=1.0, completion=4.0, cached=0.5))
    >>> costs.select("cached_tokens", "cost", "cost_cached").row(0)
    (1500, 0.002, 0.00125)
    """
    validate("steps", steps)
    check_value("prompt_costs: cached_from", cached_from, "int", least=0)
    check_value("prompt_costs: cached_block", cached_block, "int", least=1)
    price = model if isinstance(model, Price) else price_of(model)
    cached_price = price.prompt if price.cached is None else price.cached
    stable = pl.col("stable_prefix_tokens").fill_null(0)
    kept = pl.when(stable >= cached_from).then(stable // cached_block * cached_block).otherwise(0)
    return steps.select(
        "run_id", "strategy", "dialogue_id", "query_id", "tokens", cached_tokens=kept.cast(pl.Int64)
    ).with_columns(
        cost=pl.col("tokens") * price.prompt / PER,
        cost_cached=(
            (pl.col("tokens") - pl.col("cached_tokens")) * price.prompt
            + pl.col("cached_tokens") * cached_price
        )
        / PER,
    )
