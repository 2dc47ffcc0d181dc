"""``evenhand violations score`` from a file to the printed card, the reports and the gate."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import Evenhand

Score = Callable[..., dict[str, Any]]


def seed_table(folder: Path) -> Path:
    """25 conversations of three turns: 7 fire on age alone, 2 on gender alone, 2 on both, 14 on neither."""
    kinds = ["age"] * 7 + ["gender"] * 2 + ["age gender"] * 2 + [""] * 14
    return write(folder, [(f"{n:03d}", kind.split()) for n, kind in enumerate(kinds)])


def fired(folder: Path, k: int, n: int) -> Path:
    """k of n conversations fire on age."""
    return write(folder, [(f"{i:03d}", ["age"] if i < k else []) for i in range(n)])


def write(folder: Path, traces: list[tuple[str, list[str]]]) -> Path:
    """Write three turns per trace; what fires does so in the second."""
    rows = [
        f"{name},{turn},{attribute},{int(turn == 2 and attribute in fires)}\n"
        for name, fires in traces
        for turn in (1, 2, 3)
        for attribute in ("age", "gender")
    ]
    path = folder / "decisions.csv"
    path.write_text("trace,turn,attribute,decision\n" + "".join(rows))
    return path


def labels(folder: Path, detected: int, violations: int, cleared: int, clean: int) -> str:
    """A reference set with what the detector said in it."""
    rows = [f"v{i},1,{int(i < detected)}\n" for i in range(violations)]
    rows += [f"c{i},0,{int(i >= cleared)}\n" for i in range(clean)]
    path = folder / "labels.csv"
    path.write_text("trace,label,detected\n" + "".join(rows))
    return str(path)


@pytest.fixture
def score(evenhand: Evenhand, tmp_path: Path) -> Score:
    """Run the command and return its JSON report."""

    def run(table: Path, *options: str, code: int = 0) -> dict[str, Any]:
        target = tmp_path / "report.json"
        printed = evenhand("violations", "score", str(table), "--json", str(target), *options)
        assert printed.code == code, printed.err
        found: dict[str, Any] = json.loads(target.read_text())
        return found

    return run


@pytest.mark.parametrize(
    ("options", "low", "high", "digits"),
    [
        ((), 0.263414, 0.632569, 5e-7),
        (("--method", "wilson"), 0.266654, 0.629330, 5e-7),
        (("--method", "clopper-pearson"), 0.2440, 0.6507, 1e-4),
        (("--method", "jeffreys"), 0.2609, 0.6322, 1e-4),
    ],
)
def test_the_seed_s_example_is_reproduced(
    score: Score, tmp_path: Path, options: tuple[str, ...], low: float, high: float, digits: float
) -> None:
    """k = 11 of 25, marginals .36 and .16 without interval, patterns 7/2/2/14, and the interval by every method."""
    found = score(seed_table(tmp_path), *options)
    assert (found["rate"]["k"], found["rate"]["n"], found["rate"]["value"]) == (11, 25, 0.44)
    limits = found["rate"]["interval"]
    assert (limits["low"], limits["high"]) == (pytest.approx(low, abs=digits), pytest.approx(high, abs=digits))
    assert [(a["attribute"], a["rate"]) for a in found["attributes"]] == [("age", 0.36), ("gender", 0.16)]
    assert not any("interval" in each for each in found["attributes"])
    assert [p["count"] for p in found["patterns"]] == [7, 2, 2, 14]
    assert found["detector_quality"]["note"] == "not corrected (assumed reliable)"


def test_a_level_is_a_quantile(score: Score, tmp_path: Path) -> None:
    """Level .90 is z = 1.644854 (published tables)."""
    assert round(score(seed_table(tmp_path), "--level", "0.90")["method"]["z"], 6) == 1.644854


@pytest.mark.parametrize(
    ("k", "reference", "state", "value", "low", "high"),
    [
        (11, None, "not_evaluated", None, None, None),
        (11, (45, 50, 47, 50), "corrected", 0.4524, 0.2256, 0.6958),
        (11, (30, 50, 27, 50), "not_identifiable", None, None, None),
        (11, (20, 50, 25, 50), "no_rate", None, None, None),
        (2, (45, 50, 44, 50), "upper_limit_only", 0.0, 0.0, 0.192),
    ],
)
def test_every_state_of_the_detection_floor_is_said(
    score: Score,
    tmp_path: Path,
    k: int,
    reference: tuple[int, int, int, int] | None,
    state: str,
    value: float | None,
    low: float | None,
    high: float | None,
) -> None:
    """The observed rate stands beside each; the definition's worked values where there are any."""
    options = () if reference is None else ("--reference", labels(tmp_path, *reference))
    found = score(fired(tmp_path, k, 25), *options)
    corrected = found["detector_quality"]["corrected"]
    assert corrected["state"] == state
    assert found["rate"]["value"] == k / 25
    assert corrected["value"] == (None if value is None else pytest.approx(value, abs=1e-4))
    if low is not None:
        limits = corrected["interval"]
        assert (limits["low"], limits["high"]) == (pytest.approx(low, abs=5e-4), pytest.approx(high, abs=5e-4))


