"""How the uncertainty of a metric is computed: seed, number of draws, and what it shall speak about."""

from dataclasses import dataclass

import numpy as np

from evenhand._base.seeding import stream
from evenhand.core.results import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Inference:
    """Settings of intervals, tests and fair references.

    Attributes
    ----------
    seed
        The run's seed; every use draws from a stream of its own.
    draws
        Draws of each Monte-Carlo law. A p-value is (1 + as extreme) / (1 + draws), so it is never 0.
    level
        Two-sided coverage of confidence intervals, in (0, 1).
    target
        ``"these prompts"``: the scenarios are the population, and replicates of a prompt are independent draws.
        ``"prompts like these"``: scenarios are a sample of clusters; needs at least five.
    parts
        Whether single scenarios get intervals too; False where only the whole is wanted, as in simulations.
    """

    seed: int = 0
    draws: int = 1_999
    level: float = 0.95
    target: Target = "these prompts"
    parts: bool = True

    def rng(self, *names: object) -> np.random.Generator:
        """Return the generator of the stream called `names`."""
        return stream(self.seed, "inference", *names)
