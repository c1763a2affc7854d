"""Where the numeric work runs: numpy by default, torch or another Array-API library when asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import array_api_compat
import numpy as np
from numpy.typing import NDArray

from hydralab.errors import HydralabError, check_value
from hydralab.optional import load_optional

__all__ = ["Backend", "backend", "namespace", "to_backend", "to_numpy", "use_backend"]

Array = Any
"""An array of any library that the Array-API standard covers."""


@dataclass(frozen=True)
class Backend:
    """The library and device that `use_backend` chose."""

    name: str = "numpy"
    device: str | None = None


_chosen = Backend()


def use_backend(name: str = "numpy", *, device: str | None = None) -> Backend:
    """Move hydralab's own array work to another library; returns the choice made before.

    Parameters
    ----------
    name
        "numpy", "torch", or any module that array-api-compat can wrap.
    device
        A device of that library, such as "cuda:0"; the library's default when None.

    >>> use_backend("numpy").name
    'numpy'
    """
    global _chosen
    check_value("backend", name, "str")
    check_value("device", device, "str | None")
    if name != "numpy":
        module = load_optional(
            name, extra="torch" if name == "torch" else "all", purpose=f"the backend {name!r}"
        )
        if not hasattr(module, "asarray"):
            raise HydralabError(
                f"backend {name!r} has no asarray(); expected numpy, torch or an Array-API library"
            )
    before, _chosen = _chosen, Backend(name, device)
    return before


def backend() -> Backend:
    """Return the backend in use."""
    return _chosen


def namespace(*arrays: Array) -> Any:
    """Return the Array-API namespace that these arrays share.

    >>> import numpy as np
    >>> namespace(np.zeros(2)).__name__
    'array_api_compat.numpy'
    """
    return array_api_compat.array_namespace(*arrays)


def to_backend(array: NDArray[Any]) -> Array:
    """Return a numpy array as an array of the backend in use, on its device."""
    if _chosen.name == "numpy":
        return array
    module = load_optional(_chosen.name, extra="all", purpose=f"the backend {_chosen.name!r}")
    return module.asarray(array) if _chosen.device is None else module.asarray(array, device=_chosen.device)


def to_numpy(array: Array) -> NDArray[Any]:
    """Return an array of any library as a numpy array on the host.

    >>> import numpy as np
    >>> to_numpy(np.ones(2)).tolist()
    [1.0, 1.0]
    """
    if isinstance(array, np.ndarray):
        return array
    if array_api_compat.is_torch_array(array):
        return np.asarray(array.detach().cpu().numpy())
    return np.asarray(array)
