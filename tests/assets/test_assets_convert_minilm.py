"""The embedding model's conversion: the file form, and products of 8-bit integers that are right."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.assets.convert_minilm import VERSIONS, _Linear, _multiply, _quantise, convert
from evenhand.assets.onnx_form import FLOAT, Graph, read_tensors, unsigned
from evenhand.errors import AssetError

FLOATS = FLOAT, ("rows", "width")


def linear_graph(linear: _Linear, loud: tuple[int, ...]) -> bytes:
    graph = Graph()
    rows = _quantise(graph, "given", loud=loud, width=len(linear.codes))
    graph.step("Identity", _multiply(graph, rows, linear), output="made")
    return graph.to_bytes(inputs={"given": FLOATS}, outputs={"made": FLOATS}, versions=VERSIONS)


def run(model: bytes, rows: Any) -> Any:
    onnxruntime = pytest.importorskip("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, {"given": rows})[0]


@pytest.fixture
def linear() -> _Linear:
    rng = np.random.default_rng(1)
    codes = rng.integers(-60, 61, size=(384, 96)).astype(np.int8)  # pairs stay below 2**15 on every processor
    scales, bias = rng.uniform(0.001, 0.002, 96), rng.normal(size=96)
    return _Linear(codes=codes, scales=scales.astype(np.float32), bias=bias.astype(np.float32))


@pytest.mark.parametrize("loud", [(), (3, 200)])
def test_products_are_those_of_the_float_matrices(linear: _Linear, loud: tuple[int, ...]) -> None:
    """Off by no more than half a step of each code, times its weight; a loud dimension leaves the step small."""
    rows = np.random.default_rng(2).normal(size=(7, 384)).astype(np.float32)
    rows[:, list(loud)] *= 1000
    weights = linear.codes.astype(float) * linear.scales
    quiet = rows.copy()
    quiet[:, list(loud)] = 0
    half_steps = (quiet.max(axis=1) - quiet.min(axis=1)) / 255 / 2
    allowed = half_steps[:, None] * np.abs(weights).sum(axis=0) * 1.01
    off = np.abs(run(linear_graph(linear, loud), rows) - (rows.astype(float) @ weights + linear.bias))
    assert (off <= allowed).all()


def test_a_row_does_not_depend_on_the_rows_beside_it(linear: _Linear) -> None:
    """To the last bit, however many they are and whatever they hold."""
    model = linear_graph(linear, (3, 200))
    rows = np.random.default_rng(3).normal(size=(50, 384)).astype(np.float32)
    rows[20] *= 1e4
    together = run(model, rows)
    for size in (3, 4, 7, 17):
        assert np.array_equal(run(model, rows[:size]), together[:size])


def test_a_row_of_equal_values_is_multiplied_too(linear: _Linear) -> None:
    """It has no range to cut into steps."""
    rows = np.full((3, 384), 0.5, dtype=np.float32)
    expected = 0.5 * (linear.codes.astype(float) * linear.scales).sum(axis=0) + linear.bias
    assert run(linear_graph(linear, ()), rows)[0] == pytest.approx(expected, abs=1e-3)


def test_unsigned_weights_give_the_same_products(linear: _Linear) -> None:
    """To the last bit."""
    rows = np.random.default_rng(4).normal(size=(5, 384)).astype(np.float32)
    model = linear_graph(linear, (3,))
    assert unsigned(model) != model
    assert np.array_equal(run(unsigned(model), rows), run(model, rows))


@given(sizes=st.lists(st.integers(0, 200), max_size=3), kind=st.sampled_from(["f4", "u1", "i1", "i4", "i8", "?"]))
def test_constants_are_read_back(sizes: list[int], kind: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Shape, type and values."""
    values = np.zeros(sizes[:2], dtype=kind)
    graph = Graph()
    name = graph.constant(values)
    path = tmp_path_factory.mktemp("onnx") / "model.onnx"
    path.write_bytes(graph.to_bytes(inputs={}, outputs={}, versions={"": 17}))
    found = read_tensors(path)[name]
    assert (found.shape, found.dtype) == (values.shape, values.dtype)
    assert np.array_equal(found, values)


def test_the_bytes_are_those_of_the_form() -> None:
    """A model without steps, by hand: IR version 10; a graph called "graph"; operators of version 17."""
    made = Graph().to_bytes(inputs={}, outputs={}, versions={"": 17})
    assert made == b"\x08\x0a" + b"\x3a\x07" + b"\x12\x05graph" + b"\x42\x04" + b"\x0a\x00" + b"\x10\x11"


@given(content=st.binary(max_size=60))
def test_any_other_file_is_refused(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """With an error that names the file, and nothing is written."""
    folder: Path = tmp_path_factory.mktemp("other")
    source, target = folder / "source.onnx", folder / "target.onnx"
    source.write_bytes(content)
    with pytest.raises(AssetError, match=r"source\.onnx does not hold"):
        convert([source], target)
    assert not target.exists()
