"""ask_questions(): put items to a model several times, and score what it chose."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenhand.adapters.registry import open_adapter
from evenhand.adapters.retry import RetryPolicy
from evenhand.api.auditing import wait_for
from evenhand.core.outcomes import Answered
from evenhand.core.protocols import Adapter, Judged, Subject
from evenhand.core.question_spec import AnswerMode, QuestionSpec, Style
from evenhand.core.questions import Item
from evenhand.core.types import EvaluationRun
from evenhand.engine.events import Listener, ignore
from evenhand.engine.question_answers import choices_of, read_scores
from evenhand.engine.questions import PreparedQuestions, Questions, prepare_questions, run_questions
from evenhand.engine.stopping import Stop
from evenhand.evaluation.refusal import RefusalClassifier
from evenhand.instruments.intersectional.position import Position, position
from evenhand.instruments.intersectional.result import Intersectional, score
from evenhand.instruments.intersectional.table import Choices, ItemTable
from evenhand.instruments.intersectional.variants import Variant
from evenhand.reporting.document.model import Document
from evenhand.reporting.intersectional.asked import with_run
from evenhand.reporting.intersectional.document import document
from evenhand.scenarios.questions.registry import read_set
from evenhand.storage.base import Store
from evenhand.storage.locate import open_store


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuestionsResult:
    """A stored run of questions with what it says.

    Attributes
    ----------
    choices
        (N, R) places in the items' own order, as `instruments.intersectional.table` codes them.
    position
        How often what stood first, second, third was chosen.
    per_token_agrees
        Share of answers in which the mean log-likelihood a token would choose the same; None unless likelihoods were
        compared.
    """

    run: EvaluationRun
    spec: QuestionSpec
    items: Sequence[Item]
    choices: Choices
    position: Position
    per_token_agrees: float | None

    def score(self, *, variant: Variant = "bbq", seed: int = 0, level: float = 0.95) -> Intersectional:
        """Compute every figure; the parameters are those of `intersectional`."""
        table = ItemTable.of(self.items)
        return score(table, self.choices, variant=variant, rng=np.random.default_rng(seed), level=level)

    def document(self, found: Intersectional, *, written: str) -> Document:
        """Write the report; `written` is a UTC time in ISO 8601."""
        source = {"run": self.run.id, "model": self.spec.model, "answers": f"by {self.spec.answer}"}
        made = document(found, title=f"{self.spec.model}, {self.run.name}", written=written, source=source)
        return with_run(made, self.run, self.spec, self.position, self.per_token_agrees)


def ask_questions(
    model: str | Adapter,
    data: str | Path | Sequence[str | Path] = "mini",
    *,
    runs: int = 20,
    answer: AnswerMode = "generate",
    style: Style = "zero-shot",
    limit: int | None = None,
    seed: int = 0,
    concurrency: int = 8,
    resume: str = "auto",
    store: Store | str | Path | None = None,
    listener: Listener = ignore,
) -> QuestionsResult:
    """Put every item to `model` in `runs` orders of its options, store every answer, and read what was chosen.

    Parameters
    ----------
    model
        ``"provider/name"`` or an adapter. An adapter that you pass stays open.
    data
        ``"mini"`` for the set that ships, or files in BBQ's schema.
    answer
        ``"generate"`` reads the model's text; ``"loglikelihood"`` takes the option whose text is likeliest.
    limit
        Items at most, balanced over templates, contexts, polarities and contrasts.
    resume
        ``"auto"``, ``"new"``, or the id of a run to go on with.

    Raises
    ------
    UsageError, DataError
        Before any call to the model, if something cannot be honoured.
    ModelError
        If the provider refuses the key.
    """
    sources = [data] if isinstance(data, (str, Path)) else list(data)
    name = ", ".join(Path(source).name for source in sources)
    asked = Questions(
        items=read_set(*sources), name=name, runs=runs, answer=answer, style=style, limit=limit, seed=seed
    )
    return wait_for(put(asked, model, concurrency=concurrency, resume=resume, store=store, listener=listener))


async def put(
    asked: Questions,
    model: str | Adapter,
    *,
    concurrency: int = 8,
    resume: str = "auto",
    store: Store | str | Path | None = None,
    retry: RetryPolicy | None = None,
    listener: Listener = ignore,
    stop: Stop | None = None,
) -> QuestionsResult:
    """Do what `ask_questions` does, inside a running event loop.

    Raises
    ------
    RunStopped
        If `stop` was requested before every question was answered.
    """
    adapter = open_adapter(model) if isinstance(model, str) else model
    opened = open_store(store) if store is None or isinstance(store, (str, Path)) else store
    try:
        prepared = prepare_questions(asked, adapter)
        run = await run_questions(
            prepared,
            store=opened,
            concurrency=concurrency,
            resume=resume,
            retry=retry,
            listener=listener,
            stop=stop,
        )
        return _read(opened, run, prepared)
    finally:
        if opened is not store:
            opened.close()
        if adapter is not model:
            await adapter.aclose()


def _read(store: Store, run: EvaluationRun, prepared: PreparedQuestions) -> QuestionsResult:
    responses, spec = list(store.responses(run.id)), prepared.spec
    refusal = RefusalClassifier()

    def is_refusal(text: str) -> bool:
        (judged,) = refusal.evaluate([Subject(text=text, masked=text)])
        return isinstance(judged, Judged) and bool(judged.values.get("is_refusal"))

    choices = choices_of(
        responses, prepared.puts, prepared.items, runs=spec.runs, answer=spec.answer, is_refusal=is_refusal
    )
    orders = [[(0, 1, 2)] * spec.runs for _ in prepared.items]
    for each in prepared.puts:
        orders[each.place][each.request.replicate - 1] = each.order
    texts = [r.output.outcome.text for r in responses if isinstance(r.output.outcome, Answered)]
    return QuestionsResult(
        run=run,
        spec=spec,
        items=prepared.items,
        choices=choices,
        position=position(choices, orders),
        per_token_agrees=_agreement(texts) if spec.answer == "loglikelihood" else None,
    )


def _agreement(texts: Sequence[str]) -> float | None:
    scored = [read_scores(text) for text in texts]
    same = [
        max(range(3), key=lambda i: scores[i].log_likelihood) == max(range(3), key=lambda i: scores[i].per_token)
        for scores in scored
    ]
    return sum(same) / len(same) if same else None
