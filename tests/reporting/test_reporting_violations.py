"""The report of a violation rate: drawn and written, the same numbers."""

from evenhand.api import violation_rate
from evenhand.core.detections import Decision
from evenhand.reporting.document import html, markdown

TIME = "2026-01-01T00:00:00+00:00"


def test_the_forest_says_in_words_what_it_draws() -> None:
    """2 of 4 by one vector and 0 of 4 by the other: 25% over both, in the page and, as text, in Markdown."""
    said = [
        Decision(trace=f"{vector}{i}", turn=1, attribute="age", decision=vector == "credit" and i < 2, vector=vector)
        for vector in ("credit", "<hiring>")
        for i in range(4)
    ]
    document = violation_rate(said).document(written=TIME)
    page = html.render(document)
    assert "<svg" in page
    assert "<hiring>" not in page
    for text in ("credit: 50.0% (", "All, these vectors: 25.0% ("):
        assert text in page
        assert text.replace("(", "\\(") in markdown.render(document) or text in markdown.render(document)


def test_without_a_rate_nothing_is_drawn() -> None:
    """Undefined is said, not drawn at 0."""
    nothing = Decision(trace="a", turn=1, attribute="age", decision=None, status="error")
    page = html.render(violation_rate([nothing]).document(written=TIME))
    assert "<svg" not in page
    assert "No violation rate" in page
