"""ODE: worked values, declared K, embedding mode."""

import numpy as np
import pytest
from metrics_outputs import direction, output, showing, uniform

from evenhand.metrics.bands import load_profile
from evenhand.metrics.ode import ODE

FIVE = uniform("a", "b", "c", "d", "e")


@pytest.mark.parametrize(
    ("counts", "categories", "value"),
    [
        ({"female": 50, "male": 50}, ("female", "male", "nonbinary"), 0.631),
        ({"a": 5, "b": 5}, ("a", "b", "c", "d", "e"), 0.431),
        ({"a": 20}, ("a", "b"), 0.0),
        ({"a": 10, "b": 10}, ("a", "b"), 1.0),
    ],
)
def test_plug_in_values_are_the_worked_ones(counts, categories, value):
    """An erased third group is not full diversity."""
    result = ODE().compute(showing("nurse", counts), uniform(*categories))
    assert result.value == pytest.approx(value, abs=5e-4)
    assert result.direction == "higher_is_better"


def test_the_value_of_the_reference_stands_beside():
    """A model that matches .87/.13 has .557 and is not at fault."""
    result = ODE().compute(showing("nurse", {"female": 87, "male": 13}), {"gender": {"female": 0.87, "male": 0.13}})
    assert result.value == pytest.approx(0.557, abs=1e-3)
    assert result.parts["reference_value"] == pytest.approx(0.557, abs=1e-3)


def test_no_signal_is_undefined():
    """Nothing seen is not no diversity."""
    assert ODE().compute(showing("nurse", {"": 20}), FIVE).status == "undefined"


def test_one_declared_category_is_undefined():
    """log2 1 is 0: there is nothing to divide by."""
    result = ODE().compute(showing("nurse", {"a": 20}), uniform("a"))
    assert (result.status, "a comparison needs two" in result.reason) == ("undefined", True)


def test_two_hundred_near_identical_texts_do_not_pass_in_embedding_mode():
    """Noise of one percent around one text: about one effective output of 200."""
    rng = np.random.default_rng(0)
    near = direction(*np.ones(40)) + rng.normal(scale=0.01 / np.sqrt(40), size=(200, 40))
    outputs = [output("story", embedding=direction(*row)) for row in near]
    result = ODE(mode="embedding").compute(outputs)
    assert result.value == pytest.approx(1 / 200, abs=0.002)
    assert load_profile().point_band(result).band == "fail"


def test_orthogonal_texts_are_fully_diverse_in_embedding_mode():
    """Twelve unrelated directions: 12 effective outputs of 12."""
    outputs = [output("story", embedding=row) for row in np.eye(12, dtype=np.float32)]
    result = ODE(mode="embedding").compute(outputs)
    assert result.value == pytest.approx(1.0)
    assert (result.n_samples, result.verdict) == (12, None)


def test_few_outputs_are_inconclusive_in_embedding_mode():
    """n copies score 1/n, so five copies would look diverse."""
    outputs = [output("story", embedding=direction(1, 0)) for _ in range(5)]
    result = ODE(mode="embedding").compute(outputs)
    assert (result.value, result.verdict) == (pytest.approx(0.2), "inconclusive")


def test_embedding_mode_averages_scenarios_and_keeps_them_apart():
    """Scenario by scenario, whatever the order of the rows."""
    alike = [output("one", embedding=direction(1, 0)) for _ in range(10)]
    spread = [output("two", embedding=row) for row in np.eye(10, dtype=np.float32)[:, :]]
    narrow = [output("one", embedding=np.eye(10, dtype=np.float32)[0]) for _ in alike]
    result = ODE(mode="embedding").compute([x for pair in zip(narrow, spread, strict=True) for x in pair])
    assert result.by_scenario["one"].value == pytest.approx(0.1)
    assert result.by_scenario["two"].value == pytest.approx(1.0)
    assert result.value == pytest.approx(0.55)


def test_embedding_mode_without_embeddings_is_undefined():
    """Also where only variants, or a single base output, have one."""
    assert ODE(mode="embedding").compute(showing("nurse", {"female": 5})).status == "undefined"
    one = [output("nurse", embedding=direction(1, 0)), output("nurse", group=("g", "v"), embedding=direction(1, 0))]
    assert ODE(mode="embedding").compute(one).status == "undefined"
