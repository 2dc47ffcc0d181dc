"""Alembic's entry: runs the steps inside the caller's transaction, so that a failed step leaves no trace."""

from alembic import context

from evenhand.storage.schema import VERSION_TABLE, metadata

# Alembic executes this file as a script; importing it as a module, as documentation tools do, must do nothing
if not __name__.startswith("evenhand."):
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        version_table=VERSION_TABLE,
        transactional_ddl=True,
        render_as_batch=True,  # SQLite alters a table by copying it
    )
    with context.begin_transaction():
        context.run_migrations()
