"""YAML as untrusted text: plain values, each with its line."""

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.errors import SpecError
from evenhand.scenarios.document import dotted
from evenhand.scenarios.yaml_source import read


def test_every_value_has_its_line_and_column():
    """Of its key in a mapping, of itself in a list; the root begins in line 1."""
    places = read("a:\n  b: 1\nc:\n  - x\n  -   y\n", source="f").places
    at = {dotted(path): (place.line, place.column) for path, place in places.items()}
    assert at == {"": (1, 1), "a": (1, 1), "a.b": (2, 3), "c": (3, 1), "c[0]": (4, 5), "c[1]": (5, 7)}


def test_a_plain_scalar_is_kept_as_written():
    """So that a message can show what stands in the file, not what became of it."""
    places = read("a: yes\nb: 1.0\nc: 'yes'\nd: [1]\n", source="f").places
    assert [places[(key,)].text for key in "abcd"] == ["yes", "1.0", "", ""]


def test_dates_and_exponents_without_a_dot_stay_text():
    """Only None, truth values, decimal numbers, text, lists and mappings come out."""
    data = read("[2020-01-01, 1e5, =, '1', yes, Off, ~, 7, -0.5, .5, 1.5e+3]", source="f").data
    assert data == ["2020-01-01", "1e5", "=", "1", True, False, None, 7, -0.5, 0.5, 1500.0]


@pytest.mark.parametrize("text", ["0x1F", "0b11", "0777", "1_000", "12:30:45", "1_0.5", "1:30.5"])
def test_numbers_that_yaml_readers_understand_differently_are_refused(text):
    """YAML 1.1 reads 12:30:45 as 45045 and 0777 as 511; YAML 1.2 does not."""
    (problem,) = read(f"a: {text}", source="f").problems
    assert problem.text.startswith("YAML readers disagree about this number")
    assert problem.value == text


@pytest.mark.parametrize("text", [".nan", "-.inf", "+.Inf", "1.0e+999", "9" * 41, "0." + "1" * 41])
def test_numbers_that_are_not_finite_or_absurdly_long_are_refused(text):
    """A share of infinity is no share, and a number of 5 MB is an attack."""
    (problem,) = read(f"a: {text}", source="f").problems
    assert problem.text == "a number must be finite and of sensible length"


def test_an_aliased_value_has_a_place_wherever_it_is_used():
    """Both uses can be complained about, each with the line of its own key."""
    places = read("a: &x\n  k: 1\nb: *x\n", source="f").places
    assert places[("a", "k")].line == places[("b", "k")].line == 2
    assert places[("b",)].line == 3


def test_a_number_is_no_tree_of_aliases():
    """A mapping that is used twice is copied: changing one use would not change the other."""
    data = read("a: &x {k: 1}\nb: *x\n", source="f").data
    assert isinstance(data, dict)
    assert data["a"] == data["b"]
    assert data["a"] is not data["b"]


def test_dotted_paths_read_like_code():
    """Keys with dots, positions in brackets."""
    assert dotted(("scenarios", 3, "counterfactuals", 0, "attribute")) == "scenarios[3].counterfactuals[0].attribute"
    assert dotted(()) == ""


# three line breaks that YAML may fold, and the carriage return, do not survive the writer
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r\x85\u2028\u2029"), max_size=12)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


@given(PLAIN)
@settings(max_examples=60, deadline=None)
def test_plain_values_survive_the_way_through_yaml(plain):
    """Another library writes them, we read them."""
    document = read(yaml.safe_dump(plain, allow_unicode=True), source="f")
    assert document.problems == ()
    assert document.data == plain


@given(st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_what_we_read_is_what_the_safe_loader_reads(text):
    """Where both can read a text of plain scalars, they agree but for dates and numbers of old."""
    try:
        document = read(text, source="f")
    except SpecError:
        return
    if not document.problems and isinstance(document.data, str):
        assert document.data == str(yaml.safe_load(text))
