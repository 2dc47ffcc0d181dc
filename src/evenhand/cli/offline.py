"""``--offline``, or $EVENHAND_OFFLINE: nothing that a command does may reach another machine."""

import os
from collections.abc import Mapping

import click

from evenhand._base.offline import check_address, refuse_network

VARIABLE = "EVENHAND_OFFLINE"
_NO = ("", "0", "false", "no", "off")


def is_wanted(environment: Mapping[str, str] = os.environ) -> bool:
    """Say whether the environment asks for it."""
    return environment.get(VARIABLE, "").strip().lower() not in _NO


def stay_offline(ctx: click.Context, store: str | None = None) -> None:
    """Refuse the network until the command ends.

    Parameters
    ----------
    store
        The database, path or URL: its client may open connections of its own, so its address is looked at first.

    Raises
    ------
    OfflineError
        If the store is on another machine.
    """
    if store is not None and "://" in store:
        check_address(store)
    ctx.with_resource(refuse_network())
