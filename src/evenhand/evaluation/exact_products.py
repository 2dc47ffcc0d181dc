"""Whether onnxruntime multiplies uint8 by int8 exactly on this processor."""

from typing import Any

import numpy as np

from evenhand.assets.onnx_form import INT32, UINT8, Graph

SIZE = 64
"""Rows and columns: several blocks of every processor's fast path."""


def is_exact(runtime: Any) -> bool:
    """Multiply the largest values and compare with the sum by hand.

    x86 processors without VNNI instructions add pairs of products in 16 bits, and cut the sum at 32,767: two products
    of 255 and 127 are 64,770. With the embedding model, one pair in 4,000 would be cut.

    Parameters
    ----------
    runtime
        The module onnxruntime.
    """
    # Any: the package publishes no types
    graph = Graph()
    weights = graph.constant(np.full((SIZE, SIZE), 127, dtype=np.int8))
    graph.step("MatMulInteger", "codes", weights, output="products")
    ends = {"codes": (UINT8, ("rows", "width"))}, {"products": (INT32, ("rows", "columns"))}
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = runtime.InferenceSession(
        graph.to_bytes(inputs=ends[0], outputs=ends[1], versions={"": 17}), options, providers=["CPUExecutionProvider"]
    )
    (products,) = session.run(None, {"codes": np.full((SIZE, SIZE), 255, dtype=np.uint8)})
    return bool((products == SIZE * 255 * 127).all())
