from hydralab.llms import check_llm


def test_a_model_is_checked_where_a_loop_runs_already_as_in_a_notebook(run_async):
    async def cell():
        check_llm(lambda messages: "Hello, 你好.")

    run_async(cell())
