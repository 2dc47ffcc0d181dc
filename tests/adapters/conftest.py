"""A fake provider with behaviour: an HTTP server on loopback that answers as a script says.

It also makes `adapter_services` importable, which importlib mode does not.
"""

import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from evenhand.adapters.retry import Clock

sys.path.append(str(Path(__file__).parent))

from adapter_services import chat

Behaviour = Callable[[BaseHTTPRequestHandler], None]


class FakeServer:
    """Answers request n with behaviour n, and the last one for ever; keeps bodies and headers of all requests."""

    def __init__(self) -> None:
        self.script: list[Behaviour] = [self.json(200, chat())]
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.asked, self.stopping = threading.Event(), threading.Event()
        self._lock, self._before = threading.Lock(), 0
        handler = type("Handler", (_Handler,), {"fake": self})
        self._http = _Server(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"{self.origin}/v1"

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def will(self, *script: Behaviour) -> None:
        """Answer the next requests so; what was asked before is kept and does not count."""
        self.script, self._before = list(script), len(self.bodies)

    def forget(self) -> None:
        """Be as new: nothing was asked."""
        with self._lock:
            for seen in (self.bodies, self.headers, self.paths):
                seen.clear()
            self.asked.clear()
            self._before = 0

    def next_behaviour(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> Behaviour:
        with self._lock:
            self.paths.append(path)
            self.bodies.append(body)
            self.headers.append(headers)
            self.asked.set()
            return self.script[min(len(self.bodies) - self._before, len(self.script)) - 1]

    def close(self) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    # ---- behaviours

    @staticmethod
    def raw(status: int, data: bytes, content_type: str = "application/json", **headers: str) -> Behaviour:
        def behave(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            handler.send_header("Content-Type", content_type)
            handler.send_header("Content-Length", str(len(data)))
            handler.send_header("x-request-id", "req-42")
            handler.send_header("request-id", "req-42")
            for name, value in headers.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.end_headers()
            handler.wfile.write(data)

        return behave

    @classmethod
    def json(cls, status: int, reply: Any, **headers: str) -> Behaviour:
        return cls.raw(status, json.dumps(reply).encode(), **headers)

    @classmethod
    def error(cls, status: int, message: str = "something is wrong", code: str = "", **headers: str) -> Behaviour:
        return cls.json(status, {"error": {"message": message, "code": code, "type": "error"}}, **headers)

    @staticmethod
    def drop(handler: BaseHTTPRequestHandler) -> None:
        handler.connection.shutdown(socket.SHUT_RDWR)

    @staticmethod
    def truncate(handler: BaseHTTPRequestHandler) -> None:
        """Promise 1,000 bytes, send twelve, hang up."""
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"choices": ')
        handler.wfile.flush()
        handler.connection.shutdown(socket.SHUT_RDWR)

    def hang(self, handler: BaseHTTPRequestHandler) -> None:
        self.stopping.wait(10)

    def drip(self, handler: BaseHTTPRequestHandler) -> None:
        """Send a byte every few milliseconds, for ever: no single read is slow."""
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", "1000000")
        handler.end_headers()
        while not self.stopping.wait(0.02):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    @staticmethod
    def slow(data: bytes, pieces: int = 5) -> Behaviour:
        """Send a whole answer in pieces."""

        def behave(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(data)))
            handler.end_headers()
            step = -(-len(data) // pieces)
            for start in range(0, len(data), step):
                handler.wfile.write(data[start : start + step])
                handler.wfile.flush()
                time.sleep(0.01)

        return behave


class _Server(ThreadingHTTPServer):
    request_queue_size = 128  # the default of 5 refuses connections that come at once


class _Handler(BaseHTTPRequestHandler):
    fake: FakeServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        behave = self.fake.next_behaviour(self.path, body, headers)
        try:
            behave(self)
        except OSError:  # the client gave up first
            self.close_connection = True

    def log_message(self, *args: Any) -> None:
        """Print nothing."""


class FakeTime:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []

    @property
    def clock(self) -> Clock:
        start = datetime(2027, 1, 1, tzinfo=UTC)
        return Clock(now=lambda: start + timedelta(seconds=self.seconds), monotonic=lambda: self.seconds)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds


@pytest.fixture
def fake_server() -> Iterator[FakeServer]:
    server = FakeServer()
    yield server
    server.close()


@pytest.fixture(scope="session")
def new_fake_server() -> Callable[[], FakeServer]:
    """Start a server that the caller closes."""
    return FakeServer


@pytest.fixture
def fake_time() -> FakeTime:
    return FakeTime()
