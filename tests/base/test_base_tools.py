import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand._base.digest import canonical, digest
from evenhand._base.optional import require
from evenhand._base.registry import Registry
from evenhand._base.seeding import derive, stream
from evenhand.errors import DataError, MissingExtraError, UnknownNameError

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), json_values, max_size=6))
def test_the_order_of_keys_does_not_change_a_digest(value: dict[str, object]) -> None:
    """A digest names content, not the order in which it was typed."""
    assert digest(value) == digest(dict(reversed(value.items())))


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_cannot_say_have_no_digest(number: float) -> None:
    """Serialisers turn NaN into null; a digest of that would call different specs equal."""
    with pytest.raises(ValueError, match="canonical"):
        canonical({"a": [1.0, {"b": number}]})


def test_the_digest_is_the_sha256_of_sorted_compact_json() -> None:
    """Anyone can recompute it: printf '{"a":1,"b":[true,null]}' | sha256sum."""
    expected = "1cc69c7fa23616ca2ec3ee70d24390a6225c8832db8a4c814c7e0e7f942f8668"
    assert digest({"b": [True, None], "a": 1}) == expected


@given(st.integers(0, 2**40), st.lists(st.text(), min_size=1, max_size=4))
def test_a_stream_depends_on_its_names_alone(seed: int, names: list[str]) -> None:
    """Drawing from one stream never moves another."""
    first = stream(seed, *names).random(3)
    stream(seed, *names, "other").random(100)
    assert (stream(seed, *names).random(3) == first).all()


@given(st.text(), st.text(), st.text())
def test_names_are_not_glued_together(a: str, b: str, c: str) -> None:
    """("a", "bc") and ("ab", "c") are different streams."""
    assert (derive(0, a + b, c) == derive(0, a, b + c)) == (b == "")


def test_seeds_fit_a_signed_64_bit_integer() -> None:
    """SQLite and most providers take nothing larger."""
    assert all(0 <= derive(seed, "request") < 2**63 for seed in range(200))


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    """A typing error costs one look, not a search."""
    registry: Registry[object] = Registry("metric", {"RSI": "math:pi", "ODE": "math:e"}, "evenhand.nothing")
    with pytest.raises(UnknownNameError, match=r"no metric named 'rsi'\. Did you mean 'RSI'"):
        registry.get("rsi")


def test_a_registered_name_wins_over_a_builtin_one_in_this_registry_alone() -> None:
    """Registering is local: a second engine still sees the built-in thing."""
    first: Registry[object] = Registry("thing", {"pi": "math:pi"}, "evenhand.nothing")
    second: Registry[object] = Registry("thing", {"pi": "math:pi"}, "evenhand.nothing")
    first.register("pi", 3)
    assert (first.get("pi"), second.get("pi")) == (3, math.pi)


def test_a_missing_extra_names_its_install_command() -> None:
    """The reader can copy the cure."""
    with pytest.raises(MissingExtraError, match=r"pip install 'evenhand\[ml\]'"):
        require("no_such_package_here", extra="ml", purpose="Something heavy")


def test_an_import_error_inside_an_installed_package_is_not_called_a_missing_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken installation must not send people to install what they have."""
    (tmp_path / "broken_inside.py").write_text("import a_dependency_that_is_not_there\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModuleNotFoundError, match="a_dependency_that_is_not_there"):
        require("broken_inside", extra="ml", purpose="Something")


def test_a_data_error_names_file_line_field_and_value() -> None:
    """The four things needed to mend a file."""
    error = DataError("share must be at most 1", file="a.yaml", line=12, field="scenarios[3].share", value=1.5)
    assert str(error) == "share must be at most 1; found 1.5 (a.yaml, line 12, scenarios[3].share)"


def test_a_long_value_is_shortened_in_the_message() -> None:
    """A megabyte in a message helps nobody."""
    assert len(str(DataError("no", value="x" * 10_000))) < 120
