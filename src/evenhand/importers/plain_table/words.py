"""What a cell may say. Text, JSON and Parquet values go through the same few rules."""

import re

from evenhand.core.detections import STATUSES, DecisionStatus

YES, NO = frozenset({"1", "true", "yes"}), frozenset({"0", "false", "no"})
BLANKS = " \t"
_WHOLE = re.compile(r"[0-9]{1,15}", re.ASCII)

DECISION = "a decision is 0 or 1, true or false, yes or no, or empty where there is none"
DECISION_FLOAT = f"{DECISION}; a score must be cut at a threshold of your choice first"
TURN = "a turn is a whole number from 0"
REPLICATE = "a replicate is a whole number from 0, or empty"
STATUS = f"a status is one of {', '.join(STATUSES)}, or empty"
TEXT = "an id is text or a whole number"


class Unreadable(ValueError):  # noqa: N818 - a reason, turned into an error where file and line are known
    """A cell that breaks a rule; the text is the rule."""


def text(value: object) -> str:
    """Return an id as text: what is text stays as it is, but for blanks around it; whole numbers in decimal."""
    match value:
        case str():
            return value.strip(BLANKS)
        case None:
            return ""
        case bool():
            raise Unreadable(TEXT)
        case int():
            return str(value)
        case _:
            raise Unreadable(TEXT)


def turn(value: object) -> int:
    """Return the number of a turn."""
    found = _whole(value, TURN)
    if found is None:
        raise Unreadable(TURN)
    return found


def replicate(value: object) -> int | None:
    """Return the number of a replicate; None where the cell is empty."""
    return _whole(value, REPLICATE)


def decision(value: object) -> bool | None:
    """Return a decision; None where the cell is empty."""
    match value:
        case None | bool():
            return value
        case int() if value in (0, 1):
            return bool(value)
        case str():
            said = value.strip(BLANKS).lower()
            if said in YES:
                return True
            if said in NO:
                return False
            if not said:
                return None
        case float():
            raise Unreadable(DECISION_FLOAT)
    raise Unreadable(DECISION)


def status(value: object) -> DecisionStatus | None:
    """Return a status; None where the cell is empty."""
    if value is None:
        return None
    said = value.strip(BLANKS).lower() if isinstance(value, str) else value
    if said in STATUSES:
        return said
    if said == "":
        return None
    raise Unreadable(STATUS)


def _whole(value: object, rule: str) -> int | None:
    match value:
        case None:
            return None
        case bool():
            raise Unreadable(rule)
        case int() if 0 <= value < 10**15:
            return value
        case str():
            said = value.strip(BLANKS)
            if _WHOLE.fullmatch(said):
                return int(said)
            if not said:
                return None
    raise Unreadable(rule)
