"""What a change is called. "No difference found" is never "the same"."""

from evenhand.core.results import Interval
from evenhand.instruments.audit.compare.result import Change
from evenhand.reporting import text

LABELS = {
    "refusals": "Refusals",
    "length": "Length if not refused",
    "harm": "Harm severity",
    "toxicity": "Toxicity",
}


def label(change: Change) -> str:
    """Name what is compared."""
    name = LABELS.get(change.name, change.name)
    named = f"{name}, excess" if change.quantity == "excess" else name
    return f"{named} ({change.unit})" if change.unit else named


def finding(change: Change) -> str:
    """Say what was found, in a few words."""
    if change.difference is None:
        return "undefined"
    if not change.has_moved:
        return "no difference found at this size"
    way = "up" if change.difference > 0 else "down"
    if change.is_for_the_worse is None:
        return f"moved beyond noise: {way}"
    return f"moved beyond noise: {way}, for the {'worse' if change.is_for_the_worse else 'better'}"


def limits(interval: Interval | None, *, signed: bool = False) -> str:
    """Write the limits alone; method and target stand in a note, as does the reason why there are none."""
    if interval is None:
        return "no interval"
    ends = f"{text.number(interval.low, signed=signed)} to {text.number(interval.high, signed=signed)}"
    return f"{ends} (approximate)" if interval.approximate else ends


def smallest(change: Change) -> str:
    """Write the smallest difference that would have been seen."""
    if change.difference is None:
        return text.NOTHING
    return "nothing varied" if change.smallest_seen is None else text.number(change.smallest_seen)
