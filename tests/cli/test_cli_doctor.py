"""doctor: what is missing, for what, and what brings it."""

import json
from pathlib import Path

import pytest

from evenhand.adapters.registry import capability_rows, registry
from evenhand.assets.table import ASSETS
from evenhand.cli.diagnosis import Diagnosis, diagnose

from .conftest import Evenhand

KEY = "planted-key-0123456789"


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine on which nothing was pulled and no run was made."""
    monkeypatch.setenv("EVENHAND_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("EVENHAND_DB", str(tmp_path / "runs.db"))
    return tmp_path


def test_a_bare_machine_is_told_what_to_do_and_left_as_it_is(evenhand: Evenhand, bare: Path) -> None:
    """Exit code 1; each model file with the command that pulls it; no folder, no database."""
    done = evenhand("doctor")
    assert done.code == 1
    assert "cannot run yet" in done.out
    for asset in ASSETS:
        assert f"evenhand models pull {asset.name}" in done.out
    assert list(bare.iterdir()) == []


@pytest.mark.assets
def test_with_the_model_files_the_keyless_audit_can_run(
    evenhand: Evenhand, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Exit code 0, whatever keys are missing."""
    pytest.importorskip("xllamacpp")
    monkeypatch.setenv("EVENHAND_DB", str(tmp_path / "runs.db"))
    done = evenhand("doctor")
    assert done.code == 0, done.out
    assert "can run" in done.out


def test_keys_are_named_and_never_shown(evenhand: Evenhand, bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set or not set: no value, no part of one, no length."""
    variables = {variable for row in capability_rows() for variable in row.key_variables}
    for variable in variables:
        monkeypatch.setenv(variable, KEY)
    printed, plain = evenhand("doctor").out, evenhand("doctor", "--json").out
    assert variables
    for variable in variables:
        assert variable in printed
    for text in (printed, plain):
        assert KEY[:7] not in text
        assert str(len(KEY)) not in {word.strip('",:') for word in text.split()}
    assert all(key["is_set"] for key in json.loads(plain)["keys"])


def test_a_key_that_is_not_set_is_a_gap_of_its_provider(bare: Path) -> None:
    """One variable of several is enough."""
    rows = [row for row in capability_rows() if row.key_variables]
    gaps = diagnose(environment={}).gaps
    assert {gap.needed_for for gap in gaps if gap.command.startswith("export")} == {row.provider for row in rows}
    one_each = {row.key_variables[0]: KEY for row in rows}
    assert not [gap for gap in diagnose(environment=one_each).gaps if gap.command.startswith("export")]


def test_a_store_that_cannot_be_written_stops_every_run(evenhand: Evenhand, bare: Path) -> None:
    """Exit code 1, the reason, and the flag that chooses another place; a password is not repeated."""
    (bare / "file").write_text("")
    done = evenhand("doctor", "--db", str(bare / "file" / "runs.db"))
    assert done.code == 1
    assert "cannot be written" in done.out
    assert "--db PATH" in done.out
    remote = evenhand("doctor", "--db", "postgresql+psycopg://reader:hunter2@127.0.0.1:1/runs")
    assert "hunter2" not in remote.out


def test_the_findings_are_json_on_request(evenhand: Evenhand, bare: Path) -> None:
    """The same, for a program to read."""
    done = evenhand("doctor", "--json")
    found = json.loads(done.out)
    assert (done.code, found["is_ready"]) == (1, False)
    assert set(found["assets"]) == {asset.name for asset in ASSETS}
    assert found["version"]
    assert {"click", "onnxruntime"} <= {package["name"] for package in found["packages"]}


def test_what_stops_the_keyless_audit_stands_first(bare: Path) -> None:
    """A missing key does not stop it, a missing model file does."""
    found: Diagnosis = diagnose(environment={})
    stops = [gap.stops_keyless for gap in found.gaps]
    assert stops == sorted(stops, reverse=True)
    assert not found.is_ready


def test_every_provider_is_listed_with_what_it_can_do(evenhand: Evenhand) -> None:
    """Parameters, seeds, conversations, likelihoods, and the variable of its key."""
    out = evenhand("adapters").out
    for name in registry().names():
        assert name in out
    for row in capability_rows():
        for variable in row.key_variables:
            assert variable in out
    assert "simulated/skewed" in out
