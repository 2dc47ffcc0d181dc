"""Bands: the published cuts, which number they are read from, and files that do not say what they must."""

import contextlib
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.core.results import MetricResult, undefined
from evenhand.errors import SpecError, UnknownNameError
from evenhand.metrics.bands import SEVERITY, load_profile, profile_names
from evenhand.metrics.bands_file import parse_profile

PUBLISHED = {
    "RSI": [0.15, 0.25, 0.40],
    "SAR": [1.20, 1.50, 2.00],
    "ODE": [0.75, 0.50, 0.25],
    "CDS": [0.10, 0.25, 0.40],
    "HSI": [0.05, 0.10, 0.20],
    "DSI": [0.05, 0.15, 0.25],
}


def result(metric, value, **facts):
    return MetricResult(metric=metric, value=value, **facts)


@pytest.mark.parametrize("name", ["evenhand-1", "fairbench-1.0"])
def test_both_profiles_have_the_published_cuts(name):
    """Three cuts for each of the six metrics, and the lower one of SAR."""
    profile = load_profile(name)
    assert {m: [b.cuts[c] for c in ("watch", "flag", "fail")] for m, b in profile.metrics.items()} == PUBLISHED
    assert profile.metrics["SAR"].cuts["under"] == 0.80
    assert profile.name == name


@pytest.mark.parametrize(
    ("metric", "value", "band"),
    [
        ("CDS", 0.10, "pass"),
        ("CDS", 0.11, "watch"),
        ("CDS", 0.25, "watch"),
        ("CDS", 0.41, "fail"),
        ("HSI", 0.11, "flag"),
        ("ODE", 0.75, "pass"),
        ("ODE", 0.74, "watch"),
        ("ODE", 0.40, "flag"),
        ("ODE", 0.24, "fail"),
        ("RSI", 0.3113, "flag"),
    ],
)
def test_a_number_on_a_cut_is_in_the_milder_band(metric, value, band):
    """On the published profile, which reads plain values; diversity is mirrored."""
    assert load_profile("fairbench-1.0").point_band(result(metric, value)).band == band


def test_rounding_does_not_decide_a_band():
    """.9/.75 is 1.2000000000000002 in floats and 1.2 on paper."""
    assert load_profile("fairbench-1.0").metrics["SAR"].band(0.9 / 0.75) == "pass"


def test_the_default_reads_rsi_after_normalising():
    """All outputs of one kind against two even categories: .3113 bits is the worst there is, and a fail."""
    skewed = result("RSI", 0.3113, parts={"normalised": 1.0})
    point = load_profile().point_band(skewed)
    assert (point.band, point.quantity, point.number) == ("fail", "normalised", 1.0)
    assert "plug-in" in point.basis
    assert "has not been subtracted" in point.basis
    assert load_profile("fairbench-1.0").point_band(skewed).band == "flag"


@pytest.mark.parametrize("metric", ["CDS", "DSI"])
def test_the_default_reads_the_excess_once_there_is_one(metric):
    """Until then the plug-in value, and it says so."""
    before = load_profile().point_band(result(metric, 0.30))
    assert (before.band, before.quantity, "plug-in" in before.basis) == (
        load_profile().metrics[metric].band(0.3),
        "value",
        True,
    )
    after = load_profile().point_band(result(metric, 0.30, fair_expected=0.28, excess=0.02))
    assert (after.band, after.quantity, after.number) == ("pass", "excess", 0.02)


def test_undefined_values_and_unknown_metrics_have_no_band():
    """None, with the reason in the basis."""
    profile = load_profile()
    assert profile.point_band(undefined("CDS", "no output has an embedding")).band is None
    assert "no output has an embedding" in profile.point_band(undefined("CDS", "no output has an embedding")).basis
    assert profile.point_band(result("MY", 0.5)).band is None