def test_labels_without_the_detector_s_word_take_it_from_the_table(score: Score, tmp_path: Path) -> None:
    """11 fire: of three violations two were found, of two clean traces one was cleared; J = 2/3 + 1/2 − 1."""
    path = tmp_path / "labels.csv"
    path.write_text("trace,label\n000,1\n009,yes\n020,true\n003,0\n024,no\n")
    corrected = score(seed_table(tmp_path), "--reference", str(path))["detector_quality"]["corrected"]
    assert corrected["youden"]["value"] == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("line", "strict", "code", "said"),
    [
        ("0.20", False, 1, "Gate at 0.2 failed: the lower limit of the rate is 0.2634"),
        ("0.70", False, 0, "Gate at 0.7 held: the upper limit of the rate is 0.6326"),
        ("0.30", False, 0, "Gate at 0.3 is not decided: the interval reaches from 0.2634 to 0.6326"),
        ("0.30", True, 1, "Gate at 0.3 is not decided"),
        ("0.70", True, 0, "Gate at 0.7 held"),
    ],
)
def test_the_gate_asks_for_the_lower_limit(
    evenhand: Evenhand, tmp_path: Path, line: str, strict: bool, code: int, said: str
) -> None:
    """Over the line fails; not decided warns, and fails if strict."""
    options = ["--strict"] if strict else []
    printed = evenhand("violations", "score", str(seed_table(tmp_path)), "--fail-above", line, *options)
    assert (printed.code, said in printed.err) == (code, True), printed.err


def test_what_is_missing_keeps_a_gate_from_holding(evenhand: Evenhand, tmp_path: Path) -> None:
    """None of 40 fires, but half have no decision: the worst case reaches far beyond the line."""
    path = tmp_path / "t.csv"
    rows = "".join(f"{i},1,age,{'0' if i % 2 else ''}\n" for i in range(40))
    path.write_text("trace,turn,attribute,decision\n" + rows)
    printed = evenhand("violations", "score", str(path), "--fail-above", "0.2", "--strict")
    assert printed.code == 1
    assert "with everything missing as a violation" in printed.err


def test_problems_stop_the_command_or_are_shown_in_every_form(evenhand: Evenhand, tmp_path: Path) -> None:
    """Exit code 2 with file, line, column and value; or a loud section, and the rate of what is valid."""
    path = seed_table(tmp_path)
    path.write_text(path.read_text() + "025,1,age,maybe\n")
    stopped = evenhand("violations", "score", str(path))
    assert stopped.code == 2
    assert "found 'maybe'" in " ".join(stopped.err.split())
    assert "line 152" in " ".join(stopped.err.split())
    targets = {form: tmp_path / f"r.{form}" for form in ("html", "md", "json")}
    options = [part for form, target in targets.items() for part in (f"--{form}", str(target))]
    printed = evenhand("violations", "score", str(path), "--on-error", "report", *options)
    assert printed.code == 0
    for text in (printed.out, targets["html"].read_text(), targets["md"].read_text()):
        assert "Problems in the table" in text
        assert "maybe" in text
    assert json.loads(targets["json"].read_text())["table"]["problems"] == 1


def test_what_the_detector_reports_is_shown_and_changes_nothing(score: Score, tmp_path: Path) -> None:
    """The rate is the same with and without it."""
    path = tmp_path / "reported.csv"
    path.write_text("attribute,rate,low,high\nage,0.99,0.98,1\n")
    table = seed_table(tmp_path)
    plain, beside = score(table), score(table, "--reported", str(path))
    assert beside["rate"] == plain["rate"]
    assert beside["reported_by_the_detector"] == [{"attribute": "age", "rate": 0.99, "low": 0.98, "high": 1.0}]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--strict",), "give the line too"),
        (("--fail-above", "1.5"), "a line for the rate lies from 0 to below 1"),
        (("--z", "1", "--level", "0.9"), "give one of them"),
        (("--level", "95"), "--level is a share between 0 and 1"),
        (("--z", "0"), "z must be above 0"),
    ],
)
def test_options_without_meaning_are_refused(
    evenhand: Evenhand, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    """Exit code 2, and what to write instead."""
    printed = evenhand("violations", "score", str(seed_table(tmp_path)), *options)
    assert printed.code == 2
    assert said in " ".join(printed.err.split())
