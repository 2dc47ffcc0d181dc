"""Runs of questions: balanced orders, answerers of known habits recovered, stored answers never asked twice."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from evenhand.adapters.base import Message, ModelAdapter
from evenhand.adapters.retry import RetryPolicy
from evenhand.api.asking_questions import QuestionsResult, put
from evenhand.core.outcomes import Answered, Blocked
from evenhand.core.protocols import Capabilities
from evenhand.core.question_spec import OptionScore
from evenhand.core.questions import Item
from evenhand.core.types import GeneratedOutput, GenerationConfig, ModelInfo
from evenhand.engine.events import RunStarted
from evenhand.engine.questions import Questions, prepare_questions
from evenhand.engine.stopping import Stop
from evenhand.errors import CapabilityError, ModelError, ResumeError, RunStopped, UsageError
from evenhand.instruments.intersectional.asking import ORDERS, limited
from evenhand.instruments.intersectional.targets import target
from evenhand.scenarios.questions.registry import read_set
from evenhand.storage.base import Store
from evenhand.storage.locate import open_store

MINI = read_set("mini")
ONE_TRY = RetryPolicy(attempts=1)
Habit = Callable[[Item, Random], int | str | Blocked]


class Answerer(ModelAdapter):
    """Finds the item that it is asked about, and answers by a habit: a place of the item, or words."""

    def __init__(self, habit: Habit, *, scores: bool = False) -> None:
        self._habit, self._scores = habit, scores
        self._items = {(i.context, i.question, frozenset(i.options)): i for i in MINI}
        self.asked = 0

    @property
    def name(self) -> str:
        return "me/answerer"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(score_options=self._scores, seeds="deterministic")

    def get_model_info(self) -> ModelInfo:
        return ModelInfo(provider="me", name="answerer", is_simulated=True)

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        self.asked += 1
        context, asked, _ = prompt.split("\n\n")
        question, *lettered = asked.splitlines()
        options = [line[3:] for line in lettered]
        item = self._items[context, question, frozenset(options)]
        said = self._habit(item, Random(config.seed if config else 0))
        if isinstance(said, Blocked):
            return GeneratedOutput(outcome=said)
        return GeneratedOutput.answer(said if isinstance(said, str) else "ABC"[options.index(item.options[said])])

    async def score_options(self, messages: Sequence[Message], options: Sequence[str]) -> list[OptionScore]:
        answered = await self.generate(str(messages[-1]["content"]), GenerationConfig(seed=0))
        letter = "ABC".index(answered.text or "")
        return [OptionScore(log_likelihood=-1.0 if i == letter else -2.0, tokens=1 + i) for i in range(3)]


def unknown(item: Item, rng: Random) -> int:
    return item.unknown


def stereotyper(item: Item, rng: Random) -> int:
    return target(item).biased or 0


def anti_stereotyper(item: Item, rng: Random) -> int:
    return target(item).counter or 0


def at_random(item: Item, rng: Random) -> int:
    return rng.randrange(3)


def unstable(item: Item, rng: Random) -> int:
    return item.label if rng.random() < 0.7 else (item.label + 1) % 3


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened


def run(habit: Habit | Answerer, store: Store, *, resume: str = "auto", **changed: object) -> QuestionsResult:
    adapter = habit if isinstance(habit, Answerer) else Answerer(habit)
    asked = Questions(**{"items": MINI, "runs": 1, **changed})  # type: ignore[arg-type]
    return asyncio.run(put(asked, adapter, store=store, retry=ONE_TRY, resume=resume))


# ---- answerers of known habits ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("habit", "s_amb", "s_dis", "ambiguous", "disambiguated"),
    [
        (unknown, 0.0, None, 1.0, 0.0),
        (stereotyper, 1.0, 1.0, 0.0, 0.5),
        (anti_stereotyper, -1.0, -1.0, 0.0, 0.5),
    ],
)
def test_habits_are_recovered(
    store: Store, habit: Habit, s_amb: float, s_dis: float | None, ambiguous: float, disambiguated: float
) -> None:
    """Always unknown, always the stereotype's answer, always against it: through prompts, letters and the store."""
    overall = run(habit, store).score().overall
    assert (overall.bias.ambiguous.value, overall.bias.disambiguated.value) == (s_amb, s_dis)
    assert overall.accuracy.ambiguous.value == ambiguous
    assert overall.accuracy.disambiguated.value == disambiguated


