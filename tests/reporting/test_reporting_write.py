"""Writing a form to a file."""

from pathlib import Path

import pytest

from evenhand._base.registry import Registry
from evenhand.errors import UnknownNameError, UsageError
from evenhand.reporting.registry import BUILTIN, registry, write
from evenhand.reporting.view import Scorecard

from .conftest import make_card, make_run


@pytest.mark.parametrize(("name", "start"), [("a.html", "<!doctype html>"), ("a.md", "# Evenhand"), ("a.json", "{")])
def test_the_suffix_chooses_the_form(card: Scorecard, tmp_path: Path, name: str, start: str) -> None:
    """Missing folders are made; nothing but the file is left behind."""
    written = write(card, tmp_path / "new" / name)
    assert written.read_text(encoding="utf-8").startswith(start)
    assert [path.name for path in written.parent.iterdir()] == [name]


def test_an_unknown_suffix_names_the_forms_there_are(card: Scorecard, tmp_path: Path) -> None:
    """The error is the registry's, with the names that would have worked."""
    with pytest.raises(UnknownNameError, match="html, json, junit, md"):
        write(card, tmp_path / "a.docx")
    with pytest.raises(UsageError, match="no suffix"):
        write(card, tmp_path / "report")


def test_a_form_that_fails_leaves_the_old_file_whole(card: Scorecard, tmp_path: Path) -> None:
    """The form is made before the file is touched, and the file is replaced at once."""
    target = write(card, tmp_path / "a.json")
    before = target.read_bytes()
    with pytest.raises(ValueError, match="canonical"):
        write(make_card(make_run(manifest={"odd": float("inf")})), target)
    assert target.read_bytes() == before
    assert list(tmp_path.iterdir()) == [target]


def test_a_form_can_be_added(card: Scorecard, tmp_path: Path) -> None:
    """One function from scorecard to text."""
    forms = Registry("report form", BUILTIN, "evenhand.reports")
    forms.register("txt", lambda scorecard: scorecard.run.id)
    assert write(card, tmp_path / "a.txt", forms=forms).read_text() == card.run.id
    assert set(registry().names()) >= {"html", "json", "md"}


def test_a_place_that_cannot_be_written_is_one_clear_error(card: Scorecard, tmp_path: Path) -> None:
    """A file where a folder should be."""
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        write(card, tmp_path / "file" / "a.md")


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    """Time is an argument."""
    first, second = (write(make_card(), tmp_path / f"{name}.html") for name in "ab")
    assert first.read_bytes() == second.read_bytes()
