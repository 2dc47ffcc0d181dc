"""Scenario sets by name: a set is a file, found by being there."""

import sys
from importlib.metadata import EntryPoint

import pytest

from evenhand.errors import SpecError, UnknownNameError, UsageError
from evenhand.scenarios import registry
from evenhand.scenarios.registry import ScenarioRegistry, Summary

SET = "name: mine\nversion: '2'\ndescription: One.\nscenarios:\n  - {id: s, prompt: Base.}\n"
VARIED = SET + (
    "  - id: t\n    prompt: Other.\n    counterfactuals:\n"
    "      - attribute: age\n        variants: [{value: old, prompt: P.}, {value: young, prompt: Q.}]\n"
)


@pytest.fixture
def directory(tmp_path):
    (tmp_path / "mine.yaml").write_text(VARIED)
    (tmp_path / "short.yml").write_text(SET)
    (tmp_path / "notes.txt").write_text("not a set")
    (tmp_path / ".hidden.yaml").write_text("not a set")
    (tmp_path / "folder.yaml").mkdir()
    return tmp_path


def test_the_built_in_set_is_found():
    """Without any argument."""
    assert "gender_occupation" in ScenarioRegistry().names()
    assert ScenarioRegistry().get("gender_occupation").name == "gender_occupation"


def test_a_file_in_a_directory_is_a_set(directory):
    """By the file's name; other files, hidden files and folders are none."""
    assert set(ScenarioRegistry([directory]).names()) - set(ScenarioRegistry().names()) == {"mine", "short"}
    assert len(ScenarioRegistry([directory]).get("mine").scenarios) == 2


def test_a_path_needs_no_registration(directory):
    """Text or path, .yaml or .yml."""
    assert ScenarioRegistry().get(str(directory / "mine.yaml")).version == "2"
    assert ScenarioRegistry().get(directory / "short.yml").version == "2"


def test_a_summary_counts_what_will_be_asked(directory):
    """Two base prompts and two variants are four prompts."""
    summary = next(line for line in ScenarioRegistry([directory]).summaries() if line.name == "mine")
    assert summary == Summary(name="mine", version="2", description="One.", scenarios=2, attributes=("age",), prompts=4)


def test_a_broken_file_is_listed_with_its_problem(directory):
    """One bad file does not hide the good ones, nor hide itself."""
    (directory / "broken.yaml").write_text("name: a\n")
    found = {summary.name: summary for summary in ScenarioRegistry([directory]).summaries()}
    assert "the key 'scenarios' is missing" in found["broken"].problem
    assert found["mine"].problem == ""
    with pytest.raises(SpecError):
        ScenarioRegistry([directory]).get("broken")


def test_an_own_file_wins_over_a_built_in_set(directory):
    """What the user points at comes first."""
    (directory / "gender_occupation.yaml").write_text(SET)
    assert ScenarioRegistry([directory]).get("gender_occupation").name == "mine"


def test_an_unknown_name_gets_its_nearest():
    """And a list of what there is."""
    with pytest.raises(UnknownNameError, match="Did you mean 'gender_occupation'"):
        ScenarioRegistry().get("gender_ocupations")


def test_a_missing_file_or_directory_is_a_usage_error(tmp_path):
    """Something in the call can be put right."""
    with pytest.raises(UsageError, match=r"There is no scenario file 'nowhere\.yaml'"):
        ScenarioRegistry().get("nowhere.yaml")
    with pytest.raises(UsageError, match="There is no directory"):
        ScenarioRegistry([tmp_path / "absent"]).names()


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    package = tmp_path / "their_scenarios_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "theirs.yaml").write_text(SET)
    (package / "gender_occupation.yaml").write_text(SET)
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint(name="theirs", value="their_scenarios_package", group="evenhand.scenarios")
    monkeypatch.setattr(registry, "entry_points", lambda group: [point] if group == "evenhand.scenarios" else [])
    yield
    sys.modules.pop("their_scenarios_package", None)


@pytest.mark.usefixtures("plugin")
def test_another_package_can_bring_sets_but_not_replace_built_in_ones():
    """An installed package must not change what a known name asks."""
    assert ScenarioRegistry().get("theirs").name == "mine"
    assert ScenarioRegistry().get("gender_occupation").name == "gender_occupation"


def test_a_package_that_cannot_be_imported_is_named(monkeypatch):
    """A broken plug-in is told apart from a broken file."""
    point = EntryPoint(name="gone", value="no_such_package_anywhere", group="evenhand.scenarios")
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    with pytest.raises(UsageError, match="scenario package 'no_such_package_anywhere' cannot be imported"):
        ScenarioRegistry().names()
