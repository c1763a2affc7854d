"""Files of every format, spoilt in a thousand ways: each is read, or refused in one sentence."""

import io
import json
import random
import zipfile
from pathlib import Path

import pytest

import hydralab.readers as readers
from hydralab.errors import HydralabError
from hydralab.frames import Corpus

FIXTURES = Path(__file__).parent / "fixtures"
FILES = sorted(path for path in FIXTURES.rglob("*") if path.is_file())
SEEDS = range(12)

ODD = (
    None, True, -1, 0, 1e308, 10**400, float("nan"), float("inf"), "", "\x00", "\ud83d", "\ufeff", "x" * 5000,
    "NaN", "9" * 40, "9999-99-99T99:99:99Z", "0001-01-01T00:00:00+14:00", [], {}, [[]], [None], {"": None},
    {"role": {}}, [{"type": 5}], {"content": {"parts": [5, None, [], {}]}},
)  # fmt: skip

PIECES = (
    b"\x00", b"\xff\xfe", b'"', b"{", b"]", b"\n", b",,", b"\xed\xa0\x80", b"\\u", b"PK\x03\x04", b"\xef\xbb\xbf",
)  # fmt: skip


def spoilt_value(value, chance):
    """Exchange, drop, double, wrap or deepen values at random places of a JSON value."""
    if chance.random() < 0.03:
        deep = value
        for _ in range(chance.choice([0, 1, 3, 300])):
            deep = [deep] if chance.random() < 0.5 else {"a": deep}
        return chance.choice([chance.choice(ODD), deep, [value], {"value": value}, str(value)])
    if isinstance(value, dict):
        kept = {key: spoilt_value(one, chance) for key, one in value.items() if chance.random() > 0.02}
        return kept if chance.random() > 0.02 else dict.fromkeys(kept)
    if isinstance(value, list):
        made = [spoilt_value(one, chance) for one in value for _ in range(1 + (chance.random() < 0.02))]
        chance.shuffle(made) if chance.random() < 0.05 else None
        return made
    return value


def spoilt_json(data, chance):
    text = data.decode("utf-8", "replace")
    try:
        return json.dumps(spoilt_value(json.loads(text), chance)).encode()
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            return "\n".join(json.dumps(spoilt_value(json.loads(line), chance)) for line in lines).encode()
        except ValueError:
            return spoilt_bytes(data, chance)


def spoilt_bytes(data, chance):
    """Cut off, overwrite, repeat and insert bytes."""
    found = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(found) + 1)
        piece = chance.choice(PIECES)
        how = chance.randrange(4)
        if how == 0:
            found[at:] = b"" if chance.random() < 0.5 else found[at : at + 50]
        elif how == 1:
            found[at : at + len(piece)] = piece
        elif how == 2:
            found[at:at] = piece * chance.choice([1, 2, 500])
        else:
            found[at:at] = found[max(0, at - 60) : at]
    return bytes(found)


def spoilt_zip(data, chance):
    """Spoil the members of a zip, or the zip itself."""
    if chance.random() < 0.5:
        return spoilt_bytes(data, chance)
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(made, "w") as zipped:
        for name in whole.namelist():
            zipped.writestr(name, spoilt_json(whole.read(name), chance))
    return made.getvalue()


def spoilt(path, seed):
    chance = random.Random(f"{path.name}{seed}")
    data = path.read_bytes()
    if path.suffix == ".zip":
        return spoilt_zip(data, chance)
    return spoilt_json(data, chance) if chance.random() < 0.7 else spoilt_bytes(data, chance)


def read_or_refusal(path, wanted):
    try:
        return readers.read_all(path, format=wanted, progress=False)
    except HydralabError as error:
        return str(error)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FIXTURES).as_posix())
def test_a_spoilt_file_is_read_or_refused_in_one_sentence(path, tmp_path):
    """FAULTS 11: read, or refused with file, line and reason; nothing half-imported."""
    format_of = {name: name for name in readers.READERS}.get(path.parent.name, path.stem)
    for seed in SEEDS:
        data = spoilt(path, seed)
        target = tmp_path / f"{seed}-{path.name}"
        target.write_bytes(data)
        for wanted in (None, format_of if format_of in readers.READERS else None):
            found = read_or_refusal(target, wanted)
            assert isinstance(found, Corpus) or 10 < len(found) < 2000, (seed, found)
