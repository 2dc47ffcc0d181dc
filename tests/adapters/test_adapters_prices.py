"""Prices: dated, looked up and never guessed; an unknown price is not zero."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from evenhand.adapters.families import families, family_of
from evenhand.adapters.prices import VARIABLE, Price, cost_usd, price_of, price_table
from evenhand.core.outcomes import Usage
from evenhand.errors import DataError

PRICE = Price(provider="p", model="m", input_usd=2.0, output_usd=10.0, as_of="2026-11-30", up_to_input_tokens=1000)


def own(tmp_path: Path, *entries: dict[str, Any]) -> Path:
    path = tmp_path / "prices.yaml"
    path.write_text(yaml.safe_dump({"prices": list(entries)}), encoding="utf-8")
    return path


ENTRY = {"provider": "acme", "model": "big", "input": 1, "output": 2.5, "as_of": date(2026, 11, 1)}


@given(sent=st.integers(0, 1000), received=st.integers(0, 10**6))
def test_cost_is_tokens_times_price(sent: int, received: int) -> None:
    """In US dollars; a million tokens of prompt and of answer cost both prices."""
    assert cost_usd(Usage(input_tokens=sent, output_tokens=received), PRICE) == pytest.approx(
        sent * 2e-6 + received * 1e-5
    )


@pytest.mark.parametrize(
    ("usage", "price"),
    [
        (Usage(input_tokens=5, output_tokens=5), None),
        (Usage(input_tokens=None, output_tokens=5), PRICE),
        (Usage(input_tokens=5, output_tokens=None), PRICE),
        (Usage(input_tokens=1001, output_tokens=5), PRICE),
    ],
)
def test_an_unknown_cost_is_none(usage: Usage, price: Price | None) -> None:
    """No price, no count, or a prompt that is longer than the price holds for."""
    assert cost_usd(usage, price) is None


@pytest.mark.parametrize("provider", ["local", "simulated"])
def test_what_runs_here_is_free_by_declaration(provider: str) -> None:
    """Whatever the model, and even without counts."""
    price = price_of(provider, "anything")
    assert price is not None
    assert price.is_free
    assert cost_usd(Usage(), price) == 0.0


@pytest.mark.parametrize(
    ("provider", "model", "prices"),
    [
        # list prices as the providers' pages state them
        ("anthropic", "claude-haiku-4-5", (1, 5)),
        ("anthropic", "claude-haiku-4-5-20251001", (1, 5)),
        ("anthropic", "claude-opus-5-5", (4, 20)),
        ("openai", "gpt-5.4-mini-2026-03-17", (0.75, 4.5)),
        ("openai", "gpt-6.1-terra", (1, 5)),
        # names that only look alike have none
        ("openai", "gpt-5.4-pro", None),
        ("openai", "gpt-5.4-mini-turbo", None),
        ("groq", "gpt-5.4", None),
        ("openai", "", None),
    ],
)
def test_a_model_has_the_price_of_its_name_and_not_of_a_similar_one(
    provider: str, model: str, prices: tuple[float, float] | None
) -> None:
    """A date at the end makes no difference, anything else does."""
    found = price_of(provider, model)
    assert (None if found is None else (found.input_usd, found.output_usd)) == prices


def test_every_shipped_price_has_a_date_and_a_source() -> None:
    """And belongs to a model that can be asked."""
    for provider in ("anthropic", "openai"):
        priced = [e for e in _shipped() if e["provider"] == provider]
        assert priced
        for entry in priced:
            assert entry["source"]
            assert isinstance(entry["as_of"], date)
            family = family_of(provider, entry["model"])
            assert not family.refused
            assert family is not families(provider)[-1]


def test_ones_own_table_wins_entry_by_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given as an argument or by the variable; what it does not hold is looked up in the shipped one."""
    cheaper = {**ENTRY, "provider": "anthropic", "model": "claude-haiku-4-5", "note": "by contract"}
    path = own(tmp_path, ENTRY, cheaper)
    assert price_of("acme", "big") is None
    given = price_of("acme", "big", file=path)
    assert given == Price(provider="acme", model="big", input_usd=1.0, output_usd=2.5, as_of="2026-11-01")
    monkeypatch.setenv(VARIABLE, str(path))
    found = price_of("anthropic", "claude-haiku-4-5-20251001")
    assert found is not None
    assert (found.output_usd, found.note) == (2.5, "by contract")
    assert price_of("openai", "gpt-4.1") is not None


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"prices: [", "not YAML"),
        (b"prices: {}", "a list called prices"),
        (b"- 1", "a list called prices"),
        (b"\xff\xfe\x00", "not YAML"),
        (b"prices: [1]", r"a price is a mapping; found 1 .*prices\[0\]"),
        (b"prices: [{provider: a, model: b, input: 1, output: 1}]", r"as_of is missing .*prices\[0\]"),
        (b"prices: [{provider: a, model: b, input: 1, output: 1, as_of: soon}]", "must be a day"),
        (b"prices: [{provider: a, model: b, input: -1, output: 1, as_of: 2026-11-30}]", r"prices\[0\].input"),
        (b"prices: [{provider: a, model: b, input: .nan, output: 1, as_of: 2026-11-30}]", "at least 0"),
        (b"prices: [{provider: a, model: b, input: true, output: 1, as_of: 2026-11-30}]", "at least 0"),
        (b"prices: [{provider: 3, model: b, input: 1, output: 1, as_of: 2026-11-30}]", "must be a text"),
        (b"prices: [{provider: a, model: b, input: 1, output: 1, as_of: 2026-11-30, cost: 1}]", "not a field"),
        (b"prices: &x [*x]", "a price is a mapping; found 'list'"),
        (b"a: &a [x, x]\nb: &b [*a, *a]\nprices: [*b]", "a price is a mapping; found 'list'"),
        (b"a: " + b"[" * 5000, "not YAML"),
        (b"#" * 1_000_001, "larger than"),
    ],
)
def test_a_table_that_does_not_fit_names_file_and_field(tmp_path: Path, content: bytes, words: str) -> None:
    """A price that was misread would be money that was miscounted."""
    path = tmp_path / "prices.yaml"
    path.write_bytes(content)
    with pytest.raises(DataError, match=words) as caught:
        price_table(path)
    assert "prices.yaml" in str(caught.value)


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Not silently the shipped prices."""
    with pytest.raises(DataError, match="cannot be read"):
        price_of("openai", "gpt-4.1", file=tmp_path / "none.yaml")


def _shipped() -> list[dict[str, Any]]:
    import evenhand.adapters

    path = Path(evenhand.adapters.__path__[0]) / "data" / "prices.yaml"
    entries: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))["prices"]
    return entries
