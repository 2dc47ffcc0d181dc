"""What could not be read as an option, as a section of the report."""

from dataclasses import replace

from evenhand.instruments.intersectional.matching import Matched
from evenhand.reporting import text
from evenhand.reporting.document.model import Document, Grid, Section


def with_reading(made: Document, matched: Matched, *, file: str) -> Document:
    """Add the answers that are no option, if there are any; the first few are shown with their rows."""
    raw = {
        "answers": matched.answers,
        "runs": list(matched.runs),
        "invalid": matched.invalid,
        "unparsed": [
            {"row": each.row, "category": each.category, "example_id": each.example_id, "answer": each.answer}
            for each in matched.unparsed
        ],
    }
    sections = tuple(made.sections)
    if matched.invalid:
        grid = Grid(
            columns=("Row", "Item", "Answer"),
            rows=tuple((str(u.row), f"{u.category} {u.example_id}", u.answer) for u in matched.unparsed),
            numbers=(0,),
            note=f"{text.count(matched.invalid)} of {text.count(matched.answers)} answers in {file} are no option of "
            f"their item; the first {len(matched.unparsed)} are shown. None was guessed.",
        )
        sections = (*sections[:-1], Section(title="Answers that are no option", blocks=(grid,)), sections[-1])
    return replace(made, sections=sections, raw={**made.raw, "reading": raw})
