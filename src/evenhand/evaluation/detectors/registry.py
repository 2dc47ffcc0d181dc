"""Which detectors there are, by name."""

from collections.abc import Mapping

from evenhand._base.registry import Registry
from evenhand.evaluation.detectors.base import Detector

GROUP = "evenhand.detectors"

BUILTIN: Mapping[str, str] = {
    "paired-terms": "evenhand.evaluation.detectors.paired_terms:PairedTerms",
    "denial": "evenhand.evaluation.detectors.denial:Denial",
}

PAIRED, UNPAIRED = "paired-terms", "denial"
"""What judges vectors with and without a pair unless somebody chooses otherwise."""


def registry() -> Registry[type[Detector]]:
    """Return the detector classes; other packages add theirs as ``evenhand.detectors``."""
    return Registry("detector", BUILTIN, GROUP)
