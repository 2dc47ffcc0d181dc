"""What a union of many decisions does to clean traces: small false-alarm rates add up."""


def at_least_one_false_alarm(specificity: float, decisions: int) -> float:
    """Share of clean traces that are flagged when any of several decisions flags them.

    Parameters
    ----------
    specificity
        Of one decision, in [0, 1].
    decisions
        Per trace (turns times attributes), at least 1.

    Returns
    -------
    float
        1 − specificity^decisions, in [0, 1], if the decisions err independently; where they err together it is less,
        and never more than decisions·(1 − specificity).

    Raises
    ------
    ValueError
        If the specificity is no share or there is no decision.

    Examples
    --------
    >>> from evenhand.stats.correction import at_least_one_false_alarm
    >>> round(at_least_one_false_alarm(0.99, 30), 2)
    0.26
    """
    if not 0 <= specificity <= 1:
        raise ValueError(f"the specificity must lie between 0 and 1, not {specificity}")
    if decisions < 1:
        raise ValueError(f"a trace has at least one decision, not {decisions}")
    return 1.0 - specificity**decisions
