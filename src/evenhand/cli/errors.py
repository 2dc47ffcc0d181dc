"""Errors → one clear paragraph on stderr and an exit code. Tracebacks only with ``--verbose``."""

import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

import click

from evenhand.errors import EvenhandError, ModelError

GATE_FAILED, BAD_INPUT, MODEL_FAILED, PARTIAL, INTERRUPTED = 1, 2, 3, 4, 130


@contextmanager
def reporting_errors() -> Iterator[None]:
    """Translate what a command raises."""
    try:
        yield
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _say("Interrupted. What was answered is stored; the same command goes on from there.")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # the reader of our output has left, as in `evenhand runs | head -1`
        sys.stderr.close()
        sys.exit(0)
    except EvenhandError as error:
        if "--verbose" in sys.argv:
            raise
        _say(f"Error: {error}")
        sys.exit(MODEL_FAILED if isinstance(error, ModelError) else BAD_INPUT)


def _say(text: str) -> None:
    width = max(60, min(100, _terminal_width()))
    for line in text.splitlines():
        click.echo(textwrap.fill(line, width, subsequent_indent="  ", break_long_words=False), err=True)


def _terminal_width() -> int:
    import shutil

    return shutil.get_terminal_size((100, 24)).columns
