"""`hydralab lab`: JupyterLab on the notebooks."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["lab_command", "notebooks_folder"]


def lab_command(
    folder: Annotated[
        Path, typer.Option("--folder", help="Where the notebooks are copied to, outside a checkout.")
    ] = Path("hydralab-notebooks"),
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser window.")] = True,
) -> None:
    """Open JupyterLab on the notebooks."""
    from hydralab.optional import load_optional

    load_optional("jupyterlab", extra="notebook", purpose="`hydralab lab`")
    place = notebooks_folder(folder)
    command = [sys.executable, "-m", "jupyterlab", "--ServerApp.root_dir", str(place)]
    as_root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    typer.echo(f"notebooks are in {place}")
    os.execv(sys.executable, command + as_root + ([] if browser else ["--no-browser"]))


def notebooks_folder(folder: Path) -> Path:
    """Return the checkout's notebooks; outside one, copy those of the package to a folder first.

    A notebook that is there already is left as it is.
    """
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent / "notebooks"
    if (package.parent / "pyproject.toml").exists() and checkout.exists():
        return checkout
    folder.mkdir(parents=True, exist_ok=True)
    for source in sorted((package / "_shipped" / "notebooks").glob("*.ipynb")):
        target = folder / source.name
        if not target.exists():
            shutil.copyfile(source, target)
    return folder.resolve()
