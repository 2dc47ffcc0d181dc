"""Stored runs: what they say (scorecard), what they are (show), the same numbers again (score)."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from evenhand.core.types import EvaluationRun

from .conftest import Evenhand

pytestmark = pytest.mark.usefixtures("in_database")


@pytest.mark.parametrize("command", ["scorecard", "score"])
def test_every_form_is_written_where_it_was_asked_for(evenhand: Evenhand, tmp_path: Path, command: str) -> None:
    """The flag names the form, whatever the file is called; each path is said."""
    paths = {form: tmp_path / f"{form}.out" for form in ("html", "md", "json", "junit")}
    done = evenhand(command, *(word for form, path in paths.items() for word in (f"--{form}", str(path))))
    assert done.code == 0, done.err
    assert paths["html"].read_text().startswith("<!doctype html>")
    assert paths["md"].read_text().startswith("# Evenhand")
    assert json.loads(paths["json"].read_text())["evenhand_scorecard"] is True
    assert ElementTree.parse(paths["junit"]).getroot().tag == "testsuites"
    assert all(f"Wrote {path}" in done.out for path in paths.values())


@pytest.mark.parametrize("command", ["scorecard", "score"])
def test_a_stored_run_can_be_held_against_a_line(evenhand: Evenhand, tmp_path: Path, command: str) -> None:
    """She only in 12 answers: a share above .78 is supported, which is watch; the gate fails with exit code 1."""
    report = tmp_path / "junit.xml"
    done = evenhand(command, "--fail-on", "watch", "--junit", str(report))
    assert done.code == 1
    assert "RSI is supported to lie in the band 'watch'" in done.err
    failures = ElementTree.parse(report).getroot().findall(".//testcase[failure]")
    assert [case.attrib["name"] for case in failures] == ["RSI"]


def test_a_strict_gate_counts_what_could_not_be_judged(evenhand: Evenhand, tmp_path: Path) -> None:
    """CDS has no embeddings, and 12 answers leave DSI open: named under any gate, failures under a strict one."""
    report = tmp_path / "junit.xml"
    done = evenhand("scorecard", "--fail-on", "fail", "--strict", "--junit", str(report))
    assert done.code == 1
    assert "CDS could not be judged" in done.err
    assert ElementTree.parse(report).getroot()[0].attrib["failures"] == "2"
    assert evenhand("scorecard", "--strict").code == 2


def test_a_run_is_found_by_its_beginning_and_the_newest_by_default(evenhand: Evenhand, stored: EvaluationRun) -> None:
    """RUN may be left out, shortened, or written as "latest"."""
    said = [evenhand("scorecard", *run).out for run in ((), ("latest",), (stored.id,), (stored.id[:12],))]
    assert len(set(said)) == 1
    assert stored.id in said[0]


def test_show_tells_what_was_asked_and_what_came_back(evenhand: Evenhand, stored: EvaluationRun) -> None:
    """The facts of the run; no metric, which is the scorecard's."""
    out = " ".join(evenhand("show").out.split())
    for fact in (
        f"Run {stored.id} (complete)",
        "simulated: no model answered",
        "nurses: 1 scenarios, 12 replicates",
        "36 answered, 0 blocked, 0 failed",
        "refusal",
        "Skipped embeddings, names, toxicity",
        "RSI, CDS, DSI; bands evenhand-1",
        stored.spec_digest,
    ):
        assert fact in out
    assert "point band" not in out


def test_the_answers_of_one_scenario_only_make_sense_with_the_answers(evenhand: Evenhand) -> None:
    """A flag that would do nothing is refused."""
    done = evenhand("show", "--scenario", "nurse")
    assert (done.code, "--answers" in done.err) == (2, True)
    assert len(evenhand("show", "--answers", "--scenario", "nurse").out.splitlines()) == 36
