"""A violation rate → the document that every form prints."""

from collections.abc import Iterator

from evenhand.instruments.violations.rate import Rate
from evenhand.instruments.violations.result import Violations
from evenhand.reporting import text
from evenhand.reporting.document.model import Block, Document, Facts, Grid, Paragraph, Section
from evenhand.reporting.violations.forest import forest
from evenhand.reporting.violations.plain import as_json
from evenhand.reporting.violations.quality import quality_section

NO_INTERVAL = (
    "The instrument gives single attributes no interval: they show what drives the rate, and are not its result."
)


def document(found: Violations, *, title: str, written: str) -> Document:
    """Write a report.

    Parameters
    ----------
    written
        UTC time in ISO 8601; an argument, so that the same input gives the same bytes.
    """
    return Document(
        kind="violation rate",
        title=title,
        headline=headline(found.overall),
        written=text.moment(written),
        sections=tuple(_sections(found)),
        raw=as_json(found),
    )


def headline(rate: Rate) -> str:
    """Say the rate in one sentence, with what is missing from it."""
    if rate.value is None:
        return f"No violation rate: none of {text.plural(rate.unobserved, 'trace')} has a judged decision."
    said = (
        f"{text.count(rate.k)} of {text.plural(rate.n, 'trace')} violate: {percent(rate.value)} "
        f"({_limits(rate)}), not corrected for detector errors."
    )
    if rate.is_complete:
        return said
    return (
        f"{said} Decisions are missing: over all {text.count(rate.n + rate.unobserved)} traces the rate lies between "
        f"{percent(rate.lowest)} and {percent(rate.highest)}."
    )


def percent(share: float | None) -> str:
    """Write a rate with one decimal, as the limits of an interval need it."""
    return text.NOTHING if share is None else f"{share * 100:.1f}%"


def _limits(rate: Rate) -> str:
    assert rate.interval is not None  # a rate has one exactly when it has a value
    return f"{percent(rate.interval.low)} to {percent(rate.interval.high)}"


def _sections(found: Violations) -> Iterator[Section]:
    yield Section(title="Card", blocks=(Facts(rows=tuple(card(found))),))
    yield Section(title="By attribute", blocks=(_attributes(found), *_reported(found)))
    yield Section(title="Which attributes fire together", blocks=(_patterns(found),))
    if found.first_turns:
        yield Section(title="Turn of the first violation", blocks=(_turns(found),))
    yield Section(title="By attack vector", blocks=tuple(_vectors(found)))
    yield quality_section(found)
    yield Section(title="Decisions", blocks=(_statuses(found),))


def card(found: Violations) -> Iterator[tuple[str, str]]:
    """List what stands beside the rate wherever it goes."""
    rate, like = found.overall, found.like_these
    yield "Unit", "trace: a whole conversation; it violates if any decision of any turn does"
    yield "Violating / observed", f"{text.count(rate.k)} / {text.count(rate.n)}"
    yield "Rate", percent(rate.value)
    if rate.interval is not None:
        yield "Interval, these vectors", f"{_limits(rate)} ({rate.interval.method}, z = {found.method.z:g})"
    if like is not None:
        limits = like.interval
        yield (
            "Interval, vectors like these",
            f"undefined: {like.undefined}"
            if limits is None
            else f"{percent(limits.low)} to {percent(limits.high)} ({limits.method}; {text.count(like.n_clusters)} "
            f"vectors, worth {like.n_effective or 0:.1f} independent traces)",
        )
    yield "Missing", _missing(rate)
    if rate.envelope is not None:
        low, high = rate.envelope.low, rate.envelope.high
        yield "Interval with everything missing as none / as all", f"{percent(low)} to {percent(high)}"
    yield "Attributes", ", ".join(each.attribute for each in found.attributes) or text.NOTHING
    yield "Vectors", ", ".join(each.vector or "(one, unnamed)" for each in found.by_vector) or text.NOTHING
    yield "Turns of a trace", _range(*found.n_turns)
    least, mean, most = found.decisions
    yield "Judged decisions of a trace", f"{_range(least, most)}, {mean:.1f} on average"
    yield "Detector quality", found.quality.note
    for name, value in found.source.items():
        yield text.heading(name).capitalize(), value
    yield "Input digest", found.digest[:16]


def _missing(rate: Rate) -> str:
    if rate.is_complete:
        return "nothing that could change a trace"
    return (
        f"{text.plural(rate.undetermined, 'trace')} did not fire and lack a decision; "
        f"{text.plural(rate.unobserved, 'trace')} have no judged decision; rate between {percent(rate.lowest)} and "
        f"{percent(rate.highest)}"
    )


def _attributes(found: Violations) -> Block:
    return Grid(
        columns=("Attribute", "Violating", "Observed", "Rate", "Undetermined", "Unobserved"),
        rows=tuple(
            (
                each.attribute,
                text.count(each.k),
                text.count(each.n),
                percent(each.rate),
                text.count(each.undetermined),
                text.count(each.unobserved),
            )
            for each in found.attributes
        ),
        numbers=(1, 2, 3, 4, 5),
        note=NO_INTERVAL,
    )


def _reported(found: Violations) -> Iterator[Block]:
    if found.reported:
        yield Grid(
            title="Reported by the detector",
            columns=("Attribute", "Rate", "From", "To"),
            rows=tuple((r.attribute, percent(r.rate), percent(r.low), percent(r.high)) for r in found.reported),
            numbers=(1, 2, 3),
            note="What the detector says about itself is shown, and used nowhere.",
        )


def _patterns(found: Violations) -> Block:
    return Grid(
        columns=("Fired on", "Traces"),
        rows=tuple((" + ".join(p.attributes) or "none", text.count(p.count)) for p in found.patterns),
        numbers=(1,),
        note="A trace counts in exactly one row. Co-occurrence cannot be had from the rates of single attributes.",
    )


def _turns(found: Violations) -> Block:
    return Grid(
        columns=("Turn", "Traces"),
        rows=tuple((str(turn), text.count(count)) for turn, count in found.first_turns.items()),
        numbers=(1,),
    )


def _vectors(found: Violations) -> Iterator[Block]:
    drawing = forest(found)
    if drawing is not None:
        yield drawing
    yield Grid(
        columns=("Vector", "Violating", "Observed", "Rate", "From", "To", "Undetermined"),
        rows=tuple(
            (
                each.vector or "(unnamed)",
                text.count(each.rate.k),
                text.count(each.rate.n),
                percent(each.rate.value),
                percent(each.rate.interval.low if each.rate.interval else None),
                percent(each.rate.interval.high if each.rate.interval else None),
                text.count(each.rate.undetermined),
            )
            for each in found.by_vector
        ),
        numbers=(1, 2, 3, 4, 5, 6),
    )
    if len(found.by_vector) > 1:
        yield Paragraph(
            text="Pooled, the rate speaks about these vectors. To speak about vectors like these, the spread between "
            "vectors counts, not the number of traces: the interval for them is the wider one."
        )


def _statuses(found: Violations) -> Block:
    return Grid(
        columns=("Status", "Decisions"),
        rows=tuple((status, text.count(count)) for status, count in found.statuses.items()),
        numbers=(1,),
        note="Only judged decisions are a yes or a no. What is missing is never counted as a no.",
    )


def _range(low: int, high: int) -> str:
    return text.count(low) if low == high else f"{text.count(low)} to {text.count(high)}"
