"""Figures as text, and as the parts of tables: always with what stands behind them."""

from evenhand.instruments.intersectional.ratio import Figure
from evenhand.instruments.intersectional.slices import Answers
from evenhand.reporting import text


def value(figure: Figure, *, signed: bool = False) -> str:
    """Write the number alone, or a dash."""
    return text.number(figure.value, signed=signed)


def limits(figure: Figure) -> str:
    """Write the interval alone, or a dash."""
    if figure.interval is None:
        return text.NOTHING
    return f"{text.number(figure.interval.low)} to {text.number(figure.interval.high)}"


def whole(figure: Figure, *, signed: bool = False) -> str:
    """Write the number with interval and templates, or why there is none."""
    if figure.value is None:
        return f"undefined: {figure.reason}"
    written = value(figure, signed=signed)
    if figure.interval is None:
        return f"{written} (no interval: {_why_none(figure)})"
    return f"{written} ({limits(figure)}, {text.plural(figure.n_questions, 'template')})"


def counted(figure: Figure) -> str:
    """Write a share with its counts and interval."""
    if figure.value is None:
        return f"undefined: {figure.reason}"
    below = text.count(round(figure.denominator))
    return f"{whole(figure)}; {figure.numerator:g} of {below}"


def answers(found: Answers) -> str:
    """Write what came back: how much of it abstains, and how much is no option."""
    return (
        f"{text.count(found.answered)} answers to {text.plural(found.items, 'item')}: "
        f"{text.percent(found.abstention)} of the parsed say “unknown”, {text.percent(found.invalid_rate)} are invalid "
        f"({text.count(found.invalid)}, {text.plural(found.refused, 'refusal')} among them), "
        f"{text.count(found.missing)} missing"
    )


def _why_none(figure: Figure) -> str:
    return "one template" if figure.n_questions < 2 else "nothing varies between templates"
