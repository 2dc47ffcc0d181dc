"""The simulated model: what is declared is what comes out."""

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.adapters.registry import open_adapter
from evenhand.adapters.simulated.adapter import SimulatedAdapter
from evenhand.adapters.simulated.profile import Profile, load_profile, parse_profile
from evenhand.adapters.simulated.pronouns import FORMS
from evenhand.adapters.simulated.writing import bank, draws_needed, write
from evenhand.core.outcomes import Answered, Blocked
from evenhand.core.types import GeneratedOutput, GenerationConfig
from evenhand.errors import ModelError, SpecError, UnknownNameError

BASE = "Write two sentences about a nurse starting a new job."
WORD_FORMS = {p: {f.subject, f.object, f.possessive} for p, f in FORMS.items() if f is not None}


def simulated(**declared: Any) -> SimulatedAdapter:
    return SimulatedAdapter(Profile.model_validate({"name": "test", **declared}))


async def answers(adapter: SimulatedAdapter, prompt: str = BASE, count: int = 2000) -> list[GeneratedOutput]:
    return [await adapter.generate(prompt, GenerationConfig(seed=seed)) for seed in range(count)]


def pronouns_in(text: str) -> set[str]:
    words = set(re.findall(r"\w+", text.lower()))
    return {pronoun for pronoun, forms in WORD_FORMS.items() if words & forms}


async def test_pronoun_shares_are_those_declared() -> None:
    """80/20 within four standard errors (.036) at 2,000; each text has one pronoun and the role."""
    adapter = simulated(pronouns={"roles": {"nurse": {"she": 0.8, "he": 0.2}}})
    found = [pronouns_in(output.text or "") for output in await answers(adapter)]
    counts = Counter(next(iter(each)) for each in found)
    assert all(len(each) == 1 for each in found)
    assert counts["she"] / 2000 == pytest.approx(0.8, abs=0.036)
    assert counts["she"] + counts["he"] == 2000


async def test_an_undeclared_role_uses_the_default() -> None:
    """And the person is called a person."""
    adapter = simulated(pronouns={"default": {"they": 1.0}, "roles": {"nurse": {"she": 1.0}}})
    output = await adapter.generate("Describe a plumber.", GenerationConfig(seed=1))
    assert "the person" in output.text.lower()
    assert pronouns_in(output.text) == {"they"}


@pytest.mark.parametrize(
    ("prompt", "pronoun"),
    [
        ("Describe a kindergarten teacher.", "xe"),
        ("Describe a teacher.", "he"),
        ("Describe TEACHERS.", "he"),
        ("Describe a female teacher.", "she"),
        ("Describe a male teacher.", "ze"),
        ("Describe a teacher named Malek.", "he"),
    ],
)
async def test_roles_and_groups_are_read_by_whole_words(prompt: str, pronoun: str) -> None:
    """The longest role wins, a group's pronouns win over the role's, and "female" does not contain "male"."""
    adapter = simulated(
        pronouns={"roles": {"teacher": {"he": 1.0}, "kindergarten teacher": {"xe": 1.0}}},
        groups={
            "m": {"match": ["male", "man"], "pronouns": {"ze": 1.0}},
            "w": {"match": ["female"], "pronouns": {"she": 1.0}},
        },
    )
    output = await adapter.generate(prompt, GenerationConfig(seed=3))
    assert pronouns_in(output.text) == {pronoun}


async def test_outcome_rates_are_those_declared_and_exclude_each_other() -> None:
    """Refused .30, blocked .10, empty .05, failed .05: each within four standard errors at 2,000."""
    adapter = simulated(groups={"nurse": _rates(0.3, 0.1, 0.05, 0.05)})
    kinds: Counter[str] = Counter()
    for seed in range(2000):
        try:
            output = await adapter.generate(BASE, GenerationConfig(seed=seed))
        except ModelError as error:
            kinds["retryable" if error.retryable else "failed"] += 1
        else:
            kinds[_kind(output)] += 1
    for kind, rate in {"refused": 0.3, "blocked": 0.1, "empty": 0.05, "failed": 0.05, "answered": 0.5}.items():
        assert kinds[kind] / 2000 == pytest.approx(rate, abs=4 * (rate * (1 - rate) / 2000) ** 0.5), kind
    unnamed = simulated(groups={"nurse": _rates(1.0, 0.0, 0.0, 0.0)})
    assert _kind(await unnamed.generate("Describe a plumber.", GenerationConfig(seed=1))) == "answered"


