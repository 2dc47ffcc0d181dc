"""Addresses of servers: checked when they are given, and taken apart, so that what is secret is never shown."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from evenhand.adapters.redaction import redact
from evenhand.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a server is.

    Attributes
    ----------
    url
        Without credentials, query and fragment: may be shown.
    host
        Host name in lower case.
    credentials
        ``user:password`` as it stood in the address; empty if there were none.
    query
        What stood behind the question mark; services take keys there.
    """

    url: str
    host: str
    credentials: str
    query: str

    @classmethod
    def of(cls, text: str, *, option: str = "base_url", example: str = "http://localhost:8080/v1") -> Self:
        """Take an address apart.

        Raises
        ------
        UsageError
            If it is not one of an HTTP server; the message holds no credentials.
        """
        try:
            parts = urlsplit(text)
            valid = (
                parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
            )
        except ValueError:
            valid = False
        if not valid:
            raise UsageError(f"{option} must be an address like {example}, not {redact(text)!r}") from None
        credentials, _, place = parts.netloc.rpartition("@")
        return cls(
            url=urlunsplit((parts.scheme, place, parts.path, "", "")),
            host=parts.hostname or "",
            credentials=credentials,
            query=parts.query,
        )

    @property
    def parameters(self) -> Mapping[str, str]:
        """The query, taken apart."""
        return dict(parse_qsl(self.query, keep_blank_values=True))

    @property
    def whole(self) -> str:
        """Address and query, for sending."""
        return f"{self.url}?{self.query}" if self.query else self.url

    @property
    def authorization(self) -> str | None:
        """The header that the credentials become; None if there are none."""
        if not self.credentials:
            return None
        return f"Basic {b64encode(unquote(self.credentials).encode()).decode()}"

    @property
    def secrets(self) -> Sequence[str]:
        """What must not be shown: credentials in every form, and the query."""
        password = self.credentials.partition(":")[2]
        header = (self.authorization or "").removeprefix("Basic ")
        found = [password, unquote(password), self.credentials, header, self.query, *self.parameters.values()]
        return [secret for secret in dict.fromkeys(found) if len(secret) > 1]

    def belongs_to(self, domain: str) -> bool:
        """Say whether this is `domain` or below it; the key of one service is sent to nobody else.

        Examples
        --------
        >>> from evenhand.adapters.addresses import Address
        >>> Address.of("https://eu.api.openai.com/v1").belongs_to("api.openai.com")
        True
        >>> Address.of("https://api.openai.com.evil.example/v1").belongs_to("api.openai.com")
        False
        """
        return self.host == domain or self.host.endswith(f".{domain}")


def belongs_to(text: str, domain: str) -> bool:
    """Say whether an address as given belongs to `domain`; as `Address.belongs_to`."""
    return Address.of(text).belongs_to(domain)
