"""The suite's settings. Every code block of README and docs/ is run: Python, ``console`` commands, titled files."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hypothesis import settings
from sybil import Document, Example, Region, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser
from sybil.parsers.markdown.lexers import RawFencedCodeBlockLexer

# no deadline: machines are noisy; derandomised: a red run must be red again on the next machine
settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")


class ConsoleParser(CodeBlockParser):
    """Runs the lines that begin with ``$``; what they print may change, their success may not."""

    language = "console"

    def evaluate(self, example: Example) -> str | None:
        """Return what went wrong, if a command failed."""
        for line in example.parsed.splitlines():
            if line.startswith("$ "):
                command = line[2:].partition("  #")[0]
                done = subprocess.run(
                    ["bash", "-c", command],
                    cwd=example.namespace["folder"],
                    env=example.namespace["environment"],
                    capture_output=True,
                    text=True,
                    timeout=200,
                    check=False,
                )
                if done.returncode != 0:
                    return f"{command}\nexit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return None


class FileParser:
    """Writes a block with a ``title`` to the file of that name, as the reader of the page would."""

    _lexer = RawFencedCodeBlockLexer(re.compile(r'[a-z]+ title="(?P<name>[^"]+)"\n'))

    def __call__(self, document: Document) -> Iterator[Region]:
        """Find the blocks."""
        for region in self._lexer(document):
            region.parsed, region.evaluator = region.lexemes["source"], self._write
            yield region

    def _write(self, example: Example) -> None:
        path = Path(example.namespace["folder"], example.region.lexemes["name"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(example.parsed, encoding="utf-8")


def own_folder(namespace: dict[str, object]) -> None:
    """Give every document an empty folder, a database of its own, and the program on its path."""
    folder = tempfile.mkdtemp(prefix="evenhand-docs-")
    programs = str(Path(sys.executable).parent)
    database = f"{folder}/runs.db"
    namespace["folder"] = folder
    namespace["environment"] = {
        **os.environ,
        "EVENHAND_DB": database,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
    }
    namespace["before"] = (Path.cwd(), os.environ.get("EVENHAND_DB"))
    os.environ["EVENHAND_DB"] = database
    os.chdir(folder)


def back(namespace: dict[str, object]) -> None:
    """Leave no trace in the process that runs the other tests."""
    folder, database = namespace["before"]  # type: ignore[misc]
    os.chdir(folder)
    if database is None:
        os.environ.pop("EVENHAND_DB", None)
    else:
        os.environ["EVENHAND_DB"] = database


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), ConsoleParser(), FileParser(), SkipParser()],
    patterns=["README.md", "docs/*.md", "docs/*/*.md", "docs/*/*/*.md"],
    setup=own_folder,
    teardown=back,
).pytest()
