"""The scorecard as strict JSON: raw numbers, and beside each value the text that the other forms print."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import orjson

from evenhand._base.digest import canonical
from evenhand.reporting.view import Answer, Calibration, Flow, MetricView, ResultView, Scorecard

VERSION = "1.1"


def render(card: Scorecard) -> str:
    """Write the scorecard as JSON text, keys in the order of `as_json`.

    Raises
    ------
    ValueError
        If a manifest or table holds NaN or infinity, which JSON cannot say.
    """
    plain = as_json(card)
    canonical(plain)  # refuses NaN and infinity, which orjson alone would turn into null
    return orjson.dumps(plain, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def as_json(card: Scorecard) -> dict[str, Any]:
    """Return the scorecard as plain JSON values."""
    return {
        "evenhand_scorecard": True,
        "scorecard_version": VERSION,
        "generated_at": card.generated_at,
        "run": _run(card),
        "model": _plain(asdict(card.model)),
        "notices": [asdict(notice) for notice in card.notices],
        "overall": {
            "verdict": card.overall.verdict,
            "sentence": card.overall.sentence,
            "could_not_be_judged": dict(card.overall.unjudged),
        },
        "summary": {metric.name: _summary(metric) for metric in card.metrics},
        "details": {
            "by_scenario": _by_key(card.metrics, "by_scenario"),
            "by_attribute": _by_key(card.metrics, "by_attribute"),
            "tables": {m.name: {t.name: _plain(t.raw) for t in m.tables} for m in card.metrics},
            "calibration": _calibration(card.calibration),
        },
        "outcomes": _outcomes(card.flow),
        "cost": {"text": card.cost.text, **_plain(card.cost.facts)},
        "excluded": {metric.name: dict(metric.overall.excluded) for metric in card.metrics},
        "could_not_judge": {item.evaluator: dict(item.reasons) for item in card.could_not_judge},
        "answers": _answers(card),
        "evaluators": [_plain(asdict(evaluator)) for evaluator in card.evaluators],
        "skipped_evaluators": list(card.skipped_evaluators),
        "human_review": dict(card.human_review),
        "known_limitations": list(card.known_limitations),
        "manifest": _plain(card.manifest),
    }


def _run(card: Scorecard) -> dict[str, Any]:
    run = card.run
    return {
        "id": run.id,
        "name": run.name,
        "status": run.status,
        "created_at": run.created_at,
        "finished_at": run.finished_at,
        "spec_digest": run.spec_digest,
        "scenario_sets": _plain(run.scenario_sets),
        "replicates": run.replicates,
        "seed": run.seed,
        "generation": _plain(run.generation),
        "bands": run.bands,
    }


def _summary(metric: MetricView) -> dict[str, Any]:
    return {
        "long_name": metric.long_name,
        "description": metric.description,
        **_result(metric.overall),
        "interpretation": metric.interpretation,
        "formula": metric.formula,
        "source": metric.source,
        "limits": list(metric.limits),
    }


def _result(result: ResultView) -> dict[str, Any]:
    return {
        "value": result.value.raw,
        "value_text": result.value.text,
        "status": result.status,
        "reason": result.reason,
        "unit": result.unit,
        "direction": result.direction,
        "band": result.band.band,
        "band_kind": "point band",
        "band_basis": result.band.basis,
        "band_quantity": result.band.quantity,
        "band_number": result.band.number.raw,
        "band_number_text": result.band.number.text,
        "band_cuts": result.band.cuts,
        "band_note": result.band.note,
        "action": result.band.action,
        "verdict": result.verdict,
        "finding": result.finding_label,
        "n_samples": result.n_samples,
        "n_clusters": result.n_clusters,
        "n_excluded": result.n_excluded,
        "excluded": dict(result.excluded),
        "numerator": result.numerator,
        "denominator": result.denominator,
        "confidence_interval": _plain(result.confidence_interval),
        "limits": _plain(result.limits),
        "fair_expected": result.fair_expected.raw,
        "fair_q95": result.fair_q95.raw,
        "excess": result.excess.raw,
        "p_value": result.p_value.raw,
        "p_adjusted": result.p_adjusted.raw,
        "test": result.test,
        "further_replicates": result.further_replicates,
        "caveats": list(result.caveats),
        "parts": {name: part.raw for name, part in result.parts.items()},
    }


def _by_key(metrics: Sequence[MetricView], level: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for metric in metrics:
        for result in getattr(metric, level):
            found.setdefault(result.key, {"metrics": {}})["metrics"][metric.name] = _result(result)
    return found


def _outcomes(flow: Flow) -> dict[str, Any]:
    return {
        "requested": flow.requested,
        "stored": flow.stored,
        "left_out": flow.left_out,
        "not_used": flow.not_used,
        "answered": flow.answered,
        "empty": flow.empty,
        "blocked": flow.blocked,
        "failed": flow.failed,
        "truncated": flow.truncated,
        "refusals": flow.refusals,
        "refusals_judged": flow.refusals_judged,
        "by_condition": {name: dict(counts) for name, counts in flow.by_condition.items()},
    }


def _calibration(found: Calibration) -> dict[str, Any]:
    return {
        "headline": found.headline,
        "meaning": found.meaning,
        "findings": list(found.findings),
        "rows": _plain(found.rows),
    }


def _answers(card: Scorecard) -> dict[str, Any]:
    return {
        "shown": card.answers.shown,
        "stored": card.answers.stored,
        "omitted": card.answers.omitted,
        "by_scenario": {c.scenario_id: [_answer(a) for a in c.answers] for c in card.answers.comparisons},
    }


def _answer(answer: Answer) -> dict[str, Any]:
    return {**asdict(answer), "signals": list(answer.signals)}


def _plain(value: Any) -> Any:
    """Turn mappings and tuples into what JSON knows; keys become text."""
    match value:
        case Mapping():
            return {str(key): _plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_plain(inner) for inner in value]
        case _:
            return value
