import array_api_strict
import numpy as np
import pytest
import torch


@pytest.fixture(params=["numpy", "torch", "array_api_strict"])
def to_array(request):
    """Make an array of each library that the numeric core is tested on."""
    library = {"numpy": np, "torch": torch, "array_api_strict": array_api_strict}[request.param]
    return lambda values: library.asarray(np.asarray(values))
