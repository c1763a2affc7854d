"""An OpenAI-compatible server, spoken to over HTTP."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from hydralab.encoders import OpenAIEncoder, embed, get_encoder
from hydralab.encoders.openai_server import parse_openai
from hydralab.errors import HydralabError


class Handler(BaseHTTPRequestHandler):
    """Embeds a text as its length and its number of spaces; answers in reverse order, as it may."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        server.requests.append((self.path, asked, self.headers.get("Authorization")))
        status = server.failures.pop(0) if server.failures else 200
        rows = [
            {"object": "embedding", "index": k, "embedding": [float(len(text)), float(text.count(" ")), 1.0]}
            for k, text in enumerate(asked["input"])
        ]
        body = {"object": "list", "model": asked["model"], "data": rows[::-1][: server.most], "usage": {}}
        if status != 200:
            body = {"error": {"message": f"status {status}", "type": "server_error"}}
        payload = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Retry-After-Ms", "1")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_args):
        pass


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.requests, running.failures, running.most = [], [], None
        thread = Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def encoder_at(server, **options):
    return OpenAIEncoder("lengths", f"http://127.0.0.1:{server.server_port}/v1", **options)


def test_rows_stand_in_the_order_of_the_texts(server):
    found = embed(["aaaa", "a b", ""], f"openai:lengths@http://127.0.0.1:{server.server_port}/v1")
    assert found.vectors[0] @ found.vectors[1] < 1
    assert found.vectors[0, 1] == 0 < found.vectors[1, 1]
    assert found.windows.tolist() == [1, 1, 0]
    path, asked, _key = server.requests[-1]
    assert path == "/v1/embeddings"
    assert asked["model"] == "lengths"
    assert asked["encoding_format"] == "float"


def test_texts_go_in_batches_and_long_ones_in_windows(server):
    encoder = encoder_at(server, batch_size=2, window=10)
    encoder.encode(["one", "two", "three", "a text longer than ten characters"])
    sent = [asked["input"] for _path, asked, _key in server.requests[1:]]
    assert all(len(batch) <= 2 for batch in sent)
    assert all(len(text) <= 10 for batch in sent for text in batch)


def test_the_key_is_read_from_the_environment(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-this-test")
    encoder_at(server, timeout=59.0).encode(["a"])
    assert server.requests[-1][2] == "Bearer sk-of-this-test"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_repeated(server, status):
    server.failures = [status, status]
    assert encoder_at(server).encode(["a"]).shape == (1, 3)


def test_a_lasting_failure_names_the_server(server):
    encoder = encoder_at(server, retries=1)
    server.failures = [401] * 9
    with pytest.raises(
        HydralabError, match=r"openai:lengths@http://127\.0\.0\.1.*AuthenticationError.*status 401"
    ):
        embed(["a"], encoder)


def test_no_server_is_an_error_that_names_it(server):
    encoder = encoder_at(server, retries=0)
    server.shutdown()
    server.server_close()
    with pytest.raises(HydralabError, match=r"APIConnectionError from http://127\.0\.0\.1"):
        embed(["a"], encoder)


def test_an_answer_with_too_few_rows_is_refused(server):
    encoder = encoder_at(server)
    assert encoder.dim == 3
    server.most = 1
    with pytest.raises(HydralabError, match="did not answer with one embedding for each of 2 texts"):
        embed(["a", "b"], encoder)


def test_names_are_model_and_address():
    assert parse_openai("openai:org/model@https://host/v1/") == OpenAIEncoder("org/model", "https://host/v1")
    assert parse_openai("openai:text-embedding-3-small").url == "https://api.openai.com/v1"
    assert get_encoder("openai:m@http://h/v1").name == "openai:m@http://h/v1"