async def test_length_factors_are_those_declared() -> None:
    """Mean 40, deviation 8; the group gets half of both. Standard error of the mean: .25 words at 1,000."""
    adapter = simulated(groups={"female": {"length_factor": 0.5}})
    usual = [o.usage.output_tokens or 0 for o in await answers(adapter, BASE, 1000)]
    short = [o.usage.output_tokens or 0 for o in await answers(adapter, "Describe a female nurse.", 1000)]
    assert mean(usual) == pytest.approx(40, abs=1.0)
    assert stdev(usual) == pytest.approx(8, abs=0.8)
    assert mean(short) == pytest.approx(20, abs=0.8)
    assert len({o.text for o in await answers(adapter, BASE, 200)}) > 190, "texts must vary"


async def test_toxic_phrases_come_at_their_rate() -> None:
    """For the group that it is declared for, at the end of otherwise usual texts."""
    phrase = "What an idiot."
    adapter = simulated(toxic_phrases=[phrase], groups={"female": {"toxic_rate": 0.25}})
    female = await answers(adapter, "Describe a female nurse.")
    assert sum((o.text or "").endswith(phrase) for o in female) / 2000 == pytest.approx(0.25, abs=0.039)
    assert not any(phrase in (o.text or "") for o in await answers(adapter, BASE, 200))


async def test_a_seed_decides_the_answer_whatever_the_order() -> None:
    """Forwards, backwards and all at once give the same texts; another prompt or seed gives another."""
    adapter = simulated()
    forwards = await answers(adapter, count=50)
    backwards = [await adapter.generate(BASE, GenerationConfig(seed=seed)) for seed in reversed(range(50))]
    together = await asyncio.gather(*(simulated().generate(BASE, GenerationConfig(seed=s)) for s in range(50)))
    assert forwards == backwards[::-1] == list(together)
    assert forwards[0] != forwards[1]
    assert (await adapter.generate(BASE + " ", GenerationConfig(seed=0))).text != forwards[0].text


async def test_without_a_seed_answers_differ_and_repeat_in_order() -> None:
    """The calls are counted."""
    first, second = simulated(), simulated()
    told = [(await first.generate(BASE)).text for _ in range(5)]
    assert told == [(await second.generate(BASE)).text for _ in range(5)]
    assert len(set(told)) == 5


async def test_a_limit_cuts_and_says_so() -> None:
    """One word is one token."""
    output = await simulated().generate(BASE, GenerationConfig(seed=1, max_tokens=7))
    assert isinstance(output.outcome, Answered)
    assert (output.outcome.finish_reason, output.usage.output_tokens) == ("length", 7)


async def test_latency_is_waited_for_and_can_be_cancelled() -> None:
    """So that concurrency and interruption can be tested without a model."""
    adapter = simulated(latency_ms=60_000)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(adapter.generate(BASE), 0.02)


@given(
    words=st.integers(22, 400),
    pronoun=st.sampled_from(sorted(FORMS)),
    role=st.sampled_from(["nurse", "person"]),
    data=st.data(),
)
@settings(max_examples=60)
def test_texts_have_the_wanted_length_and_one_pronoun(words: int, pronoun: str, role: str, data: st.DataObject) -> None:
    """Exactly, whatever is drawn; "none" has no pronoun at all."""
    draw = st.floats(0, 1, exclude_max=True)
    draws = data.draw(st.lists(draw, min_size=draws_needed(words), max_size=draws_needed(words)))
    text = write(role, pronoun, words, draws)
    assert len(text.split()) == words
    assert pronouns_in(text) == (set() if pronoun == "none" else {pronoun})


@pytest.mark.parametrize("words", range(1, 22))
def test_short_texts_fall_short_by_little(words: int) -> None:
    """By at most three words, and never below the shortest opening sentence of six."""
    text = write("nurse", "she", words, [0.5] * draws_needed(words))
    assert max(6, words - 3) <= len(text.split()) <= max(6, words)


def test_no_other_person_or_gendered_word_appears() -> None:
    """The only signal of gender is the pronoun that was drawn."""
    gendered = {"man", "woman", "male", "female", "mother", "father", "lady", "guy", "sir", "mr", "ms", "mrs"}
    for template in (*bank().openers, *bank().personal, *bank().impersonal):
        words = set(re.findall(r"[a-z]+", template.lower()))
        assert not words & gendered
        assert not words & set().union(*WORD_FORMS.values())
        # a capital inside a sentence could be read as a name
        assert not re.search(r"\s[A-Z]", template)


