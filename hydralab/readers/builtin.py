"""Importing this module files every reader that comes with hydralab."""

from hydralab.readers import native

__all__ = ["native"]
