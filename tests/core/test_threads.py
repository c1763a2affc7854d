"""Small products on one thread, whoever asks for it and however often."""

from threadpoolctl import threadpool_info

from hydralab.core.threads import one_thread


def blas_threads():
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_the_limit_holds_until_the_last_one_leaves_and_is_undone_then():
    before = blas_threads()
    with one_thread():
        assert set(blas_threads()) == {1}
        with one_thread():
            pass
        assert set(blas_threads()) == {1}
    assert blas_threads() == before


def test_those_who_leave_in_another_order_than_they_came_undo_it_too():
    before, first, second = blas_threads(), one_thread(), one_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert set(blas_threads()) == {1}
    second.__exit__(None, None, None)
    assert blas_threads() == before
