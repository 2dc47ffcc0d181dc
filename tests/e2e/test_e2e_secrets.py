"""No key reaches the database, a report, an export or the terminal, however hard a server tries to hand it back."""

import base64
import json
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from traceback import format_exception
from typing import Any
from urllib.parse import quote

import pytest

from evenhand.cli.main import main
from evenhand.errors import EvenhandError

# nothing that looks like a key by its form: only who knows them can take them out
KEY, PASSWORD, TOKEN = "planted+0key/7351", "planted1password 7352", "planted2token7353"
SECRETS = (KEY, PASSWORD, TOKEN)
LIGHT = [arg for name in ("embeddings", "toxicity", "names") for arg in ("--skip-evaluator", name)]
SET = """
name: nurses
taxonomies: {gender: [female, male]}
scenarios:
  - id: nurse
    prompt: Describe a nurse.
    counterfactuals:
      - attribute: gender
        variants:
          - {value: female, prompt: Describe a female nurse.}
          - {value: male, prompt: Describe a male nurse.}
"""
CHAT = {
    "id": "chat-1",
    "model": "m",
    "choices": [{"message": {"role": "assistant", "content": "She works."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 3, "completion_tokens": 2},
}
ANTHROPIC = {
    "id": "msg-1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [{"type": "text", "text": "She works."}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 3, "output_tokens": 2},
}


class Gossip(BaseHTTPRequestHandler):
    """Answers some requests, and to the others repeats everything that it was told in confidence."""

    server: "GossipServer"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        heard = f"{self.path} {body} {dict(self.headers)} {self.server.knows}"
        turn, self.server.turn = self.server.turn, self.server.turn + 1
        if self.server.only is not None:
            self._tell(self.server.only, heard)
            return
        match turn % 6:
            case 0:
                self._tell(200, heard, json.dumps(ANTHROPIC if self.path.startswith("/v1/messages") else CHAT))
            case 1:
                self._tell(400, heard)
            case 2:
                self._tell(429, heard, patience=True)
            case 3:
                self._tell(200, heard, f"<p>proxy</p> {heard}")  # no JSON at all
            case 4:
                self._tell(200, heard, json.dumps({"error": {"message": heard}}))  # a success that is none
            case 5:
                self.send_response_only(302)
                self.send_header("Location", f"http://{quote(heard)[:2000]}@127.0.0.1/")
                self.end_headers()

    def _tell(self, status: int, heard: str, content: str | None = None, *, patience: bool = False) -> None:
        told = json.dumps({"error": {"type": "gossip", "code": heard, "param": heard, "message": heard}})
        payload = (told if content is None else content).encode()
        self.send_response_only(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        if patience:
            self.send_header("Retry-After", "0")
        for name in ("x-request-id", "request-id"):
            self.send_header(name, " ".join(heard.split())[:4000].encode("ascii", "replace").decode())
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *args: object) -> None:
        """Say nothing on the terminal."""


class GossipServer(ThreadingHTTPServer):
    """On a free port of this machine.

    Attributes
    ----------
    knows
        What it repeats besides what it was told: secrets in every form in which a client may have sent them.
    only
        The one status that it answers with, if it is not to change.
    """

    turn = 0
    only: int | None = None
    knows = ""

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a client that hangs up: some of ours do so on purpose."""

    def learn(self, *secrets: str) -> None:
        """Be told secrets in advance."""
        self.knows = " ".join((*secrets, f"{secrets!r}", *map(quote, secrets)))


@pytest.fixture
def server() -> Iterator[GossipServer]:
    with GossipServer(("127.0.0.1", 0), Gossip) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, where everything that is written can be searched afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENHAND_DB", str(tmp_path / "runs.db"))
    monkeypatch.setenv("COLUMNS", "120")
    for variable in ("EVENHAND_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "OPENAI_ORG_ID"):
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / "set.yaml").write_text(SET)
    return tmp_path


class Program:
    """Runs commands in this process and keeps what they print."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self._patch, self._capture = monkeypatch, capfd
        self.printed: dict[str, str] = {}

    def __call__(self, *args: str, code: int | None = 0) -> str:
        self._patch.setattr(sys, "argv", ["evenhand", *args])
        ended: Any = 0
        try:
            main()
        except SystemExit as stop:
            ended = stop.code
        out, err = self._capture.readouterr()
        self.printed[f"{len(self.printed)} {args[0]}"] = out + err
        assert code is None or ended == code, out + err
        return out + err

    def traceback(self, *args: str) -> str:
        """What ``--verbose`` shows of an error: its chain, with every frame."""
        self._patch.setattr(sys, "argv", ["evenhand", *args, "--verbose"])
        with pytest.raises(EvenhandError) as caught:
            main()
        out, err = self._capture.readouterr()
        return "".join([out, err, *format_exception(caught.value)])


@pytest.fixture
def evenhand(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Program:
    return Program(monkeypatch, capfd)


def forms(secret: str) -> set[bytes]:
    """The ways in which a text may be written down."""
    escaped = json.dumps(secret)[1:-1], repr(secret)[1:-1], secret.replace("/", "\\/")
    encoded = base64.b64encode(secret.encode()).decode().rstrip("=")
    return {form.encode() for form in (secret, quote(secret), quote(secret, safe=""), encoded, *escaped)}


def assert_kept_secret(folder: Path, printed: dict[str, str]) -> None:
    """Search every byte that was written or printed."""
    written = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert any(name.endswith("-wal") for name in written), "the log of the database is to be searched too"
    # the files that the test itself wrote hold names of variables, never a value
    for name, content in {**written, **{name: text.encode() for name, text in printed.items()}}.items():
        # a terminal breaks lines
        for searched in (content, b" ".join(content.split())):
            for form in (form for secret in SECRETS for form in forms(secret)):
                # the beginning is enough: a message may have been cut within a key
                beginning = form[:10]
                assert beginning not in searched, f"{name} holds {form!r}: …{excerpt(searched, beginning)!r}…"


def excerpt(content: bytes, form: bytes) -> bytes:
    at = content.find(form)
    return content[max(0, at - 120) : at + 120]


def reports(evenhand: Program) -> None:
    """Everything that can be asked of what is stored."""
    forms_ = [arg for form in ("html", "md", "json", "junit") for arg in (f"--{form}", f"again.{form}")]
    evenhand("scorecard", *forms_)
    evenhand("score", "latest")
    evenhand("show")
    evenhand("show", "--answers")
    evenhand("runs")
    for form in ("jsonl", "csv", "parquet"):
        evenhand("export", "--format", form)


PROVIDERS = {
    "openai-compatible": ((KEY, TOKEN), ["--base-url", "http://{host}/v1?token={token}"]),
    "openai": ((KEY,), ["--option", "base_url=http://{host}/v1", "--option", "api_key={key}"]),
    "anthropic": ((KEY, TOKEN), ["--option", "base_url=http://{host}?token={token}", "--option", "api_key={key}"]),
    "together": ((PASSWORD,), ["--option", "base_url=http://user:{password}@{host}/v1"]),
    "http-webhook": (
        SECRETS,
        [
            *("--option", "url=http://user:{password}@{host}/generate?token={token}"),
            *("--option", 'body={{"prompt": "{{{{prompt}}}}", "limit": "{{{{max_tokens}}}}"}}'),
            *("--option", "response_path=choices[0].message.content", "--option", "model_path=model"),
            *("--option", 'headers={{"X-Key": "${{PLANTED_KEY}}", "Cookie": "session=${{PLANTED_TOKEN}}"}}'),
        ],
    ),
}
"""Provider to the secrets that its adapter is given, and how."""


@pytest.fixture
def command(server: GossipServer, folder: Path, provider: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """``run`` with every secret that this provider takes, all of them known to the server."""
    for variable in ("EVENHAND_API_KEY", "PLANTED_KEY"):
        monkeypatch.setenv(variable, KEY)
    monkeypatch.setenv("PLANTED_TOKEN", TOKEN)
    secrets, options = PROVIDERS[provider]
    server.learn(*secrets)
    values = {"host": f"127.0.0.1:{server.server_port}", "password": quote(PASSWORD), "token": TOKEN, "key": KEY}
    return ["run", "set.yaml", "--model", f"{provider}/m", *(option.format(**values) for option in options), *LIGHT]


@pytest.fixture
def database(folder: Path, evenhand: Program) -> Iterator[sqlite3.Connection]:
    """The database, open elsewhere too, so that its log stays to be searched."""
    evenhand("runs")
    with closing(sqlite3.connect(folder / "runs.db")) as connection:
        connection.execute("SELECT count(*) FROM runs").fetchone()
        yield connection


@pytest.mark.parametrize("provider", list(PROVIDERS))
def test_a_server_that_repeats_everything_leaks_nothing(
    command: list[str], folder: Path, evenhand: Program, database: sqlite3.Connection
) -> None:
    """Keys from the environment and from options, credentials and a token in the address: repeated in error bodies,
    in headers, in redirects, in what is no JSON. Nothing of it in the database and its log, in reports, in exports or
    on the terminal; what else the server said is there.
    """
    evenhand(*command, "--replicates", "4", "--attempts", "2", "--concurrency", "1", "--html", "run.html")
    reports(evenhand)
    details = database.execute("SELECT reason || traceback || attempts FROM responses WHERE reason <> ''")
    told = " ".join(row[0] for row in details)
    assert "[redacted]" in told
    assert "Describe a" in told, "what is no secret is kept"
    assert database.execute("SELECT count(*) FROM responses WHERE outcome = 'answered'").fetchone()[0] > 0
    assert_kept_secret(folder, evenhand.printed)


@pytest.mark.parametrize("provider", list(PROVIDERS))
@pytest.mark.parametrize("status", [401, 404])
def test_what_stops_a_run_shows_no_secret_in_its_traceback(
    command: list[str],
    status: int,
    server: GossipServer,
    folder: Path,
    evenhand: Program,
    database: sqlite3.Connection,
) -> None:
    """401 with the Authorization header in its body, 404 with it in the request's id; with ``--verbose`` frames,
    chained errors and all.
    """
    server.only = status
    said = evenhand(*command, "--replicates", "1", code=3 if status == 401 else 2)
    assert str(status) in said
    assert "[redacted]" in said
    assert_kept_secret(folder, {**evenhand.printed, "traceback": evenhand.traceback(*command, "--new")})


def test_a_key_in_a_benchmark_spec_stays_there(
    server: GossipServer,
    folder: Path,
    evenhand: Program,
    database: sqlite3.Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Expanded from a variable, used, and nowhere written down."""
    server.learn(KEY, TOKEN)
    monkeypatch.setenv("PLANTED_KEY", KEY)
    monkeypatch.setenv("PLANTED_ADDRESS", f"http://127.0.0.1:{server.server_port}/v1?token={TOKEN}")
    (folder / "benchmark.yaml").write_text(
        "benchmark: {name: planted}\n"
        "model_under_test: {provider: openai-compatible, model: m, api_key: '${PLANTED_KEY}', "
        "base_url: '${PLANTED_ADDRESS}'}\n"
        "scenarios: [set.yaml]\nreplicates_per_prompt: 2\nconcurrency: 1\n"
        "evaluators: {skip: [embeddings, toxicity, names]}\noutput: {path: reports/planted, format: all}\n"
    )
    evenhand("run", "benchmark.yaml", "--dry-run")
    evenhand("run", "benchmark.yaml")
    reports(evenhand)
    assert len(list((folder / "reports").iterdir())) == 3
    assert_kept_secret(folder, evenhand.printed)


def test_the_password_of_a_database_is_not_shown(
    folder: Path, evenhand: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it stands in the URL, and whichever command cannot reach it."""
    url = f"postgresql://user:{quote(PASSWORD)}@127.0.0.1:9/audits?sslpassword={TOKEN}"
    monkeypatch.setenv("EVENHAND_DB", url)
    for command in (
        ["runs"],
        ["show"],
        ["score", "latest"],
        ["export"],
        ["run", "set.yaml", "--model", "simulated/fair"],
    ):
        assert "cannot be reached" in " ".join(evenhand(*command, code=2).split())
    assert "audits" in evenhand("doctor", code=None)
    (folder / "none-wal").write_text("")
    assert_kept_secret(folder, {**evenhand.printed, "traceback": evenhand.traceback("runs", "--db", url)})
