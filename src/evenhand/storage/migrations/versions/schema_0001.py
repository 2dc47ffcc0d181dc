"""Step 1: runs, responses, evaluators, evaluations, results, leases."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables. Written out, not taken from `schema`, which will move on."""
    _runs()
    _responses()
    _evaluators()
    _evaluations()
    _results()
    _leases()


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("spec_digest", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("finished_at", sa.Text()),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("manifest", sa.Text(), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
    )
    op.create_index("ix_runs_spec_digest", "runs", ["spec_digest"])


def _responses() -> None:
    op.create_table(
        "responses",
        sa.Column("sequence", _ROW_NUMBER, nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("replicate", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("scenario_id", sa.Text(), nullable=False),
        sa.Column("attribute", sa.Text()),
        sa.Column("value", sa.Text()),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("finish_reason", sa.Text()),
        sa.Column("kind", sa.Text()),
        sa.Column("model", sa.Text()),
        sa.Column("input_tokens", sa.BigInteger()),
        sa.Column("output_tokens", sa.BigInteger()),
        sa.Column("latency_s", sa.Double()),
        sa.Column("provider_request_id", sa.Text()),
        sa.Column("stored_at", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Text(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("text", sa.Text()),
        sa.Column("reason", sa.Text()),
        sa.Column("traceback", sa.Text()),
        sa.PrimaryKeyConstraint("sequence", name="pk_responses"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_responses_run_id"),
        sa.UniqueConstraint("run_id", "request_id", "round", name="uq_responses"),
    )
    op.create_index("ix_responses_run_id_replicate", "responses", ["run_id", "replicate"])


def _evaluators() -> None:
    op.create_table(
        "evaluators",
        sa.Column("sequence", _ROW_NUMBER, nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("evaluator", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("started_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name="pk_evaluators"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_evaluators_run_id"),
        sa.UniqueConstraint("run_id", "evaluator", "version", name="uq_evaluators"),
    )


def _evaluations() -> None:
    op.create_table(
        "evaluations",
        sa.Column("evaluator_id", _ROW_NUMBER, nullable=False, autoincrement=False),
        sa.Column("response_id", _ROW_NUMBER, nullable=False, autoincrement=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("value", sa.Text()),
        sa.Column("vector_lengths", sa.Text()),
        sa.Column("vectors", sa.LargeBinary()),
        sa.PrimaryKeyConstraint("evaluator_id", "response_id", name="pk_evaluations"),
        sa.ForeignKeyConstraint(["evaluator_id"], ["evaluators.sequence"], name="fk_evaluations_evaluator_id"),
        sa.ForeignKeyConstraint(["response_id"], ["responses.sequence"], name="fk_evaluations_response_id"),
    )


def _results() -> None:
    op.create_table(
        "results",
        sa.Column("sequence", _ROW_NUMBER, nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("computed_at", sa.Text(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name="pk_results"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_results_run_id"),
    )
    op.create_index("ix_results_run_id_metric", "results", ["run_id", "metric"])


def _leases() -> None:
    op.create_table(
        "leases",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("pid", sa.BigInteger(), nullable=False),
        sa.Column("process", sa.Text(), nullable=False),
        sa.Column("claimed_at", sa.Text(), nullable=False),
        sa.Column("heartbeat_at", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.Text(), nullable=False),
        sa.Column("released_at", sa.Text()),
        sa.PrimaryKeyConstraint("run_id", name="pk_leases"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_leases_run_id"),
    )
