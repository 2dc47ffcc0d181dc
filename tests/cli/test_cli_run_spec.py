"""``evenhand run SPEC``: what the file says, what flags may change, and that a key stays where it belongs."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evenhand.cli.run import run
from evenhand.cli.run_order import OVERRIDES, SAID_BY_SPEC

from .conftest import LIGHT, SET, Evenhand

SPEC = f"""
benchmark: {{name: nurses-q3, description: "Whether nurses are women, [bold]as ever[/bold]."}}
model_under_test: {{provider: simulated, model: women.yaml}}
scenarios: [nurses.yaml]
metrics: [RSI]
replicates_per_prompt: 2
evaluators: {{skip: [{", ".join(LIGHT)}]}}
output: {{path: reports/q3, format: all}}
"""
# they say how to run or where to write, not what to ask
HOW = {"scenarios", "attempts", "resume_id", "is_new", "offline", "dry_run", "fail_on", "strict", "store", "verbose"}
WHERE = {"html_path", "md_path", "json_path", "junit_path"}


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A spec in a folder of its own, with the database elsewhere."""
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / "nurses.yaml").write_text(SET)
    (folder / "women.yaml").write_text("name: women\npronouns: {default: {she: 1.0}}\n")
    (folder / "spec.yaml").write_text(SPEC)
    monkeypatch.setenv("EVENHAND_DB", str(tmp_path / "runs.db"))
    monkeypatch.chdir(tmp_path)
    return folder / "spec.yaml"


def card(path: Path) -> dict[str, object]:
    """Read a scorecard."""
    found: dict[str, object] = json.loads(path.read_text())
    return found


def test_a_spec_is_run_without_a_flag(evenhand: Evenhand, spec: Path, tmp_path: Path) -> None:
    """All reports, beside the spec; the name in the list of runs; what it is for on the screen, and not as markup."""
    done = evenhand("run", "specs/spec.yaml")
    assert done.code == 0, done.err
    assert done.out.startswith("nurses-q3: Whether nurses are women, [bold]as ever[/bold].\n")
    assert sorted(file.name for file in (tmp_path / "specs/reports").iterdir()) == ["q3.html", "q3.json", "q3.md"]
    listed = evenhand("runs").out
    assert "nurses-q3" in listed
    assert "nurses-q3" in (tmp_path / "specs/reports/q3.md").read_text()


def test_a_dry_run_of_a_spec_and_of_equal_flags_show_the_same_plan(evenhand: Evenhand, spec: Path) -> None:
    """Line by line, digest included."""
    skipped = [part for name in LIGHT for part in ("--skip-evaluator", name)]
    flags = ("--model", "simulated/specs/women.yaml", "--metrics", "RSI", "--replicates", "2", *skipped)
    planned = evenhand("run", "specs/spec.yaml", "--dry-run").out.splitlines()
    assert planned[1:] == evenhand("run", "specs/nurses.yaml", *flags, "--dry-run").out.splitlines()


def test_some_flags_change_a_spec_for_once(evenhand: Evenhand, spec: Path, tmp_path: Path) -> None:
    """Replicates, seed and concurrency; a report's path replaces the spec's for that form, and adds others."""
    planned = evenhand(
        "run", "specs/spec.yaml", "--replicates", "5", "--seed", "9", "--concurrency", "3", "--dry-run"
    ).out
    assert "15 (3 at once" in planned
    assert "from 9" in planned
    done = evenhand("run", "specs/spec.yaml", "--json", "own.json", "--junit", "own.xml", "--fail-on", "fail")
    assert "Gate at 'fail'" in done.err
    assert (tmp_path / "own.json").exists()
    assert (tmp_path / "own.xml").exists()
    assert sorted(file.name for file in (tmp_path / "specs/reports").iterdir()) == ["q3.html", "q3.md"]


def test_a_value_typed_that_is_the_default_still_wins(evenhand: Evenhand, spec: Path) -> None:
    """What counts is that it was typed: 10 replicates are asked for, not the spec's 2."""
    assert "30 (8 at once" in evenhand("run", "specs/spec.yaml", "--replicates", "10", "--dry-run").out


