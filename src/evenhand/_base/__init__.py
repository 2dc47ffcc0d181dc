"""Small tools that know nothing of fairness: registry, optional packages, digests, seeds."""
