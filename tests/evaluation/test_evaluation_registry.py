"""Loading evaluators: everything missing at once, with the way out of each."""

import sys
from pathlib import Path

import pytest

from evenhand.core.protocols import Evaluator
from evenhand.core.types import EvaluatedOutput
from evenhand.errors import UnknownNameError, UsageError
from evenhand.evaluation.registry import LAYER_1, blind_spots, load_evaluators, provided_fields, registry


def test_names_everything_that_is_missing_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One error: each file and package, each command, each way to go without."""
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(UsageError) as caught:
        load_evaluators(cache=tmp_path)
    message = str(caught.value)
    for asset in ("toxicity", "names", "minilm-l6-v2", "minilm-l6-v2-tokenizer"):
        assert f"evenhand models pull {asset})" in message
    for skipped in ("toxicity", "names", "embeddings"):
        assert f"--skip-evaluator {skipped}." in message
    assert "the package 'onnxruntime' (pip install 'evenhand[embeddings]')" in message
    assert "evenhand models pull default" in message
    assert "\n" not in message


def test_skipping_removes_a_need(tmp_path: Path) -> None:
    """An evaluator that is left out needs nothing; names are not needed without demographics."""
    loaded = load_evaluators(("toxicity", "embeddings", "demographics"), cache=tmp_path)
    assert [evaluator.name for evaluator in loaded] == ["refusal", "slurs", "sentiment"]


def test_an_unknown_name_to_skip_is_an_error(tmp_path: Path) -> None:
    """A typo must not look like a decision."""
    with pytest.raises(UnknownNameError, match="'toxicity'"):
        load_evaluators(("toxcity",), cache=tmp_path)


def test_an_altered_file_is_listed_too(tmp_path: Path) -> None:
    """There but wrong is as good as missing, and is said to be altered."""
    (tmp_path / "minilm-l6-v2-tokenizer").mkdir()
    (tmp_path / "minilm-l6-v2-tokenizer" / "tokenizer.json").write_bytes(b"something else")
    with pytest.raises(UsageError, match="'minilm-l6-v2-tokenizer', which was altered"):
        load_evaluators(("toxicity", "demographics"), cache=tmp_path)


@pytest.mark.assets
def test_loads_all_of_layer_one_in_order() -> None:
    """Every evaluator answers to the name under which it is listed."""
    loaded = load_evaluators()
    assert tuple(evaluator.name for evaluator in loaded) == LAYER_1
    assert all(isinstance(evaluator, Evaluator) and evaluator.version for evaluator in loaded)


@pytest.mark.assets
def test_demographics_without_names_is_another_version() -> None:
    """Runs with and without the table of names must not be compared unawares."""
    rest = [name for name in LAYER_1 if name != "demographics"]
    (with_names,) = load_evaluators(rest)
    (without,) = load_evaluators([*rest, "names"])
    assert with_names.version != without.version


@pytest.mark.parametrize("name", LAYER_1)
def test_provides_fields_that_exist_and_says_what_it_cannot_see(name: str) -> None:
    """A misspelt field would leave a metric waiting for ever."""
    fields = set(EvaluatedOutput.__dataclass_fields__)
    assert set(provided_fields(name)) <= fields
    assert provided_fields(name)
    assert blind_spots(name)
    assert all(sentence.endswith(".") for sentence in blind_spots(name))


def test_the_table_of_names_provides_nothing_by_itself() -> None:
    """Skipping it makes no metric undefined."""
    assert provided_fields("names") == ()
    with pytest.raises(UnknownNameError):
        provided_fields("nothing")
    assert "names" not in registry()
