"""`LocalAdapter`: a GGUF model, run by llama.cpp inside this process. No key, no network."""

import asyncio
import os
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

from evenhand._base.digest import file_digest
from evenhand.adapters.base import Message, ModelAdapter, check_config
from evenhand.adapters.chat_completions import conversation, parameters
from evenhand.adapters.gguf import GgufHeader, read_header
from evenhand.adapters.local_server import SAMPLING, LocalServer, ServerSettings, load_library
from evenhand.adapters.options import positive_integer, read_options
from evenhand.assets.find import find
from evenhand.core.protocols import Capabilities
from evenhand.core.question_spec import OptionScore
from evenhand.core.types import GeneratedOutput, GenerationConfig, ModelInfo
from evenhand.errors import UsageError

_MOST_THREADS = 4
_SEED_RANGE = 2**32 - 1  # the highest 32-bit value asks llama.cpp for a random seed


class LocalAdapter(ModelAdapter):
    """A language model from a file.

    Parameters
    ----------
    path
        A GGUF file with a chat template inside.
    name
        The model as requested, such as ``"local/smollm2-135m"``.
    slots
        Answers generated side by side.
    threads
        Threads of the computation; one per processor, at most 4, if not given.
    context
        Tokens of prompt and answer together. Longer prompts fail, longer answers are cut.

    Raises
    ------
    DataError
        If the file is not GGUF.
    UsageError
        If it holds no chat template.

    Notes
    -----
    The model is loaded by the first request. A request's seed decides its sampling, but answers are the same only
    on the same build and processor, and while the same requests share a batch: rounding differs otherwise.
    """

    def __init__(
        self, path: Path, *, name: str, slots: int = 8, threads: int | None = None, context: int = 2048
    ) -> None:
        self._path, self._name = path, name
        self._header = _chat_model(path)
        self._settings = ServerSettings(slots=slots, threads=threads or _default_threads(), context=context)
        self._lock = threading.Lock()
        self._server: LocalServer | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._running: set[threading.Event] = set()
        self._file_sha256 = ""

    @classmethod
    def from_spec(cls, model: str, options: Mapping[str, Any]) -> Self:
        """Make the adapter for ``local/ASSET`` or ``local/PATH.gguf``; options: slots, threads, context.

        Raises
        ------
        MissingAssetError, MissingExtraError
            If the model file or the package that runs it is not there.
        """
        known = dict.fromkeys(("slots", "threads", "context"), positive_integer)
        settings = read_options("local", options, known)
        load_library()  # a missing package should be said now, not in the first request
        path = Path(model).expanduser() if model.endswith(".gguf") else find(model)
        return cls(path, name=f"local/{model}", **settings)

    @property
    def name(self) -> str:
        """As requested."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """Prompts, conversations, option likelihoods; more calls at once than slots only wait."""
        most = self._settings.slots
        return Capabilities(converse=True, score_options=True, seeds="best effort", max_concurrency=most)

    def get_model_info(self) -> ModelInfo:
        """Return what decides the answers: the file, its quantisation, the build that runs it, the sampling."""
        self._file_sha256 = self._file_sha256 or file_digest(self._path)
        build = load_library().BUILD_INFO
        return ModelInfo(
            provider="local",
            name=self._name.removeprefix("local/"),
            details={
                "calls_itself": self._header.model,
                "file": self._path.name,
                "file_sha256": self._file_sha256,
                "architecture": self._header.architecture,
                "quantisation": self._header.quantisation,
                "xllamacpp": version("xllamacpp"),
                "build": f"{build.get('build_target', '')}, {build.get('compiler', '')}",
                "context": self._settings.context,
                "sampling": dict(SAMPLING),
            },
        )

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        """Answer one prompt.

        Raises
        ------
        ModelError
            If the model cannot be loaded or the prompt does not fit its context.
        """
        return await self.converse([{"role": "user", "content": prompt}], config)

    async def converse(self, messages: Sequence[Message], config: GenerationConfig | None = None) -> GeneratedOutput:
        """Answer the last of several turns; as `generate`."""
        config = config or GenerationConfig()
        check_config(self, config)
        if config.seed is not None:
            config = replace(config, seed=config.seed % _SEED_RANGE)
        body = {"messages": conversation(messages, config), **parameters(config)}
        cancelled = threading.Event()
        self._running.add(cancelled)
        try:
            output = await asyncio.get_running_loop().run_in_executor(self._threads(), self._chat, body, cancelled)
        finally:
            cancelled.set()  # if this task was cancelled the thread is still at work: it stops at the next token
            self._running.discard(cancelled)
        return replace(output, model=f"{self._path.name} ({self._header.quantisation})")

    async def score_options(self, messages: Sequence[Message], options: Sequence[str]) -> list[OptionScore]:
        """Return how likely the text of each option is as the beginning of the answer, in the model's chat template.

        Raises
        ------
        ModelError
            If the model cannot be loaded or the prompt does not fit its context.
        """
        turns = conversation(messages, GenerationConfig())
        cancelled = threading.Event()
        self._running.add(cancelled)
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._threads(), self._score, turns, options, cancelled
            )
        finally:
            cancelled.set()
            self._running.discard(cancelled)

    async def aclose(self) -> None:
        """Stop what is under way and free the model; a later request loads it again."""
        for cancelled in tuple(self._running):
            cancelled.set()
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown, wait=True, cancel_futures=True)
        await asyncio.to_thread(self._unload)

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._settings.slots, thread_name_prefix="evenhand-local")
        return self._pool

    def _chat(self, body: Mapping[str, Any], cancelled: threading.Event) -> GeneratedOutput:
        return self._loaded().chat(body, cancelled)

    def _score(
        self, turns: Sequence[Mapping[str, Any]], options: Sequence[str], cancelled: threading.Event
    ) -> list[OptionScore]:
        return self._loaded().score_options(turns, options, cancelled)

    def _loaded(self) -> LocalServer:
        with self._lock:  # the first request loads, the others wait for it
            self._server = self._server or LocalServer(self._path, self._settings)
            return self._server

    def _unload(self) -> None:
        with self._lock:
            self._server = None  # its destructor waits for llama.cpp to end


def _chat_model(path: Path) -> GgufHeader:
    header = read_header(path)
    if not header.has_chat_template:
        raise UsageError(
            f"{path.name} holds no chat template, so it is a base model: how to put a question to it would be a "
            "guess. Use the instruction-tuned version of the model."
        )
    return header


def _default_threads() -> int:
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, _MOST_THREADS)