def test_every_band_has_an_action_in_plain_words():
    """A sentence, and nothing that promises too much."""
    for name in profile_names():
        for bands in load_profile(name).metrics.values():
            for band, action in bands.actions.items():
                assert band in SEVERITY
                assert action.endswith(".")
                assert not {"fair", "unbiased", "debiased"} & set(action.lower().split())


def test_an_unknown_name_lists_the_known_ones():
    """With the nearest one."""
    with pytest.raises(UnknownNameError, match="'evenhand-1'"):
        load_profile("evenhand1")


def test_a_profile_of_ones_own_is_read_from_its_path(tmp_path):
    """A copy with another name and another cut."""
    text = VALID.replace("watch: 0.1,", "watch: 0.05,")
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    assert load_profile(tmp_path / "mine.yaml").metrics["MY"].cuts["watch"] == 0.05
    assert load_profile(str(tmp_path / "mine.yaml")).name == "mine"
    with pytest.raises(SpecError, match="cannot be read"):
        load_profile(tmp_path / "absent.yaml")


VALID = """\
profile: mine
description: For a test.
metrics:
  MY:
    reads: value
    direction: lower_is_better
    cuts: {watch: 0.1, flag: 0.2, fail: 0.3}
    actions:
      pass: Fine.
      watch: Look.
      flag: Look closer.
      fail: Stop.
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "why"),
    [
        ("reads: value", "reads: values", 5, "metrics.MY.reads", "Input should be"),
        ("reads: value", "reeds: value", 5, "metrics.MY.reeds", "not known"),
        ("description: For", "descriptions: For", 2, "descriptions", "not known"),
        ("profile: mine\n", "", 1, "profile", "missing"),
        ("watch: Look.", "wach: Look.", 10, "metrics.MY.actions.wach", "Input should be"),
        ("flag: 0.2", "flag: 0.4", 4, "metrics.MY", "cuts must move"),
        ("flag: 0.2, ", "", 4, "metrics.MY", "cuts must name exactly"),
        ("      fail: Stop.\n", "", 4, "metrics.MY", "actions must name exactly"),
        ("flag: 0.2", "flag: .nan", 7, "metrics.MY.cuts.flag", "finite"),
        ("flag: 0.2", "flag: high", 7, "metrics.MY.cuts.flag", "number"),
        ("profile: mine", "profile: mine\nextra: 1", 2, "extra", "not known"),
        ("profile: mine", "profile: mine\nprofile: yours", 2, None, "twice"),
        ("profile: mine", "profile: [", None, None, "not valid YAML"),
    ],
)
def test_a_fault_is_named_with_file_line_and_field(old, new, line, field, why):
    """The reader is told where to look."""
    with pytest.raises(SpecError, match=why) as caught:
        parse_profile(VALID.replace(old, new), file="mine.yaml")
    assert caught.value.file == "mine.yaml"
    assert line is None or caught.value.line == line
    assert caught.value.field == field


@settings(max_examples=60)
@given(st.one_of(st.text(max_size=60), st.text(alphabet="&*a: -[]{}\n'\"!<?|>#%@0", max_size=60)))
def test_any_text_is_a_profile_or_our_own_error(text):
    """Never an unexplained exception."""
    with contextlib.suppress(SpecError):
        parse_profile(text, file="any.yaml")


def test_the_shipped_files_differ_only_in_what_they_read():
    """Same cuts, same actions, other quantities."""
    folder = Path(__file__).parents[2] / "src/evenhand/metrics/data/bands"
    ours, theirs = (yaml.safe_load((folder / f"{n}.yaml").read_text()) for n in ("evenhand-1", "fairbench-1.0"))
    assert {m for m in PUBLISHED if ours["metrics"][m]["reads"] != theirs["metrics"][m]["reads"]} == {
        "RSI",
        "CDS",
        "DSI",
    }
    for metric in PUBLISHED:
        assert {**ours["metrics"][metric], "reads": ""} == {**theirs["metrics"][metric], "reads": ""}
