"""What this installation can do: packages, extras, model files, keys, store and cache, looked at and not touched."""

import os
import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec

from evenhand.adapters.registry import capability_rows, open_adapter
from evenhand.assets.find import asset_path, state
from evenhand.assets.location import cache_directory
from evenhand.assets.status import status
from evenhand.assets.table import by_name
from evenhand.cli.offline import is_wanted
from evenhand.errors import AssetError, MissingAssetError, MissingExtraError
from evenhand.evaluation.registry import NAMES, NEEDS, Needs
from evenhand.storage.writable import shown, why_not_writable, why_not_writable_directory

KEYLESS_MODEL = "local/smollm2-135m"
_REQUIREMENT = re.compile(r"^([A-Za-z0-9._-]+)")
_EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A package that Evenhand declares.

    Attributes
    ----------
    extra
        The extra that installs it; empty for one that is always installed.
    version
        None if it is not installed.
    """

    name: str
    extra: str
    version: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Somewhere that is written to.

    Attributes
    ----------
    problem
        Why it cannot be written; empty if it can.
    """

    path: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """An environment variable that holds a key: whether it is set, never what it holds."""

    variable: str
    providers: Sequence[str]
    is_set: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Something that is missing.

    Attributes
    ----------
    needed_for
        Provider, evaluator or command that cannot be used.
    command
        What brings it.
    stops_keyless
        True if the keyless audit needs it.
    """

    needed_for: str
    missing: str
    command: str
    stops_keyless: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """Everything that was found.

    Attributes
    ----------
    assets
        Model file to ``"ready"``, ``"missing"`` or ``"altered"``.
    is_offline
        True if the environment refuses the network to every command.
    gaps
        What is missing for what, those first that stop the keyless audit.
    """

    version: str
    python: str
    system: str
    packages: Sequence[Package]
    assets: Mapping[str, str]
    keys: Sequence[Key]
    store: Place
    cache: Place
    is_offline: bool
    gaps: Sequence[Gap]

    @property
    def is_ready(self) -> bool:
        """True if the keyless audit can run."""
        return not any(gap.stops_keyless for gap in self.gaps)


def diagnose(location: str | None = None, *, environment: Mapping[str, str] = os.environ) -> Diagnosis:
    """Look at everything that a command may need; nothing is sent, made or changed.

    Parameters
    ----------
    location
        Path or URL of the store; None for the default one.

    Raises
    ------
    UsageError
        If `location` is no path and no URL.
    """
    packages, keys = tuple(_packages()), tuple(_keys(environment))
    store = Place(path=shown(location), problem=why_not_writable(location))
    cache = Place(path=str(cache_directory()), problem=why_not_writable_directory(cache_directory()))
    gaps = (*_place_gaps(store), *_keyless_gaps(), *_evaluator_gaps(), *_key_gaps(keys), *_extra_gaps(packages))
    return Diagnosis(
        version=version("evenhand"),
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        packages=packages,
        assets={each.asset.name: each.state for each in status()},
        keys=keys,
        store=store,
        cache=cache,
        is_offline=is_wanted(environment),
        gaps=tuple(sorted(gaps, key=lambda gap: not gap.stops_keyless)),
    )


def _packages() -> Iterator[Package]:
    for line in requires("evenhand") or ():
        name, extra = _REQUIREMENT.match(line), _EXTRA.search(line)
        if name is not None:
            yield Package(name=name[1], extra=extra[1] if extra else "", version=_version(name[1]))


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _keys(environment: Mapping[str, str]) -> Iterator[Key]:
    providers: dict[str, list[str]] = {}
    for row in capability_rows():
        for variable in row.key_variables:
            providers.setdefault(variable, []).append(row.provider)
    for variable, names in providers.items():
        yield Key(variable=variable, providers=tuple(names), is_set=bool(environment.get(variable)))


def _place_gaps(store: Place) -> Iterator[Gap]:
    if store.problem:
        yield Gap(
            needed_for="every run",
            missing=f"a store that can be written ({store.problem})",
            command="evenhand run … --db PATH, or EVENHAND_DB=PATH",
            stops_keyless=True,
        )


def _keyless_gaps() -> Iterator[Gap]:
    """Say what the first thing missing for the local model is; its own errors know best."""
    try:
        open_adapter(KEYLESS_MODEL)
    except MissingExtraError as error:
        yield _gap(KEYLESS_MODEL, f"the package {error.package!r}", f"pip install 'evenhand[{error.extra}]'")
    except MissingAssetError as error:
        yield _gap(KEYLESS_MODEL, f"the model file {error.asset!r}", f"evenhand models pull {error.asset}")
    except AssetError as error:
        yield _gap(KEYLESS_MODEL, str(error), f"evenhand models pull {KEYLESS_MODEL.partition('/')[2]}")


def _evaluator_gaps() -> Iterator[Gap]:
    for name, needs in NEEDS.items():
        what = "reading first names" if name == NAMES else f"the evaluator {name!r}"
        for missing, command in _missing(needs):
            yield _gap(what, missing, f"{command}, or do without: --skip-evaluator {name}")


def _missing(needs: Needs) -> Iterator[tuple[str, str]]:
    for package in needs.packages:
        if find_spec(package) is None:
            yield f"the package {package!r}", f"pip install 'evenhand[{needs.extra}]'"
    for name in needs.asset_names:
        asset = by_name(name)
        found = state(asset, asset_path(asset, None))
        if found != "ready":
            yield f"the model file {name!r} ({found})", f"evenhand models pull {name}"


def _key_gaps(keys: Sequence[Key]) -> Iterator[Gap]:
    by_provider: dict[str, list[Key]] = {}
    for key in keys:
        for provider in key.providers:
            by_provider.setdefault(provider, []).append(key)
    for provider, several in by_provider.items():
        if not any(key.is_set for key in several):
            names = " or ".join(key.variable for key in several)
            command = f"export {several[0].variable}=…"
            yield Gap(needed_for=provider, missing=f"a key in {names}", command=command, stops_keyless=False)


def _extra_gaps(packages: Sequence[Package]) -> Iterator[Gap]:
    for extra in sorted({package.extra for package in packages if package.extra}):
        absent = [p.name for p in packages if p.extra == extra and p.version is None]
        if absent:
            command = f"pip install 'evenhand[{extra}]'"
            yield Gap(needed_for=f"the extra {extra}", missing=", ".join(absent), command=command, stops_keyless=False)


def _gap(needed_for: str, missing: str, command: str) -> Gap:
    return Gap(needed_for=needed_for, missing=missing, command=command, stops_keyless=True)
