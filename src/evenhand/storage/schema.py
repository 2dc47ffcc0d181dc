"""The tables. One row per response, per evaluation, per turn; small columns first, so that light queries stay light."""

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from evenhand.storage.codecs import AnyText, StrictJson

HEAD = "0002"
"""The newest migration. A test holds it equal to what Alembic finds."""

VERSION_TABLE = "evenhand_version"
"""Alembic's own table, renamed: a PostgreSQL database may hold another program's ``alembic_version``."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

# SQLite numbers rows by itself only for INTEGER; elsewhere 32 bits would end at two thousand million rows
_ROW_NUMBER = BigInteger().with_variant(Integer(), "sqlite")

runs = Table(
    "runs",
    metadata,
    Column("id", AnyText, primary_key=True),
    Column("name", AnyText, nullable=False),
    Column("status", Text, nullable=False),
    Column("spec_digest", AnyText, nullable=False, index=True),
    Column("created_at", AnyText, nullable=False),
    Column("finished_at", AnyText),
    Column("model", StrictJson("the run's model"), nullable=False),
    Column("manifest", StrictJson("the run's manifest"), nullable=False),
    Column("spec", StrictJson("the run's spec"), nullable=False),
    Column("kind", Text, nullable=False, server_default="audit"),
)

responses = Table(
    "responses",
    metadata,
    Column("sequence", _ROW_NUMBER, primary_key=True),
    Column("run_id", AnyText, ForeignKey("runs.id"), nullable=False),
    Column("request_id", AnyText, nullable=False),
    Column("round", Integer, nullable=False),
    Column("replicate", Integer, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("scenario_id", AnyText, nullable=False),
    Column("attribute", AnyText),
    Column("value", AnyText),
    Column("seed", BigInteger, nullable=False),
    Column("finish_reason", Text),
    Column("kind", AnyText),
    Column("model", AnyText),
    Column("input_tokens", BigInteger),
    Column("output_tokens", BigInteger),
    Column("latency_s", Double),
    Column("provider_request_id", AnyText),
    Column("stored_at", Text, nullable=False),
    Column("attempts", StrictJson("the attempts of a response"), nullable=False),
    Column("prompt", AnyText, nullable=False),
    Column("text", AnyText),
    Column("reason", AnyText),
    Column("traceback", AnyText),
    UniqueConstraint("run_id", "request_id", "round"),
    Index(None, "run_id", "replicate"),
)

evaluators = Table(
    "evaluators",
    metadata,
    Column("sequence", _ROW_NUMBER, primary_key=True),
    Column("run_id", AnyText, ForeignKey("runs.id"), nullable=False),
    Column("evaluator", AnyText, nullable=False),
    Column("version", AnyText, nullable=False),
    Column("started_at", Text, nullable=False),
    UniqueConstraint("run_id", "evaluator", "version"),
)

# The key is two small integers, not four texts: half the time to save, a third of the space
evaluations = Table(
    "evaluations",
    metadata,
    Column("evaluator_id", _ROW_NUMBER, ForeignKey("evaluators.sequence"), primary_key=True, autoincrement=False),
    Column("response_id", _ROW_NUMBER, ForeignKey("responses.sequence"), primary_key=True, autoincrement=False),
    Column("status", Text, nullable=False),
    Column("reason", AnyText),
    Column("value", StrictJson("an evaluator's value")),
    Column("vector_lengths", StrictJson("an evaluator's vector lengths")),
    Column("vectors", LargeBinary),
)

turns = Table(
    "turns",
    metadata,
    Column("sequence", _ROW_NUMBER, primary_key=True),
    Column("run_id", AnyText, ForeignKey("runs.id"), nullable=False),
    Column("vector", AnyText, nullable=False),
    Column("replicate", Integer, nullable=False),
    Column("side", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("finish_reason", Text),
    Column("kind", AnyText),
    Column("model", AnyText),
    Column("input_tokens", BigInteger),
    Column("output_tokens", BigInteger),
    Column("latency_s", Double),
    Column("provider_request_id", AnyText),
    Column("stored_at", Text, nullable=False),
    Column("attempts", StrictJson("the attempts of a turn"), nullable=False),
    Column("said", AnyText, nullable=False),
    Column("text", AnyText),
    Column("reason", AnyText),
    Column("traceback", AnyText),
    UniqueConstraint("run_id", "vector", "replicate", "side", "number", "round"),
)

# A scoring is one pass of the detectors over a run: decisions of two passes are never mixed
scorings = Table(
    "scorings",
    metadata,
    Column("sequence", _ROW_NUMBER, primary_key=True),
    Column("run_id", AnyText, ForeignKey("runs.id"), nullable=False, index=True),
    Column("scored_at", Text, nullable=False),
    Column("detectors", StrictJson("the versions of the detectors"), nullable=False),
)

decisions = Table(
    "decisions",
    metadata,
    Column("sequence", _ROW_NUMBER, primary_key=True),
    Column("scoring_id", _ROW_NUMBER, ForeignKey("scorings.sequence"), nullable=False),
    Column("vector", AnyText, nullable=False),
    Column("replicate", Integer, nullable=False),
    Column("trace", AnyText, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("attribute", AnyText, nullable=False),
    Column("decision", Integer),
    Column("status", Text, nullable=False),
    Column("reason", AnyText, nullable=False),
    UniqueConstraint("scoring_id", "trace", "turn", "attribute"),
)

results = Table(
    "results",
    metadata,
    Column("sequence", _ROW_NUMBER, primary_key=True),
    Column("run_id", AnyText, ForeignKey("runs.id"), nullable=False),
    Column("metric", AnyText, nullable=False),
    Column("computed_at", Text, nullable=False),
    Column("result", StrictJson("a metric's result"), nullable=False),
    Index(None, "run_id", "metric"),
)

leases = Table(
    "leases",
    metadata,
    Column("run_id", AnyText, ForeignKey("runs.id"), primary_key=True),
    Column("owner", Text, nullable=False),
    Column("host", AnyText, nullable=False),
    Column("pid", BigInteger, nullable=False),
    Column("process", Text, nullable=False),
    Column("claimed_at", Text, nullable=False),
    Column("heartbeat_at", Text, nullable=False),
    Column("expires_at", Text, nullable=False),
    Column("released_at", Text),
)
