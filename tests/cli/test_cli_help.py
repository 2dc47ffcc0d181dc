"""Help: everywhere, complete, and the same in the documentation."""

import importlib.util
from pathlib import Path
from types import ModuleType

import click
import pytest

from evenhand.cli.main import cli

from .conftest import Evenhand

DOCS = Path(__file__).parents[2] / "docs"


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_cli", DOCS / "generate_cli.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATOR = _generator()
COMMANDS = [path[1:] for path, _ in GENERATOR.commands(cli, ["evenhand"])]


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_explains_itself(evenhand: Evenhand, path: list[str], flag: str) -> None:
    """`-h` works at every level, and says how the command is written."""
    done = evenhand(*path, flag)
    assert (done.code, done.err) == (0, "")
    assert f"Usage: {' '.join(['evenhand', *path])}" in done.out


@pytest.mark.parametrize("path", [[], ["models"]], ids=["evenhand", "models"])
def test_a_group_alone_prints_its_help(evenhand: Evenhand, path: list[str]) -> None:
    """The first thing that a new user types is not an error."""
    alone, helped = evenhand(*path), evenhand(*path, "--help")
    assert alone == helped
    assert "Commands:" in alone.out


def test_no_command_option_or_argument_is_undocumented() -> None:
    """Each says what it is for."""
    assert GENERATOR.undocumented() == []


def test_the_listing_says_what_the_commands_say_of_themselves() -> None:
    """The lazy group's table names every command by the name that the command has."""
    with click.Context(cli) as context:
        names = cli.list_commands(context)
        assert [command.name for name in names if (command := cli.get_command(context, name))] == names


def test_the_page_of_commands_is_not_stale() -> None:
    """Write it again with: python docs/generate_cli.py"""
    assert (DOCS / "reference" / "cli.md").read_text(encoding="utf-8") == GENERATOR.page()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("scorcard",), "Did you mean 'scorecard'"),
        (("models", "lst"), "Did you mean 'list'"),
        (("run", "gender_occupation", "--modle", "x"), "'--model'"),
        (("scorecard", "--junti", "x"), "'--junit'"),
        (("runs", "--limt", "3"), "Did you mean '--limit'"),
        (("scorecard", "--fail-on", "flg"), "'flag'"),
        (("completion", "tcsh"), "'bash', 'zsh', 'fish'"),
    ],
)
def test_what_is_not_known_is_answered_with_the_nearest(evenhand: Evenhand, args: tuple[str, ...], said: str) -> None:
    """Bad input, exit code 2, no traceback."""
    done = evenhand(*args)
    assert (done.code, done.out) == (2, "")
    assert said in " ".join(done.err.split())
    assert "Traceback" not in done.err