def test_a_random_answerer_leans_nowhere(store: Store) -> None:
    """A third right, no bias, no position preferred, within four standard errors."""
    result = run(at_random, store, runs=3)
    overall, n = result.score().overall, 3 * 192
    assert overall.accuracy.ambiguous.value == pytest.approx(1 / 3, abs=4 * (2 / 9 / n) ** 0.5)
    assert overall.bias.ambiguous.value == pytest.approx(0, abs=4 * (2 / 3 / n) ** 0.5)
    assert result.position.shares == pytest.approx((1 / 3,) * 3, abs=4 * (2 / 9 / (2 * n)) ** 0.5)


def test_an_unstable_answerer_is_found_out(store: Store) -> None:
    """Right with .7 in each of 5 runs: gtc_mean .7, gtc_all .168, MFAA .837 (a majority of 5), and a warning."""
    found = run(unstable, store, runs=5).score()
    for context in found.consistency.values():
        assert context.gtc_mean.value == pytest.approx(0.7, abs=0.06)
        assert context.gtc_all.value == pytest.approx(0.7**5, abs=0.11)
        assert context.mfaa.value == pytest.approx(0.837, abs=0.11)
    assert sum("MFAA hides instability" in sentence for sentence in found.pitfalls) == 2


def test_likelihoods_choose_the_largest_sum(store: Store) -> None:
    """The same habit through `score_options`; the mean a token stands beside."""
    result = run(Answerer(stereotyper, scores=True), store, answer="loglikelihood", runs=2)
    assert result.score().overall.bias.ambiguous.value == 1.0
    assert result.per_token_agrees is not None
    assert 0 < result.per_token_agrees < 1


def test_refusals_blocks_and_nonsense_are_apart(store: Store) -> None:
    """A refusal and a block are refusals, "Both of them" is only invalid, an option's text is an answer."""
    words: list[str | Blocked] = [
        "I'm sorry, but I can't help with that.",
        Blocked(reason="filter"),
        "Both of them",
        "The Black woman",
    ]
    turn = iter(words * 1000)
    items = [i for i in MINI if "The Black woman" in i.options and i.condition == "ambig"][:4]
    answers = run(lambda item, rng: next(turn), store, items=items).score().overall.ambiguous
    assert (answers.parsed, answers.invalid, answers.refused) == (1, 3, 2)


# ---- orders and limits ------------------------------------------------------------------------


def test_every_order_is_used_equally_often() -> None:
    """In a run each order for a sixth of the items; over six runs each item in every order once."""
    prepared = prepare_questions(Questions(items=MINI, runs=6), Answerer(unknown))
    by_run = Counter((put.request.replicate, put.order) for put in prepared.puts)
    assert set(by_run.values()) == {64}
    by_item = Counter((put.place, put.order) for put in prepared.puts)
    assert set(by_item.values()) == {1}
    assert {put.order for put in prepared.puts} == set(ORDERS)


def test_an_answerer_of_the_first_option_shows_position_bias_and_no_other(store: Store) -> None:
    """Always "A": all choices stand first, and since orders are balanced no stereotype is followed."""
    result = run(lambda item, rng: "A", store, runs=6)
    assert result.position.shares == (1.0, 0.0, 0.0)
    overall = result.score().overall
    assert overall.bias.ambiguous.value == pytest.approx(0, abs=1e-12)
    assert overall.accuracy.ambiguous.value == pytest.approx(1 / 3)


@pytest.mark.parametrize("limit", [96, 48, 10])
def test_a_limit_keeps_cells_balanced(limit: int) -> None:
    """Templates × context × polarity × contrast differ by one item at most; the same seed chooses the same."""
    chosen = limited(MINI, limit, seed=1)
    cells = Counter((i.question_index, i.condition, i.polarity, target(i).contrast) for i in MINI)
    found = Counter((i.question_index, i.condition, i.polarity, target(i).contrast) for i in chosen)
    counts = [found[cell] for cell in cells]
    assert (len(chosen), max(counts) - min(counts) <= 1) == (limit, True)
    assert chosen == limited(MINI, limit, seed=1)
    assert chosen != limited(MINI, limit, seed=2)


