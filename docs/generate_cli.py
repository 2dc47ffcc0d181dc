"""Writes reference/cli.md from the commands themselves: ``python docs/generate_cli.py``."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from evenhand.cli.main import cli

TARGET = Path(__file__).with_name("reference") / "cli.md"

_KINDS = {"integer range": "integer", "float range": "number"}

_HEAD = """# Command line

<!-- Written by docs/generate_cli.py from the commands; a test fails when it is stale. -->

Every command explains itself with `-h`. A name or flag that is not known is answered with the nearest one. Results go
to standard output, progress and complaints to standard error.

## Exit codes

| code | meaning |
| --- | --- |
| 0 | done, and the gate held if one was drawn with `--fail-on` |
| 1 | the gate failed; for `doctor`, the keyless audit cannot run |
| 2 | bad input: a flag, a name, a file, a setting; the message says what to do |
| 3 | the model or the network failed for every request, or the provider refused the key |
| 4 | partial: the budget stopped the run before its end |
| 130 | interrupted; what was answered is stored, and the same command goes on |

An inconclusive or undefined metric does not fail the gate, it is named; with `--strict` it fails too.

## Environment

| variable | what it sets |
| --- | --- |
| `EVENHAND_DB` | the database of runs, as `--db` |
| `EVENHAND_CACHE` | where pulled model files are kept |
| `EVENHAND_OFFLINE` | `1` refuses every command the network, loopback excepted |

Keys of providers: [`evenhand adapters`](#evenhand-adapters) names the variable of each.
"""


def page() -> str:
    """Return the page, whole."""
    return "\n".join([_HEAD, *_command(cli, ["evenhand"])]).rstrip() + "\n"


def undocumented() -> list[str]:
    """List the commands, options and arguments that say nothing about themselves."""
    missing = []
    for path, command in commands(cli, ["evenhand"]):
        name = " ".join(path)
        if not (command.help or "").strip():
            missing.append(name)
        missing += [f"{name} {_flags(p)}" for p in _options(command) if not (p.help or "").strip()]
        missing += [f"{name} {p.name}" for p in _arguments(command) if not p.metavar and not _choices(p)]
    return missing


def commands(command: click.Command, path: list[str]) -> Iterator[tuple[list[str], click.Command]]:
    """Walk through a command and everything below it."""
    yield path, command
    if isinstance(command, click.Group):
        with click.Context(command) as context:
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert inner is not None
                yield from commands(inner, [*path, name])


def _command(root: click.Command, start: list[str]) -> Iterator[str]:
    for path, command in commands(root, start):
        if len(path) == 1:
            continue  # the group itself is the page
        yield f"## {' '.join(path)}" if len(path) == 2 else f"### {' '.join(path)}"
        yield f"\n```text\n{_usage(command, path)}\n```\n"
        yield from _help(command)
        rows = list(_rows(command))
        if rows:
            yield "| option | meaning |\n| --- | --- |"
            yield from rows
            yield ""


def _usage(command: click.Command, path: list[str]) -> str:
    return " ".join([*path, *command.collect_usage_pieces(click.Context(command))])


def _help(command: click.Command) -> Iterator[str]:
    text = inspect.cleandoc(command.help or "")
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("\b"):
            yield f"```text\n{paragraph.removeprefix(chr(8)).strip(chr(10))}\n```\n"
        else:
            yield " ".join(_escaped(paragraph).split()) + "\n"


def _rows(command: click.Command) -> Iterator[str]:
    for option in _options(command):
        default = f" Default: `{option.default}`." if option.show_default and option.default is not None else ""
        yield f"| {_flags(option)} | {_cell(_sentence(option.help or ''))}{default} |"


def _options(command: click.Command) -> Iterator[click.Option]:
    yield from (p for p in command.params if isinstance(p, click.Option) and not p.hidden)


def _arguments(command: click.Command) -> Iterator[click.Argument]:
    yield from (p for p in command.params if isinstance(p, click.Argument))


def _choices(parameter: click.Parameter) -> tuple[str, ...]:
    return tuple(parameter.type.choices) if isinstance(parameter.type, click.Choice) else ()


def _flags(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    if option.is_flag:
        return names
    value = option.metavar or "|".join(_choices(option)) or _KINDS.get(option.type.name, option.type.name).upper()
    several = ", repeatable" if option.multiple else ""
    return f"{names} {_cell(value)}{several}"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _escaped(text: str) -> str:
    # words in capitals are placeholders and stay; `<`, `*` and `_` would be read as markup
    return re.sub(r"([<>*])", r"\\\1", text)


def _cell(text: str) -> str:
    return _escaped(text).replace("|", "&#124;")


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8", newline="\n")