def test_flags_that_the_spec_decides_are_refused_with_the_field(evenhand: Evenhand, spec: Path) -> None:
    """All of them at once, before anything is read."""
    done = evenhand("run", "specs/spec.yaml", "--model", "simulated/fair", "--metrics", "ODE", "--top-p", "0.5")
    assert done.code == 2
    assert " ".join(done.err.split()) == (
        "Error: specs/spec.yaml is a benchmark spec and says this itself: --model is model_under_test.provider and "
        "model_under_test.model; --metrics is metrics; --top-p is model_under_test.top_p. "
        "Change it there, or leave the flag out."
    )


def test_every_flag_of_run_is_decided_upon() -> None:
    """A new flag is the spec's, or changes it for once, or says how to run: somebody must have chosen."""
    flags = {str(param.name) for param in run.params}
    assert flags == SAID_BY_SPEC.keys() | OVERRIDES | HOW | WHERE


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("specs/spec.yaml", "gender_occupation"), "specs/spec.yaml is a benchmark spec, which names its own"),
        (("gender_occupation",), "which model? Give --model PROVIDER/NAME"),
        (("specs/nurses.yaml",), "specs/nurses.yaml has no model_under_test, so it is no benchmark spec"),
        (("specs/broken.yaml",), "this is not YAML"),
        (
            ("specs/twice.yaml",),
            "the key 'metrics' stands here and again in line 4 (specs/twice.yaml, line 3, metrics)",
        ),
    ],
)
def test_what_is_no_spec_is_told_apart(evenhand: Evenhand, spec: Path, args: tuple[str, ...], said: str) -> None:
    """One clear paragraph, exit code 2."""
    (spec.parent / "broken.yaml").write_text("model_under_test: [\n")
    (spec.parent / "twice.yaml").write_text(
        "model_under_test: {provider: simulated, model: fair}\nscenarios: [gender_occupation]\n"
        "metrics: [RSI]\nmetrics: [ODE]\n"
    )
    done = evenhand("run", *args)
    assert done.code == 2
    assert said in " ".join(done.err.split())
    assert done.out == ""


class Service(BaseHTTPRequestHandler):
    """Speaks chat completions, keeps the keys that it was sent, and refuses the second request with the key in it."""

    protocol_version = "HTTP/1.1"
    keys: list[str]

    def do_POST(self) -> None:
        """Answer one request."""
        self.rfile.read(int(self.headers["Content-Length"]))
        key = self.headers.get("Authorization", "")
        self.keys.append(key)
        status = 400 if len(self.keys) == 2 else 200
        reply = {"choices": [{"message": {"content": "She is a nurse."}, "finish_reason": "stop"}]}
        content = json.dumps(reply if status == 200 else {"error": {"message": f"Not with {key}"}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def service() -> Iterator[ThreadingHTTPServer]:
    """A server on a free port of loopback."""
    Service.keys = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_key_from_a_variable_is_sent_and_nowhere_kept(
    evenhand: Evenhand, spec: Path, tmp_path: Path, service: ThreadingHTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service got it; database, reports and screen hold none of it, although an error text did."""
    monkeypatch.setenv("MY_KEY", "planted-7c1f")
    monkeypatch.setenv("MY_URL", f"http://127.0.0.1:{service.server_port}/v1")
    spec.write_text(
        SPEC.replace(
            "{provider: simulated, model: women.yaml}",
            "{provider: openai-compatible, model: m, api_key: '${MY_KEY}', base_url: '${MY_URL}'}",
        )
    )
    done = evenhand("run", "specs/spec.yaml", "--concurrency", "1")
    assert done.code == 0, done.err
    assert "Not with" in done.err
    assert set(Service.keys) == {"Bearer planted-7c1f"}
    written = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert {"runs.db", "q3.html", "q3.json", "q3.md"} <= {file.name for file in written}
    for content in (done.out.encode(), done.err.encode(), *(file.read_bytes() for file in written)):
        assert b"planted" not in content
