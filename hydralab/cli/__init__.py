"""The command line: the lab without a notebook."""

from hydralab.cli.app import main

__all__ = ["main"]
