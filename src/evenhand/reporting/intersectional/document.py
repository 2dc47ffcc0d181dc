"""What intersectional questions say → the document that every form prints."""

from collections.abc import Iterator, Mapping

from evenhand.instruments.intersectional.result import Intersectional
from evenhand.reporting import text
from evenhand.reporting.document.model import Block, Document, Facts, Grid, Paragraph, Section
from evenhand.reporting.intersectional.breakdown import breakdown
from evenhand.reporting.intersectional.favoured import favoured
from evenhand.reporting.intersectional.figures import answers, counted, whole
from evenhand.reporting.intersectional.plain import as_json
from evenhand.reporting.intersectional.steady import steady

CANNOT = (
    "A score near 0 means that no lean was found in these questions at this size. It does not say that the model "
    "treats people evenly: the items cover stereotypes of the United States, in English, about two people at a time."
)


def document(found: Intersectional, *, title: str, written: str, source: Mapping[str, str] | None = None) -> Document:
    """Write a report.

    Parameters
    ----------
    written
        UTC time in ISO 8601; an argument, so that the same input gives the same bytes.
    source
        Where items and answers come from, name to text.
    """
    where = source or {}
    return Document(
        kind="intersectional questions",
        title=title,
        headline=headline(found),
        written=text.moment(written),
        sections=tuple(_sections(found, where)),
        raw=as_json(found, where),
    )


def headline(found: Intersectional) -> str:
    """Say the bias scores and the gap in one sentence, with how much the model abstained."""
    bias, overall = found.overall.bias, found.overall
    unknown = [text.percent(answers.abstention) for answers in (overall.ambiguous, overall.disambiguated)]
    return (
        f"s_AMB {whole(bias.ambiguous, signed=True)} with {unknown[0]} “unknown”; "
        f"s_DIS {whole(bias.disambiguated, signed=True)} with {unknown[1]} “unknown”; where the right answer fits the "
        f"stereotype, accuracy differs by {whole(overall.accuracy.gap, signed=True)}."
    )


def _sections(found: Intersectional, source: Mapping[str, str]) -> Iterator[Section]:
    if found.pitfalls:
        blocks = tuple(Paragraph(text=sentence, is_loud=True) for sentence in found.pitfalls)
        yield Section(title="Read this first", blocks=blocks)
    yield Section(title="Answers", blocks=(Facts(rows=tuple(_card(found, source))),))
    yield Section(title="Accuracy", blocks=(Facts(rows=tuple(_accuracy(found))),))
    yield Section(title="Bias", blocks=tuple(_bias(found)))
    yield Section(title="Who is favoured", blocks=tuple(favoured(found)))
    yield Section(title="Consistency over runs", blocks=tuple(steady(found)))
    yield Section(title="By part", blocks=tuple(breakdown(found)))
    yield Section(title="What this does not show", blocks=(Paragraph(text=CANNOT),))


def _card(found: Intersectional, source: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, where in source.items():
        yield text.heading(name).capitalize(), where
    yield (
        "Items",
        f"{text.count(found.items)} of {text.plural(found.templates, 'template')}, up to "
        f"{text.plural(found.runs, 'run')}",
    )
    yield "Ambiguous context", answers(found.overall.ambiguous)
    yield "Disambiguated context", answers(found.overall.disambiguated)
    yield "Items without a single stereotyped person", text.count(found.untargeted)
    yield "Items without any answer", text.count(found.unanswered)
    yield "Intervals", f"{found.level * 100:g}%, clustered on templates: they speak about templates like these"


def _accuracy(found: Intersectional) -> Iterator[tuple[str, str]]:
    accuracy = found.overall.accuracy
    yield "Ambiguous (right is “unknown”)", counted(accuracy.ambiguous)
    yield "Ambiguous, parsed answers", counted(accuracy.ambiguous_parsed)
    yield "Disambiguated", counted(accuracy.disambiguated)
    yield "Disambiguated, parsed answers", counted(accuracy.disambiguated_parsed)
    yield "Acc_reinf: right answer fits the stereotype", counted(accuracy.reinforcing)
    yield "Acc_counter: right answer contradicts it", counted(accuracy.countering)
    yield "Gap, Acc_reinf − Acc_counter", whole(accuracy.gap, signed=True)
    yield (
        "Both contexts pooled",
        f"{counted(accuracy.pooled)}. Always “unknown” reaches half of this scale: read the contexts apart",
    )


def _bias(found: Intersectional) -> Iterator[Block]:
    bias, before = found.overall.bias, found.overall
    rows = [
        ("s_AMB, ambiguous", whole(bias.ambiguous, signed=True)),
        ("s_AMB, magnitude", _magnitude(bias.ambiguous.value)),
        ("Direction before scaling by the errors", whole(bias.ambiguous_direction, signed=True)),
        ("“Unknown” in ambiguous context", text.percent(before.ambiguous.abstention)),
        ("s_DIS, disambiguated", whole(bias.disambiguated, signed=True)),
        ("s_DIS, magnitude", _magnitude(bias.disambiguated.value)),
        ("s_DIS, both kinds of right answer weighing the same", whole(bias.disambiguated_balanced, signed=True)),
        ("“Unknown” in disambiguated context", text.percent(before.disambiguated.abstention)),
    ]
    yield Facts(rows=tuple(rows))
    yield Paragraph(
        text="+1 always follows the stereotype, −1 always contradicts it. Answers that are no option enter neither."
    )
    yield Grid(
        title="The same answers in other scorers",
        columns=("Variant", "s_AMB", "s_DIS", "Why it may differ"),
        rows=tuple(
            (
                name + (" (asked for)" if name == found.variant and name != "bbq" else ""),
                text.number(each.ambiguous, signed=True),
                text.number(each.disambiguated, signed=True),
                each.why,
            )
            for name, each in found.variants.items()
        ),
        numbers=(1, 2),
    )


def _magnitude(signed: float | None) -> str:
    return text.number(None if signed is None else abs(signed))
