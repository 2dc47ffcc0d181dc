"""JUnit XML: what a CI system reads."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from evenhand.core.results import undefined
from evenhand.instruments.audit.gate import Line, gate
from evenhand.reporting.junit_form import render
from evenhand.reporting.view import Scorecard

from .conftest import make_card, make_run, results

# What both schemas in use allow: Ant's (testsuites without attributes; package, id, hostname and a timestamp without
# zone required; properties, cases, system-out, system-err in this order; one outcome a case, with a type) and that
# of Jenkins' xUnit plugin (no other attributes than these).
TOKEN, INTEGER, DECIMAL = r"\S+( \S+)*", r"\d+", r"\d+(\.\d+)?"
ATTRIBUTES = {
    "testsuites": {},
    "testsuite": {
        "name": TOKEN,
        "package": TOKEN,
        "id": "0",
        "timestamp": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d",
        "hostname": TOKEN,
        "tests": INTEGER,
        "failures": INTEGER,
        "errors": INTEGER,
        "skipped": INTEGER,
        "time": DECIMAL,
    },
    "properties": {},
    "property": {"name": TOKEN, "value": r"[\s\S]*"},
    "testcase": {"name": TOKEN, "classname": TOKEN, "time": DECIMAL},
    "failure": {"message": r"[\s\S]+", "type": TOKEN},
    "skipped": {"message": r"[\s\S]+"},
    "system-out": {},
    "system-err": {},
}
CHILDREN = {
    "testsuites": "testsuite",
    "testsuite": "properties( testcase)* system-out system-err",
    "properties": "property( property)*",
    "testcase": "(failure|skipped)?",
}


def assert_valid(element: ElementTree.Element) -> None:
    allowed = ATTRIBUTES[element.tag]
    assert set(element.attrib) == set(allowed), element.tag
    for name, pattern in allowed.items():
        assert re.fullmatch(pattern, element.attrib[name]), (element.tag, name, element.attrib[name])
    assert re.fullmatch(CHILDREN.get(element.tag, ""), " ".join(child.tag for child in element)), element.tag
    for child in element:
        assert_valid(child)


def parsed(card: Scorecard, line: Line = "fail", *, strict: bool = False) -> ElementTree.Element:
    return ElementTree.fromstring(render(card, line=line, strict=strict))


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("line", ["watch", "flag", "fail"])
def test_the_document_fits_both_schemas_in_use(card: Scorecard, line: Line, strict: bool) -> None:
    """At every line: attributes, their patterns, the order of the children, and true counts."""
    root = parsed(card, line, strict=strict)
    assert_valid(root)
    suite = root[0]
    for count, tag in (("tests", "testcase"), ("failures", ".//failure"), ("skipped", ".//skipped")):
        assert int(suite.attrib[count]) == len(suite.findall(tag))


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("line", ["watch", "flag", "fail"])
def test_failures_are_what_the_gate_stops(card: Scorecard, line: Line, strict: bool) -> None:
    """The CI page and the exit code never disagree."""
    outcome = gate(results(), line, strict=strict)
    stopped = {*outcome.beyond, *(outcome.unjudged if strict else ())}
    root = parsed(card, line, strict=strict)
    assert {case.attrib["name"] for case in root.iter("testcase") if case.find("failure") is not None} == stopped
    assert (root[0].attrib["failures"] == "0") is outcome.held


def test_what_could_not_be_judged_is_skipped_with_its_reason(card: Scorecard) -> None:
    """Neither a pass nor a failure: SAR is undefined and CDS inconclusive in this run."""
    cases = {case.attrib["name"]: case for case in parsed(card).iter("testcase")}
    skipped = {name: case[0].attrib["message"] for name, case in cases.items() if case.find("skipped") is not None}
    assert set(skipped) == {"CDS", "SAR"}
    assert "at least 10 determinate outputs" in skipped["SAR"]


def test_a_failure_says_value_band_and_what_it_does_not_show(card: Scorecard) -> None:
    """Whoever reads the CI page needs no other page to know what happened."""
    cases = {case.attrib["name"]: case for case in parsed(card, "watch").iter("testcase")}
    failure = cases["DSI"].find("failure")
    assert failure is not None
    assert "0.173" in failure.attrib["message"]
    assert failure.attrib["type"] in {"watch", "flag", "fail"}
    assert "Does not show" in (failure.text or "")


def test_notices_stand_beside_the_cases(card: Scorecard) -> None:
    """A passing case shows no text, so what must be known is in system-out."""
    out = parsed(card).findtext(".//system-out") or ""
    assert "Worst supported verdict 'flag': DSI" in out
    assert "Cost: $0.12" in out
    assert "Plain sentences that name a group" in out
    assert "not a finding of fairness" in out


def test_texts_that_xml_cannot_say_are_replaced() -> None:
    """A model's or a file's text can hold anything; the document stays well formed."""
    odd = make_run(name="a \x00 <b>\ufffe\n &", results={"RSI": undefined("RSI", "\x0b ]]> \uffff")})
    root = parsed(make_card(odd))
    assert_valid(root)
    assert "<b>" in root[0].attrib["name"]


def test_an_unfinished_run_without_a_name_is_still_a_valid_document() -> None:
    """No end, no name: 0 seconds and "audit"."""
    root = parsed(make_card(replace(make_run(), name=" ", finished_at=None)))
    assert_valid(root)
    assert (root[0].attrib["time"], root[0].attrib["name"]) == ("0", "audit")
