"""One rate with its interval, and how far what is missing could move it."""

from dataclasses import dataclass

from evenhand.core.results import Interval
from evenhand.errors import UsageError
from evenhand.stats.intervals import METHODS, proportion_interval

DEFAULT_METHOD = "corrected-wilson"
DEFAULT_Z = 1.96


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """How the interval of a rate is computed.

    Attributes
    ----------
    name
        ``"corrected-wilson"`` is the instrument's own; ``"wilson"``, ``"clopper-pearson"``, ``"jeffreys"``.
    z
        Normal quantile, above 0: the two-sided coverage is 2Φ(z) − 1.
    """

    name: str = DEFAULT_METHOD
    z: float = DEFAULT_Z

    def __post_init__(self) -> None:
        """Refuse what has no meaning.

        Raises
        ------
        UsageError
            If there is no such method, or z is not a number above 0.
        """
        if self.name not in METHODS:
            raise UsageError(f"there is no interval method {self.name!r}; choose one of {', '.join(METHODS)}")
        if not 0 < self.z < 40:
            raise UsageError(f"z must be above 0, as in 1.96 for 95%, not {self.z:g}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """Violating traces among observed ones.

    Attributes
    ----------
    k, n
        Traces that fired; traces with at least one judged decision.
    undetermined
        Observed traces that did not fire and lack a decision: they are among `n`, as not fired so far.
    unobserved
        Traces without any judged decision: not in `n`.
    value
        k / n; None where n is 0.
    interval
        Of `value`; None where n is 0.
    lowest, highest
        The rate over all traces if nothing that is missing were a violation, and if everything were.
    envelope
        From the lower limit at `lowest` to the upper limit at `highest`; None where nothing is missing.
    """

    k: int
    n: int
    undetermined: int
    unobserved: int
    value: float | None
    interval: Interval | None
    lowest: float | None
    highest: float | None
    envelope: Interval | None

    @property
    def is_complete(self) -> bool:
        """Whether every decision is there that could change a trace."""
        return self.undetermined == self.unobserved == 0


def rate(k: int, n: int, *, undetermined: int = 0, unobserved: int = 0, method: Method | None = None) -> Rate:
    """Compute a rate.

    Parameters
    ----------
    k, n, undetermined, unobserved
        As in `Rate`.

    Raises
    ------
    ValueError
        If the counts do not fit into each other.
    """
    if min(k, n, undetermined, unobserved) < 0 or k + undetermined > n:
        raise ValueError(f"{k} violations and {undetermined} undetermined traces do not fit into {n} traces")
    how = method or Method()
    everything = n + unobserved
    could_be = k + undetermined + unobserved
    missing = undetermined + unobserved > 0
    return Rate(
        k=k,
        n=n,
        undetermined=undetermined,
        unobserved=unobserved,
        value=k / n if n else None,
        interval=interval(k, n, how) if n else None,
        lowest=k / everything if everything else None,
        highest=could_be / everything if everything else None,
        envelope=_envelope(k, could_be, everything, how) if missing else None,
    )


def interval(k: float, n: float, method: Method) -> Interval:
    """Return the interval of k in n by `method`."""
    return proportion_interval(k, n, method=method.name, z=method.z)


def _envelope(lowest: int, highest: int, n: int, method: Method) -> Interval:
    low, high = interval(lowest, n, method), interval(highest, n, method)
    return Interval(low=low.low, high=high.high, level=low.level, method=f"{low.method}, missing as none and as all")
