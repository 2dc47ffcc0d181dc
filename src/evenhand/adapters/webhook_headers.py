"""Headers of a webhook: values from the environment, and what of them is secret."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.errors import UsageError

_VARIABLE = re.compile(r"\$\{([^{}]*)\}")
_SECRET_NAME = re.compile(r"auth|key|token|secret|cookie|credential|session|password", re.IGNORECASE)


def expanded(headers: Mapping[str, str], authorization: str | None = None) -> tuple[Mapping[str, str], Sequence[str]]:
    """Return the headers with each ``${VARIABLE}`` in place, and what of them must not be shown.

    Parameters
    ----------
    authorization
        What the address says about it.

    Raises
    ------
    UsageError
        If a variable is not set, a value cannot be sent, or there are two authorizations.
    """
    values: dict[str, str] = {"Content-Type": "application/json"}
    secrets: list[str] = []
    if authorization is not None:
        if any(name.lower() == "authorization" for name in headers):
            raise UsageError("http-webhook got an Authorization header and an address with credentials; leave one out")
        values["Authorization"] = authorization
    for name, template in headers.items():
        taken = [_variable(variable, name) for variable in _VARIABLE.findall(template)]
        value = _VARIABLE.sub(lambda match: os.environ[match[1]], template)
        if not value.isascii() or not value.isprintable():
            raise UsageError(f"the value of the header {name!r} of http-webhook must be printable ASCII")
        values[name] = value
        secrets += taken
        if _SECRET_NAME.search(name):
            secrets += [value, *value.split()[1:]]  # "Bearer KEY": the key alone, too
    return values, [secret for secret in secrets if secret.strip()]


def header_map(given: Any) -> Mapping[str, str]:
    """Read headers from an option.

    Raises
    ------
    ValueError
        Saying what they must be.
    """
    try:
        headers = json.loads(given) if isinstance(given, str) else given
    except ValueError:
        headers = None
    if not isinstance(headers, Mapping) or not all(isinstance(text, str) for pair in headers.items() for text in pair):
        raise ValueError('must be JSON like {"Authorization": "Bearer ${MY_KEY}"}')
    return headers


def _variable(name: str, header: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise UsageError(f"the header {header!r} of http-webhook takes ${{{name}}}, which is not set; set it")
    return value
