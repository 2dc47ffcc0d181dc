"""How values become columns: what is stored can be read with other tools, and nothing is bent."""

import json
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from evenhand.errors import StoreError
from evenhand.storage.codecs import escape_all, escape_text, parse_all, parse_json, to_json, unescape_all, unescape_text


@pytest.mark.parametrize("text", ["", "plain", "Ünï 😀", "back\\slash", "\\u0000", "\u2028"])
def test_ordinary_text_is_stored_as_it_is(text: str) -> None:
    """An auditor who opens the file reads what the model wrote."""
    assert escape_text(text) == text


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("a\x00b", "a\x1a0000b"),
        ("\ud83d", "\x1ad83d"),
        ("\ud83d\ude00", "\x1ad83d\x1ade00"),
        ("\x1a0000", "\x1a001a0000"),
    ],
)
def test_unstorable_characters_are_escaped_without_loss(text: str, stored: str) -> None:
    """NUL, lone surrogates (two in a row are still two), and the escape character itself."""
    assert escape_text(text) == stored
    assert unescape_text(stored) == text
    assert list(escape_all(["x", None, text])) == ["x", None, stored]
    assert list(unescape_all(["x", None, stored])) == ["x", None, text]


@pytest.mark.parametrize(
    "value",
    [{"a": "\ud800\udc00"}, {"\ud800": [1, {"b": "\x1a"}]}, {"\x1aescaped": {"a": 1}}, "\x00", [None, "\udfff"]],
)
def test_json_survives_any_text_and_stays_json(value: Any) -> None:
    """Also for Python's own parser, and also where a value looks like the escape."""
    stored = to_json(value, "it")
    json.loads(stored)
    assert parse_json(stored) == value
    assert parse_all([stored, None, "1"]) == [value, None, 1]


def test_numpy_scalars_and_read_only_mappings_are_json() -> None:
    """Evaluators compute with numpy; a value is the number it shows."""
    value = MappingProxyType({"score": np.float64(0.5), "count": np.int64(3), "flag": np.bool_(True)})
    assert parse_json(to_json(value, "it")) == {"score": 0.5, "count": 3, "flag": True}


@pytest.mark.parametrize("number", [float("nan"), float("inf"), np.float32("nan"), np.float64("-inf")])
def test_numbers_that_json_cannot_say_are_refused(number: float) -> None:
    """With the place; null beside it is fine."""
    with pytest.raises(StoreError, match=r"it\['a'\]\[1\] is NaN or infinite"):
        to_json({"none": None, "a": (1.0, number)}, "it")


@pytest.mark.parametrize("value", [{"a": Decimal(1)}, {"a": {1, 2}}, {1: "a"}, {"a": 2**70}, {"a": b"bytes"}])
def test_what_is_not_json_is_refused(value: Any) -> None:
    """Nothing is turned into text on the way."""
    with pytest.raises(StoreError, match="it cannot be stored as JSON"):
        to_json(value, "it")