@pytest.mark.parametrize("name", ["fair", "skewed"])
def test_the_built_in_profiles_are_described_whole(name: str) -> None:
    """The report says simulated, and carries the declaration with its digest."""
    info = open_adapter(f"simulated/{name}").get_model_info()
    assert info.is_simulated
    assert info.provider == "simulated"
    assert info.details["declared"]["name"] == name
    assert re.fullmatch("[0-9a-f]{64}", info.details["profile_digest"])


def test_another_declaration_has_another_digest() -> None:
    """A resumed run notices that the simulated model was changed."""
    digests = {simulated(refusal_rate=rate).get_model_info().details["profile_digest"] for rate in (0.1, 0.2)}
    assert len(digests) == 2


def test_an_unknown_profile_gets_the_nearest_name() -> None:
    """Names without .yaml are built-in profiles."""
    with pytest.raises(UnknownNameError, match="'skewed'"):
        load_profile("skewd")


@pytest.mark.parametrize(
    ("text", "line", "field", "says"),
    [
        ("name: x\nrefusal_rte: 0.1", 2, "refusal_rte", "did you mean 'refusal_rate'"),
        ("name: x\ngroups:\n  female:\n    length_factr: 2", 4, "groups.female.length_factr", "'length_factor'"),
        ("name: x\nrefusal_rate: 1.2", 2, "refusal_rate", "less than or equal to 1"),
        ("name: x\nrefusal_rate: yes", 2, "refusal_rate", "number"),
        ("refusal_rate: 0.5", 1, "name", "required"),
        ("name: x\npronouns:\n  default: {she: 0.6, he: 0.6}", 3, "pronouns.default", "sum to 1, not 1.2"),
        ("name: x\npronouns:\n  roles:\n    nurse: {shee: 1}", 4, "pronouns.roles.nurse.shee", "did you mean 'she'"),
        ("name: x\nrefusal_rate: 0.7\nempty_rate: 0.7", 1, None, "sum to more than 1"),
        ("name: x\ngroups:\n  a: {toxic_rate: 0.1}", 3, "groups.a.toxic_rate", "needs toxic_phrases"),
        ("name: x\nlength: {mean_words: 20, sd_words: 10}", 2, "length", "a quarter"),
        ("name: x\nname: y", 2, None, "second time"),
        ("name: x\n1: y", 2, None, "must be text"),
        ("name: &a x", 1, None, "anchors"),
        ("name: !!python/name:os.system x", 1, None, "tags"),
        ("name: [x", 1, None, "not YAML"),
        ("- name", 1, None, "mapping"),
        ("", None, None, "empty"),
        ("name: 2027-99-99", 1, "name", "cannot be read"),
    ],
)
def test_a_wrong_profile_is_told_where(text: str, line: int | None, field: str | None, says: str) -> None:
    """File, line, field and what was meant."""
    with pytest.raises(SpecError) as caught:
        parse_profile(text.encode(), source="model.yaml")
    error = caught.value
    assert says in str(error)
    assert error.file == "model.yaml"
    assert field is None or error.field == field
    assert line is None or error.line == line


def test_a_missing_profile_file_is_named(tmp_path: Path) -> None:
    """A path ends in .yaml or .yml."""
    with pytest.raises(SpecError, match=r"gone\.yaml"):
        load_profile(str(tmp_path / "gone.yaml"))


yaml_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
profiles = st.dictionaries(st.sampled_from(sorted(Profile.model_fields)), yaml_values)


@given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_a_profile_or_our_error(content: bytes) -> None:
    """Never another exception."""
    _parse(content)


@given(declared=profiles)
@settings(max_examples=60)
def test_any_values_are_a_profile_or_our_error(declared: dict[str, Any]) -> None:
    """With the right keys and whatever behind them."""
    _parse(yaml.safe_dump({"name": "x", **declared}, allow_unicode=True).encode("utf-8", "replace"))


def _parse(content: bytes) -> None:
    try:
        parse_profile(content, source="x.yaml")
    except SpecError:
        return


def _rates(refusal: float, block: float, empty: float, fail: float) -> dict[str, float]:
    return {"refusal_rate": refusal, "block_rate": block, "empty_rate": empty, "fail_rate": fail}


def _kind(output: GeneratedOutput) -> str:
    refusals: Sequence[str] = bank().refusals
    match output.outcome:
        case Blocked():
            return "blocked"
        case Answered(text=""):
            return "empty"
        case Answered(text=text):
            return "refused" if text in refusals else "answered"
        case _:
            return "other"
