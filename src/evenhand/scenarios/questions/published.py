"""The published BBQ items: where they are, and what their bytes must be.

Parrish et al. (2022), "BBQ: A Hand-Built Bias Benchmark for Question Answering", Findings of ACL, 2086-2105;
CC BY 4.0, New York University. One file a category, at one commit of the authors' repository.
"""

import hashlib
import http.client
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evenhand._base.atomic_file import replacing
from evenhand.errors import AssetError, UnknownNameError, UsageError

COMMIT = "bea11bd97d79217245b5871acd247b9d6eb24598"
BASE_URL = f"https://raw.githubusercontent.com/nyu-mll/BBQ/{COMMIT}/data"
SHA256: Mapping[str, str] = {
    "Age": "46e805b3fc2d8cbd26eeb8e8430d98cf7b2dc9c83574ff3674e8ce4f0fca2a60",
    "Disability_status": "375d40d9b71f056150264445ec189b13934998f3f49a1e311aa7578eb3b45e5f",
    "Gender_identity": "8b5adbb368510a97d5775dc43e1c719e0249fe2da33f13c83e3e29edafec7a00",
    "Nationality": "a583e74666aec0341ded8aa3983e7cad694eb24de72c254d28b2df3035720090",
    "Physical_appearance": "e48d7e13508565f4801574e611043470c25c95a0a62af3699cb5ee7cb02608fb",
    "Race_ethnicity": "4a9f1214cfaa115ce7f0bdb40609122e431f5152c71b8ca64d665e483b946ae6",
    "Race_x_SES": "af8e2ae3d0e5be9ebcbfe7149e591d47ff649e263307f4548f7fb12f6a6d83e8",
    "Race_x_gender": "e5dbba782f8c4e25b99dd5470b5136e2db73dbf401cf6d4a5a3ed31b02f95696",
    "Religion": "cb9555f9f3454a52cd2df85956b59bd7fcca5aa922c8527693b1164d08417616",
    "SES": "9f92754bb037b0982604b9112705fb81d60a19d9e759c67e4a85e484a070f528",
    "Sexual_orientation": "2c71036b9e7584fe589c42aef32c1a42bc01b9a5e9b1b8704342630cdb08cefd",
}
DEFAULT = ("Race_x_SES", "Race_x_gender")
MOST_BYTES = 64 * 2**20
TIMEOUT_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A file that is there and is the published one; `was_there` if nothing had to be downloaded."""

    category: str
    path: Path
    size_bytes: int
    was_there: bool


def fetch(category: str, folder: Path, *, base_url: str = BASE_URL, sha256: Mapping[str, str] = SHA256) -> Fetched:
    """Bring the file of one category into a folder.

    Parameters
    ----------
    base_url
        Folder of the files, for a mirror.
    sha256
        Category to the hash that its bytes must have.

    Raises
    ------
    UnknownNameError
        If there is no such category.
    AssetError
        If the download fails or its bytes are not the published ones; nothing is then left behind.
    """
    if category not in sha256:
        raise UnknownNameError("category of BBQ", category, list(sha256))
    if not base_url.startswith(("https://", "http://")):  # urllib would also read file:// and ftp://
        raise UsageError("the address of the files begins with https:// or http://")
    path = folder / f"{category}.jsonl"
    if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256[category]:
        return Fetched(category=category, path=path, size_bytes=path.stat().st_size, was_there=True)
    content = _download(f"{base_url.rstrip('/')}/{category}.jsonl", category)
    found = hashlib.sha256(content).hexdigest()
    if found != sha256[category]:
        raise AssetError(
            f"The download of {category} is not the published file: sha256 {found[:12]}…, expected "
            f"{sha256[category][:12]}…. Nothing was written."
        )
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(path) as stream:
        stream.write(content)
    return Fetched(category=category, path=path, size_bytes=len(content), was_there=False)


def _download(url: str, category: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer:
            content: bytes = answer.read(MOST_BYTES + 1)
    except urllib.error.HTTPError as error:
        error.close()  # it is the answer, with its connection
        raise AssetError(f"The server answered {error.code} for {category}.") from None
    except (OSError, http.client.HTTPException):
        raise AssetError(f"The download of {category} failed: no connection, or it broke off.") from None
    if len(content) > MOST_BYTES:
        raise AssetError(f"The download of {category} is larger than any published file; it was stopped.")
    return content


def chosen(categories: Sequence[str]) -> tuple[str, ...]:
    """Return the categories asked for: the two intersectional ones by default, every one for ``"all"``."""
    if not categories:
        return DEFAULT
    return tuple(SHA256) if "all" in categories else tuple(dict.fromkeys(categories))
