"""Every exception that Evenhand raises on purpose.

::

    EvenhandError
    ├── UsageError                a call, flag or setting that you can fix; says how
    │   ├── UnknownNameError      no such adapter, metric, scenario set …; nearest names
    │   ├── MissingExtraError     an optional package is not installed; the install command
    │   ├── MissingAssetError     a pinned model file is not there; the pull command
    │   ├── CapabilityError       the model's adapter cannot do what the plan asks
    │   ├── ResumeError           the run cannot be resumed with this spec; the differences
    │   └── OfflineError          the network was asked for, and the call said offline; names the host
    ├── RunStopped                a run ended early because somebody asked; the same call goes on from there
    ├── DataError                 this file, this line, this field, this value
    │   └── SpecError             the same, for scenario sets and benchmark specs
    ├── AssetError                a download that failed or does not match its hash
    ├── StoreError                the database cannot be opened, read or written
    └── ModelError                the other side failed; `retryable` says whether to try again
        ├── AuthenticationError   401 or 403: stops the run at once
        │   └── CreditError       402, or a budget that is used up: stops the run too
        ├── RateLimitedError      429, with `retry_after_s` if it was given
        ├── OverloadedError       5xx, time-outs, dropped connections
        └── BadResponseError      an answer that is not what the protocol promises
"""

from collections.abc import Sequence
from pathlib import Path


class EvenhandError(Exception):
    """Base of every exception that Evenhand raises on purpose."""


class UsageError(EvenhandError):
    """Something in the call can be fixed by the caller; the message says how."""


class UnknownNameError(UsageError):
    """A name that no registry knows.

    Parameters
    ----------
    kind
        What was looked up, in the singular: ``"metric"``, ``"scenario set"``.
    name
        The name as given.
    known
        Every name that would have worked.
    """

    def __init__(self, kind: str, name: str, known: Sequence[str]) -> None:
        from difflib import get_close_matches

        self.kind, self.name, self.known = kind, name, tuple(known)
        lowered = {k.lower(): k for k in known}
        near = [lowered[m] for m in get_close_matches(name.lower(), list(lowered), n=3, cutoff=0.5)]
        hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
        super().__init__(f"There is no {kind} named {name!r}.{hint} Known: {_listing(known)}.")


class MissingExtraError(UsageError):
    """An optional package is needed and not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        self.package, self.extra = package, extra
        super().__init__(
            f"{purpose} needs the package {package!r}, which is not installed. "
            f"Install it with: pip install 'evenhand[{extra}]'"
        )


class MissingAssetError(UsageError):
    """A pinned model file has not been pulled."""

    def __init__(self, asset: str, purpose: str, alternative: str = "") -> None:
        self.asset = asset
        tail = f" {alternative}" if alternative else ""
        super().__init__(
            f"{purpose} needs the model file {asset!r}, which has not been pulled. "
            f"Pull it with: evenhand models pull {asset}.{tail}"
        )


class CapabilityError(UsageError):
    """The adapter under test does not offer what the plan needs."""


class ResumeError(UsageError):
    """The stored run and the given spec differ, so the run cannot go on."""

    def __init__(self, run_id: str, differences: Sequence[str]) -> None:
        self.run_id, self.differences = run_id, tuple(differences)
        listing = "; ".join(differences)
        super().__init__(
            f"Run {run_id} cannot be resumed with these settings. They differ from the stored ones: {listing}. "
            "Repeat the stored settings, or start anew with --new."
        )


class OfflineError(UsageError):
    """Something reached for the network in a process that was told to stay offline.

    Not an OSError: libraries try again after those, or go on without saying so.
    """

    def __init__(self, host: str) -> None:
        self.host = host
        super().__init__(
            f"{host} cannot be reached: this process stays offline (--offline, or the variable EVENHAND_OFFLINE). "
            "Use a model on this machine, or leave the flag out."
        )


class RunStopped(EvenhandError):  # noqa: N818 - stopping on request is no error
    """A run ended early because its caller asked it to. What was answered is stored."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        super().__init__(f"Run {run_id} was stopped. What was answered is stored; the same call goes on from there.")


class DataError(EvenhandError):
    """A file holds something that cannot be used.

    Parameters
    ----------
    problem
        What is wrong, as a sentence without a full stop.
    file
        Path or name of the source, if it is a file.
    line
        Line in it, from 1.
    field
        Dotted path of the field, such as ``scenarios[3].counterfactuals``.
    value
        The offending value; shortened in the message.
    """

    def __init__(
        self,
        problem: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        field: str | None = None,
        value: object = None,
    ) -> None:
        self.problem, self.line, self.field, self.value = problem, line, field, value
        self.file = str(file) if file is not None else None
        where = [part for part in (self.file, f"line {line}" if line else None, field) if part]
        shown = "" if value is None else f"; found {_shorten(value)}"
        super().__init__(f"{problem}{shown}" + (f" ({', '.join(where)})" if where else ""))


class SpecError(DataError):
    """A scenario set or benchmark spec that does not say what it must.

    Attributes
    ----------
    problems
        Every problem found, in the order of the file; empty if the error is itself a single problem.
    """

    problems: "tuple[SpecError, ...]" = ()

    @classmethod
    def of(cls, problems: "Sequence[SpecError]") -> "SpecError":
        """Make one error of several: its text lists them, one per line, by their line in the file."""
        ordered = tuple(sorted(problems, key=lambda problem: problem.line or 0))
        error = cls("\n".join(map(str, ordered)))
        first = ordered[0]
        error.file, error.line, error.field, error.value = first.file, first.line, first.field, first.value
        error.problems = ordered
        return error


class AssetError(EvenhandError):
    """A model file could not be fetched, or is not the file that was pinned."""


class StoreError(EvenhandError):
    """The store cannot be opened, read or written."""


class ModelError(EvenhandError):
    """The model, its provider or the network failed.

    Parameters
    ----------
    message
        What failed, without any secret.
    status
        HTTP status, if there was one.
    request_id
        The provider's own id of the request, if it gave one.
    """

    retryable = False

    def __init__(self, message: str, *, status: int | None = None, request_id: str | None = None) -> None:
        self.status, self.request_id = status, request_id
        super().__init__(message)


class AuthenticationError(ModelError):
    """The provider does not accept the key: nothing else in the run can succeed."""


class CreditError(AuthenticationError):
    """The account may not spend more: waiting does not help, and nothing else in the run can succeed."""


class RateLimitedError(ModelError):
    """The provider asks for patience.

    Parameters
    ----------
    retry_after_s
        Seconds that the provider asked us to wait, if it said so.
    """

    retryable = True

    def __init__(
        self,
        message: str,
        *,
        retry_after_s: float | None = None,
        status: int | None = 429,
        request_id: str | None = None,
    ) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(message, status=status, request_id=request_id)


class OverloadedError(ModelError):
    """A 5xx, a time-out or a dropped connection; another try may succeed."""

    retryable = True


class BadResponseError(ModelError):
    """The answer is not what the protocol promises."""


def _shorten(value: object, limit: int = 80) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _listing(names: Sequence[str], limit: int = 30) -> str:
    shown = sorted(names)
    rest = f" and {len(shown) - limit} more" if len(shown) > limit else ""
    return (", ".join(shown[:limit]) or "none") + rest
