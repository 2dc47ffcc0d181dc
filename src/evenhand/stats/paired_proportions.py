"""McNemar's test: the same units, yes or no, twice."""

from math import comb


def mcnemar(first_only: int, second_only: int) -> float:
    """Two-sided exact p-value of no difference between two proportions of the same units.

    Parameters
    ----------
    first_only, second_only
        Units with the property the first time alone, and the second time alone. Units that did not change say nothing.

    Returns
    -------
    float
        In (0, 1]; 1 where no unit changed.

    Raises
    ------
    ValueError
        If a count is negative.

    Notes
    -----
    McNemar (1947), Psychometrika 12:153-157; exact form: under no difference every change goes either way with
    probability ½, so that the smaller count is binomial.

    Examples
    --------
    >>> from evenhand.stats.paired_proportions import mcnemar
    >>> mcnemar(1, 5), mcnemar(0, 0)
    (0.21875, 1.0)
    """
    if first_only < 0 or second_only < 0:
        raise ValueError(f"counts of units cannot be negative: {(first_only, second_only)}")
    changed, fewer = first_only + second_only, min(first_only, second_only)
    tail = sum(comb(changed, k) for k in range(fewer + 1))
    return min(1.0, tail / 2 ** (changed - 1)) if changed else 1.0
