"""Writing a document to files, by form."""

from pathlib import Path

from evenhand._base.atomic_file import replacing
from evenhand.reporting.document import html, json_form, markdown
from evenhand.reporting.document.model import Document

FORMS = {"html": html.render, "md": markdown.render, "json": json_form.render}


def write_document(document: Document, path: Path, form: str) -> Path:
    """Write one form to a file, which appears whole or not at all; `form` is a key of `FORMS`."""
    content = FORMS[form](document).encode()
    with replacing(path) as stream:
        stream.write(content)
    return path
