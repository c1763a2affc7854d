"""A package of its own adds a reader through the entry-point group `hydralab.readers`."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from configparser import ConfigParser
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parent / "plugin"
SCRIPT = """
import json, sys
import hydralab.readers as readers
corpus = readers.read_all(sys.argv[1], **json.loads(sys.argv[2]))
print(json.dumps([corpus.dialogues.row(0), corpus.turns.select("role", "speaker", "text").rows(),
                  corpus.events["detail"].to_list(), "playscript" in readers.READERS]))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with the plug-in as an installer leaves it: the module, and a dist-info that names its reader."""
    target = tmp_path_factory.mktemp("site")
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text())["project"]
    about = target / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir()
    shutil.copy(PLUGIN / "hydralab_scripts.py", target)
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    groups = ConfigParser()
    groups.read_dict(project["entry-points"])
    with (about / "entry_points.txt").open("w") as file:
        groups.write(file)
    return target


@pytest.fixture
def play(tmp_path):
    path = tmp_path / "play.txt"
    path.write_text(
        "PLAY Storm\nNARRATOR: A ship.\nMASTER: Boatswain!\n\n(thunder)\nBOATSWAIN: Here, master.\n"
    )
    return path


def run(play, site=None, **options):
    found = [str(site)] if site else []
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([*found, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-c", SCRIPT, str(play), json.dumps(options)]
    return subprocess.run(
        command, env=env, capture_output=True, text=True, timeout=120, cwd=Path(__file__).parents[2]
    )


def test_an_installed_plugin_reads_its_format(play, site):
    dialogue, turns, events, is_registered = json.loads(run(play, site).stdout)
    assert is_registered
    assert dialogue[0].startswith("playscript-")
    assert dialogue[2:] == ["Storm", "en", "playscript: play.txt"]
    assert turns == [
        ["system", "NARRATOR", "A ship."],
        ["user", "MASTER", "Boatswain!"],
        ["user", "BOATSWAIN", "Here, master."],
    ]
    assert events == ["play.txt, line 5: nobody speaks"]


def test_its_options_are_options_of_read(play, site):
    _, turns, _, _ = json.loads(run(play, site, narrator="MASTER").stdout)
    assert [role for role, _, _ in turns] == ["user", "system", "user"]


def test_without_it_the_file_is_refused(play):
    finished = run(play)
    assert finished.returncode == 1
    assert "play.txt: no dialogue that hydralab knows: plain text" in finished.stderr
