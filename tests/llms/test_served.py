"""A real server of another maker: transformers' own, with SmolLM2."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

import hydralab as hl
from hydralab.frames import build
from hydralab.llms import OpenAIChat, ask, check_llm, stream
from hydralab.llms.loading import load_transformer, smollm2

pytestmark = [pytest.mark.model, pytest.mark.slow]

PATIENCE = 240
"""Seconds that the server may take until it answers."""


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Serve SmolLM2 by `transformers serve`, which wants a folder with safetensors."""
    folder = tmp_path_factory.mktemp("smollm2")
    network, tokenizer = load_transformer(smollm2(), name="smollm2")
    network.hf_quantizer = None  # its 4 bits were unpacked as they were read
    if hasattr(network.config, "quantization_config"):
        del network.config.quantization_config
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = Path(sys.executable).with_name("transformers")
    options = ["--host", "127.0.0.1", "--port", str(port), "--dtype", "float32", "--device", "cpu"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [program, "serve", str(folder), *options],
            env={**os.environ, "HF_HUB_OFFLINE": "1"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_for(server, port, folder / "log")
            yield OpenAIChat(str(folder), f"http://127.0.0.1:{port}/v1", window=8_192, timeout=PATIENCE)
        finally:
            server.terminate()
            server.wait(30)


def _wait_for(server, port, log):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.5)
    raise AssertionError(f"the server did not start:\n{log.read_text('utf-8', 'replace')[-2_000:]}")


def test_it_answers(served):
    asked = [{"role": "user", "content": "What is the capital of France? Answer in one word."}]
    reply = ask(served, asked, max_tokens=12, temperature=0.0)
    assert "Paris" in reply.text
    assert (reply.outcome, reply.usage.estimated) == ("ok", False)
    last = list(stream(served, asked, max_tokens=4, temperature=0.0))[-1].reply
    assert last.outcome == "cut"


def test_it_holds_the_contract(served):
    check_llm(served)


def test_a_small_model_writes_a_checkpoint_or_fails_in_a_row(served):
    turns = hl.read(hl.example("launch_en"))
    cut = {"dialogue_id": "launch_en", "position": 8, "trigger": "cue", "score": 1.0, "decided_at": 8}
    table = hl.extract_checkpoints(turns, build("boundaries", [cut]))
    brief = hl.Summarising(reply_tokens=48, tries=1)
    made = hl.summarise_checkpoints(table, turns, served, summarising=brief)
    assert made.events.height == 1
    assert (made.checkpoints["status"][0] == "failed") == (made.events["status"][0] == "failed")
    assert made.checkpoints["summary"][0]
