"""Nouns of image audits: by hash, never bytes."""

from dataclasses import dataclass

from evenhand.core.outcomes import Blocked, Failed, Usage
from evenhand.core.types import ModelInfo

__all__ = ["Drawn", "GeneratedImage", "ModelInfo"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The model returned an image.

    Attributes
    ----------
    sha256
        Digest of the original bytes, which is also their name in the blob store.
    media_type
        As sniffed from the bytes, not as claimed.
    """

    sha256: str
    media_type: str
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedImage:
    """What an image adapter returns for one prompt."""

    outcome: Drawn | Blocked | Failed
    model: str | None = None
    usage: Usage = Usage()
    latency_s: float | None = None
    provider_request_id: str | None = None
