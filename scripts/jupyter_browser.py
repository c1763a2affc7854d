"""A JupyterLab, or a Notebook 7, of its own with a headless Chromium in front, for screenshots and browser tests."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
from playwright.sync_api import Browser, Locator, Page, sync_playwright

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SETTINGS = {
    "apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "docmanager-extension/plugin": {"autosave": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
}

KERNEL_IS_READY = """() => {
  const context = window.jupyterapp.shell.currentWidget?.sessionContext;
  return context?.isReady && context.session?.kernel?.status === "idle";
}"""


@dataclass(frozen=True)
class Frontend:
    """What tells JupyterLab and Notebook 7 apart: the module, where it opens a notebook, its own settings' name."""

    module: str
    opens: str
    settings: str


JUPYTERLAB = Frontend("jupyterlab", "lab/tree", "LabApp")
NOTEBOOK_7 = Frontend("notebook", "notebooks", "JupyterNotebookApp")


class Lab:
    """A running front end: `url` to open, `folder` to put notebooks into, the `environment` it runs in."""

    def __init__(
        self, url: str, token: str, folder: Path, environment: dict[str, str], frontend: Frontend
    ) -> None:
        self.url, self.token, self.folder, self.environment = url, token, folder, environment
        self.frontend = frontend

    def write(self, name: str, cells: Sequence[str]) -> Path:
        """Write a notebook of code cells."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
        notebook.metadata["kernelspec"] = {
            "name": "python3",
            "display_name": "Python 3",
            "language": "python",
        }
        path = self.folder / name
        nbformat.write(notebook, path)
        return path

    def open(self, page: Page, name: str, *, dark: bool = False) -> None:
        """Open a notebook and wait until its kernel is ready."""
        page.goto(f"{self.url}/{self.frontend.opens}/{name}?reset&token={self.token}")
        page.wait_for_function("() => window.jupyterapp !== undefined", timeout=60_000)
        page.locator(".jp-Notebook").wait_for(timeout=60_000)
        theme = "JupyterLab Dark" if dark else "JupyterLab Light"
        command(page, "apputils:change-theme", theme=theme)
        if self.frontend is JUPYTERLAB:
            command(page, "application:toggle-left-area")
        page.wait_for_function(KERNEL_IS_READY, timeout=60_000)

    def run_all(self, page: Page, timeout: float = 120) -> None:
        """Run all cells and wait until they are done."""
        start_all(page)
        wait_until_idle(page, timeout)


def start_all(page: Page) -> None:
    """Run all cells; a command that JupyterLab, still busy with opening, let go by is given again."""
    for _ in range(6):
        command(page, "notebook:run-all-cells")
        for _ in range(25):
            page.wait_for_timeout(200)
            prompts = page.locator(".jp-CodeCell .jp-InputPrompt").all_inner_texts()
            if any(text.strip() not in ("[ ]:", "[ ]") for text in prompts):
                return
    raise TimeoutError("no cell of the notebook starts to run")


def wait_until_idle(page: Page, timeout: float = 120) -> None:
    """Wait until no cell of the open notebook is waiting or running; a cell that fails is an error."""
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        if failed := page.locator('[data-mime-type="application/vnd.jupyter.error"]').all_inner_texts():
            raise RuntimeError(f"a cell failed: {failed[0][-600:]}")
        prompts = page.locator(".jp-CodeCell .jp-InputPrompt").all_inner_texts()
        if prompts and all(text.strip() not in ("[*]:", "[ ]:", "[*]", "[ ]") for text in prompts):
            return
        page.wait_for_timeout(150)
    raise TimeoutError(f"cells are still running after {timeout:g} s")


def command(page: Page, name: str, **arguments: object) -> None:
    """Execute a command of JupyterLab without waiting for what it returns."""
    page.evaluate("([name, args]) => { window.jupyterapp.commands.execute(name, args); }", [name, arguments])


def view(page: Page) -> Locator:
    """Return hydralab's widgets on the page."""
    return page.locator(".hl-view")


@contextmanager
def jupyter_lab(folder: Path, frontend: Frontend = JUPYTERLAB) -> Iterator[Lab]:
    """Run a front end on `folder` that knows of no other configuration."""
    private = folder / ".jupyter"
    for plugin, values in SETTINGS.items():
        path = private / "settings" / "@jupyterlab" / f"{plugin}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    port, token = _free_port(), secrets.token_hex(16)
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(private / "config"),
        "JUPYTER_RUNTIME_DIR": str(private / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(private / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(private / "workspaces"),
        "JUPYTER_DATA_DIR": str(private / "data"),
        "IPYTHONDIR": str(private / "ipython"),
    }
    options = {
        "ServerApp.ip": "127.0.0.1", "ServerApp.port": port, "ServerApp.port_retries": 0,
        "IdentityProvider.token": token, "ServerApp.open_browser": False, "ServerApp.allow_root": True,
        "ServerApp.root_dir": folder, f"{frontend.settings}.expose_app_in_browser": True,
    }  # fmt: skip
    arguments = [
        sys.executable,
        "-m",
        frontend.module,
        *(f"--{name}={value}" for name, value in options.items()),
    ]
    with (folder / "jupyter.log").open("w") as log:
        server = subprocess.Popen(
            arguments, env=environment, stdout=log, stderr=subprocess.STDOUT, cwd=folder
        )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{url}/api", server)
        yield Lab(url, token, folder, environment, frontend)
    finally:
        server.terminate()
        server.wait(30)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run Debian's Chromium without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def watched_page(
    browser: Browser, *, width: int = 1280, height: int = 1000, scale: float = 1
) -> Iterator[Page]:
    """Open a page; `page.complaints` lists console errors and `page.strangers` requests to other hosts."""
    context = browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=scale)
    page = context.new_page()
    page.complaints, page.strangers = [], []
    page.on("console", lambda message: message.type == "error" and page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda request: _is_strange(request.url) and page.strangers.append(request.url))
    try:
        yield page
    finally:
        context.close()


def _is_strange(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in ("127.0.0.1", "localhost")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(240):
        if server.poll() is not None:
            raise RuntimeError(f"the server ended with code {server.returncode}; see jupyter.log")
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.25)
        else:
            return
    raise TimeoutError(f"the server doesn't answer at {url}")
