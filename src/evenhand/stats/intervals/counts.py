"""What counts and levels must be before anything is computed from them."""


def check_counts(successes: float, trials: float) -> None:
    """Refuse counts that are no proportion: no trial, or more successes than trials; NaN is neither."""
    if not (trials > 0 and 0 <= successes <= trials):
        raise ValueError(
            f"{successes} successes in {trials} trials is not a proportion; it needs at least one trial "
            "and from 0 to that many successes"
        )


def check_level(level: float) -> None:
    """Refuse a level that is no probability strictly between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(f"the level must lie between 0 and 1, not {level}")
