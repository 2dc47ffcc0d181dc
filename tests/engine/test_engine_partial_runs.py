"""Runs that end before they are done: at their budget, or because somebody asked. Both go on later."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from evenhand.adapters.base import ModelAdapter
from evenhand.adapters.retry import RetryPolicy
from evenhand.core.outcomes import Answered, Failed, Usage
from evenhand.core.results import MetricResult
from evenhand.core.types import (
    CounterfactualGroup,
    CounterfactualVariant,
    GeneratedOutput,
    GenerationConfig,
    ModelInfo,
    Scenario,
)
from evenhand.engine import FairBenchEngine
from evenhand.engine.events import Event, Progress
from evenhand.engine.prepare import Audit
from evenhand.engine.stopping import Stop
from evenhand.engine.unfinished import cap_verdicts
from evenhand.errors import ModelError, RunStopped, UsageError

LIGHT = ("embeddings", "toxicity", "names")
# one answer of 10 tokens costs 10 × 1000 / 1e6 = .01 USD, at most 20 tokens = .02 USD; prompts are free
PRICES = "prices: [{provider: metered, model: m, input: 0, output: 1000, as_of: 2026-11-30, source: test}]"
LIMIT = GenerationConfig(max_tokens=20)


class Metered(ModelAdapter):
    """Answers with 10 tokens, and counts them unless told otherwise."""

    def __init__(self, usage: Usage = Usage(input_tokens=5, output_tokens=10)) -> None:
        self.usage, self.calls = usage, 0

    @property
    def name(self) -> str:
        return "metered/m"

    def get_model_info(self) -> ModelInfo:
        return ModelInfo(provider="metered", name="m")

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        self.calls += 1
        await asyncio.sleep(0)
        return GeneratedOutput(outcome=Answered(text="She began on Monday.", finish_reason="stop"), usage=self.usage)


def audit(model: ModelAdapter, *, budget_usd: float | None = None, **changes: object) -> Audit:
    variants = [CounterfactualVariant(prompt=f"Describe a {v} nurse.", attribute_value=v) for v in ("female", "male")]
    scenario = Scenario(
        id="nurse",
        prompt="Describe a nurse.",
        counterfactuals=[CounterfactualGroup(attribute="gender", variants=variants)],
    )
    asked: dict[str, object] = {
        "scenarios": [scenario],
        "replicates": 4,
        "generation_config": LIMIT,
        "skip_evaluators": LIGHT,
        **changes,
    }
    return Audit(model=model, budget_usd=budget_usd, **asked)  # type: ignore[arg-type]


@pytest.fixture
def priced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "prices.yaml").write_text(PRICES)
    monkeypatch.setenv("EVENHAND_PRICES", str(tmp_path / "prices.yaml"))


@pytest.fixture
async def engine(tmp_path: Path, priced: None) -> AsyncIterator[FairBenchEngine]:
    async with FairBenchEngine(tmp_path / "runs.db", retry=RetryPolicy(attempts=1)) as engine:
        yield engine


def nested(result: MetricResult) -> list[MetricResult]:
    parts = [*result.by_scenario.values(), *result.by_attribute.values()]
    return [result, *(inner for part in parts for inner in nested(part))]


async def test_a_run_ends_at_its_budget_and_says_so_everywhere(engine: FairBenchEngine) -> None:
    """12 requests of .01 USD, at most .02; .075 USD: after six .06 are spent, and a seventh might need .02."""
    adapter = Metered()
    run = await engine.run(audit(adapter, budget_usd=0.075), concurrency=1)
    assert (run.status, adapter.calls) == ("partial", 6)
    cost = run.manifest["cost"]
    assert cost["usd"] == pytest.approx(0.06)
    assert (cost["budget_usd"], cost["input_tokens"], cost["output_tokens"]) == (0.075, 30, 60)
    assert (cost["price"]["as_of"], cost["answers_not_counted"]) == ("2026-11-30", 0)
    assert run.manifest["requested"] == 12
    assert len(engine.outputs(run.id)) == 6  # two complete replicates of three prompts
    judged = [part for result in run.results.values() for part in nested(result) if part.value is not None]
    assert judged
    assert {part.verdict for part in judged} == {"inconclusive"}
    assert all(part.reason.startswith("the run is partial") for part in judged)


async def test_metrics_use_complete_replicates_only(engine: FairBenchEngine) -> None:
    """Seven answers of three prompts: the seventh would weigh its prompt more than the others."""
    run = await engine.run(audit(Metered(), budget_usd=0.085), concurrency=1)
    assert len(list(engine.store.responses(run.id))) == 7
    assert sorted(engine.outputs(run.id).replicate.tolist()) == [1, 1, 1, 2, 2, 2]


async def test_a_partial_run_without_a_complete_replicate_has_no_numbers(engine: FairBenchEngine) -> None:
    """Two answers of three prompts: every metric is undefined, none is 0."""
    run = await engine.run(audit(Metered(), budget_usd=0.035), concurrency=1)
    assert run.status == "partial"
    assert {result.status for result in run.results.values()} == {"undefined"}


async def test_the_same_audit_with_a_larger_budget_goes_on(engine: FairBenchEngine) -> None:
    """Nothing is asked twice, what was spent counts, and the finished run is judged like any other."""
    first = await engine.run(audit(Metered(), budget_usd=0.075), concurrency=1)
    again = Metered()
    same = await engine.run(audit(again, budget_usd=0.075), concurrency=1)
    assert (same.id, same.status, again.calls) == (first.id, "partial", 0)
    more = Metered()
    further = await engine.run(audit(more, budget_usd=0.095), concurrency=1)
    assert (further.id, further.status, more.calls) == (first.id, "partial", 2)
    assert further.manifest["cost"]["usd"] == pytest.approx(0.08)
    rest = Metered()
    done = await engine.run(audit(rest), concurrency=1)
    assert (done.id, done.status, rest.calls) == (first.id, "complete", 4)
    assert done.manifest["cost"]["usd"] == pytest.approx(0.12)
    assert done.manifest["cost"]["budget_usd"] is None
    assert not any(result.reason.startswith("the run is partial") for result in done.results.values())


@pytest.mark.parametrize("concurrency", [1, 4, 64])
async def test_requests_side_by_side_never_exceed_the_budget(engine: FairBenchEngine, concurrency: int) -> None:
    """Every answer costs its worst case, .02 USD: .1 USD buys five, whatever the concurrency."""
    adapter = Metered(Usage(input_tokens=5, output_tokens=20))
    run = await engine.run(audit(adapter, budget_usd=0.1), concurrency=concurrency)
    assert (run.status, adapter.calls) == ("partial", 5)
    assert run.manifest["cost"]["usd"] == pytest.approx(0.1)


async def test_an_answer_whose_tokens_nobody_counted_costs_its_worst_case(engine: FairBenchEngine) -> None:
    """Cheaper would be a guess; the manifest says how much of the sum is one."""
    adapter = Metered(Usage())
    run = await engine.run(audit(adapter, budget_usd=0.07), concurrency=1)
    assert adapter.calls == 3
    cost = run.manifest["cost"]
    assert (cost["answers_not_counted"], cost["assumed_usd"]) == (3, pytest.approx(0.06))


async def test_answers_that_came_to_nothing_and_were_asked_again_are_paid_for(engine: FairBenchEngine) -> None:
    """A failed reply that used tokens costs, and still counts when a later round replaced it."""

    class Useless(Metered):
        async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
            return replace(await super().generate(prompt, config), outcome=Failed(error="no text in the reply"))

    first = await engine.run(audit(Useless(), replicates=1))
    assert first.manifest["cost"]["usd"] == pytest.approx(0.03)
    second = await engine.run(audit(Metered(), replicates=1), resume=first.id)
    assert second.manifest["cost"]["usd"] == pytest.approx(0.06)
    assert second.manifest["outcomes"]["answered"] == 3


async def test_a_budget_needs_a_price(tmp_path: Path) -> None:
    """Without one it could not be kept; the message says how to supply it, and nothing is asked."""
    adapter = Metered()
    async with FairBenchEngine(tmp_path / "runs.db") as engine:
        with pytest.raises(UsageError, match="EVENHAND_PRICES"):
            await engine.run(audit(adapter, budget_usd=1))
    assert adapter.calls == 0
    assert not (tmp_path / "runs.db").exists()


async def test_a_budget_needs_a_limit_of_the_answers(engine: FairBenchEngine) -> None:
    """An answer without a limit has no worst case."""
    with pytest.raises(UsageError, match="max_tokens"):
        await engine.run(audit(Metered(), budget_usd=1, generation_config=GenerationConfig(max_tokens=None)))


async def test_a_budget_below_the_first_request_is_refused(engine: FairBenchEngine) -> None:
    """Better than a run without an answer."""
    with pytest.raises(UsageError, match=r"does not cover the first request, which may cost up to 0\.02 USD"):
        await engine.run(audit(Metered(), budget_usd=0.001))


async def test_a_model_that_costs_nothing_never_ends_a_budget(engine: FairBenchEngine, tmp_path: Path) -> None:
    """Free is a price; so is "no limit" for it."""
    (tmp_path / "prices.yaml").write_text(PRICES.replace("1000", "0"))
    free = audit(Metered(), budget_usd=0.001, generation_config=GenerationConfig(max_tokens=None))
    run = await engine.run(free)
    assert (run.status, run.manifest["cost"]["usd"]) == ("complete", 0.0)


async def test_without_a_price_the_cost_is_unknown_not_zero(tmp_path: Path) -> None:
    """Tokens are counted all the same."""
    async with FairBenchEngine(tmp_path / "runs.db") as engine:
        run = await engine.run(audit(Metered()))
    cost = run.manifest["cost"]
    assert (cost["usd"], cost["price"], cost["output_tokens"]) == (None, None, 120)


async def test_progress_tells_the_cost_so_far(engine: FairBenchEngine) -> None:
    """The last event of the answers holds what the manifest says."""
    events: list[Event] = []
    run = await engine.run(audit(Metered()), listener=events.append)
    costs = [e.cost_usd for e in events if isinstance(e, Progress) and e.stage == "answers"]
    assert costs == sorted(costs, key=lambda usd: usd or 0)
    assert costs[-1] == pytest.approx(run.manifest["cost"]["usd"])


# ---- asked to stop ----


class Stopping(Metered):
    """Asks the run to stop with its third call, and takes `after_s` seconds for that answer."""

    def __init__(self, stop: Stop, *, after_s: float = 0.0) -> None:
        super().__init__()
        self.stop, self.after_s, self.cancelled = stop, after_s, False

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        output = await super().generate(prompt, config)
        if self.calls == 3:
            self.stop.request()
            try:
                await asyncio.sleep(self.after_s)
            except asyncio.CancelledError:
                self.cancelled = True
                raise
        return output


async def stopped(engine: FairBenchEngine, adapter: Stopping, stop: Stop) -> str:
    with pytest.raises(RunStopped) as caught:
        await engine.run(audit(adapter), concurrency=1, stop=stop)
    assert engine.get_run(caught.value.run_id).status == "interrupted"
    return caught.value.run_id


async def test_a_run_that_is_asked_to_stop_keeps_the_answer_under_way(engine: FairBenchEngine) -> None:
    """Nothing more is asked; the third answer, paid for, is stored; the same call goes on from there."""
    stop = Stop(grace_s=60)
    adapter = Stopping(stop, after_s=0.05)
    run_id = await stopped(engine, adapter, stop)
    assert (adapter.calls, adapter.cancelled) == (3, False)
    assert len(list(engine.store.responses(run_id))) == 3
    rest = Metered()
    done = await engine.run(audit(rest), concurrency=1)
    assert (done.id, done.status, rest.calls) == (run_id, "complete", 9)


async def test_what_does_not_come_within_the_grace_is_cancelled(engine: FairBenchEngine) -> None:
    """An answer that takes an hour is given up, and asked again when the run goes on."""
    stop = Stop(grace_s=0.01)
    adapter = Stopping(stop, after_s=3600)
    run_id = await stopped(engine, adapter, stop)
    assert adapter.cancelled
    assert len(list(engine.store.responses(run_id))) == 2


async def test_answers_left_unjudged_are_judged_when_the_run_goes_on(engine: FairBenchEngine) -> None:
    """Stopped while evaluators had work left: the resumed run ends like one that was left alone."""
    calm = await engine.run(audit(Metered()), concurrency=1, resume="new")
    stop = Stop(grace_s=60)
    run_id = await stopped(engine, Stopping(stop), stop)
    done = await engine.run(audit(Metered()), concurrency=1)
    assert done.id == run_id
    assert done.results == calm.results


async def test_scoring_an_interrupted_run_decides_nothing(engine: FairBenchEngine) -> None:
    """Its numbers describe the complete replicates; no verdict rests on them."""
    stop = Stop()
    run_id = await stopped(engine, Stopping(stop), stop)
    scored = engine.score(run_id)
    judged = [result for result in scored.results.values() if result.value is not None]
    assert judged
    assert all(result.reason.startswith("the run was interrupted") for result in judged)


def test_a_verdict_of_a_partial_run_is_inconclusive_whatever_it_was() -> None:
    """A pass, and a reason that was there already, at every depth; undefined stays undefined; complete stays as is."""
    part = MetricResult(metric="X", value=0.5, verdict="fail")
    results = {
        "X": MetricResult(metric="X", value=0.1, verdict="pass", reason="thin", by_attribute={"gender": part}),
        "Y": MetricResult(metric="Y", value=None, status="undefined", reason="no answers"),
    }
    capped = cap_verdicts(results, "partial")
    assert (capped["X"].verdict, capped["X"].reason) == ("inconclusive", "the run is partial; thin")
    assert capped["X"].by_attribute["gender"].reason == "the run is partial"
    assert capped["Y"] == results["Y"]
    assert cap_verdicts(results, "complete") is results


async def test_failures_cost_nothing_and_are_no_reason_to_stop(engine: FairBenchEngine) -> None:
    """Providers do not bill what they refuse: all twelve requests are tried within the smallest budget."""

    class Down(Metered):
        async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
            self.calls += 1
            raise ModelError("server error", status=400)

    adapter = Down()
    run = await engine.run(audit(adapter, budget_usd=0.02))
    assert (run.status, adapter.calls, run.manifest["cost"]["usd"]) == ("failed", 12, 0.0)
