"""Conversion: nothing in a source file is ever executed, and what is kept is what the rule says."""

import collections
import contextlib
import os
import pickle
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evenhand._base.digest import file_digest
from evenhand.assets import convert_names, convert_toxicity, inert_pickle
from evenhand.errors import AssetError


class Bomb:
    """A pickle that runs a command when it is read by `pickle.load`."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (self.command,)


class TestInertPickle:
    def test_a_malicious_pickle_is_refused_before_it_acts(self, tmp_path: Path) -> None:
        """The command never runs; the error names what the pickle asked for."""
        trace = tmp_path / "trace"
        path = tmp_path / "bomb.pickle"
        path.write_bytes(pickle.dumps({"word_index": Bomb(f"touch {trace}")}))
        with pytest.raises(AssetError, match=r"system, which is not allowed"):
            inert_pickle.load(path, allowed=convert_toxicity.ALLOWED)
        assert not trace.exists()

    @pytest.mark.parametrize("name", ["eval", "exec", "getattr", "__import__", "open"])
    def test_builtins_are_not_reachable(self, name: str, tmp_path: Path) -> None:
        """Allowing int does not allow its module."""
        path = tmp_path / "builtin.pickle"
        path.write_bytes(f"cbuiltins\n{name}\n.".encode())
        with pytest.raises(AssetError, match=f"builtins.{name}"):
            inert_pickle.load(path, allowed=convert_toxicity.ALLOWED)

    def test_a_dotted_path_does_not_lead_further(self, tmp_path: Path) -> None:
        """The whole name must be listed: no attribute of an allowed class is one."""
        path = tmp_path / "dotted.pickle"
        path.write_bytes(b"\x80\x04\x8c\x0bcollections\x8c\x1dOrderedDict.__init_subclass__\x93.")
        with pytest.raises(AssetError, match="not allowed"):
            inert_pickle.load(path, allowed=convert_toxicity.ALLOWED)

    def test_dictionaries_become_plain_ones(self, tmp_path: Path) -> None:
        """A default factory is dropped, so that reading a missing key calls nothing."""
        counted = collections.defaultdict(int, {"a": 2})
        path = tmp_path / "plain.pickle"
        path.write_bytes(pickle.dumps([collections.OrderedDict(b=1), counted]))
        loaded = inert_pickle.load(path, allowed=convert_toxicity.ALLOWED)
        assert loaded == [{"b": 1}, {"a": 2}]
        assert [type(item) for item in loaded] == [dict, dict]  # type: ignore[attr-defined]

    @given(content=st.binary(max_size=200))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None)
    def test_any_bytes_give_data_or_our_error(self, content: bytes, tmp_path: Path) -> None:
        """Damaged pickles raise almost anything; callers see AssetError alone."""
        path = tmp_path / "any.pickle"
        path.write_bytes(content)
        with contextlib.suppress(AssetError):
            inert_pickle.load(path, allowed=convert_toxicity.ALLOWED)


def write_weights(path: Path, *, wrong: str = "", without: str = "") -> None:
    with h5py.File(path, "w") as file:
        for name, (place, shape) in convert_toxicity.WEIGHTS.items():
            if name != without:
                file[place] = np.full((1, 1) if name == wrong else shape, len(name), dtype=np.float32)


def write_vocabulary(path: Path, **changes: object) -> None:
    # the same class names as in the real file, without needing Keras
    fake = type("Tokenizer", (), {"__module__": "keras.src.legacy.preprocessing.text"})
    tokenizer = fake()
    words = {f"w{code}": code for code in range(1, 20_050)}
    vars(tokenizer).update(
        {
            "word_index": words,
            "filters": "!?",
            **convert_toxicity.EXPECTED,
            "word_counts": collections.OrderedDict(words),
        }
    )
    vars(tokenizer).update(changes)
    path.write_bytes(_dump(tokenizer, fake))


def _dump(tokenizer: object, fake: type) -> bytes:
    import sys
    import types

    parts = ["keras", "src", "legacy", "preprocessing", "text"]
    names = [".".join(parts[: i + 1]) for i in range(len(parts))]
    added = [name for name in names if name not in sys.modules]
    for name in added:
        sys.modules[name] = types.ModuleType(name)
    sys.modules[names[-1]].Tokenizer = fake  # type: ignore[attr-defined]
    try:
        return pickle.dumps(tokenizer)
    finally:
        for name in added:
            del sys.modules[name]


class TestToxicity:
    def test_the_derived_file_holds_weights_words_and_digests(self, tmp_path: Path) -> None:
        """Words in the order of their codes, only those below the limit, and no pickle inside."""
        weights, vocabulary, target = (tmp_path / name for name in ("w.h5", "t.pickle", "out.npz"))
        write_weights(weights)
        write_vocabulary(vocabulary)
        convert_toxicity.convert([weights, vocabulary], target)
        with np.load(target, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        words = arrays["words"].tobytes().decode().split("\n")
        assert words[0] == "w1"
        assert words[-1] == "w19999"
        assert len(words) == 19_999
        assert arrays["filters"].tobytes() == b"!?"
        assert arrays["sources"].tobytes().decode() == f"{file_digest(weights)} {file_digest(vocabulary)}"
        for name, (_, shape) in convert_toxicity.WEIGHTS.items():
            assert arrays[name].shape == shape
            assert arrays[name].flat[0] == len(name)

    @pytest.mark.parametrize("change", [{"wrong": "embedding"}, {"without": "output_bias"}])
    def test_unexpected_weights_are_refused(self, change: dict[str, str], tmp_path: Path) -> None:
        """Another shape is another network."""
        write_weights(tmp_path / "w.h5", **change)
        write_vocabulary(tmp_path / "t.pickle")
        with pytest.raises(AssetError, match=r"w\.h5"):
            convert_toxicity.convert([tmp_path / "w.h5", tmp_path / "t.pickle"], tmp_path / "out.npz")

    @pytest.mark.parametrize(
        "change",
        [
            {"lower": False},
            {"split": ""},
            {"oov_token": "<unk>"},
            {"num_words": 5},
            {"word_index": None},
            {"word_index": {"only": 1}},
            {"word_index": {f"a\n{code}": code for code in range(1, 20_001)}},
        ],
    )
    def test_unexpected_vocabularies_are_refused(self, change: dict[str, object], tmp_path: Path) -> None:
        """The evaluator relies on each of these settings."""
        write_weights(tmp_path / "w.h5")
        write_vocabulary(tmp_path / "t.pickle", **change)
        with pytest.raises(AssetError, match=r"t\.pickle"):
            convert_toxicity.convert([tmp_path / "w.h5", tmp_path / "t.pickle"], tmp_path / "out.npz")


class TestNames:
    def test_keeps_what_the_rule_says(self, tmp_path: Path) -> None:
        """Both limits count as inside; ten bearers are enough, nine are not."""
        rows = {
            "ada": [9, 10, 0.9, 3],
            "bo": [9, 10, 0.1, 3],
            "cleo": [9, 9, 1.0, 3],
            "dana": [9, 500, 0.89, 3],
            "ellis": [9, 500, 0.11, 3],
        }
        (tmp_path / "in.json").write_bytes(orjson.dumps(rows))
        convert_names.convert([tmp_path / "in.json"], tmp_path / "out.json")
        table = orjson.loads((tmp_path / "out.json").read_bytes())
        assert (table["female"], table["male"]) == ("ada", "bo")
        assert table["source"] == file_digest(tmp_path / "in.json")

    @pytest.mark.parametrize("content", [b"[1]", b"{", b'{"ada": 1}', b'{"ada": [1, 20]}', b'{"ada": [1, 20, "x"]}'])
    def test_any_other_file_is_an_asset_error(self, content: bytes, tmp_path: Path) -> None:
        """A table of something else is not read as names."""
        (tmp_path / "in.json").write_bytes(content)
        with pytest.raises(AssetError, match="not a table of names"):
            convert_names.convert([tmp_path / "in.json"], tmp_path / "out.json")
