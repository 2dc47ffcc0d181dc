"""The offline guard, tried for real. In a process of its own: an audit hook cannot be taken out again."""

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from evenhand._base.offline import check_address, refused_offline
from evenhand.errors import ModelError, OfflineError, OverloadedError

HEAD = """
import asyncio, socket
from evenhand._base.offline import refuse_network, refused_offline
from evenhand.errors import OfflineError
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", HEAD + code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


ATTEMPTS = {
    "an address": "socket.create_connection(('192.0.2.1', 80), timeout=2)",
    "an address of version 6": "socket.socket(socket.AF_INET6).connect(('2001:db8::1', 80))",
    "a name": "socket.create_connection(('models.example', 443), timeout=2)",
    "a name, without looking it up first": "socket.socket().connect(('models.example', 443))",
    "the same, with an error code": "socket.socket().connect_ex(('models.example', 443))",
    "a look-up": "socket.getaddrinfo('models.example', 443)",
    "an old look-up": "socket.gethostbyname('models.example')",
    "a reverse look-up": "socket.gethostbyaddr('192.0.2.1')",
    "a datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))",
    "a message": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendmsg([b'x'], [], 0, ('192.0.2.1', 53))",
    "a socket of the C module": "__import__('_socket').socket().connect(('192.0.2.1', 80))",
    "listening to everybody": "socket.socket().bind(('0.0.0.0', 0))",
    "an event loop": "asyncio.run(asyncio.wait_for(asyncio.open_connection('models.example', 443), 5))",
    "an address in an event loop": "asyncio.run(asyncio.wait_for(asyncio.open_connection('192.0.2.1', 443), 5))",
    "urllib": "__import__('urllib.request').request.urlopen('http://models.example/', timeout=2)",
    "a thread": "__import__('concurrent.futures').futures.ThreadPoolExecutor().submit(socket.getaddrinfo, "
    "'models.example', 443).result()",
}


def test_every_way_out_is_refused_and_the_host_is_named() -> None:
    """Names, addresses, both versions, datagrams, look-ups, event loops, threads: each one by the guard itself."""
    tries = "".join(
        f"    try:\n        {code}\n        print('PASSED', {what!r})\n"
        f"    except BaseException as error:\n"
        f"        print(type(error).__name__, str(error).split(' cannot')[0], {what!r}, sep='|')\n"
        for what, code in ATTEMPTS.items()
    )
    lines = run(f"with refuse_network():\n{tries}").splitlines()
    assert len(lines) == len(ATTEMPTS)
    for line in lines:
        kind, host, what = line.split("|")
        assert kind == "OfflineError", line
        assert host in {"models.example", "192.0.2.1", "2001:db8::1", "0.0.0.0"}, what


def test_loopback_and_local_sockets_work_as_before() -> None:
    """By name and by address, in a loop and without, and sockets that are files."""
    run(
        "import tempfile\n"
        "async def serve():\n"
        "    server = await asyncio.start_server(lambda r, w: w.close(), '127.0.0.1', 0)\n"
        "    port = server.sockets[0].getsockname()[1]\n"
        "    for host in ('127.0.0.1', 'localhost'):\n"
        "        reader, writer = await asyncio.open_connection(host, port)\n"
        "        await reader.read()\n"
        "        writer.close()\n"
        "    server.close()\n"
        "with refuse_network():\n"
        "    asyncio.run(serve())\n"
        "    a, b = socket.socketpair()\n"
        "    a.send(b'x')\n"
        "    with socket.socket(socket.AF_UNIX) as one: one.bind(tempfile.mkdtemp() + '/s')\n"
    )


def test_after_the_block_everything_is_allowed_again() -> None:
    """A guard is for one command, not for the notebook that ran it; guards within guards are left one by one."""
    out = run(
        "def refused():\n"
        "    try: socket.getaddrinfo('192.0.2.1', 80)\n"
        "    except OfflineError: return True\n"
        "    return False\n"
        "plain = socket.socket.connect\n"
        "with refuse_network():\n"
        "    with refuse_network(): print(refused())\n"
        "    print(refused())\n"
        "print(refused(), socket.socket.connect is plain)\n"
    )
    assert out.split() == ["True", "True", "False", "True"]


@pytest.fixture
def port() -> Iterator[int]:
    """A server of our own on loopback that answers anything with 404."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        thread.join(timeout=10)


def test_clients_of_providers_are_held_too(port: int) -> None:
    """The official SDK: refused for a host of the provider, by its name; not for a server on loopback."""
    out = run(
        "import openai\n"
        "async def call(url):\n"
        "    async with openai.AsyncOpenAI(api_key='k', base_url=url, max_retries=0) as client:\n"
        "        try: await client.models.list()\n"
        "        except Exception as error:\n"
        "            print(type(error).__name__, getattr(refused_offline(error), 'host', None))\n"
        "async def calls():\n"
        "    await call('https://models.example/v1')\n"
        "    await call('https://192.0.2.1/v1')\n"
        f"    await call('http://127.0.0.1:{port}/v1')\n"
        "with refuse_network(): asyncio.run(calls())\n"
    )
    assert [line.split()[-1] for line in out.splitlines()] == ["models.example", "192.0.2.1", "None"]
    assert out.splitlines()[-1].startswith("NotFoundError")


def test_the_refusal_is_found_behind_what_libraries_make_of_it() -> None:
    """Raised from, raised during, or one of several attempts: it must not look like a lost connection."""
    refusal = OfflineError("models.example")
    hidden = OverloadedError("connection lost")
    hidden.__context__ = ExceptionGroup("attempts", [ValueError("first"), refusal])
    outer = ModelError("no answer")
    outer.__cause__ = hidden
    assert refused_offline(outer) is refusal
    hidden.__context__ = outer  # a circle, without a refusal in it
    assert refused_offline(outer) is None
    assert refused_offline(None) is None


@pytest.mark.parametrize(
    "url", ["postgresql://u:secret@db.example/x", "postgresql://10.0.0.7/x", "http://[2001:db8::1]/"]
)
def test_addresses_of_other_machines_are_refused_before_a_client_in_c_dials_them(url: str) -> None:
    """Such clients open sockets that Python does not see. The message holds the host, and no password."""
    with pytest.raises(OfflineError) as caught:
        check_address(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["postgresql://localhost/x", "postgresql:///x", "http://127.0.0.9:1/", "http://[::1]/"])
def test_addresses_of_this_machine_pass(url: str) -> None:
    """All of 127.0.0.0/8, ::1, localhost, and no host at all."""
    check_address(url)
