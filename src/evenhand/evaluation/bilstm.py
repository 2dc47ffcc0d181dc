"""A bidirectional LSTM in numpy: the toxicity classifier's forward pass, without its framework."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Codes = NDArray[np.int32]

HALF = np.float32(0.5)

LENGTH = 100
"""Codes per input; shorter inputs are padded in front with code 0, which the network reads like a word."""

ROWS = 24
"""Sequences per matrix product. Larger products make the linear algebra library start threads, which costs many
times the product itself as soon as anything else runs on the machine (a local model does)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """One LSTM, prepared for speed.

    Attributes
    ----------
    inputs
        (codes, 4 units): what each code adds to the gates, bias included.
    recurrent
        (units, 4 units): what the previous output adds.
    """

    inputs: Floats
    recurrent: Floats

    @classmethod
    def of(cls, embedding: Floats, kernel: Floats, recurrent: Floats, bias: Floats) -> "Direction":
        """Fold the embedding into the gates: a code then costs one row instead of a product.

        Gates lie in the order input, forget, candidate, output. The three that are sigmoids are halved, because
        sigmoid(x) = ½ + ½·tanh(x/2), so that one tanh serves all four.
        """
        units = len(recurrent)
        halves = np.repeat(np.array([0.5, 0.5, 1.0, 0.5], dtype=np.float32), units)
        # halving is exact, so it may come first, where the arrays are small
        inputs = embedding @ (kernel * halves)
        inputs += bias * halves
        return cls(inputs=inputs, recurrent=recurrent * halves)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Where an LSTM stands: each (n, units), n a multiple of `ROWS`. `highest`: greatest output so far, per unit."""

    output: Floats
    cell: Floats
    highest: Floats


class BiLSTM:
    """Embedding → two LSTMs → greatest output over time → dense (ReLU) → dense (sigmoid).

    Parameters
    ----------
    weights
        Arrays by name, as `evenhand.assets.convert_toxicity` writes them.
    """

    def __init__(self, weights: Mapping[str, NDArray[Any]]) -> None:
        self._weights = weights
        self._hidden = weights["hidden_kernel"], weights["hidden_bias"]
        self._output = weights["output_kernel"], weights["output_bias"]

    # on first use: 30 MB that nobody needs while other models are still being read

    @cached_property
    def _directions(self) -> tuple[Direction, Direction]:
        return self._direction("forward"), self._direction("backward")

    @cached_property
    def _padded(self) -> list[State]:
        return _states_after_padding(self._directions[0])

    def _direction(self, side: str) -> Direction:
        parts = (self._weights[f"{side}_{part}"] for part in ("kernel", "recurrent", "bias"))
        return Direction.of(self._weights["embedding"], *parts)

    def predict(self, sequences: Sequence[Sequence[int]]) -> Floats:
        """Return (n, labels) probabilities of sequences of 1 to `LENGTH` codes.

        Notes
        -----
        Padding stands in front, so it comes first for the forward LSTM (the same states for every text, computed
        once) and last for the backward one, whose state still moves after 100 steps and is run to the end.
        """
        codes = _align_right(sequences)
        padding = LENGTH - codes.shape[1]
        forward, backward = self._directions
        columns = [codes[:, column] for column in range(codes.shape[1])]
        read = _run(forward, columns, _repeat(self._padded[padding], len(codes)))
        ahead = [np.zeros(len(codes), dtype=np.int32)] * padding
        read_back = _run(backward, [*reversed(columns), *ahead], _rest(backward, len(codes)))
        features = np.concatenate([read.highest, read_back.highest], axis=1)[: len(sequences)]
        hidden = np.maximum(features @ self._hidden[0] + self._hidden[1], 0)
        return _sigmoid(hidden @ self._output[0] + self._output[1])


def _run(direction: Direction, columns: Sequence[Codes], state: State) -> State:
    for codes in columns:
        state = _step(direction, codes, state)
    return state


def _step(direction: Direction, codes: Codes, state: State) -> State:
    units = len(direction.recurrent)
    gates = (state.output.reshape(-1, ROWS, units) @ direction.recurrent).reshape(-1, 4 * units)
    gates += direction.inputs[codes]
    np.tanh(gates, out=gates)
    opening = gates[:, : 2 * units] * HALF + HALF
    cell = opening[:, units:] * state.cell
    cell += opening[:, :units] * gates[:, 2 * units : 3 * units]
    output = np.tanh(cell)
    output *= gates[:, 3 * units :] * HALF + HALF
    return State(output=output, cell=cell, highest=np.maximum(state.highest, output))


def _states_after_padding(direction: Direction) -> list[State]:
    padding = np.zeros(ROWS, dtype=np.int32)
    states = [_rest(direction, ROWS)]
    for _ in range(LENGTH):
        states.append(_step(direction, padding, states[-1]))
    return states


def _rest(direction: Direction, rows: int) -> State:
    zeros = np.zeros((rows, len(direction.recurrent)), dtype=np.float32)
    return State(output=zeros, cell=zeros, highest=np.full_like(zeros, -np.inf))


def _repeat(state: State, rows: int) -> State:
    # every row of `state` is the same
    return State(
        output=np.repeat(state.output[:1], rows, axis=0),
        cell=np.repeat(state.cell[:1], rows, axis=0),
        highest=np.repeat(state.highest[:1], rows, axis=0),
    )


def _align_right(sequences: Sequence[Sequence[int]]) -> Codes:
    width = max(len(sequence) for sequence in sequences)
    codes = np.zeros((-(-len(sequences) // ROWS) * ROWS, width), dtype=np.int32)
    for row, sequence in enumerate(sequences):
        codes[row, width - len(sequence) :] = sequence
    return codes


def _sigmoid(x: Floats) -> Floats:
    # by tanh, because exp overflows for a label that is out of the question
    probabilities: Floats = HALF + HALF * np.tanh(HALF * x)
    return probabilities
