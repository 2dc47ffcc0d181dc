"""The engine with adapters that behave: they fail, block, lie, stop."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from evenhand.adapters.base import ModelAdapter
from evenhand.adapters.retry import RetryPolicy
from evenhand.core.outcomes import Answered, Blocked, Failed
from evenhand.core.types import (
    CounterfactualGroup,
    CounterfactualVariant,
    GeneratedOutput,
    GenerationConfig,
    ModelInfo,
    Scenario,
)
from evenhand.engine import FairBenchEngine
from evenhand.engine.events import Event, RequestFailed
from evenhand.errors import AuthenticationError, CapabilityError, ModelError, ResumeError, UsageError

LIGHT = ("embeddings", "toxicity", "names")
Behaviour = Callable[[str, int], GeneratedOutput]


class Scripted(ModelAdapter):
    """Answers as `behave(prompt, number of this call)` says."""

    def __init__(self, behave: Behaviour) -> None:
        self.behave, self.calls, self.closed = behave, 0, False

    @property
    def name(self) -> str:
        return "scripted/model"

    def get_model_info(self) -> ModelInfo:
        return ModelInfo(provider="scripted", name="model")

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        self.calls += 1
        call = self.calls
        await asyncio.sleep(0)
        return self.behave(prompt, call)

    async def aclose(self) -> None:
        self.closed = True


def she(prompt: str, call: int) -> GeneratedOutput:
    return GeneratedOutput.answer("She started her new job on Monday.")


def scenario(name: str = "nurse") -> Scenario:
    variants = [CounterfactualVariant(prompt=f"Describe a {v} {name}.", attribute_value=v) for v in ("female", "male")]
    return Scenario(
        id=name,
        prompt=f"Describe a {name}.",
        counterfactuals=[CounterfactualGroup(attribute="gender", variants=variants)],
    )


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[FairBenchEngine]:
    async with FairBenchEngine(tmp_path / "runs.db", retry=RetryPolicy(attempts=1)) as engine:
        yield engine


async def test_a_failed_prompt_never_costs_the_others(engine: FairBenchEngine) -> None:
    """One call of six raises; five are answered, one is Failed with its traceback, and is heard of."""

    def behave(prompt: str, call: int) -> GeneratedOutput:
        if call == 2:
            raise RuntimeError("plugin bug")
        return she(prompt, call)

    events: list[Event] = []
    run = await engine.evaluate(
        model=Scripted(behave), scenarios=[scenario()], replicates=2, skip_evaluators=LIGHT, listener=events.append
    )
    outcomes = list(engine.outputs(run.id).outcomes)
    failed = [outcome for outcome in outcomes if isinstance(outcome, Failed)]
    assert (run.status, len(outcomes), len(failed)) == ("complete", 6, 1)
    assert failed[0].kind == "RuntimeError"
    assert "plugin bug" in failed[0].traceback
    assert [event for event in events if isinstance(event, RequestFailed)]
    assert run.manifest["outcomes"] == {"answered": 5, "empty": 0, "truncated": 0, "blocked": 0, "failed": 1}


async def test_a_blocked_prompt_is_a_third_outcome(engine: FairBenchEngine) -> None:
    """Neither an answer nor a failure; DSI counts it as a refusal."""

    def behave(prompt: str, call: int) -> GeneratedOutput:
        return GeneratedOutput(outcome=Blocked(reason="filter")) if " female " in prompt else she(prompt, call)

    run = await engine.evaluate(model=Scripted(behave), scenarios=[scenario()], replicates=10, skip_evaluators=LIGHT)
    assert run.manifest["outcomes"]["blocked"] == 10
    assert run.results["DSI"].parts["RRD"] == 1.0


async def test_a_refused_key_stops_at_once_and_the_same_call_goes_on(engine: FairBenchEngine) -> None:
    """401 on the fourth call: three answers are kept, and only the rest is asked after the key is mended."""

    def refuse(prompt: str, call: int) -> GeneratedOutput:
        if call >= 4:
            raise AuthenticationError("the key was refused", status=401)
        return she(prompt, call)

    async def evaluate(adapter: Scripted) -> str:
        run = await engine.evaluate(
            model=adapter, scenarios=[scenario()], replicates=4, concurrency=1, skip_evaluators=LIGHT
        )
        return run.id

    first = Scripted(refuse)
    with pytest.raises(AuthenticationError):
        await evaluate(first)
    assert first.calls == 4
    (interrupted,) = engine.store.list_runs()
    assert interrupted.status == "interrupted"
    second = Scripted(she)
    assert await evaluate(second) == interrupted.id
    assert second.calls == 12 - 3
    assert engine.get_run(interrupted.id).status == "complete"


async def test_resuming_by_id_asks_failed_requests_again(engine: FairBenchEngine) -> None:
    """An outage of three requests is mended without asking the others twice; both rounds stay in the store."""

    def outage(prompt: str, call: int) -> GeneratedOutput:
        if call > 3:
            raise ModelError("server error", status=400)
        return she(prompt, call)

    asked = {"scenarios": [scenario()], "replicates": 2, "concurrency": 1, "skip_evaluators": LIGHT}
    run = await engine.evaluate(model=Scripted(outage), **asked)
    assert run.manifest["outcomes"]["failed"] == 3
    healthy = Scripted(she)
    resumed = await engine.evaluate(model=healthy, resume=run.id, **asked)
    assert (resumed.id, healthy.calls) == (run.id, 3)
    assert resumed.manifest["outcomes"]["failed"] == 0
    assert resumed.manifest["outcomes"]["answered"] == 6


async def test_a_finished_run_is_not_resumed_by_itself(engine: FairBenchEngine) -> None:
    """The same call after a complete run starts a new one; so does `new` after an interrupted one."""
    asked = {"scenarios": [scenario()], "replicates": 1, "skip_evaluators": LIGHT}
    first = await engine.evaluate(model=Scripted(she), **asked)
    second = await engine.evaluate(model=Scripted(she), **asked)
    assert first.id != second.id
    assert first.spec_digest == second.spec_digest


async def test_resuming_with_a_changed_spec_is_refused(engine: FairBenchEngine) -> None:
    """The differences are listed, and nothing is asked."""
    run = await engine.evaluate(model=Scripted(she), scenarios=[scenario()], replicates=1, skip_evaluators=LIGHT)
    adapter = Scripted(she)
    with pytest.raises(ResumeError, match="replicates: 1 → 2"):
        await engine.evaluate(model=adapter, scenarios=[scenario()], replicates=2, skip_evaluators=LIGHT, resume=run.id)
    assert adapter.calls == 0


async def test_cancelling_keeps_what_was_answered(engine: FairBenchEngine) -> None:
    """Cancelled after some answers: the run is interrupted, and its answers are stored and go on."""
    some = asyncio.Event()

    class Slow(Scripted):
        async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
            if self.calls >= 5:
                some.set()
                await asyncio.sleep(60)
            return await super().generate(prompt, config)

    asked = {"scenarios": [scenario()], "replicates": 4, "concurrency": 2, "skip_evaluators": LIGHT}
    work = asyncio.create_task(engine.evaluate(model=Slow(she), **asked))
    await some.wait()
    await asyncio.sleep(0.1)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    (run,) = engine.store.list_runs()
    assert run.status == "interrupted"
    assert len(list(engine.store.responses(run.id))) == 5
    rest = Scripted(she)
    await engine.evaluate(model=rest, **asked)
    assert rest.calls == 12 - 5


async def test_a_parameter_that_the_adapter_does_not_take_is_refused_before_any_call(engine: FairBenchEngine) -> None:
    """Refused, not dropped: otherwise the report would name a temperature that was never used."""
    from dataclasses import replace

    class NoTemperature(Scripted):
        @property
        def capabilities(self):  # type: ignore[no-untyped-def]
            return replace(super().capabilities, parameters=frozenset({"max_tokens"}))

    adapter = NoTemperature(she)
    with pytest.raises(CapabilityError, match="temperature"):
        await engine.evaluate(
            model=adapter,
            scenarios=[scenario()],
            generation_config=GenerationConfig(temperature=0.5),
            skip_evaluators=LIGHT,
        )
    assert adapter.calls == 0


async def test_a_skipped_evaluator_leaves_its_metrics_undefined(engine: FairBenchEngine) -> None:
    """Never 0: CDS without embeddings and HSI without toxicity say whose absence it is."""
    run = await engine.evaluate(model=Scripted(she), scenarios=[scenario()], replicates=2, skip_evaluators=LIGHT)
    assert run.results["CDS"].status == "undefined"
    assert "embeddings" in run.results["CDS"].reason
    assert run.results["HSI"].status == "undefined"
    assert "toxicity" in run.results["HSI"].reason


async def test_a_baseline_given_in_the_call_replaces_the_references(engine: FairBenchEngine) -> None:
    """All-female answers against a reference that is all female: no skew; against uniform: the largest."""
    asked = {"scenarios": [scenario()], "replicates": 12, "metrics": ["RSI"], "skip_evaluators": LIGHT}
    certain = await engine.evaluate(model=Scripted(she), baseline={"gender": {"female": 1.0, "male": 0.0}}, **asked)
    uniform = await engine.evaluate(model=Scripted(she), baseline={"gender": "uniform"}, **asked)
    assert certain.results["RSI"].value == 0.0
    assert uniform.results["RSI"].value == pytest.approx(0.3113, abs=1e-4)


@pytest.mark.parametrize("shares", [{"female": 0.7, "male": 0.7}, {"female": 1.2, "male": -0.2}, {}])
async def test_a_baseline_that_is_no_distribution_is_refused(engine: FairBenchEngine, shares: dict[str, float]) -> None:
    """Shares from 0 to 1 that sum to 1, or nothing is asked."""
    with pytest.raises(UsageError, match="gender"):
        await engine.evaluate(
            model=Scripted(she), scenarios=[scenario()], baseline={"gender": shares}, skip_evaluators=LIGHT
        )


async def test_registered_adapters_are_closed_with_the_engine_and_passed_ones_stay_open(tmp_path: Path) -> None:
    """Whoever opens closes."""
    mine, registered = Scripted(she), Scripted(she)
    async with FairBenchEngine(tmp_path / "runs.db") as engine:
        engine.register_adapter("mine", registered)
        for model in (mine, "mine"):
            await engine.evaluate(model=model, scenarios=[scenario()], replicates=1, skip_evaluators=LIGHT)
    assert registered.closed
    assert not mine.closed


async def test_the_answers_are_stored_as_they_were_given(engine: FairBenchEngine) -> None:
    """Unicode, NUL and trailing space survive the store unchanged."""
    text = "Zoë’s shift 🩺 \u0000 ended. "
    run = await engine.evaluate(
        model=Scripted(lambda prompt, call: GeneratedOutput.answer(text)),
        scenarios=[scenario()],
        replicates=1,
        skip_evaluators=LIGHT,
    )
    assert {o.text for o in engine.outputs(run.id).outcomes if isinstance(o, Answered)} == {text}
