"""What a table of decisions adds to the report of its rate: what was wrong with it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evenhand.importers.plain_table.problems import Problem
from evenhand.importers.plain_table.read import Coverage
from evenhand.reporting import text
from evenhand.reporting.document.model import Block, Document, Grid, Paragraph, Section

_SHOWN = 50


def with_table(document: Document, coverage: Coverage, problems: Sequence[Problem]) -> Document:
    """Add the problems of the table, before everything else; a table without any adds nothing to read."""
    raw = {
        **document.raw,
        "table": {
            "format": coverage.format,
            "form": coverage.form,
            "rows": coverage.rows,
            "rows_left_out": coverage.left_out,
            "copies": coverage.copies,
            "traces_left_out": coverage.traces_left_out,
            "problems": coverage.problems,
            "columns_not_read": list(coverage.ignored),
        },
        "table_problems": [
            {"text": p.text, "line": p.line, "row": p.row, "field": p.field, "value": _plain(p.value)} for p in problems
        ],
    }
    if not coverage.problems:
        return replace(document, raw=raw)
    section = Section(title="Problems in the table", blocks=tuple(_blocks(coverage, problems)))
    return replace(document, sections=(section, *document.sections), raw=raw)


def _blocks(coverage: Coverage, problems: Sequence[Problem]) -> Iterator[Block]:
    yield Paragraph(
        text=f"The table has {text.plural(coverage.problems, 'problem')}. "
        f"{text.plural(coverage.left_out, 'row')} and {text.plural(coverage.traces_left_out, 'trace')} were left out; "
        f"{text.plural(coverage.copies, 'decision')} stood more than once, of which none was picked. What was left out "
        "is in no number below, so correct the table before you pass the rate on.",
        is_loud=True,
    )
    shown = problems[:_SHOWN]
    rest = coverage.problems - len(shown)
    yield Grid(
        columns=("Line", "Column", "Found", "Problem"),
        rows=tuple(
            (
                str(p.line or p.row or ""),
                p.field or "",
                "" if p.value is None else text.shorten(repr(p.value), 40),
                text.shorten(p.text, 200),
            )
            for p in shown
        ),
        numbers=(0,),
        note=f"{text.plural(rest, 'more problem')} not shown here." if rest > 0 else "",
    )


def _plain(value: object) -> str | None:
    return None if value is None else text.shorten(repr(value), 200)
