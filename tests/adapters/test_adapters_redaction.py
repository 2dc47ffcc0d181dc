"""Secrets are hidden in every form in which they may be written down, and nothing else is."""

from urllib.parse import quote

import pytest

from evenhand.adapters.redaction import MARK, hide, redact

KEY = "pa+ss/wörd 'key\""


@pytest.mark.parametrize(
    "form", [KEY, quote(KEY), quote(KEY, safe=""), repr(KEY)[1:-1], KEY.replace('"', '\\"').replace("ö", "\\u00f6")]
)
def test_a_secret_is_hidden_in_every_form(form: str) -> None:
    """As it is, in an address, in a traceback, in JSON."""
    assert redact(f"before {form} after", [KEY]) == f"before {MARK} after"


def test_a_text_that_was_cut_within_a_secret_shows_nothing_of_it() -> None:
    """Messages are shortened before anybody looks for secrets in them. Fewer than 8 characters are no secret yet."""
    secret = "0123456789abcdef"
    assert hide("key 0123456789…", [secret]) == f"key {MARK}…"
    assert hide("key 01234567", [secret]) == f"key {MARK}"
    assert hide("key 0123456", [secret]) == "key 0123456"
    assert hide("01234567x 0123456789y", [secret]) == f"{MARK}x {MARK}y"


def test_a_secret_within_another_leaves_no_rest() -> None:
    """The longest is hidden first."""
    assert hide("user:password@host", ["password", "user:password"]) == f"{MARK}@host"


def test_a_name_that_looks_like_a_key_is_hidden_in_messages_alone() -> None:
    """Model names and request ids are compared with the secrets that are known, not with patterns."""
    assert hide("hf-mistral-7b-instruct", ["other"]) == "hf-mistral-7b-instruct"
    assert redact("hf-mistral-7b-instruct") == MARK


def test_no_secret_is_no_change() -> None:
    """Empty ones are ignored."""
    assert hide("text", ["", "x"]) == "te[redacted]t"
    assert hide("text", []) == "text"
