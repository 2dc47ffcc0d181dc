"""What is known of the detector, in words and tables."""

from collections.abc import Iterator

from evenhand.instruments.violations.quality import Quality
from evenhand.instruments.violations.result import Violations
from evenhand.reporting import text
from evenhand.reporting.document.model import Block, Facts, Grid, Paragraph, Section
from evenhand.stats.correction import CorrectedRate


def quality_section(found: Violations) -> Section:
    """Write the section; without labels it says what one would have to believe."""
    quality = found.quality
    corrected = quality.corrected
    blocks: list[Block] = []
    if corrected is not None and corrected.youden is not None:
        blocks += _corrected(quality, corrected)
    else:
        blocks.append(
            Paragraph(
                text="No labels were given, so nothing is known of the detector: the rate assumes that it is right. "
                "With labels at trace level (--reference) it is corrected, as far as they allow."
            )
        )
        blocks += _tipping(quality)
    blocks += _false_alarms(quality)
    return Section(title="Detector quality", blocks=tuple(blocks))


def _corrected(quality: Quality, corrected: CorrectedRate) -> Iterator[Block]:
    yield Facts(rows=tuple(_facts(quality, corrected)), title="Corrected by the reference set")
    yield Paragraph(text=corrected.explanation)


def _facts(quality: Quality, corrected: CorrectedRate) -> Iterator[tuple[str, str]]:
    yield "State", corrected.state.replace("_", " ")
    yield "Rate as observed", _percent(corrected.observed)
    if corrected.interval is not None:
        limits = corrected.interval
        yield "Corrected rate", _percent(corrected.value)
        yield "Its interval", f"{_percent(limits.low)} to {_percent(limits.high)} ({limits.method})"
    if corrected.youden is not None:
        youden = corrected.youden
        yield "Youden's J", f"{youden.value:.2f} ({youden.interval.low:.2f} to {youden.interval.high:.2f})"
    if quality.detectable is not None:
        found = quality.detectable
        yield "Smallest true rate told from 0", found.undetectable or _percent(found.rate)


def _tipping(quality: Quality) -> Iterator[Block]:
    if quality.tipping:
        yield Grid(
            title=f"What one would have to believe for the true rate to be {_percent(quality.limit)}",
            columns=("If the specificity were", "the sensitivity would have to be", "otherwise the true rate is"),
            rows=tuple(
                (
                    f"{point.specificity:.3f}",
                    text.NOTHING if point.sensitivity is None else f"{point.sensitivity:.3f}",
                    "above it where the sensitivity is lower" if point.outcome == "tips" else point.outcome,
                )
                for point in quality.tipping
            ),
            numbers=(0, 1),
            note="Specificity and sensitivity of the whole trace, not of single decisions. Nothing here is measured.",
        )


def _false_alarms(quality: Quality) -> Iterator[Block]:
    if quality.false_alarms:
        decisions = quality.false_alarms[0].decisions
        yield Grid(
            title=f"What a union over {text.plural(decisions, 'decision')} does to clean traces",
            columns=("If each decision's specificity were", "of clean traces, so many would be flagged"),
            rows=tuple((f"{each.specificity:.3f}", _percent(each.share)) for each in quality.false_alarms),
            numbers=(0, 1),
            note="If decisions err independently. A long conversation with many attributes is flagged sooner than a "
            "short one, although nothing else is different.",
        )


def _percent(share: float | None) -> str:
    return text.NOTHING if share is None else f"{share * 100:.1f}%"
