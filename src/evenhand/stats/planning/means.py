"""Power for a mean, or a difference of means, whose standard error is known or assumed."""

from evenhand.stats.planning.power import LIMIT_ALPHA, Power


def mean_power(standard_error: float, *, truth: float, cut: float, alpha: float | None) -> Power:
    """Chance that an estimate of `truth` is found to be above 0, and above `cut`.

    Parameters
    ----------
    standard_error
        Of the estimate, above 0, in the unit of `truth`.
    truth, cut
        At least 0.
    alpha
        Level of the one-sided test against 0; None where there is no such test, and the limit alone decides.

    Returns
    -------
    Power
        With the normal law. Test and limit read one number, so that both hold as often as the stricter one.

    Examples
    --------
    >>> from evenhand.stats.planning import mean_power
    >>> round(mean_power(0.1, truth=0.2486, cut=0.0, alpha=0.05).test, 3)
    0.8
    """
    from scipy.special import ndtr, ndtri  # slow to import

    limit = float(ndtr((truth - cut) / standard_error + ndtri(LIMIT_ALPHA)))
    test = 1.0 if alpha is None else float(ndtr(truth / standard_error + ndtri(alpha)))
    return Power(test=test, limit=limit, both=min(test, limit))


def detectable_mean(standard_error: float, *, cut: float, alpha: float | None, power: float) -> float:
    """Smallest true mean that is found with the given power: the inverse of `mean_power`.

    Parameters
    ----------
    power
        Chance of finding it, in (0, 1).
    """
    from scipy.special import ndtri

    beyond = cut - (ndtri(LIMIT_ALPHA) - ndtri(power)) * standard_error
    tested = 0.0 if alpha is None else (ndtri(power) - ndtri(alpha)) * standard_error
    return float(max(beyond, tested))
