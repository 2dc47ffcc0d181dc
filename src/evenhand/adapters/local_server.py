"""llama.cpp inside this process: load a model file, hold one chat per slot, stop at once when told."""

import os
import secrets
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from evenhand._base.optional import require
from evenhand.adapters.local_scoring import SideDoor, option_scores
from evenhand.core.outcomes import Answered, FinishReason, Usage
from evenhand.core.question_spec import OptionScore
from evenhand.core.types import GeneratedOutput
from evenhand.errors import BadResponseError, ModelError, UsageError

SAMPLING: Mapping[str, float | int] = {"temperature": 0.8, "top_k": 40, "top_p": 0.95, "min_p": 0.05}
"""How answers are sampled unless the request says otherwise: part of what is measured, so it is written down."""

# Idle OpenMP threads spin. By default they spin so long that another busy process on the machine starves; never to
# spin ("passive" alone) costs 40% of the speed, because one token is some hundred short parallel loops.
_OPENMP = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "1000"}
_FINISH: Mapping[str, FinishReason] = {"stop": "stop", "length": "length"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """How much of the machine the model may take.

    Attributes
    ----------
    slots
        Answers generated side by side, in one batch.
    threads
        Threads of the computation.
    context
        Tokens of prompt and answer together, per slot.
    """

    slots: int
    threads: int
    context: int


class LocalServer:
    """A loaded model. Its methods block, so they are called in threads; `chat` from at most `slots` at once.

    Raises
    ------
    MissingExtraError, UsageError
        If the package, or a system library that it needs, is not there.
    ModelError
        If llama.cpp cannot load the file.
    """

    def __init__(self, path: Path, settings: ServerSettings) -> None:
        library = load_library()
        parameters = _parameters(library, path, settings)
        try:
            self._server = library.Server(parameters)
        except RuntimeError as error:
            raise ModelError(f"llama.cpp could not load {path.name}: {error}") from None
        self._key: str = parameters.api_keys[0]
        self._one_at_a_time = threading.Lock()  # a batch shared with other requests rounds differently

    def score_options(
        self, messages: Sequence[Mapping[str, Any]], options: Sequence[str], cancelled: threading.Event
    ) -> list[OptionScore]:
        """Return how likely each option is as the beginning of the answer; `option_scores` says how.

        Raises
        ------
        ModelError
            If llama.cpp refuses a request, such as a prompt longer than the context.
        """
        side = SideDoor(self._server.listening_address, self._key)
        with self._one_at_a_time:
            return option_scores(self._server.handle_completions, side, messages, options, cancelled)

    def chat(self, body: Mapping[str, Any], cancelled: threading.Event) -> GeneratedOutput:
        """Answer one chat request in the form of the OpenAI protocol.

        Parameters
        ----------
        cancelled
            Once set, the slot is freed after the token under way.

        Raises
        ------
        ModelError
            If llama.cpp refuses the request, such as a prompt longer than the context.
        """
        reply = _Reply(cancelled)
        streamed = {**SAMPLING, **body, "stream": True, "stream_options": {"include_usage": True}}
        # streamed, because a plain request could not be stopped before its last token
        self._server.handle_chat_completions(streamed, reply.take)
        return reply.output()


def load_library() -> ModuleType:
    """Import xllamacpp, with idle threads that do not starve the rest of the machine.

    Notes
    -----
    OpenMP reads the environment once, while the library is loaded; afterwards the environment is as it was. What the
    user has set wins.
    """
    with _environment(_OPENMP):
        try:
            return require("xllamacpp", extra="local", purpose="The local language model")
        except ImportError as error:
            raise UsageError(
                f"xllamacpp is installed but cannot be loaded: {error}. It needs the OpenMP library of the system; "
                "on Debian and Ubuntu: apt-get install libgomp1"
            ) from error


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    added = {name: value for name, value in variables.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


def _parameters(library: ModuleType, path: Path, settings: ServerSettings) -> Any:
    parameters = library.CommonParams()
    parameters.model.path = str(path)
    parameters.n_parallel = settings.slots
    parameters.n_ctx = settings.context * settings.slots
    parameters.fit_params = False  # the context is what was asked for, not what llama.cpp finds room for
    parameters.cont_batching = True
    parameters.cpuparams.n_threads = settings.threads
    parameters.cpuparams_batch.n_threads = settings.threads
    parameters.cache_ram_mib = 0  # prompts of an audit are short; its own copy of them would take 8 GB
    parameters.verbosity = -1
    parameters.offline = True
    # the library always listens on a loopback port; without this key nobody else can use it
    parameters.api_keys = [secrets.token_hex(32)]
    parameters.ui = parameters.endpoint_slots = parameters.endpoint_props = parameters.endpoint_metrics = False
    parameters.cors_origins, parameters.cors_credentials = "null", False
    return parameters


class _Reply:
    """Collects the pieces of one streamed answer. Exceptions would be swallowed in `take`, so none is raised there."""

    def __init__(self, cancelled: threading.Event) -> None:
        self._cancelled = cancelled
        self._pieces: list[str] = []
        self._finish = ""
        self._usage: Mapping[str, Any] = {}
        self._model = self._id = ""
        self._error: Mapping[str, Any] | None = None

    def take(self, chunk: Mapping[str, Any]) -> bool:
        """Keep one piece; true ends the generation."""
        if "error" in chunk:
            self._error = chunk["error"]
            return True
        for choice in chunk.get("choices") or ():
            self._pieces.append((choice.get("delta") or {}).get("content") or "")
            self._finish = choice.get("finish_reason") or self._finish
        self._usage = chunk.get("usage") or self._usage
        self._id = chunk.get("id") or self._id
        return self._cancelled.is_set()

    def output(self) -> GeneratedOutput:
        """Return the answer, or raise why there is none."""
        if self._error is not None:
            raise ModelError(
                f"llama.cpp refused the request: {self._error.get('message', 'no reason given')}",
                status=self._error.get("code"),
            )
        if not self._finish:
            raise BadResponseError("llama.cpp ended the answer without saying why")
        usage = Usage(input_tokens=self._usage.get("prompt_tokens"), output_tokens=self._usage.get("completion_tokens"))
        outcome = Answered(text="".join(self._pieces), finish_reason=_FINISH.get(self._finish, "unknown"))
        return GeneratedOutput(outcome=outcome, usage=usage, provider_request_id=self._id or None)
