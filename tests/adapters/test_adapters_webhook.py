"""`http-webhook`: a template in, a path out, and nothing that a prompt or a reply can break."""

import json
from typing import Any

import pytest
from adapter_services import KEY, WEBHOOK_OPTIONS, own
from hypothesis import given
from hypothesis import strategies as st

from evenhand.adapters.base import check_config
from evenhand.adapters.registry import open_adapter
from evenhand.adapters.webhook_paths import follow, found, read_path
from evenhand.adapters.webhook_template import Template
from evenhand.core.outcomes import Usage
from evenhand.core.types import GenerationConfig
from evenhand.errors import BadResponseError, CapabilityError, ModelError, UsageError

URL = "http://127.0.0.1:9/generate"


def plain(url: str = URL, **options: Any) -> Any:
    return open_adapter(
        "http-webhook/own", {"url": url, "body": '{"q": "{{prompt}}"}', "response_path": "a", **options}
    )


# ---- the template

texts = st.text() | st.sampled_from(['"}, "admin": true, {"', "{{seed}}", "{{prompt}}", "\\", "\n\0\ud83d"])


@given(prompt=texts, seed=st.integers())
def test_no_prompt_changes_the_shape_of_the_body(prompt: str, seed: int) -> None:
    """Whatever it holds, quotes, braces and placeholders too, it arrives as one text."""
    template = Template('{"a": {"q": "{{prompt}}", "list": ["Q: {{ prompt }} (seed {{seed}})", 1]}, "n": "{{seed}}"}')
    body = template.fill({"prompt": prompt, "seed": seed})
    assert body == {"a": {"q": prompt, "list": [f"Q: {prompt} (seed {seed})", 1]}, "n": seed}
    assert json.loads(json.dumps(body)) == body


def test_a_value_keeps_its_type_and_an_unset_one_is_not_sent() -> None:
    """A number is a number; None leaves its field out; elsewhere it is needed."""
    template = Template({"q": "{{prompt}}", "t": "{{temperature}}", "deep": {"limit": "{{max_tokens}}"}})
    assert template.fill({"prompt": "x", "temperature": 0.5, "max_tokens": None}) == {"q": "x", "t": 0.5, "deep": {}}
    for needing in ({"q": "{{prompt}} {{seed}}"}, {"q": "{{prompt}}", "list": ["{{seed}}"]}):
        with pytest.raises(CapabilityError, match=r"needs \{\{seed\}\} here"):
            Template(needing).fill({"prompt": "x", "seed": None})


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('{"q": {{prompt}}}', "inside quotes"),
        ('{"q": "{{promt}}"}', "Did you mean 'prompt'"),
        ('{"q": "Hello"}', "needs a place for the prompt"),
        ({"{{prompt}}": 1}, "needs a place for the prompt"),
        ({"q": "{{prompt}}", "x": float("nan")}, "cannot be sent as JSON"),
        ({"q": "{{prompt}}", "x": object()}, "cannot be sent as JSON"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_template_that_cannot_work_is_refused_when_it_is_given(body: Any, words: str) -> None:
    """With how it should look."""
    with pytest.raises(UsageError, match=words):
        plain(body=body)


# ---- the path


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("a", ["a"]),
        ("a.b.0.c", ["a", "b", "0", "c"]),
        ("a[0].b", ["a", "0", "b"]),
        ("[1][2]", ["1", "2"]),
        ("/a/0/b", ["a", "0", "b"]),
        ("/a~1b/c~0d/e.f", ["a/b", "c~d", "e.f"]),
        ("", []),
    ],
)
def test_paths_are_read_with_dots_brackets_or_as_json_pointers(path: str, steps: list[str]) -> None:
    """RFC 6901 for the last."""
    assert list(read_path(path)) == steps


@pytest.mark.parametrize("path", ["a..b", ".a", "a.", "a[x]", "a[", "a]b"])
def test_a_path_that_is_none_is_refused(path: str) -> None:
    """With one that is."""
    with pytest.raises(UsageError, match="response_path"):
        plain(response_path=path)


def test_what_is_not_there_is_named_with_what_is() -> None:
    """So that a wrong path can be mended."""
    reply = {"choices": [{"text": "x"}]}
    assert follow(reply, read_path("choices.0.text")) == "x"
    for path, words in {
        "choices.1.text": "no '1' at /choices: there is a list of 1",
        "choices.0.message": "no 'message' at /choices/0: there is an object with 'text'",
        "choices.0.text.x": "no 'x' at /choices/0/text: there is a value of type str",
        "choices.-1": "no '-1'",
    }.items():
        with pytest.raises(BadResponseError, match=words):
            follow(reply, read_path(path))
        assert found(reply, read_path(path)) is None


# ---- the adapter


