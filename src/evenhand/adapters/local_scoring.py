"""How likely a text is as the beginning of a model's answer: exact, token by token, from llama.cpp's own logits."""

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evenhand.core.question_spec import OptionScore
from evenhand.errors import BadResponseError, ModelError

_FORCE = 1000.0
"""Added to the logit of the token that is asked about, so that it is the one "chosen". The likelihood that llama.cpp
reports for the chosen token comes from the logits before any bias."""
_TIMEOUT_S = 60

Complete = Callable[[Mapping[str, Any], Callable[[Mapping[str, Any]], bool]], Any]


class SideDoor:
    """The loopback port of the server in this process, for what its Python interface does not offer.

    Parameters
    ----------
    address
        Of the server, on the loopback interface.
    key
        Random, known to this process alone.
    """

    def __init__(self, address: str, key: str) -> None:
        self._address, self._key = address.rstrip("/"), key

    def prompt_tokens(self, messages: Sequence[Mapping[str, Any]]) -> list[int]:
        """Return the tokens of a conversation in the model's chat template, up to where its answer begins."""
        text = self._post("/apply-template", {"messages": list(messages)})["prompt"]
        return self._tokens(text, is_template=True)

    def option_tokens(self, option: str) -> list[int]:
        """Return the tokens of a text, as the model would read it at the beginning of its answer."""
        return self._tokens(option, is_template=False)

    def _tokens(self, text: str, *, is_template: bool) -> list[int]:
        body = {"content": text, "add_special": is_template, "parse_special": is_template}
        return [int(token) for token in self._post("/tokenize", body)["tokens"]]

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
        request = urllib.request.Request(self._address + path, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            error.close()  # it is the answer, with its connection
            raise ModelError(f"llama.cpp refused {path}", status=error.code) from None
        except OSError as error:
            raise ModelError(f"llama.cpp did not answer {path}: {error}") from None


def option_scores(
    complete: Complete,
    side: SideDoor,
    messages: Sequence[Mapping[str, Any]],
    options: Sequence[str],
    cancelled: threading.Event,
) -> list[OptionScore]:
    """Score each option.

    Parameters
    ----------
    complete
        Takes a completion request and where its answer goes.
    cancelled
        Once set, no further token is asked for.

    Notes
    -----
    log p(option | prompt) = Σ log p(token i | prompt, tokens before i), tokens as the model's tokeniser cuts the
    option. One request a token; beginnings that options share are asked once. The first request computes the whole
    prompt and the others go on from there: with a quantised model, a prompt computed in other pieces moves the sum by
    about a tenth of a nat, so what an earlier question left behind must not be used. Nothing is said about what would
    follow the option.
    """
    prompt = side.prompt_tokens(messages)
    known: dict[tuple[int, ...], float] = {}
    scores = []
    for option in options:
        tokens = side.option_tokens(option)
        if not tokens:
            raise ModelError(f"the option {option!r} has no token, so it has no likelihood")
        total = 0.0
        for end in range(1, len(tokens) + 1):
            path = tuple(tokens[:end])
            if path not in known:
                if cancelled.is_set():
                    raise ModelError("the request was cancelled")
                known[path] = _log_probability(complete, [*prompt, *path[:-1]], path[-1], is_first=not known)
            total += known[path]
        scores.append(OptionScore(log_likelihood=total, tokens=len(tokens)))
    return scores


def _log_probability(complete: Complete, before: Sequence[int], token: int, *, is_first: bool) -> float:
    replies: list[Mapping[str, Any]] = []
    body = {
        "prompt": list(before),
        "max_tokens": 1,
        "logprobs": 1,
        "temperature": 0,
        "logit_bias": [[token, _FORCE]],
        "cache_prompt": not is_first,
        "id_slot": 0,
    }

    def take(reply: Mapping[str, Any]) -> bool:
        replies.append(reply)
        return False

    complete(body, take)
    if replies and "error" in replies[0]:
        raise ModelError(f"llama.cpp refused the request: {replies[0]['error'].get('message', 'no reason given')}")
    try:
        chosen = replies[0]["choices"][0]["logprobs"]["content"][0]
        found, log_probability = int(chosen["id"]), float(chosen["logprob"])
    except (LookupError, TypeError, ValueError):
        raise BadResponseError("llama.cpp gave no likelihood of the token asked about") from None
    if found != token:
        raise BadResponseError("llama.cpp gave the likelihood of another token than the one asked about")
    return log_probability
