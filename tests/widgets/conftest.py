import base64
import gzip
import json
import re

import pytest

import hydralab as hl

TRIGGER = "hl.cue('另外|之前提到').place(min_turns=2, max_turns=40)"


def unpacked(path):
    """What a page is told: every text of it in its place."""
    packed = re.search(r'id="hl-data">([^<]+)<', path.read_text(encoding="utf-8"))[1]
    held = json.loads(gzip.decompress(base64.b64decode(packed)))

    def revived(value):
        if isinstance(value, str):
            return held["texts"][int(value[1:])] if value.startswith("\0") else value
        if isinstance(value, dict):
            return {key: revived(each) for key, each in value.items()}
        return [revived(each) for each in value] if isinstance(value, list) else value

    return revived(held["told"])


@pytest.fixture(scope="session")
def lab():
    return hl.Lab(hl.read_all(hl.example("launch_zh")))


@pytest.fixture(scope="session")
def run(lab):
    return lab.replay(hl.Hydration(TRIGGER), budget=600)
