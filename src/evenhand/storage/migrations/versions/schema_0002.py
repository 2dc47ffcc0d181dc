"""Step 2: the kind of a run; turns of conversations, scorings, decisions."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the column and the tables. Written out, not taken from `schema`, which will move on."""
    op.add_column("runs", sa.Column("kind", sa.Text(), nullable=False, server_default="audit"))
    _turns()
    _scorings()
    _decisions()


def _turns() -> None:
    op.create_table(
        "turns",
        sa.Column("sequence", _ROW_NUMBER, nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("vector", sa.Text(), nullable=False),
        sa.Column("replicate", sa.Integer(), nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
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
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("text", sa.Text()),
        sa.Column("reason", sa.Text()),
        sa.Column("traceback", sa.Text()),
        sa.PrimaryKeyConstraint("sequence", name="pk_turns"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_turns_run_id"),
        sa.UniqueConstraint("run_id", "vector", "replicate", "side", "number", "round", name="uq_turns"),
    )


def _scorings() -> None:
    op.create_table(
        "scorings",
        sa.Column("sequence", _ROW_NUMBER, nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("scored_at", sa.Text(), nullable=False),
        sa.Column("detectors", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name="pk_scorings"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_scorings_run_id"),
    )
    op.create_index("ix_scorings_run_id", "scorings", ["run_id"])


def _decisions() -> None:
    op.create_table(
        "decisions",
        sa.Column("sequence", _ROW_NUMBER, nullable=False),
        sa.Column("scoring_id", _ROW_NUMBER, nullable=False),
        sa.Column("vector", sa.Text(), nullable=False),
        sa.Column("replicate", sa.Integer(), nullable=False),
        sa.Column("trace", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("attribute", sa.Text(), nullable=False),
        sa.Column("decision", sa.Integer()),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name="pk_decisions"),
        sa.ForeignKeyConstraint(["scoring_id"], ["scorings.sequence"], name="fk_decisions_scoring_id"),
        sa.UniqueConstraint("scoring_id", "trace", "turn", "attribute", name="uq_decisions"),
    )
