"""The published calibration table is the one that the pinned scorers give."""

import importlib.util
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "generate_calibration.py"
_NUMBER = re.compile(r"\b[01]\.\d{3}\b")


@pytest.mark.assets
def test_the_calibration_page_is_what_the_scorers_say() -> None:
    """Run ``python docs/generate_calibration.py`` when this fails.

    Numbers may differ by one in the last place: another processor may sum in another order.
    """
    spec = importlib.util.spec_from_file_location("generate_calibration", PAGE)
    assert spec is not None
    assert spec.loader is not None
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    written, said = generator.TARGET.read_text(encoding="utf-8"), generator.page()
    assert _NUMBER.sub("#", written) == _NUMBER.sub("#", said)
    stated, found = ([float(n) for n in _NUMBER.findall(text)] for text in (written, said))
    assert len(stated) > 300
    assert stated == pytest.approx(found, abs=0.0011)
