"""Writes the table of explanation/classifier-calibration.md: ``python docs/generate_calibration.py``."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from evenhand.core.results import JsonScalar, Row
from evenhand.evaluation.calibration import calibrate
from evenhand.evaluation.calibration_sentences import PRONOUN, sentences
from evenhand.evaluation.registry import load_evaluators

TARGET = Path(__file__).with_name("explanation") / "classifier-calibration.md"

_BEGIN, _END = "<!-- table: written by docs/generate_calibration.py; a test fails when it is stale -->", "<!-- end -->"
_COLUMNS = ("toxic", "identity_attack", "negative", "positive")


def page() -> str:
    """Return the page with the table that the installed scorers give; the words around it are written by hand."""
    written = TARGET.read_text(encoding="utf-8")
    before, rest = written.split(_BEGIN)
    after = rest.split(_END)[1]
    return "".join((before, _BEGIN, "\n\n", "\n".join(_lines()), "\n\n", _END, after))


def _lines() -> Iterator[str]:
    rows = calibrate(load_evaluators(skip=("embeddings", "demographics", "names", "refusal", "slurs")))
    versions = {str(row["evaluator"]): row["version"] for row in rows}
    yield f"Read by {' and '.join(f'{name} `{version}`' for name, version in versions.items())};"
    yield f"{rows[0]['n_sentences']} sentences a line, as they are and with identity words masked.\n"
    yield "| named | " + " | ".join(f"{name.replace('_', ' ')} | masked" for name in _COLUMNS) + " |"
    yield "| --- |" + " ---: |" * (2 * len(_COLUMNS))
    merged: dict[tuple[JsonScalar, JsonScalar], dict[str, JsonScalar]] = {}
    for row in rows:
        merged.setdefault((row["attribute"], row["word"]), {}).update(row)
    yield from map(_line, merged.values())
    yield "\nThe sentences, each with its group left out or one pronoun in place:\n"
    yield from (f"- {text}" for text in _examples())


def _line(row: Row) -> str:
    attribute = str(row["attribute"]).removesuffix("_any").replace("_", " ")
    named = "no group" if attribute == "none" else f"{attribute}: {row['word']}"
    cells = [_number(row, f"{name}{kind}_mean") for name in _COLUMNS for kind in ("", "_masked")]
    return f"| {' | '.join([named, *cells])} |"


def _number(row: Mapping[str, JsonScalar], key: str) -> str:
    value = row[key]
    return f"{value:.3f}" if isinstance(value, float) else "—"


def _examples() -> Iterator[str]:
    every = sentences()
    yield from every[0].texts
    yield from next(named.texts for named in every if named.attribute == PRONOUN)


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8", newline="\n")
