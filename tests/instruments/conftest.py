"""Makes `bbq_data` importable, which importlib mode does not; offers the BBQ data."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

from bbq_data import folder, items_of

from evenhand.core.questions import Item


@pytest.fixture(scope="session")
def bbq(request: pytest.FixtureRequest) -> Path:
    """The folder of the BBQ data."""
    return folder(request.config)


@pytest.fixture(scope="session")
def all_items(bbq: Path) -> list[Item]:
    """All 58,492 items."""
    return items_of(bbq)
