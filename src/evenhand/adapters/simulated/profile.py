"""What a simulated model is like: its declared biases, as a small strict YAML file."""

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from evenhand.adapters.simulated.pronouns import FORMS
from evenhand.adapters.simulated.yaml_file import Located, read_yaml
from evenhand.errors import SpecError, UnknownNameError

Rate = Annotated[float, Field(ge=0, le=1)]
Words = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")]
Shares = Mapping[str, Rate]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Service(_Strict):
    """How often what happens. The rates of one prompt exclude each other, so they must not sum to more than 1.

    Attributes
    ----------
    refusal_rate
        Answers that decline.
    empty_rate
        Answers without text.
    block_rate
        Requests that a filter stops.
    fail_rate
        Requests that fail with an error that is not worth a retry.
    toxic_rate
        Share of the remaining answers that end with one of the toxic phrases.
    """

    refusal_rate: Rate | None = None
    empty_rate: Rate | None = None
    block_rate: Rate | None = None
    fail_rate: Rate | None = None
    toxic_rate: Rate | None = None


class Group(Service):
    """What differs when a prompt names this group. Rates that are not set are those of the whole profile.

    Attributes
    ----------
    match
        Words or phrases that name the group, whole words only; the group's own name if not given.
    pronouns
        Shares that win over those of the role.
    length_factor
        Length of answers, times the usual.
    """

    match: Annotated[list[Words], Field(min_length=1)] | None = None
    pronouns: Shares | None = None
    length_factor: Annotated[float, Field(gt=0, le=20)] = 1.0


class Pronouns(_Strict):
    """Which pronoun an answer uses for its one person.

    Attributes
    ----------
    default
        Pronoun to share, for prompts that name no declared role.
    roles
        Role, as it stands in the prompt, to pronoun to share.
    """

    default: Shares = Field(default={"she": 0.5, "he": 0.5}, validate_default=True)
    roles: Mapping[Words, Shares] = Field(default_factory=dict)


class Length(_Strict):
    """Words per answer: normal, at most three standard deviations from the mean, times the group's factor."""

    mean_words: Annotated[float, Field(ge=12, le=2000)] = 40.0
    sd_words: Annotated[float, Field(ge=0)] = 8.0

    @model_validator(mode="after")
    def _stays_positive(self) -> Self:
        if self.sd_words > self.mean_words / 4:
            raise ValueError("sd_words must be at most a quarter of mean_words, or lengths would be cut off at zero")
        return self


class Conversations(_Strict):
    """How conversations of several turns are served; without it, all alike.

    Attributes
    ----------
    violation_rate
        Share of conversations that are served worse from the turn on in which one of the phrases is first said.
    treated
        Words or phrases by which a person becomes known, whole words only.
    """

    violation_rate: Rate
    treated: Annotated[list[Words], Field(min_length=1)]


class Profile(Service):
    """Everything that is declared about a simulated model."""

    name: Words
    description: str = ""
    pronouns: Pronouns = Pronouns()
    length: Length = Length()
    groups: Mapping[Words, Group] = Field(default_factory=dict)
    conversations: Conversations | None = None
    toxic_phrases: list[Words] = Field(default_factory=list)
    latency_ms: Annotated[float, Field(ge=0, le=600_000)] = 0.0

    def rate(self, group: Group | None, name: str) -> float:
        """Return a rate of `Service`: the group's if declared, else the profile's, else 0."""
        own: float | None = getattr(group, name) if group else None
        usual: float | None = getattr(self, name)
        return own if own is not None else (usual or 0.0)


def load_profile(spec: str) -> Profile:
    """Read a built-in profile by name, or a file.

    Parameters
    ----------
    spec
        ``"fair"``, or a path that ends in ``.yaml`` or ``.yml``.

    Raises
    ------
    UnknownNameError
        If there is no built-in profile of that name.
    SpecError
        If the file does not say what it must: with file, line and field.
    """
    if spec.endswith((".yaml", ".yml")):
        return parse_profile(_read(Path(spec)), source=spec)
    builtin = {f.name.removeprefix("profile-").removesuffix(".yaml"): f for f in _builtin_files()}
    if spec not in builtin:
        raise UnknownNameError("simulated profile", spec, [*builtin, "PATH.yaml"])
    return parse_profile(builtin[spec].read_bytes(), source=f"{spec}.yaml")


def parse_profile(content: bytes, *, source: str) -> Profile:
    """Read a profile from the bytes of a file.

    Raises
    ------
    SpecError
        Naming the first thing that is wrong.
    """
    document = read_yaml(content, source=source)
    if not isinstance(document.data, dict):
        raise SpecError("a simulated profile is a mapping that starts with name:", file=source, line=1)
    try:
        profile = Profile.model_validate(document.data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise document.error(first["msg"].removeprefix("Value error, "), first["loc"], known=_known(first)) from None
    _check(profile, document)
    return profile


def _check(profile: Profile, document: Located) -> None:
    shares: dict[tuple[str, ...], Shares] = {("pronouns", "default"): profile.pronouns.default}
    shares |= {("pronouns", "roles", role): given for role, given in profile.pronouns.roles.items()}
    shares |= {("groups", n, "pronouns"): g.pronouns for n, g in profile.groups.items() if g.pronouns is not None}
    for path, given in shares.items():
        _check_shares(given, path, document)
    outcomes = ("refusal_rate", "empty_rate", "block_rate", "fail_rate")
    for group_name, group in [(None, None), *profile.groups.items()]:
        place: tuple[str, ...] = ("groups", group_name) if group_name else ()
        if sum(profile.rate(group, rate) for rate in outcomes) > 1 + 1e-9:
            raise document.error(f"{', '.join(outcomes)} sum to more than 1", place)
        if profile.rate(group, "toxic_rate") > 0 and not profile.toxic_phrases:
            raise document.error("toxic_rate needs toxic_phrases to draw from", (*place, "toxic_rate"))


def _check_shares(shares: Shares, path: tuple[str, ...], document: Located) -> None:
    for pronoun in shares:
        if pronoun not in FORMS:
            raise document.error("not a pronoun that can be simulated", (*path, pronoun), known=tuple(FORMS))
    if abs(sum(shares.values()) - 1) > 1e-6:
        raise document.error(f"shares must sum to 1, not {sum(shares.values()):g}", path)


def _known(error: Mapping[str, object]) -> tuple[str, ...]:
    """Return the keys that would have been accepted where an unknown one stands."""
    if error["type"] != "extra_forbidden":
        return ()
    place = error["loc"][:-1] if isinstance(error["loc"], tuple) else ()
    match place:
        case ():
            return tuple(Profile.model_fields)
        case ("pronouns",):
            return tuple(Pronouns.model_fields)
        case ("length",):
            return tuple(Length.model_fields)
        case ("conversations",):
            return tuple(Conversations.model_fields)
        case _:
            return tuple(Group.model_fields)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise SpecError(f"the profile cannot be read: {error}", file=path) from error


def _builtin_files() -> list[resources.abc.Traversable]:
    folder = resources.files("evenhand.adapters.simulated") / "data"
    return sorted((f for f in folder.iterdir() if f.name.startswith("profile-")), key=lambda f: f.name)
