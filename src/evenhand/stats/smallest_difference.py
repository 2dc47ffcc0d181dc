"""How large a difference must be to be seen: the reverse of a test that saw none."""

from statistics import NormalDist


def smallest_seen(standard_error: float, *, tests: int = 1, alpha: float = 0.05, power: float = 0.8) -> float:
    """Difference that a two-sided test would see with probability `power`.

    Parameters
    ----------
    standard_error
        Of the estimated difference where there is none, in its unit.
    tests
        Tests that share `alpha`; the strictest step of Holm gives each ``alpha / tests``.

    Returns
    -------
    float
        In the unit of `standard_error`; 0 where nothing scatters.

    Raises
    ------
    ValueError
        If the standard error is negative or there is no test.

    Notes
    -----
    (z[1 − α/2m] + z[power]) · standard error, the normal approximation; Cohen (1988), Statistical Power Analysis for
    the Behavioral Sciences, 2nd ed., ch. 2.

    Examples
    --------
    >>> from evenhand.stats.smallest_difference import smallest_seen
    >>> round(smallest_seen(1.0), 3), round(smallest_seen(1.0, tests=6), 3)
    (2.802, 3.48)
    """
    if not standard_error >= 0 or tests < 1:
        raise ValueError(f"a standard error of {standard_error} and {tests} tests give no smallest difference")
    z = NormalDist().inv_cdf
    return standard_error * (z(1 - alpha / (2 * tests)) + z(power))
