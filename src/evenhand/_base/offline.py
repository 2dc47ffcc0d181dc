"""Offline is provable: while the guard stands, sockets of this process reach no other machine."""

import ipaddress
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from evenhand.errors import OfflineError

_INTERNET = (socket.AF_INET, socket.AF_INET6)
_OF_THIS_MACHINE = tuple(getattr(socket, name) for name in ("AF_UNIX", "AF_NETLINK") if hasattr(socket, name))
_LOOKUPS = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
_SENDING = ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg")
# these resolve a name before the interpreter reports what they are about to do
_RESOLVING = ("connect", "connect_ex", "bind", "sendto")


@contextmanager
def refuse_network() -> Iterator[None]:
    """Refuse everything but loopback, in every thread, until the block is left.

    Raises
    ------
    OfflineError
        From whatever reaches for another machine, or asks for its address.

    Notes
    -----
    The guard is an audit hook of the interpreter (PEP 578): no library can go round it with a socket of its own, and
    nothing is patched that libraries see. Only for `connect` and its like, called with a *name*, the class
    ``socket.socket`` is wrapped as well, because there the name is looked up before the hook is asked. Listening on
    other addresses than loopback is refused too. A hook cannot be taken out again; left behind, it lets all pass.

    Not covered are sockets that a library in C opens by itself: llama.cpp, whose server listens on loopback and is
    told to stay offline, and the client of PostgreSQL, whose address `check_address` sees. Nor are other programs
    that are started.
    """
    is_on = True

    def hook(event: str, arguments: tuple[Any, ...]) -> None:  # Any: each event has arguments of its own
        if is_on and event.startswith("socket."):
            _check_event(event, arguments)

    sys.addaudithook(hook)
    originals = {name: getattr(socket.socket, name) for name in _RESOLVING}
    for name, original in originals.items():
        setattr(socket.socket, name, _checked(original))
    try:
        yield
    finally:
        is_on = False
        for name, original in originals.items():
            setattr(socket.socket, name, original)


def check_address(url: str) -> None:
    """Refuse a URL of another machine; one without a host is of this machine.

    Raises
    ------
    OfflineError
        Naming the host.
    """
    host = urlsplit(url).hostname
    if host is not None:
        _check_host(host)


def refused_offline(error: BaseException | None) -> OfflineError | None:
    """Find the refusal behind an error: client libraries wrap it as a lost connection, which seems worth a retry."""
    waiting, seen = [error], set[int]()
    while waiting:
        one = waiting.pop()
        if isinstance(one, OfflineError):
            return one
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        waiting += [one.__cause__, one.__context__]
        if isinstance(one, BaseExceptionGroup):  # of attempts to connect, side by side
            waiting += one.exceptions
    return None


def _check_event(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _LOOKUPS:
        _check_host(arguments[0])
    elif event in _SENDING:
        sock, address = arguments[:2]
        _check_socket(sock, address)


def _check_socket(sock: socket.socket, address: Any) -> None:  # Any: its form depends on the family
    if address is None or sock.family in _OF_THIS_MACHINE:  # None: sent on a connection that was checked
        return
    if sock.family not in _INTERNET:
        raise OfflineError(f"a socket of the family {sock.family!r}")
    _check_host(address[0])


def _checked(original: Callable[..., Any]) -> Callable[..., Any]:
    def method(sock: socket.socket, *arguments: Any) -> Any:
        # the address is the last argument of all of them; whatever is not one is left to the method to refuse
        address = arguments[-1] if arguments else None
        if isinstance(address, tuple) and address:
            _check_socket(sock, address)
        return original(sock, *arguments)

    return method


def _check_host(host: object) -> None:
    if host is None:  # the caller's own machine
        return
    name = host.decode(errors="replace") if isinstance(host, bytes | bytearray) else str(host)
    if not _is_loopback(name):
        raise OfflineError(name or "every address of this machine")


def _is_loopback(name: str) -> bool:
    if name.rstrip(".").lower() == "localhost":
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
