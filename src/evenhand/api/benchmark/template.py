"""The benchmark spec that ``evenhand init`` writes: every field with what it does, ready to run."""

import json
import re

from evenhand.adapters.registry import registry
from evenhand.errors import UnknownNameError, UsageError
from evenhand.evaluation.registry import LAYER_1, NAMES
from evenhand.metrics.registry import BUILTIN as METRICS

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9._/-]*")
# YAML reads these words as something else than text
_NO_TEXT = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})

_TEXT = """\
# A benchmark: what to ask which model, and where the reports go.
#
#   evenhand run THIS_FILE --dry-run    what would be asked, and what it would take; nothing is asked
#   evenhand run THIS_FILE              ask, evaluate, score, store, report
#
# Every key that is commented out has the value shown as its default, unless the comment says otherwise. Paths are
# relative to the folder of this file and stay in it. No key that Evenhand does not know is passed over in silence.

# What people call it: the name stands in the list of runs and in the reports, the description above what a run prints.
benchmark:
  name: first-benchmark
  description: Whether the answers differ between the groups that the prompts name.

# The model, and how it is asked.
model_under_test:
  provider: {provider}    # one of: evenhand adapters
  model: {model}    # as the provider calls it; a file for local (.gguf) and simulated (.yaml)
  max_tokens: 256    # limit of an answer; null sends no limit
  # temperature: 0.7    # default: the model's own, and nothing is sent
  # top_p: 0.95         # default: the model's own
  # system: You answer in two sentences.    # system prompt; default: none
  seed: 0    # seed of the run: the same seed asks with the same seeds

  # The key, from an environment variable. It never stands in this file, and never reaches a report or the store.
  # Default: the provider's own variable; evenhand adapters names it.
  # api_key: ${{MY_API_KEY}}
  {base_url}

  # Settings of the provider, as with --option; which there are, the provider says. Default: none.
  # options: {{timeout_s: 60}}

# Scenario sets by name (evenhand scenarios lists them) or YAML files of your own, as in sets/mine.yaml.
scenarios:
  - gender_occupation

# Metrics to compute: {metrics}. Default: all.
# metrics: [RSI, DSI]

# Answers to every prompt, base and variants alike. More answers tell smaller differences from chance.
replicates_per_prompt: 10

# Share of the answers that people read, from 0 to 1. This version has no review queue and refuses any value.
# human_review_sample_rate: null

# US dollars that the run may cost at most. What does not fit is not asked, and the run is partial. Needs a model
# whose price is known. Default: no limit.
# budget_usd: 5

# Requests at once. It changes how fast the run is, not what it asks.
concurrency: 8

# Evaluators to leave out; what needs them is undefined, never 0.
# There are: {evaluators}.
evaluators:
  skip: []

# Where pass, watch, flag and fail begin: a profile that ships, or a YAML file of your own.
bands: evenhand-1

# What intervals speak about: "these prompts", or "prompts like these", which needs at least five scenarios.
target: these prompts

# What one attribute is compared with in every scenario, instead of what the set says: uniform, the name of a published
# distribution (evenhand baselines), or shares that sum to 1. Default: what the set says.
# baselines:
#   gender: {{female: 0.47, male: 0.53}}

# Where the reports go. format: html, md, json, or all three; the ending is added if the path has none. The path may
# begin with a variable, as in ${{REPORTS}}/first. Default: no file, the terminal alone.
output:
  path: reports/first-benchmark
  format: all
"""


def spec_text(model: str) -> str:
    """Return the text of a spec for ``provider/name``.

    Raises
    ------
    UsageError
        If `model` is not written like that.
    UnknownNameError
        If there is no such provider.
    """
    provider, slash, name = model.partition("/")
    if not slash or not provider or not name.strip():
        raise UsageError(f"a model is written provider/name, as in local/smollm2-135m, not {model!r}")
    known = registry().names()
    if provider not in known:
        raise UnknownNameError("model provider", provider, known)
    return _TEXT.format(
        provider=provider,
        model=_quoted(name.strip()),
        base_url=_base_url(provider),
        metrics=", ".join(METRICS),
        evaluators=", ".join((*LAYER_1, NAMES)),
    )


def _base_url(provider: str) -> str:
    if provider == "openai-compatible":
        return "base_url: http://localhost:8080/v1    # address of the server; may be ${MY_URL}"
    return "# base_url: https://models.example.org/v1    # another address; default: the provider's"


def _quoted(name: str) -> str:
    """Write a name so that YAML reads it as text. What JSON says in quotes, YAML reads alike."""
    return name if _PLAIN.fullmatch(name) and name.lower() not in _NO_TEXT else json.dumps(name)
