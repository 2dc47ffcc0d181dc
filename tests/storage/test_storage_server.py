"""What can go wrong with a server: the message says what to do, and never a password."""

import socket

import pytest
from storage_builders import RUN, a_response, a_run, an_evaluation, opened
from storage_postgres import PostgresServer

from evenhand.errors import StoreError, UsageError
from evenhand.storage.locate import locate
from evenhand.storage.postgres import PostgresBackend

CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'evenhand'"


def test_every_spelling_of_the_url_is_the_same_driver() -> None:
    """What hosters hand out works as it is."""
    for scheme in ("postgresql", "postgres", "postgresql+psycopg"):
        assert locate(f"{scheme}://user@host/audits").drivername == "postgresql+psycopg"


def test_the_class_is_for_its_own_database() -> None:
    """As its SQLite sister is."""
    with pytest.raises(UsageError, match="PostgresBackend opens PostgreSQL databases, not sqlite"):
        PostgresBackend("runs.db")


def test_nobody_answers() -> None:
    """A server that is down at the start: host and port are named, the password in none of its places is."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(StoreError, match=rf"127\.0\.0\.1:{port}/audits cannot be reached.*EVENHAND_DB") as caught:
            opened(f"postgresql://me:hunter2@127.0.0.1:{port}/audits?password=hunter3&sslpassword=hunter4")
    assert "hunter" not in str(caught.value)


def test_a_database_that_is_not_there(postgres: PostgresServer) -> None:
    """The message names the command that makes it."""
    with pytest.raises(StoreError, match=r"/nowhere does not exist. Make it with createdb"):
        opened(postgres.url("nowhere"))


def test_a_user_whom_the_server_does_not_know(postgres: PostgresServer) -> None:
    """Where the password may stand is said; what it was is not."""
    url = postgres.url("store").replace("postgres:@", "stranger:hunter2@")
    with pytest.raises(StoreError, match=r"stranger:\*\*\*@.* refuses the user.*PGPASSWORD") as caught:
        opened(url)
    assert "hunter2" not in str(caught.value)


def test_a_user_who_may_only_read(postgres: PostgresServer, url: str) -> None:
    """Reports may be read; a run is refused before it costs anything, and so is making the tables."""
    postgres.execute(
        "DROP OWNED BY reader" if postgres.execute("SELECT 1 FROM pg_roles WHERE rolname = 'reader'") else "SELECT 1",
        "DROP ROLE IF EXISTS reader",
        "CREATE ROLE reader LOGIN",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
        database="store",
    )
    with opened(url.replace("postgres:@", "reader:@")) as store:
        assert store.list_runs() == []
        with pytest.raises(StoreError, match=r"does not let this user write"):
            store.create_run(a_run())
    with pytest.raises(StoreError, match=r"/bare does not let this user write.*right to make"):
        opened(postgres.fresh("bare").replace("postgres:@", "reader:@"))


def test_a_standby_can_be_read(url: str) -> None:
    """And a write says why not."""
    with opened(f"{url}&options=-cdefault_transaction_read_only%3Don") as standby:
        assert standby.list_runs() == []
        with pytest.raises(StoreError, match="can be read but not written: it is a standby"):
            standby.create_run(a_run())


def test_a_writer_that_never_finishes(postgres: PostgresServer, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting ends here too."""
    import psycopg

    monkeypatch.setattr("evenhand.storage.postgres.LOCK_TIMEOUT_S", 0.05)
    with opened(url) as store, psycopg.connect(url) as blocker:
        blocker.execute("LOCK TABLE runs IN EXCLUSIVE MODE")
        with pytest.raises(StoreError, match="being written by another process that does not finish"):
            store.create_run(a_run())


def test_a_row_that_is_refused_is_not_repeated(url: str) -> None:
    """PostgreSQL's details quote the row: prompts and answers are no part of an error message."""
    with opened(url) as store, pytest.raises(StoreError, match="lacks the run") as caught:
        store.save_responses(RUN, [a_response("r1", text="confidential")])
    assert "confidential" not in str(caught.value)


def test_a_server_that_crashes_keeps_what_was_saved(postgres: PostgresServer, url: str) -> None:
    """Every save that had returned is there; the same store object goes on once the server is back."""
    with opened(url) as store:
        store.create_run(a_run())
        store.claim(RUN)
        store.save_responses(RUN, [a_response("r1")])
        store.save_evaluations(RUN, [an_evaluation("r1")])
        postgres.crash()
        try:
            with pytest.raises(StoreError, match=r"cannot be reached|is gone"):
                store.save_responses(RUN, [a_response("r2")])
        finally:
            postgres.start()
        store.save_responses(RUN, [a_response("r2")])
        assert list(store.latest_outcomes(RUN)) == ["r1", "r2"]
        assert list(store.evaluations(RUN)) == [an_evaluation("r1")]


def test_a_connection_cut_between_two_saves_is_not_noticed(postgres: PostgresServer, url: str) -> None:
    """A server that was restarted, or a firewall that forgot us, is no reason to stop a run."""
    with opened(url) as store:
        store.create_run(a_run())
        postgres.execute(CUT)
        store.save_responses(RUN, [a_response("r1")])
        assert list(store.latest_outcomes(RUN)) == ["r1"]


def test_a_connection_cut_within_a_save_takes_all_of_it_back(postgres: PostgresServer, url: str) -> None:
    """The message says that the server is gone and what was saved is safe."""
    with opened(url) as store:
        store.create_run(a_run())

        def save() -> None:
            with store._writing() as connection:
                connection.exec_driver_sql("UPDATE runs SET status = 'complete'")
                postgres.execute(CUT)
                connection.exec_driver_sql("SELECT 1")

        with pytest.raises(StoreError, match=r"is gone.*saved so far is safe"):
            save()
        assert store.get_run(RUN).status == "running"
