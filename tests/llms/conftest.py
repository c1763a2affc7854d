"""A real server on loopback that speaks OpenAI's chat protocol, and misbehaves as it is told to."""

import json
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from hydralab.llms import OpenAIChat


class Handler(BaseHTTPRequestHandler):
    """Answers by `server.behaviours`, one a request, "good" when none is left."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, asked, self.headers, time.monotonic()))
        behaviour = self.server.behaviours.pop(0) if self.server.behaviours else "good"
        self.most = asked.get("max_tokens", 20)
        # The client gave up, as a time-out does.
        with suppress(BrokenPipeError, ConnectionResetError):
            getattr(self, behaviour)(asked)

    def good(self, asked):
        self.said(asked, "你好, hello.")

    def said(self, asked, text, reason="stop", **message):
        if asked.get("stream"):
            return self.streamed(text, reason, **message)
        choice = {
            "index": 0,
            "finish_reason": reason,
            "message": {"role": "assistant", "content": text, **message},
        }
        return self.answered(self.completion([choice]))

    def completion(self, choices, **more):
        usage = {"prompt_tokens": 100, "completion_tokens": min(20, self.most)}
        usage["prompt_tokens_details"] = {"cached_tokens": 64}
        return {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": "gpt-4o-mini",
            "choices": choices,
            "usage": usage,
        } | more

    def streamed(self, text, reason, **message):
        pieces = [{"content": character} for character in text or ""] + ([message] if message else [])
        chunks = [
            self.completion([{"index": 0, "delta": piece, "finish_reason": None}], usage=None)
            for piece in pieces
        ]
        chunks.append(self.completion([{"index": 0, "delta": {}, "finish_reason": reason}], usage=None))
        chunks.append(self.completion([]))
        lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks] + ["data: [DONE]\n\n"]
        self.answered("".join(lines).encode(), kind="text/event-stream")

    def answered(self, body, status=200, kind="application/json", **headers):
        payload = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def failed(self, status, message="no", code=None, **headers):
        self.answered({"error": {"message": message, "code": code}}, status, **headers)

    def checkpoint(self, asked):
        noted = {"title": "The launch", "summary": "The marketing budget is 84,500 euros."}
        lists = {key: [] for key in ("keywords", "entities", "decisions", "open_tasks")}
        self.said(asked, json.dumps(noted | lists))

    def rate_limited(self, asked):
        self.failed(429, Retry_After_Ms="1")

    def rate_limited_for_a_moment(self, asked):
        self.failed(429, Retry_After="1")

    def broken(self, asked):
        self.failed(500, Retry_After_Ms="1")

    def forbidden(self, asked):
        self.failed(401)

    def too_long(self, asked):
        self.failed(400, "This model's maximum context length is 8192 tokens", "context_length_exceeded")

    def declined(self, asked):
        self.failed(400, "flagged", "content_filter")

    def hanging(self, asked):
        time.sleep(1.0)

    def hanging_midway(self, asked):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        first = self.completion([{"index": 0, "delta": {"content": "Hel"}, "finish_reason": None}])
        self.wfile.write(f"data: {json.dumps(first)}\n\n".encode())
        self.wfile.flush()
        time.sleep(1.0)

    def breaking_off(self, asked):
        first = self.completion(
            [{"index": 0, "delta": {"content": "Hel"}, "finish_reason": None}], usage=None
        )
        self.answered(f"data: {json.dumps(first)}\n\n".encode(), kind="text/event-stream")

    def failing_midway(self, asked):
        first = self.completion([{"index": 0, "delta": {"content": "Hel"}, "finish_reason": None}])
        error = {"error": {"message": "out of memory"}}
        lines = "".join(f"data: {json.dumps(each)}\n\n" for each in (first, error))
        self.answered(lines.encode(), kind="text/event-stream")

    def truncated(self, asked):
        kind = "text/event-stream" if asked.get("stream") else "application/json"
        body = json.dumps(self.completion([]))[:60]
        self.answered((f"data: {body}\n\n" if asked.get("stream") else body).encode(), kind=kind)

    def of_another_kind(self, asked):
        self.answered(b"<html>welcome to the proxy</html>", kind="text/html")

    def of_another_shape(self, asked):
        self.answered({"choices": [{"text": "hi"}]})

    def without_choices(self, asked):
        self.answered(self.completion([]))

    def empty(self, asked):
        self.said(asked, "")

    def null(self, asked):
        self.said(asked, None)

    def cut(self, asked):
        self.said(asked, "The budget is", "length")

    def filtered(self, asked):
        self.said(asked, "", "content_filter")

    def refusing(self, asked):
        self.said(asked, None, refusal="I can't help with that.")

    def half_a_pair(self, asked):
        self.said(asked, "half \ud83d")

    def without_usage(self, asked):
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Hello."}}
        self.answered(self.completion([choice], usage=None, model="one-of-ours"))

    def log_message(self, *_args):
        pass


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.daemon_threads = True
        running.requests, running.behaviours = [], []
        thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def chat_at(server):
    """Return what makes a chat model on the server, of a quick temper."""

    def make(*behaviours, **options):
        server.behaviours = list(behaviours)
        url = f"http://127.0.0.1:{server.server_port}/v1"
        return OpenAIChat("gpt-4o-mini", url, **{"timeout": 0.3, "retries": 2, **options})

    return make
