"""Where the BBQ data is, as fixtures; without it the tests that need it are skipped, and say so."""

import csv
import gzip
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from evenhand.core.questions import Item
from evenhand.instruments.intersectional.table import INVALID, ItemTable
from evenhand.scenarios.questions.reader import read_items

CATEGORIES = (
    "Age",
    "Disability_status",
    "Gender_identity",
    "Nationality",
    "Physical_appearance",
    "Race_ethnicity",
    "Race_x_SES",
    "Race_x_gender",
    "Religion",
    "SES",
    "Sexual_orientation",
)
_ROOT = Path(__file__).parents[2]


def folder(config: pytest.Config) -> Path:
    """The data's folder: `EVENHAND_BBQ_DIR`, or ``shared/bbq`` beside the project."""
    path = Path(os.environ.get("EVENHAND_BBQ_DIR") or _ROOT.parent / "shared" / "bbq")
    if not (path / "target_loc.csv.gz").is_file():
        reason = "the BBQ data is not there, so its tests are SKIPPED; name its folder in EVENHAND_BBQ_DIR"
        terminal = config.pluginmanager.getplugin("terminalreporter")
        if terminal is not None:
            terminal.write_line(f"\n{reason}", red=True)
        pytest.skip(reason)
    return path


def rows(path: Path) -> list[Mapping[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def items_of(path: Path, *categories: str) -> list[Item]:
    return read_items([path / f"{category}.jsonl.gz" for category in categories or CATEGORIES])


def by_policy(table: ItemTable, policy: str) -> np.ndarray:
    """(N, 1) what an answerer with a policy says: unknown, biased, anti, stereotyped, gold."""
    stereotyped = np.array([INVALID if t.stereotyped is None else t.stereotyped for t in table.targets])
    places = {
        "unknown": table.unknown,
        "biased": table.biased,
        "anti": table.counter,
        "stereotyped": stereotyped,
        "gold": table.label,
    }
    return places[policy].astype(np.int8)[:, None]
