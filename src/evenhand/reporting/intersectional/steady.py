"""Consistency over runs: figures, the histogram that averages hide, the items that flip."""

from collections.abc import Iterator

from evenhand.instruments.intersectional.consistency import Consistency
from evenhand.instruments.intersectional.result import Intersectional
from evenhand.reporting import text
from evenhand.reporting.charts.dots import DotRow, dot_plot, open_axis
from evenhand.reporting.document.model import Block, Drawing, Facts, Grid, Paragraph
from evenhand.reporting.intersectional.figures import whole

_CONTEXTS = {"ambig": "Ambiguous context", "disambig": "Disambiguated context"}


def steady(found: Intersectional) -> Iterator[Block]:
    """Write both contexts."""
    if found.runs == 1:
        yield Paragraph(text="Each item has one answer: consistency needs several runs.")
        return
    for context, title in _CONTEXTS.items():
        each = found.consistency[context]  # type: ignore[index]  # the two contexts
        if each.runs:
            yield Facts(title=title, rows=tuple(_facts(each)))
            yield _histogram(each, title, f"right-{context}")
    if found.flips:
        yield _flips(found)


def _facts(found: Consistency) -> Iterator[tuple[str, str]]:
    yield "MFAA, most frequent answer is right", f"{whole(found.mfaa)}; {text.plural(found.ties, 'item')} tied"
    yield f"GTC, right in every one of up to {found.runs} runs (gtc_all)", whole(found.gtc_all)
    yield "GTC, mean share of right runs (gtc_mean)", whole(found.gtc_mean)
    yield "Two runs agree", whole(found.agreement)
    yield "Two runs are both right (pass^2)", whole(found.pass_k)
    yield "Items that name only the stereotype's person, of those that name any", whole(found.stereotyped)


def _histogram(found: Consistency, title: str, name: str) -> Block:
    bins = [(low, n) for low, n in found.histogram if n]
    rows = [DotRow(label=_bin(low), value=n, text=text.count(n)) for low, n in bins]
    said = "; ".join(f"{_bin(low)}: {text.count(n)}" for low, n in bins)
    heading = f"{title}: items by their share of right runs"
    axis = open_axis([n for _, n in bins])
    return Drawing(
        svg=dot_plot(rows, axis, name=name, title=heading, description=said), title=heading, description=said
    )


def _bin(low: float) -> str:
    if low == 1.0:
        return "always"
    return "below 5%" if low == 0 else f"{low * 100:.0f}% to {low * 100 + 5:.0f}%"


def _flips(found: Intersectional) -> Block:
    return Grid(
        title="Items whose answers differ most between runs",
        columns=("Item", "Question", "Votes", "Invalid", "Agreement"),
        rows=tuple(
            (
                f"{flip.category} {flip.example_id}",
                text.shorten(flip.question, 60),
                " · ".join(
                    f"{option}{' (right)' if place == flip.label else ''} {votes}"
                    for place, (option, votes) in enumerate(zip(flip.options, flip.votes, strict=True))
                ),
                text.count(flip.invalid),
                text.number(flip.agreement),
            )
            for flip in found.flips
        ),
        numbers=(3, 4),
    )
