"""What a shell may offer for a value: run ids, scenario sets, metrics, models, and the like."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps

import click
from click.shell_completion import CompletionItem

from evenhand.errors import EvenhandError

Offers = Callable[[click.Context], Iterable[tuple[str, str]]]
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

_NEWEST_RUNS = 50


def _completer(offers: Offers) -> Completer:
    """Make a completer of (value, help) pairs; a shell that cannot be helped is not shown an error."""

    @wraps(offers)
    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            return [CompletionItem(name, help=text) for name, text in offers(ctx) if name.startswith(incomplete)]
        except EvenhandError:
            return []

    return complete


@_completer
def runs(ctx: click.Context) -> Iterator[tuple[str, str]]:
    """Offer the newest runs. A database that does not exist is not made for the sake of a key press."""
    from pathlib import Path

    from evenhand.storage.locate import locate, open_store

    url = locate(ctx.params.get("store"))
    if url.get_backend_name() == "sqlite" and not Path(str(url.database)).is_file():
        return
    yield "latest", "the newest run"
    with open_store(ctx.params.get("store")) as store:
        for run in store.list_runs(limit=_NEWEST_RUNS):
            yield run.id, f"{run.status}, {run.spec.get('model', '')}, {run.name}"


@_completer
def metrics(ctx: click.Context) -> Iterator[tuple[str, str]]:
    """Offer metrics."""
    from evenhand.metrics.registry import registry

    for name in registry().names():
        yield name, ""


@_completer
def models(ctx: click.Context) -> Iterator[tuple[str, str]]:
    """Offer models that are known by name, and the providers of all others."""
    from evenhand.adapters.registry import known_models

    for row in known_models():
        provider, _, name = row.example.partition("/")
        yield (f"{provider}/" if name.isupper() or name.startswith("PATH") else row.example), row.needs


@_completer
def providers(ctx: click.Context) -> Iterator[tuple[str, str]]:
    """Offer providers."""
    from evenhand.adapters.registry import registry

    for name in registry().names():
        yield name, ""


@_completer
def evaluators(ctx: click.Context) -> Iterator[tuple[str, str]]:
    """Offer what can be skipped."""
    from evenhand.evaluation.registry import LAYER_1, NAMES

    for name in (*LAYER_1, NAMES):
        yield name, ""


@_completer
def bands(ctx: click.Context) -> Iterator[tuple[str, str]]:
    """Offer the band profiles that ship."""
    from evenhand.metrics.bands import profile_names

    for name in profile_names():
        yield name, ""


@_completer
def baselines(ctx: click.Context) -> Iterator[tuple[str, str]]:
    """Offer the reference shares that ship."""
    from evenhand.metrics.baselines import names

    for name in names():
        yield name, ""


@_completer
def assets(ctx: click.Context) -> Iterator[tuple[str, str]]:
    """Offer model files and groups of them."""
    from evenhand.assets.table import ASSETS, GROUPS

    for asset in ASSETS:
        yield asset.name, asset.purpose
    for name, members in GROUPS.items():
        yield name, ", ".join(members)


def scenario_sets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer scenario sets, and files beside them."""
    # files first: click's script for bash drops what came before them
    return [CompletionItem(incomplete, type="file"), *_sets(ctx, param, incomplete)]


@_completer
def _sets(ctx: click.Context) -> Iterator[tuple[str, str]]:
    from evenhand.scenarios.registry import ScenarioRegistry

    for name in ScenarioRegistry().names():
        yield name, ""


def several(one: Completer) -> Completer:
    """Complete the last of several names joined by commas."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",")
        given = before.split(",")
        offered = [item for item in one(ctx, param, last) if item.value not in given]
        return [CompletionItem(f"{before}{comma}{item.value}", help=item.help) for item in offered]

    return complete
