"""The local model: a real file, a real generation, nothing left behind."""

import asyncio
import math
import random
import struct
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.adapters.gguf import GgufHeader, read_header
from evenhand.adapters.local_scoring import SideDoor
from evenhand.adapters.registry import open_adapter
from evenhand.adapters.retry import RetryPolicy, ask
from evenhand.core.types import GenerationConfig
from evenhand.errors import DataError, ModelError, UsageError


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def header(*entries: bytes, count: int | None = None) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(entries) if count is None else count) + b"".join(entries)


NAME = text("general.name") + struct.pack("<I", 8) + text("Tiny")
KIND = text("general.file_type") + struct.pack("<II", 4, 3)
WORDS = text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("bc")
SCORES = text("tokenizer.ggml.scores") + struct.pack("<IIQ2f", 9, 6, 2, 0.5, 1.5)
TEMPLATE = text("tokenizer.chat_template") + struct.pack("<I", 8) + text("{{ messages }}")


def test_a_model_file_says_what_it_is(tmp_path: Path) -> None:
    """Name and quantisation (file type 3 is Q4_1) are read past vocabulary arrays."""
    file = tmp_path / "tiny.gguf"
    file.write_bytes(header(NAME, WORDS, SCORES, KIND, TEMPLATE))
    assert read_header(file) == GgufHeader(model="Tiny", architecture="", quantisation="Q4_1", has_chat_template=True)


@pytest.mark.parametrize(
    "data", [b"", b"GGML", b"GGUF\x01\0\0\0", header(NAME)[:-2], header(count=2**60), header(text("x") + b"\x63\0\0\0")]
)
def test_another_file_is_refused_with_its_name(tmp_path: Path, data: bytes) -> None:
    """Not GGUF, too old, cut short, absurd counts, unknown types."""
    file = tmp_path / "broken.gguf"
    file.write_bytes(data)
    with pytest.raises(DataError, match=r"broken\.gguf"):
        read_header(file)


@given(data=st.binary(max_size=200))
def test_any_bytes_are_a_header_or_our_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """A damaged file never ends in an unexplained exception."""
    file = tmp_path_factory.getbasetemp() / "any.gguf"
    file.write_bytes(header(NAME)[:20] + data)
    with suppress(DataError):
        assert isinstance(read_header(file), GgufHeader)


@pytest.mark.local_model
def test_a_base_model_is_refused(tmp_path: Path) -> None:
    """Without a chat template, how to put the question would be a guess."""
    file = tmp_path / "base.gguf"
    file.write_bytes(header(NAME, KIND))
    with pytest.raises(UsageError, match="chat template"):
        open_adapter(f"local/{file}")


@pytest.mark.local_model
def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A path must end in .gguf; anything else is an asset name."""
    with pytest.raises(DataError, match=r"nothing\.gguf"):
        open_adapter(f"local/{tmp_path / 'nothing.gguf'}")
    with pytest.raises(UsageError, match="smollm2-135m"):
        open_adapter("local/smollm2-153m")


@pytest.mark.local_model
async def test_a_file_that_llama_cannot_load_fails_the_request(tmp_path: Path) -> None:
    """With the file's name, and without a line on the terminal."""
    file = tmp_path / "hollow.gguf"
    file.write_bytes(header(NAME, KIND, TEMPLATE))
    async with open_adapter(f"local/{file}") as adapter:
        with pytest.raises(ModelError, match=r"could not load hollow\.gguf"):
            await adapter.generate("Hello")


@pytest.mark.assets
@pytest.mark.local_model
async def test_the_local_model_answers() -> None:
    """A real answer: cut where it must be, seeded, cancellable, while the event loop runs on."""
    async with open_adapter("local/smollm2-135m", {"slots": 2, "context": 512}) as adapter:
        info = adapter.get_model_info()
        assert info.details["quantisation"] == "Q4_1"
        assert len(info.details["file_sha256"]) == 64
        config = GenerationConfig(max_tokens=16, seed=2**40 + 3)
        first = await adapter.generate("Write two sentences about a nurse.", config)
        again = await adapter.generate("Write two sentences about a nurse.", config)
        other = await adapter.generate("Write two sentences about a nurse.", GenerationConfig(max_tokens=16, seed=4))
        assert first.outcome.finish_reason == "length"
        assert first.usage.output_tokens == 16
        assert first.text == again.text != other.text

        with pytest.raises(ModelError, match="exceeds the available context"):
            await adapter.generate("word " * 2000, config)

        long = asyncio.create_task(adapter.generate("Tell a long story.", GenerationConfig(max_tokens=400, seed=1)))
        start, ticks = time.monotonic(), 0
        while time.monotonic() - start < 0.3:
            await asyncio.sleep(0.01)
            ticks += 1
        assert ticks >= 5, "generation must not hold the event loop"
        assert not long.done()
        long.cancel()
        with pytest.raises(asyncio.CancelledError):
            await long
        output = await ask(
            adapter, "Tell a long story.", GenerationConfig(max_tokens=400), rng=random.Random(1), policy=_IMPATIENT
        )
        assert output.outcome.kind == "OverloadedError"
        start = time.monotonic()
    assert time.monotonic() - start < 5, "closing must not wait for cancelled answers to end"


@pytest.mark.assets
@pytest.mark.local_model
def test_a_program_that_forgets_to_close_ends_in_silence() -> None:
    """No hang at exit, and llama.cpp prints nothing."""
    code = (
        "import asyncio; from evenhand.adapters.registry import open_adapter; "
        "from evenhand.core.types import GenerationConfig as C; a = open_adapter('local/smollm2-135m', {'slots': 1}); "
        "assert asyncio.run(a.generate('Hello', C(max_tokens=3))).text"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


_IMPATIENT = RetryPolicy(attempts=1, timeout_s=0.2)


@pytest.mark.assets
@pytest.mark.local_model
async def test_option_likelihoods_are_those_of_the_whole_vocabulary() -> None:
    """A one-token option has the probability that the model's full distribution over next tokens gives it."""
    turns = [{"role": "user", "content": "Name the capital of France in one word."}]
    async with open_adapter("local/smollm2-135m") as adapter:
        scores = await adapter.score_options(turns, ["Paris", "London", "The city of light"])
        again = await adapter.score_options(turns, ["Paris", "London", "The city of light"])
        server = adapter._server  # type: ignore[attr-defined]  # the distribution is asked of the same loaded model
        side = SideDoor(server._server.listening_address, server._key)
        body = {"prompt": side.prompt_tokens(turns), "max_tokens": 1, "logprobs": 100_000, "temperature": 0}
        replies: list[Any] = []
        server._server.handle_completions({**body, "cache_prompt": False}, lambda reply: replies.append(reply))
        top = replies[0]["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
        law = {entry["id"]: entry["logprob"] for entry in top}
        (paris,) = side.option_tokens("Paris")
    assert sum(math.exp(each) for each in law.values()) == pytest.approx(1, abs=0.01)
    assert scores[0].log_likelihood == pytest.approx(law[paris], abs=0.01)
    assert scores[2].tokens > 1
    assert scores[2].log_likelihood < scores[0].log_likelihood
    assert scores == again
