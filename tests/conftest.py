"""What holds for the whole suite."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest
from hypothesis import settings

# A busy machine is no failure, and every run tries the same examples.
settings.register_profile("hydralab", deadline=None, derandomize=True)
settings.load_profile("hydralab")


@pytest.fixture
def run_async():
    """Run a coroutine to its end, in a thread of its own: the browser tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        yield lambda coroutine: thread.submit(copy_context().run, asyncio.run, coroutine).result()
