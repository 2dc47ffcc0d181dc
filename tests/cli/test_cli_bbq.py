"""``evenhand bbq``: answers scored, published files fetched, questions put, each in every form."""

import csv
import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from evenhand.errors import AssetError, OfflineError
from evenhand.scenarios.questions import published
from evenhand.scenarios.questions.published import SHA256, fetch
from evenhand.scenarios.questions.registry import read_set

Evenhand = Any


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """Always unknown, in two runs, and one answer that is no option."""
    path = tmp_path / "answers.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["category", "example_id", "run", "answer"])
        for run in (1, 2):
            for item in read_set("mini"):
                said = "both" if (run, item.example_id) == (1, 0) else item.options[item.unknown]
                writer.writerow([item.category, item.example_id, run, said])
    return path


def test_score_prints_the_figures_with_what_stands_behind_them(evenhand: Evenhand, answers: Path) -> None:
    """Accuracy 1 and 0, s_DIS undefined, the warning about abstention, the invalid answers with their row."""
    printed = evenhand("bbq", "score", str(answers), "--data", "mini", "--variant", "helm")
    assert printed.code == 0
    assert "undefined: every parsed answer is “unknown”" in printed.out
    assert "hides it, since the same answer is right in ambiguous context" in printed.out
    assert "2 of 768 answers" in printed.out
    assert "helm (asked for)" in printed.out


def test_score_writes_every_form(evenhand: Evenhand, answers: Path, tmp_path: Path) -> None:
    """HTML without scripts, Markdown, strict JSON with unrounded values."""
    paths = {form: tmp_path / f"report.{form}" for form in ("html", "md", "json")}
    options = [part for form, path in paths.items() for part in (f"--{form}", str(path))]
    assert evenhand("bbq", "score", str(answers), "--data", "mini", *options).code == 0
    plain = json.loads(paths["json"].read_text())
    assert plain["overall"]["accuracy"]["disambiguated"]["value"] == 0.0
    assert plain["reading"]["invalid"] == 2
    assert "<script" not in paths["html"].read_text()
    assert "Who is favoured" in paths["md"].read_text()


def test_score_names_file_and_row_of_what_it_refuses(evenhand: Evenhand, answers: Path) -> None:
    """A second answer in the same run is exit code 2."""
    answers.write_text(answers.read_text() + "Race_x_gender_mini,0,1,A\n")
    printed = evenhand("bbq", "score", str(answers), "--data", "mini")
    assert printed.code == 2
    assert "two answers in run 1" in printed.err
    assert "line 770" in printed.err


# ---- fetch ------------------------------------------------------------------------------------


@pytest.fixture
def mirror() -> Iterator[str]:
    """A mirror on loopback that holds one file."""

    class Mirror(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_there = self.path == "/data/Age.jsonl"
            self.send_response(200 if is_there else 404)
            self.end_headers()
            if is_there:
                self.wfile.write(b"{}\n")

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Mirror) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/data"
        server.shutdown()
        thread.join()


def test_a_fetched_file_is_the_published_one(mirror: str, tmp_path: Path) -> None:
    """Checked by its hash; what is there already is not downloaded again."""
    hashes = {"Age": hashlib.sha256(b"{}\n").hexdigest()}
    first = fetch("Age", tmp_path / "new", base_url=mirror, sha256=hashes)
    assert (first.path.read_bytes(), first.was_there) == (b"{}\n", False)
    assert fetch("Age", tmp_path / "new", base_url="http://127.0.0.1:9", sha256=hashes).was_there


def test_another_content_is_refused_and_nothing_is_left(evenhand: Evenhand, mirror: str, tmp_path: Path) -> None:
    """The command says which hash was found."""
    printed = evenhand("bbq", "fetch", "Age", "--into", str(tmp_path), "--base-url", mirror)
    assert printed.code == 2
    assert "not the published file" in printed.err
    assert list(tmp_path.iterdir()) == []


def test_what_a_mirror_does_not_hold_is_said(mirror: str, tmp_path: Path) -> None:
    """With the status; and a server that is not there."""
    with pytest.raises(AssetError, match="answered 404 for SES"):
        fetch("SES", tmp_path, base_url=mirror)
    with pytest.raises(AssetError, match="no connection"):
        fetch("SES", tmp_path, base_url="http://127.0.0.1:9")


def test_offline_refuses_the_download(evenhand: Evenhand, tmp_path: Path) -> None:
    """Before any byte leaves the machine."""
    printed = evenhand("bbq", "fetch", "Age", "--into", str(tmp_path), "--offline")
    assert printed.code == 2
    assert "stays offline" in printed.err
    assert issubclass(OfflineError, Exception)


def test_eleven_categories_are_pinned_to_one_commit() -> None:
    """Each by a sha256."""
    assert len(SHA256) == 11
    assert all(len(value) == 64 for value in SHA256.values())
    assert published.COMMIT in published.BASE_URL


# ---- run --------------------------------------------------------------------------------------


def test_dry_run_says_what_it_takes(evenhand: Evenhand) -> None:
    """Calls, tokens, cost, and the first question as it would be put."""
    printed = evenhand("bbq", "run", "--model", "simulated/fair", "--runs", "3", "--limit", "10", "--dry-run")
    assert printed.code == 0
    assert "Calls       30" in printed.out
    assert "Nothing was asked." in printed.out
    assert "A) " in printed.out


def test_a_run_prints_its_report(evenhand: Evenhand, tmp_path: Path) -> None:
    """The simulated model writes sentences, so nothing can be parsed, and that is the first thing said."""
    database = ["--db", str(tmp_path / "runs.db")]
    printed = evenhand("bbq", "run", "--model", "simulated/fair", "--runs", "2", "--limit", "12", *database)
    assert printed.code == 0, printed.err
    assert "No model answered" in printed.out
    assert "100.0% of the answers in ambiguous context are no option" in printed.out


def test_likelihoods_are_refused_where_there_are_none(evenhand: Evenhand, tmp_path: Path) -> None:
    """Exit code 2 and what to do instead."""
    options = ["--answer", "loglikelihood", "--db", str(tmp_path / "runs.db")]
    printed = evenhand("bbq", "run", "--model", "simulated/fair", *options)
    assert printed.code == 2
    assert "capability 'score_options'" in " ".join(printed.err.split())
