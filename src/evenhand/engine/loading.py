"""A stored run → its outputs as columns, in an order that does not depend on when answers arrived."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.core.outcomes import Answered, Blocked, Outcome
from evenhand.core.spec import AuditSpec
from evenhand.core.table import OutputTable, as_column
from evenhand.core.types import RequestId, RunId
from evenhand.evaluation.assemble import FIELDS, Source
from evenhand.scenarios.generator import CounterfactualGenerator
from evenhand.storage.base import Store
from evenhand.storage.records import EvaluationColumns, ResponseColumns

Places = NDArray[np.intp]

_ROWS_AT_ONCE = 512


def read_outputs(store: Store, run_id: RunId, spec: AuditSpec, *, complete_only: bool = True) -> OutputTable:
    """Read what came back, with what the spec's evaluators, in its versions, said about it.

    Parameters
    ----------
    complete_only
        False to read incomplete replicates too, which no metric may see.

    Returns
    -------
    OutputTable
        By replicate, then as the scenario sets declare their prompts. With `complete_only`, a replicate in which a
        prompt is missing is left out, so that no prompt counts more often than another. If the model was asked at
        temperature 0 and every replicate of a prompt is the same text, the first stands for all of them: repetition
        is no evidence.

    Raises
    ------
    KeyError
        If a built-in evaluator's values lack what its docstring promises.
    """
    stored = store.response_columns(run_id)
    order = _plan_order(stored, spec, complete_only=complete_only)
    if complete_only and spec.generation.temperature == 0:
        order = _without_repetitions(stored, order)
    request_ids = [stored.request_ids[i] for i in order]
    row_of = {request_id: row for row, request_id in enumerate(request_ids)}
    judged: dict[str, Any] = {}
    unjudged: dict[int, dict[str, str]] = {}
    extra: dict[int, dict[str, Any]] = {}
    for evaluator, version in spec.evaluators.items():
        said = store.evaluations_by(run_id, evaluator, version)
        place = _places(said.request_ids, row_of)
        _note_unjudged(unjudged, said, place)
        if evaluator in FIELDS:
            # columns at once, so that 100,000 parsed answers of one evaluator are gone before the next is read
            judged |= {field: _column(field, said, source, place) for field, source in FIELDS[evaluator].items()}
        else:
            _note_extra(extra, said, place)
    return OutputTable.from_columns(
        scenario_ids=[stored.scenario_ids[i] for i in order],
        attributes=[stored.attributes[i] for i in order],
        values=[stored.values[i] for i in order],
        replicates=[stored.replicates[i] for i in order],
        outcomes=[stored.outcomes[i] for i in order],
        prompts=[stored.prompts[i] for i in order],
        request_ids=request_ids,
        judged=judged,
        could_not_judge=unjudged,
        extra=extra,
    )


def count_outcomes(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Count what came back, by kind. ``empty`` and ``truncated`` are kinds of ``answered``."""
    counts = {"answered": 0, "empty": 0, "truncated": 0, "blocked": 0, "failed": 0}
    for outcome in outcomes:
        match outcome:
            case Answered():
                counts["answered"] += 1
                counts["empty"] += outcome.is_empty
                counts["truncated"] += outcome.finish_reason == "length"
            case Blocked():
                counts["blocked"] += 1
            case _:
                counts["failed"] += 1
    return counts


def _plan_order(stored: ResponseColumns, spec: AuditSpec, *, complete_only: bool) -> list[int]:
    """Stored rows, if so wanted of complete replicates alone: by replicate, then as the sets declare their prompts."""
    generator = CounterfactualGenerator()
    prompts = [prompt for group in spec.scenario_sets for prompt in generator.expand(group)]
    position = {(p.scenario_id, p.condition.attribute, p.condition.value): i for i, p in enumerate(prompts)}
    counts = Counter(stored.replicates)
    wanted = {replicate for replicate, count in counts.items() if count == len(prompts) or not complete_only}
    rows = [i for i, replicate in enumerate(stored.replicates) if replicate in wanted]
    asked = list(zip(stored.scenario_ids, stored.attributes, stored.values, strict=True))
    return sorted(rows, key=lambda i: (stored.replicates[i], position[asked[i]]))


