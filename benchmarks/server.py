"""A chat-completions server on loopback, in a process of its own: it answers every request after a fixed wait.

Usage: python -m benchmarks.server [--words N] [--different N] [--delay SECONDS]; its first line is its address.
"""

import argparse
import asyncio
import itertools
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.answers import answer

ROOT = Path(__file__).parent.parent


@contextmanager
def serving(*, words: int, delay_s: float, different: int | None = None) -> Iterator[str]:
    """Run a server until the block ends; gives its address, which ends in ``/v1``.

    Parameters
    ----------
    different
        After so many answers it begins again with the first; None for no two alike.
    """
    command = [sys.executable, "-m", "benchmarks.server", "--words", str(words), "--delay", str(delay_s)]
    command += [] if different is None else ["--different", str(different)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


async def serve(words: int, delay_s: float, different: int | None) -> None:
    """Answer for ever. Only what the SDK needs of HTTP: POST with a length, keep-alive."""
    numbers = itertools.count() if different is None else itertools.cycle(range(different))

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(_content_length(head))
                await asyncio.sleep(delay_s)
                writer.write(_reply(answer(next(numbers), words)))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(connection, "127.0.0.1", 0, backlog=1024)
    host, port = server.sockets[0].getsockname()[:2]
    sys.stdout.write(f"http://{host}:{port}/v1\n")
    sys.stdout.flush()
    async with server:
        await server.serve_forever()


def _content_length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def _reply(text: str) -> bytes:
    body = {
        "id": "chatcmpl-benchmark",
        "object": "chat.completion",
        "created": 0,
        "model": "benchmark-1",
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}, "logprobs": None}
        ],
        "usage": {"prompt_tokens": 20, "completion_tokens": len(text.split()), "total_tokens": 20 + len(text.split())},
    }
    content = json.dumps(body).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    return head.encode() + content


def main() -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=12)
    parser.add_argument("--delay", type=float, default=0.05)
    parser.add_argument("--different", type=int)
    arguments = parser.parse_args()
    asyncio.run(serve(arguments.words, arguments.delay, arguments.different))


if __name__ == "__main__":
    main()
