"""Which metrics there are. A new one is one file and one line here."""

from evenhand._base.registry import Registry
from evenhand.metrics.base import Metric

BUILTIN = {
    "RSI": "evenhand.metrics.rsi:RSI",
    "ODE": "evenhand.metrics.ode:ODE",
    "CDS": "evenhand.metrics.cds:CDS",
    "HSI": "evenhand.metrics.hsi:HSI",
    "SAR": "evenhand.metrics.sar:SAR",
    "DSI": "evenhand.metrics.dsi:DSI",
}


def registry() -> Registry[type[Metric]]:
    """Make a registry of the built-in metrics and those that other packages offer."""
    return Registry("metric", BUILTIN, "evenhand.metrics")