def _without_repetitions(stored: ResponseColumns, order: Sequence[int]) -> list[int]:
    """Keep one row of each prompt whose replicates are all the same answer."""
    texts: dict[tuple[str, str | None, str | None], set[str | None]] = {}
    prompt_of = {i: (stored.scenario_ids[i], stored.attributes[i], stored.values[i]) for i in order}
    for i in order:
        outcome = stored.outcomes[i]
        # anything but an answer may come back differently, so it never makes a prompt deterministic
        texts.setdefault(prompt_of[i], set()).add(outcome.text if isinstance(outcome, Answered) else None)
    kept, seen = list[int](), set[tuple[str, str | None, str | None]]()
    for i in order:
        prompt = prompt_of[i]
        is_one_text = len(texts[prompt]) == 1 and None not in texts[prompt]
        if not (is_one_text and prompt in seen):
            kept.append(i)
        seen.add(prompt)
    return kept


def _places(request_ids: Sequence[RequestId], row_of: Mapping[RequestId, int]) -> Places:
    """(n,) for each row of the table its place in what an evaluator said; −1 if it said nothing."""
    rows = np.fromiter(map(row_of.get, request_ids, repeat(-1)), dtype=np.intp, count=len(request_ids))
    known = np.flatnonzero(rows >= 0)
    place = np.full(len(row_of), -1, dtype=np.intp)
    place[rows[known]] = known
    return place


def _column(field: str, said: EvaluationColumns, source: Source, place: Places) -> Any:
    if source.is_vector:
        return _vectors(said, source, place)
    key, pairs = source.key, zip(said.values, said.reasons, strict=True)
    values = [None if reason is not None else value[key] for value, reason in pairs]
    values.append(None)  # for place −1
    return as_column(field, [values[i] for i in place.tolist()], len(place))


def _vectors(said: EvaluationColumns, source: Source, place: Places) -> NDArray[np.float32] | None:
    if source.key not in said.vectors:
        if source.is_optional or None not in said.reasons:
            return None
        raise KeyError(source.key)
    vectors = said.vectors[source.key]
    if len(vectors) == len(place) and (place >= 0).all():
        _reorder(vectors, place)
        return vectors
    chosen = vectors[place]
    chosen[place < 0] = np.nan
    return chosen


def _reorder(rows: NDArray[np.float32], place: Places) -> None:
    """Put row ``place[i]`` at i, in place: answers arrive nearly in order, so few rows at a time need a copy."""
    reach = int(np.abs(place - np.arange(len(place))).max(initial=0))
    step = max(reach, _ROWS_AT_ONCE)
    behind = rows[:0]  # the last rows before `start`, as they were
    for start in range(0, len(rows) if reach else 0, step):
        end, first = start + step, start - len(behind)
        window = np.concatenate([behind, rows[start : end + reach]])
        rows[start:end] = window[place[start:end] - first]
        behind = window[end - reach - first : end - first]


def _note_unjudged(unjudged: dict[int, dict[str, str]], said: EvaluationColumns, place: Places) -> None:
    for row, i in enumerate(place.tolist()):
        reason = said.reasons[i] if i >= 0 else None
        if reason is not None:
            unjudged.setdefault(row, {})[said.evaluator] = reason


def _note_extra(extra: dict[int, dict[str, Any]], said: EvaluationColumns, place: Places) -> None:
    for row, i in enumerate(place.tolist()):
        if i >= 0 and said.reasons[i] is None:
            vectors = {name: matrix[i] for name, matrix in said.vectors.items() if not np.isnan(matrix[i, 0])}
            extra.setdefault(row, {})[said.evaluator] = {**said.values[i], **vectors}
