"""The project's own files agree with each other."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_environment_names_the_packages_of_pyproject():
    wanted = set(PROJECT["dependencies"])
    for extra, packages in PROJECT["optional-dependencies"].items():
        wanted |= set(packages) if extra != "all" else set()
    listed = set(
        re.findall(r'^      - "(.+)"$', (ROOT / "environment.yml").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert listed == wanted


def test_the_extra_all_brings_every_extra_that_users_take():
    (everything,) = PROJECT["optional-dependencies"]["all"]
    named = set(re.search(r"\[(.+)\]", everything).group(1).split(","))
    assert named == set(PROJECT["optional-dependencies"]) - {"all", "dev"}


def test_every_room_stands_in_the_order_of_imports():
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ][0]
    ordered = {name.strip(" ()") for layer in contract["layers"] for name in layer.split(":")}
    package = ROOT / "hydralab"
    rooms = {path.stem for path in package.glob("*.py")} | {
        path.parent.name for path in package.glob("*/__init__.py")
    }
    assert rooms - {"__init__"} <= ordered


@pytest.mark.parametrize(
    "name", ["README.md", "README.zh.md", "CHANGELOG.md", "SHORTFALLS.md", "LICENSE", "data/README.md"]
)
def test_a_file_that_is_promised_is_there_and_not_empty(name):
    assert (ROOT / name).stat().st_size > 100


def test_no_tracked_text_holds_a_path_of_one_machine():
    for path in [
        *ROOT.glob("hydralab/**/*.py"),
        *ROOT.glob("notebooks/*.ipynb"),
        ROOT / "README.md",
        ROOT / "README.zh.md",
    ]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"/(?:root|home/\w+|work)/", text), path
