"""export(): every answer of a run with its evaluations, as a file that any tool reads."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np

from evenhand._base.atomic_file import replacing
from evenhand.api.export_forms import FORMS, Exported
from evenhand.api.frames import output_columns
from evenhand.core.outcomes import Failed
from evenhand.core.spec import AuditSpec
from evenhand.core.types import RequestId, RunId
from evenhand.engine.loading import read_outputs
from evenhand.errors import UnknownNameError, UsageError
from evenhand.storage.base import Store
from evenhand.storage.locate import open_store
from evenhand.storage.records import Response

Form = Literal["jsonl", "parquet", "csv"]

COLUMNS: Mapping[str, tuple[str, str]] = {
    "run": ("text", "id of the run"),
    "scenario": ("text", "id of the scenario"),
    "attribute": ("text", "what was changed in the prompt; empty for base prompts"),
    "value": ("text", "the value that it was changed to; what was asked, never what was observed"),
    "replicate": ("integer", "1 … R"),
    "prompt": ("text", "what was asked"),
    "seed": ("integer", "seed of this request"),
    "outcome": ("text", "answered, blocked or failed"),
    "text": ("text", "the answer, whole and unchanged; empty unless answered"),
    "finish_reason": ("text", "why the answer ended: stop, length, …; empty unless answered"),
    "why_not": ("text", "why there is no answer; empty if there is one"),
    "kind": ("text", "class of the error; empty unless failed"),
    "is_empty": ("flag", "answered with nothing but white space"),
    "words": ("number", "runs of non-space characters of the answer; empty unless answered"),
    "is_refusal": ("flag", "a refusal, also one that goes on to give content; empty if not judged"),
    "helpfulness": ("number", "1 to 5, by a judge; empty if not judged"),
    "toxicity_*": ("number", "0 to 1, per label of the classifier; empty if not judged"),
    "toxicity_masked_*": ("number", "the same on the text with neutral identity words masked"),
    "sentiment_*": ("number", "0 to 1: positive, negative, neutral; empty if not judged"),
    "sentiment_masked_*": ("number", "the same on the text with neutral identity words masked"),
    "harms_*": ("number", "0 to 1, per harm category; empty if not measured"),
    "detected_*": ("number", "weight of each label of each attribute that the answer shows; they sum to 1, or to 0 "
                   "where nothing was detected; empty if not judged"),
    "other_evaluators": ("text", "what evaluators of your own said, as JSON: name to values; without their vectors"),
    "could_not_judge": ("text", "evaluators that had nothing to say, and why"),
    "model": ("text", "the model snapshot that the provider says it used"),
    "input_tokens": ("integer", "as the provider counts them"),
    "output_tokens": ("integer", "as the provider counts them"),
    "latency_s": ("number", "seconds of the successful try"),
    "attempts": ("integer", "tries that it took"),
    "round": ("integer", "2 and more if the request failed in earlier executions of the run"),
    "provider_request_id": ("text", "to quote when asking the provider what happened"),
    "request_id": ("text", "sha256 of what was asked; the key of the stored row"),
    "embedding": ("vector", "with embeddings: unit vector of the text; empty if not judged; not in CSV"),
    "embedding_masked": ("vector", "the same on the text with neutral identity words masked; not in CSV"),
}  # fmt: skip
"""Column to its kind and meaning, in order; a star stands for the labels that a run has."""


def export(
    run_id: str = "latest",
    *,
    to: str | Path | BinaryIO,
    form: Form = "jsonl",
    embeddings: bool = False,
    store: Store | str | Path | None = None,
) -> int:
    """Write every answer of a run, with what the evaluators said about it, one row each, in plan order.

    Parameters
    ----------
    run_id
        An id, the unambiguous beginning of one, or ``"latest"``.
    to
        A path, where the file appears whole or not at all, or an open binary stream.
    form
        ``"jsonl"``: one JSON object a line, NaN never, null where there is nothing. ``"csv"``: UTF-8 as in RFC 4180,
        texts quoted, cells without a value empty and not quoted. ``"parquet"``: for data frames, with types.
    embeddings
        Also the embeddings, which are most of the volume.

    Returns
    -------
    int
        Rows written: answers of replicates that are not complete too, which metrics leave out.

    Raises
    ------
    UnknownNameError
        If there is no such run or form.
    UsageError
        If embeddings are wanted in CSV, or the file cannot be written.
    MissingExtraError
        If polars, which writes Parquet, is not installed.

    Notes
    -----
    Texts are written as they are, so that what is read back is what was said. A spreadsheet may take a cell that
    begins with ``=``, ``+``, ``-`` or ``@`` for a formula: import the columns as text. What no Unicode file can hold
    (half of a surrogate pair) becomes U+FFFD in CSV and Parquet, and stays an escape in JSON.
    """
    if form not in FORMS:
        raise UnknownNameError("export format", form, list(FORMS))
    if embeddings and form == "csv":
        raise UsageError("A cell of a CSV file holds no vector: export embeddings as parquet or jsonl.")
    exported = _read(run_id, embeddings, store)
    if isinstance(to, (str, Path)):
        with replacing(Path(to)) as stream:
            FORMS[form](exported, stream)
    else:
        FORMS[form](exported, to)
    return exported.rows


def _read(run_id: str, embeddings: bool, store: Store | str | Path | None) -> Exported:
    if store is None or isinstance(store, (str, Path)):
        with open_store(store) as opened:
            return _columns(opened, run_id, embeddings)
    return _columns(store, run_id, embeddings)


def _columns(store: Store, name: str, embeddings: bool) -> Exported:
    run = store.get_run(name)
    outputs = read_outputs(store, run.id, AuditSpec.from_json(run.spec), complete_only=False)
    evaluated = output_columns(outputs)
    calls = _calls(store, run.id, outputs.request_ids)
    others = [_others(outputs.extra.get(row, {})) for row in range(len(outputs))]
    found = {"run": [run.id] * len(outputs), **evaluated, "other_evaluators": others, **calls}
    vectors = {"embedding": outputs.embedding, "embedding_masked": outputs.embedding_masked} if embeddings else {}
    return Exported(
        rows=len(outputs),
        columns={name: found[name] for name in _ordered(list(found))},
        kinds={name: _declared(name)[0] for name in found},
        vectors=vectors,
    )


def _others(extra: Mapping[str, Any]) -> str | None:
    # Any: values are the evaluators' own
    said = {
        evaluator: {name: value for name, value in values.items() if not isinstance(value, np.ndarray)}
        for evaluator, values in extra.items()
    }
    return json.dumps(said) if said else None


def _calls(store: Store, run_id: RunId, request_ids: Any) -> dict[str, list[Any]]:
    # Any: what an adapter reported of a call, by the name of its column
    reported = {response.request.id: _call(response) for response in store.responses(run_id)}
    rows = [reported[RequestId(request_id)] for request_id in request_ids]
    names = rows[0].keys() if rows else ()
    return {name: [row[name] for row in rows] for name in names}


def _call(response: Response) -> dict[str, Any]:
    output = response.output
    return {
        "seed": response.request.seed,
        "kind": output.outcome.kind if isinstance(output.outcome, Failed) else None,
        "model": output.model,
        "input_tokens": output.usage.input_tokens,
        "output_tokens": output.usage.output_tokens,
        "latency_s": output.latency_s,
        "attempts": len(output.attempts),
        "round": response.round,
        "provider_request_id": output.provider_request_id,
    }


def _ordered(names: list[str]) -> list[str]:
    order = list(COLUMNS)
    return sorted(names, key=lambda name: order.index(_declared(name)[1]))


def _declared(name: str) -> tuple[str, str]:
    """Return the kind of a column, and its entry in `COLUMNS`; the most special of those that fit."""
    if name in COLUMNS:
        return COLUMNS[name][0], name
    entry = max((entry for entry in COLUMNS if entry.endswith("*") and name.startswith(entry[:-1])), key=len)
    return COLUMNS[entry][0], entry
