"""Each test has a vector cache of its own."""

import pytest


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HYDRALAB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"
