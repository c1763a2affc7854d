import asyncio
from concurrent.futures import ThreadPoolExecutor

from hydralab.llms import check_llm


def test_a_model_is_checked_where_a_loop_runs_already_as_in_a_notebook():
    async def cell():
        check_llm(lambda messages: "Hello, 你好.")

    # In a thread of its own, since the browser tests leave a loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(cell())).result()