async def test_template_headers_and_method_are_sent(fake_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys come from the environment; only placeholders that exist are parameters."""
    monkeypatch.setenv("MY_KEY", KEY)
    headers = '{"X-Api-Key": "${MY_KEY}", "X-Team": "fairness"}'
    fake_server.will(fake_server.json(200, own()))
    options = {**WEBHOOK_OPTIONS, "url": f"{fake_server.origin}/v2/ask?stage=test", "headers": headers}
    async with open_adapter("http-webhook/clerk", options) as adapter:
        output = await adapter.generate("Hello", GenerationConfig(max_tokens=9, seed=5, system="Brief."))
        info = adapter.get_model_info()
    assert output.usage == Usage(input_tokens=9, output_tokens=5)
    assert fake_server.bodies == [
        {
            "model": "clerk",
            "turns": [{"role": "system", "content": "Brief."}, {"role": "user", "content": "Hello"}],
            "limit": 9,
            "seed": 5,
        }
    ]
    assert fake_server.paths == ["/v2/ask?stage=test"]
    assert (fake_server.headers[0]["x-api-key"], fake_server.headers[0]["x-team"]) == (KEY, "fairness")
    assert fake_server.headers[0]["content-type"] == "application/json"
    assert (info.provider, info.name) == ("http-webhook", "clerk")
    assert info.details["url"] == f"{fake_server.origin}/v2/ask"
    assert KEY in adapter.secrets
    assert KEY not in repr(info)


def test_what_the_template_has_no_place_for_is_refused() -> None:
    """Parameters, and conversations."""
    adapter = plain()
    assert adapter.capabilities.parameters == frozenset()
    with pytest.raises(CapabilityError, match="max_tokens"):
        check_config(adapter, GenerationConfig())


async def test_a_template_without_turns_holds_no_conversations() -> None:
    """The earlier turns would be dropped."""
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}]
    with pytest.raises(CapabilityError, match=r"no place for the turns, \{\{messages\}\}"):
        await plain().converse(turns)


async def test_a_system_prompt_goes_to_one_place(fake_server: Any) -> None:
    """Its own if there is one, else before the turns."""
    fake_server.will(fake_server.json(200, own()))
    body = {"turns": "{{messages}}", "rules": "{{system}}"}
    options = {**WEBHOOK_OPTIONS, "url": fake_server.origin, "body": body}
    async with open_adapter("http-webhook/own", options) as adapter:
        await adapter.generate("Hello", GenerationConfig(max_tokens=None, system="Brief."))
    assert fake_server.bodies == [{"turns": [{"role": "user", "content": "Hello"}], "rules": "Brief."}]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"url": "localhost:8080"}, "url must be an address"),
        ({"method": "GET"}, "must be POST, PUT or PATCH"),
        ({"headers": "Authorization: x"}, "must be JSON like"),
        ({"headers": {"X": 1}}, "must be JSON like"),
        ({"headers": {"X": "${NOT_SET_ANYWHERE}"}}, "takes \\$\\{NOT_SET_ANYWHERE\\}, which is not set"),
        ({"headers": {"X": "a\r\nY: b"}}, "printable ASCII"),
        ({"timeout_s": 0}, "timeout_s"),
        ({"respons_path": "a"}, "Did you mean 'response_path'"),
    ],
)
def test_an_option_that_does_not_fit_is_refused(options: dict[str, Any], words: str) -> None:
    """Before anything is sent."""
    with pytest.raises(UsageError, match=words):
        plain(**options)


def test_what_is_missing_is_named() -> None:
    """All of it at once."""
    with pytest.raises(UsageError, match="needs the option url and the option body and the option response_path"):
        open_adapter("http-webhook/own")


async def test_a_redirect_is_not_followed(fake_server: Any) -> None:
    """It would carry the key to whoever is named there."""
    fake_server.will(fake_server.raw(307, b"", location="https://example.org/other"))
    async with plain(fake_server.origin) as adapter:
        with pytest.raises(ModelError, match=r"a redirect to https://example\.org/other; give that address as url"):
            await adapter.generate("Hello")
    assert len(fake_server.bodies) == 1


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ({"a": ["x"]}, "leads to a value of type list, not to a text"),
        ({"b": 1}, "no 'a' at /: there is an object with 'b'"),
        ({"error": {"message": "model is loading"}}, "it says: model is loading"),
    ],
)
async def test_a_reply_without_text_says_what_is_there(fake_server: Any, reply: Any, words: str) -> None:
    """Never an empty answer."""
    fake_server.will(fake_server.json(200, reply))
    async with plain(fake_server.origin) as adapter:
        with pytest.raises(BadResponseError, match=words):
            await adapter.generate("Hello")


async def test_a_reply_without_end_is_given_up(fake_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address of one's own may be anything."""
    monkeypatch.setattr("evenhand.adapters.webhook._MOST_BYTES", 1000)
    fake_server.will(fake_server.json(200, {"a": "x" * 2000}))
    async with plain(fake_server.origin) as adapter:
        with pytest.raises(BadResponseError, match="longer than"):
            await adapter.generate("Hello")
