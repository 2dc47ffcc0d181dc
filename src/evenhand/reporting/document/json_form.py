"""A document as strict JSON: the raw values, with its headline."""

import orjson

from evenhand._base.digest import canonical
from evenhand.reporting.document.model import Document

VERSION = "1.0"


def render(document: Document) -> str:
    """Write the raw values.

    Raises
    ------
    ValueError
        If they hold NaN or infinity, which JSON cannot say.
    """
    plain = {
        "evenhand_report": document.kind,
        "report_version": VERSION,
        "title": document.title,
        "headline": document.headline,
        "written": document.written,
        **document.raw,
    }
    canonical(plain)  # refuses NaN and infinity, which orjson alone would turn into null
    return orjson.dumps(plain, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()
