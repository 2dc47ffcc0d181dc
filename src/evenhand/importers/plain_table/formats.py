"""Which format a file has: its first bytes decide, and its name where they leave a choice."""

from pathlib import Path
from typing import Literal

from evenhand.errors import DataError
from evenhand.importers.plain_table.lines import first_bytes

Format = Literal["csv", "jsonl", "parquet"]

_LOOK = 4096
_OTHER = {
    b"PK\x03\x04": "a zip file or a spreadsheet; save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet; save the sheet as CSV",
    b"SQLite format 3": "a SQLite database; export the table as CSV",
    b"\x28\xb5\x2f\xfd": "a file packed with Zstandard; unpack it first",
    b"BZh": "a file packed with bzip2; unpack it first",
    b"\xff\xfe": "text in UTF-16; save it as UTF-8",
    b"\xfe\xff": "text in UTF-16; save it as UTF-8",
}


def format_of(file: Path) -> Format:
    """Look at the beginning of the file.

    Raises
    ------
    DataError
        If it is empty, or of a format that is not read here.
    """
    start = first_bytes(file, _LOOK)
    if start.startswith(b"PAR1"):
        return "parquet"
    suffixes = [suffix.lower() for suffix in file.suffixes if suffix.lower() != ".gz"]
    if suffixes[-1:] in ([".parquet"], [".pq"]):
        raise DataError("the name says Parquet, and the content is something else", file=file)
    for magic, what in _OTHER.items():
        if start.startswith(magic):
            raise DataError(f"this is {what}", file=file)
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")
    if not text:
        raise DataError("the file is empty; it needs a header and rows", file=file)
    if text.startswith(b"["):
        raise DataError("this is a JSON array; write one JSON object per line", file=file)
    if suffixes[-1:] in ([".jsonl"], [".ndjson"]):
        return "jsonl"
    return "jsonl" if text.startswith(b"{") else "csv"
