"""Which evaluators there are, and loading them: everything that is missing is named at once, before any model call."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from evenhand._base.registry import Registry
from evenhand.assets.find import find
from evenhand.core.protocols import Evaluator
from evenhand.errors import AssetError, MissingAssetError, UnknownNameError, UsageError

BUILTIN = {
    "demographics": "evenhand.evaluation.demographic:DemographicClassifier",
    "refusal": "evenhand.evaluation.refusal:RefusalClassifier",
    "slurs": "evenhand.evaluation.slurs:SlurLexicon",
    "toxicity": "evenhand.evaluation.toxicity:ToxicityEvaluator",
    "sentiment": "evenhand.evaluation.sentiment:SentimentEvaluator",
    "embeddings": "evenhand.evaluation.embeddings:EmbeddingEvaluator",
}

LAYER_1 = tuple(BUILTIN)
"""Evaluators that need no other model's judgement: rules, lexicons, small classifiers. Loaded by default."""

NAMES = "names"
"""Not an evaluator of its own: the table of first names that demographics reads, and can go without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What must be there before an evaluator can be loaded.

    Attributes
    ----------
    asset_names
        Pinned files.
    packages
        Optional packages, by import name.
    extra
        The extra that installs them.
    """

    asset_names: Sequence[str] = ()
    packages: Sequence[str] = ()
    extra: str = ""


NEEDS = {
    NAMES: Needs(asset_names=("names",)),
    "toxicity": Needs(asset_names=("toxicity",)),
    "embeddings": Needs(
        asset_names=("minilm-l6-v2", "minilm-l6-v2-tokenizer"),
        packages=("onnxruntime", "tokenizers"),
        extra="embeddings",
    ),
}


def registry() -> Registry[type[Evaluator]]:
    """Return the registry of evaluator classes; other packages add theirs as ``evenhand.evaluators``."""
    return Registry("evaluator", BUILTIN, "evenhand.evaluators")


def load_evaluators(skip: Collection[str] = (), *, cache: Path | None = None) -> list[Evaluator]:
    """Load every evaluator of layer 1 that is not skipped, in the order of `LAYER_1`.

    Parameters
    ----------
    skip
        Names to leave out. ``"names"`` leaves out the table of first names only: demographics is then loaded
        without it, and its version says so.
    cache
        Cache directory of the model files; the user's own if None.

    Raises
    ------
    UnknownNameError
        If `skip` holds a name that is neither an evaluator of layer 1 nor ``"names"``.
    UsageError
        If model files or packages are missing; the message names all of them, each with the command that brings
        it and the flag that does without.
    """
    for name in skip:
        if name not in (*LAYER_1, NAMES):
            raise UnknownNameError("evaluator", name, (*LAYER_1, NAMES))
    wanted = [name for name in LAYER_1 if name not in skip]
    with_names = "demographics" in wanted and NAMES not in skip
    _refuse_missing([*([NAMES] if with_names else []), *wanted], cache)
    # the last first: the embedding model is read in the background, while the others are loaded
    loaded = {name: _load(name, with_names, cache) for name in reversed(wanted)}
    return [loaded[name] for name in wanted]


def provided_fields(name: str) -> Sequence[str]:
    """Return the fields of `EvaluatedOutput` that the evaluator `name` fills; none for ``"names"``.

    Raises
    ------
    UnknownNameError
        If there is no such evaluator.
    """
    return () if name == NAMES else tuple(registry().get(name).provides)


def blind_spots(name: str) -> Sequence[str]:
    """Return what the evaluator `name` cannot see, one sentence each.

    Raises
    ------
    UnknownNameError
        If there is no such evaluator.
    """
    return tuple(registry().get(name).blind_spots)


def _load(name: str, with_names: bool, cache: Path | None) -> Evaluator:
    chosen: Any = registry().get(name)  # Any: a class with `load` reads files, one without is ready when made
    is_ready = not hasattr(chosen, "load") or (name == "demographics" and not with_names)
    return cast("Evaluator", chosen() if is_ready else chosen.load(cache))


def _refuse_missing(names: Sequence[str], cache: Path | None) -> None:
    missing = {name: _missing(NEEDS[name], cache) for name in names if name in NEEDS}
    complaints = [
        f"{_owner(name)} needs {' and '.join(parts)}, or go without it: --skip-evaluator {name}."
        for name, parts in missing.items()
        if parts
    ]
    if complaints:
        raise UsageError(
            f"Parts of the evaluators are missing. {' '.join(complaints)} "
            "All model files at once: evenhand models pull default."
        )


def _missing(needs: Needs, cache: Path | None) -> list[str]:
    absent = [package for package in needs.packages if find_spec(package) is None]
    parts = [f"the package {package!r} (pip install 'evenhand[{needs.extra}]')" for package in absent]
    for name in needs.asset_names:
        try:
            find(name, cache=cache)
        except MissingAssetError:
            parts.append(f"the model file {name!r} (evenhand models pull {name})")
        except AssetError:
            parts.append(f"the model file {name!r}, which was altered (evenhand models pull {name})")
    return parts


def _owner(name: str) -> str:
    return "Reading first names" if name == NAMES else f"The evaluator {name!r}"
