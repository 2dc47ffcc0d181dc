"""The scorecard as JUnit XML: one test case per metric, for the page on which a CI system shows its tests."""

import re
from collections.abc import Iterator
from datetime import datetime
from xml.etree import ElementTree

from evenhand.instruments.audit.gate import Line, reaches
from evenhand.reporting.view import MetricView, Scorecard

# what XML 1.0 cannot say even escaped; `cleaned` has already taken out the controls that a terminal would obey
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(card: Scorecard, *, line: Line = "fail", strict: bool = False) -> str:
    """Write the scorecard as JUnit XML.

    Parameters
    ----------
    line
        Band from which a metric is a failure.
    strict
        Whether a metric that could not be judged is a failure too; otherwise it is skipped, with its reason.

    Notes
    -----
    Failures are what `evenhand.instruments.audit.gate.gate` stops at the same line. The document fits both schemas in
    use, that of Ant's JUnit task and that of Jenkins' xUnit plugin: one suite, no attribute that either refuses, times
    without a zone (they are UTC). Its host is always ``localhost``, so that no machine's name leaves it.
    """
    root = ElementTree.Element("testsuites")
    cases = [_case(card, metric, line, strict=strict) for metric in card.metrics]
    suite = ElementTree.SubElement(root, "testsuite", _suite(card, cases))
    _properties(suite, card, line)
    suite.extend(cases)
    ElementTree.SubElement(suite, "system-out").text = _text("\n".join(_lines(card)))
    ElementTree.SubElement(suite, "system-err")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _case(card: Scorecard, metric: MetricView, line: Line, *, strict: bool) -> ElementTree.Element:
    case = ElementTree.Element("testcase", {"name": metric.name, "classname": f"evenhand.{_token(card)}", "time": "0"})
    result = metric.overall
    if result.finding in {"undefined", "inconclusive"}:
        kind = "failure" if strict else "skipped"
        verdict = ElementTree.SubElement(case, kind, {"message": _text(result.reason_text or result.finding_label)})
    elif result.verdict is not None and reaches(result.verdict, line):
        verdict = ElementTree.SubElement(case, "failure", {"message": _text(_finding(metric))})
    else:
        return case
    if verdict.tag == "failure":
        verdict.set("type", result.finding)
        verdict.text = _text("\n".join(_details(metric)))
    return case


def _finding(metric: MetricView) -> str:
    result = metric.overall
    value = "" if result.value.raw is None else f" {result.value.text} {result.unit},"
    return f"{metric.name}{value} {result.finding_label}"


def _details(metric: MetricView) -> Iterator[str]:
    result = metric.overall
    yield metric.interpretation
    if result.confidence_interval_text:
        yield f"Interval: {result.confidence_interval_text}."
    if result.fair_text:
        yield f"A fair model would score {result.fair_text}."
    if result.limits_text:
        yield f"{result.limits_text[0].upper()}{result.limits_text[1:]}."
    if result.band_text:
        yield f"Band {result.band_text}." + (f" Cuts: {result.band.cuts}." if result.band.cuts else "")
    yield from result.remarks
    if result.band.action:
        yield f"Advice: {result.band.action}"
    yield from (f"Does not show: {limit}" for limit in metric.limits)


def _suite(card: Scorecard, cases: list[ElementTree.Element]) -> dict[str, str]:
    return {
        "name": _token(card),
        "package": "evenhand",
        "id": "0",
        "timestamp": _moment(card.run.created_at),
        "hostname": "localhost",
        "tests": str(len(cases)),
        "failures": str(sum(case.find("failure") is not None for case in cases)),
        "errors": "0",
        "skipped": str(sum(case.find("skipped") is not None for case in cases)),
        "time": _seconds(card),
    }


def _properties(suite: ElementTree.Element, card: Scorecard, line: Line) -> None:
    properties = ElementTree.SubElement(suite, "properties")
    facts = {
        "model": f"{card.model.provider}/{card.model.name}",
        "simulated": "yes" if card.model.is_simulated else "no",
        "run": card.run.id,
        "status": card.run.status,
        "asked": card.run.sets_text,
        "replicates": str(card.run.replicates),
        "seed": str(card.run.seed),
        "bands": card.run.bands,
        "gate": line,
        "spec digest": card.run.spec_digest,
    }
    for name, value in facts.items():
        ElementTree.SubElement(properties, "property", {"name": name, "value": _text(value)})


def _lines(card: Scorecard) -> Iterator[str]:
    """Write what must be read beside the cases: a passing case shows nothing of its own."""
    yield from (f"{notice.title}. {notice.text}" for notice in card.notices)
    yield card.flow_text
    yield f"Cost: {card.cost.text}."
    yield card.overall.sentence
    for metric in card.metrics:
        yield f"{_finding(metric)}, {metric.overall.n_samples_text}"
    yield card.calibration.headline
    yield "A case without a failure is not a finding of fairness: it did not reach the line at this sample size."


def _token(card: Scorecard) -> str:
    """Name the run as schemas allow: no line breaks, no double spaces, not empty."""
    return " ".join(_text(card.run.name).split()) or "audit"


def _moment(iso: str) -> str:
    return datetime.fromisoformat(iso).strftime("%Y-%m-%dT%H:%M:%S")


def _seconds(card: Scorecard) -> str:
    if card.run.finished_at is None:
        return "0"
    begun, ended = (datetime.fromisoformat(iso) for iso in (card.run.created_at, card.run.finished_at))
    return f"{max(0.0, (ended - begun).total_seconds()):.3f}"


def _text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
