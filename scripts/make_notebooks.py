"""Run the notebooks in place and keep their outputs: `python scripts/make_notebooks.py [NAME…]`.

What would differ from machine to machine is left out of the saved file: times of execution, the
version of Python, and widgets' state, beside which their static pictures stand.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
LARGEST = 1_000_000
PRIVATE = re.compile(r"/(?:home|root|tmp|work|Users)/\w")


def main(names: list[str]) -> int:
    """Run the named notebooks, or all, and return how many of them should not be shipped as they are."""
    faults = 0
    for path in sorted(FOLDER.glob("*.ipynb")):
        if names and path.stem not in names and path.name not in names:
            continue
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=300, store_widget_state=False).execute(cwd=FOLDER)
        _strip(notebook)
        nbformat.write(notebook, path)
        found = _faults(path, notebook)
        faults += bool(found)
        print(path.name, f"{path.stat().st_size:,} bytes", *found, sep="\n  ")
    return faults


def _strip(notebook: nbformat.NotebookNode) -> None:
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)


def _faults(path: Path, notebook: nbformat.NotebookNode) -> list[str]:
    """Return what is wrong with the outputs: warnings, paths of this machine, size."""
    found = [] if path.stat().st_size <= LARGEST else [f"larger than {LARGEST:,} bytes"]
    for number, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                found.append(f"cell {number} writes to stderr: {output['text'][:200]!r}")
            text = re.sub(r"data:image/png;base64,[A-Za-z0-9+/=]+", "", str(_texts(output)))
            found += [f"cell {number} shows {match.group()!r}…" for match in PRIVATE.finditer(text)]
    return found


def _texts(output: nbformat.NotebookNode) -> list[str]:
    data = {kind: text for kind, text in output.get("data", {}).items() if kind.startswith("text/")}
    return [output.get("text", ""), *map(str, data.values())]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