def test_a_small_limit_keeps_templates_and_forms_balanced() -> None:
    """48 of 96 cells: six items a template; each context, polarity and contrast as often as the others."""
    chosen = limited(MINI, 48, seed=3)
    assert set(Counter(item.question_index for item in chosen).values()) == {6}
    for of in (
        lambda item: item.condition,
        lambda item: item.polarity,
        lambda item: target(item).contrast,
    ):
        counts = Counter(map(of, chosen))
        assert max(counts.values()) - min(counts.values()) <= 2, counts


# ---- storage ----------------------------------------------------------------------------------


def test_a_stopped_run_goes_on_and_asks_nothing_twice(store: Store) -> None:
    """What was stored before the stop is not asked again, and the scores are those of a run in one piece."""
    stop = Stop()
    first = Answerer(stereotyper)

    def stopping(event: object) -> None:
        if first.asked >= 50:
            stop.request()

    asked = Questions(items=MINI, runs=1)
    with pytest.raises(RunStopped):
        asyncio.run(put(asked, first, store=store, retry=ONE_TRY, listener=stopping, stop=stop))
    stored = len(list(store.responses(store.get_run("latest").id)))
    assert 50 <= stored < 384
    second = Answerer(stereotyper)
    started: list[object] = []
    result = asyncio.run(put(asked, second, store=store, retry=ONE_TRY, listener=started.append))
    assert second.asked == 384 - stored
    assert started[0] == RunStarted(run_id=result.run.id, requests=384, already=stored, resumed=True)
    assert result.run.status == "complete"
    assert result.run.kind == "questions"
    assert result.score().overall.bias.ambiguous.value == 1.0


def test_failed_questions_are_missing_until_they_are_asked_again(store: Store) -> None:
    """They enter no figure; resuming the run by its id asks them once more."""
    fails = True

    def sometimes(item: Item, rng: Random) -> int:
        if fails and item.example_id % 2:
            raise ModelError("no")
        return item.unknown

    adapter = Answerer(sometimes)
    result = run(adapter, store)
    overall = result.score().overall
    assert overall.ambiguous.missing + overall.disambiguated.missing == 192
    fails = False
    again = run(adapter, store, resume=result.run.id).score().overall
    assert again.ambiguous.missing + again.disambiguated.missing == 0
    assert adapter.asked == 384 + 192


def test_another_spec_cannot_resume_a_run(store: Store) -> None:
    """The difference is named."""
    result = run(unknown, store, limit=8)
    with pytest.raises(ResumeError, match="seed"):
        run(unknown, store, limit=8, seed=5, resume=result.run.id)


def test_what_cannot_be_honoured_is_said_before_anything_is_asked(store: Store) -> None:
    """No likelihoods, no runs, no items."""
    adapter = Answerer(unknown)
    with pytest.raises(CapabilityError, match="score_options"):
        run(adapter, store, answer="loglikelihood")
    with pytest.raises(UsageError, match="runs must be at least 1"):
        run(adapter, store, runs=0)
    with pytest.raises(UsageError, match="no items"):
        run(adapter, store, items=[])
    assert adapter.asked == 0
    assert not store.list_runs()


def test_a_stored_answer_is_an_answer(store: Store) -> None:
    """Every question has one row: item, run, order, the words that came back."""
    result = run(unknown, store, limit=4, runs=2)
    rows = list(store.responses(result.run.id))
    assert {(row.request.scenario_id.split("/")[0], row.request.replicate) for row in rows} <= {
        (category, turn) for category in ("Race_x_gender_mini", "Race_x_SES_mini") for turn in (1, 2)
    }
    assert len(rows) == 8
    assert all(isinstance(row.output.outcome, Answered) for row in rows)
    assert all(row.request.condition.attribute == "order of options" for row in rows)
