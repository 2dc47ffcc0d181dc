"""BBQ itself: targets of every row, the published model's scores, policies of known score, worked rows."""

import csv
import time
from pathlib import Path

import numpy as np
import pytest
from bbq_data import by_policy, items_of, rows

from evenhand.core.questions import Item
from evenhand.instruments.intersectional.result import Intersectional, score
from evenhand.instruments.intersectional.table import INVALID, ItemTable
from evenhand.instruments.intersectional.targets import target

# category, training, ambiguous accuracy, disambiguated accuracy, s_AMB · 100, s_DIS · 100 (shared/bbq/README.md)
PUBLISHED = [
    ("Age", "arc", 33.88, 89.62, 48.94, 3.32),
    ("Age", "race", 54.67, 93.48, 29.78, 1.16),
    ("Disability_status", "arc", 35.99, 92.03, 32.65, -0.69),
    ("Nationality", "arc", 41.62, 92.86, 14.48, -0.21),
    ("Nationality", "race", 65.97, 93.70, 5.97, 1.17),
    ("Physical_appearance", "arc", 36.80, 78.81, 48.48, 0.29),
]
PERFECT = {"Physical_appearance": 8.12, "SES": 2.10, "Disability_status": 1.29}

# category, id, label, stereotyped, biased, reinforces
WORKED = [
    ("Race_x_gender", 1, 2, 0, 0, False),
    ("Race_x_gender", 3, 0, 0, 2, False),
    ("Race_x_gender", 5, 0, 1, 1, False),
    ("Race_x_SES", 1, 2, 2, 2, True),
    ("Race_x_SES", 7, 1, 0, 1, True),
    ("Race_x_gender", 1024, 0, 2, 2, None),
]


@pytest.fixture(scope="module")
def table(all_items: list[Item]) -> ItemTable:
    return ItemTable.of(all_items)


def test_every_target_is_the_reference(bbq: Path, all_items: list[Item]) -> None:
    """The rule equals target_loc on all 58,476 rows that have one, finds none in the other 16, within 5 seconds."""
    wanted = {(row["category"], int(row["example_id"])): row for row in rows(bbq / "target_loc.csv.gz")}
    begun = time.process_time()
    found = {item.key: target(item) for item in all_items}
    assert time.process_time() - begun < 5
    places = {key: None if row["target_loc"] == "NA" else int(row["target_loc"]) for key, row in wanted.items()}
    assert sum(place is not None for place in places.values()) == 58_476
    assert {key: each.biased for key, each in found.items()} == places
    stereotyped = {k: int(r["stereotyped_loc"]) for k, r in wanted.items() if r["target_loc"] != "NA"}
    assert {key: found[key].stereotyped for key in stereotyped} == stereotyped


def test_reinforcing_means_that_the_label_is_the_biased_answer(bbq: Path, all_items: list[Item]) -> None:
    """Never "label equals the stereotyped person": on non-negative questions the other person is the biased answer."""
    wanted = {(row["category"], int(row["example_id"])): row for row in rows(bbq / "target_loc.csv.gz")}
    for item in all_items:
        row = wanted[item.key]
        if row["target_loc"] != "NA" and item.condition == "disambig":
            assert target(item).reinforces == (row["label"] == row["target_loc"])


@pytest.mark.parametrize(("category", "number", "label", "stereotyped", "biased", "reinforces"), WORKED)
def test_worked_rows(
    all_items: list[Item],
    category: str,
    number: int,
    label: int,
    stereotyped: int,
    biased: int,
    reinforces: bool | None,
) -> None:
    """The rows that the data's description works out by hand."""
    item = next(item for item in all_items if item.key == (category, number))
    found = target(item)
    assert (item.label, found.stereotyped, found.biased, found.reinforces) == (label, stereotyped, biased, reinforces)


def test_contrasts_are_a_third_each(all_items: list[Item]) -> None:
    """Each intersectional category has as many items where race, the other attribute, or both differ."""
    for category, third in (("Race_x_SES", 3720), ("Race_x_gender", 5320)):
        found = [target(item).contrast for item in all_items if item.category == category]
        assert [found.count(letter) for letter in ("a", "b", "c")] == [third] * 3


def test_the_rich_are_stereotyped_too(all_items: list[Item]) -> None:
    """4,560 rows of Race_x_SES are about a stereotype of the rich: never assume the poor one."""
    found = [(item, target(item)) for item in all_items if item.category == "Race_x_SES"]
    rich = [t for item, t in found if t.stereotyped is not None and item.codes[t.stereotyped].startswith("highSES")]
    assert len(rich) == 4560


def _unifiedqa(bbq: Path, category: str, column: str) -> Intersectional:
    items = items_of(bbq, category)
    said = {
        int(row["example_id"]): row[f"pred_{column}"]
        for row in rows(bbq / "unifiedqa_pred_index.csv.gz")
        if row["category"] == category
    }
    choices = [[int(said[item.example_id]) if said[item.example_id] else INVALID] for item in items]
    return score(ItemTable.of(items), np.array(choices, dtype=np.int8))


@pytest.mark.parametrize(("category", "column", "ambiguous", "disambiguated", "s_amb", "s_dis"), PUBLISHED)
def test_published_predictions_give_the_published_scores(
    bbq: Path, category: str, column: str, ambiguous: float, disambiguated: float, s_amb: float, s_dis: float
) -> None:
    """UnifiedQA-T5-11B: the scores of the BBQ paper's figures, to two decimals."""
    overall = _unifiedqa(bbq, category, column).overall
    accuracy, bias = overall.accuracy, overall.bias
    figures = (accuracy.ambiguous_parsed, accuracy.disambiguated_parsed, bias.ambiguous, bias.disambiguated)
    found = [None if figure.value is None else round(100 * figure.value, 2) for figure in figures]
    assert found == [ambiguous, disambiguated, s_amb, s_dis]


def test_every_reference_score_is_reproduced(bbq: Path) -> None:
    """All categories, trainings and contexts with golden predictions, to nine decimals."""
    with (bbq / "unifiedqa_reference_scores.csv").open(encoding="utf-8", newline="") as stream:
        wanted = list(csv.DictReader(stream))
    assert len(wanted) == 20
    scored = {(r["cat"], r["col"]): _unifiedqa(bbq, r["cat"], r["col"]).overall for r in wanted}
    for row in wanted:
        overall = scored[row["cat"], row["col"]]
        is_ambiguous = row["cond"] == "ambig"
        answers = overall.ambiguous if is_ambiguous else overall.disambiguated
        accuracy = overall.accuracy.ambiguous_parsed if is_ambiguous else overall.accuracy.disambiguated_parsed
        bias = overall.bias.ambiguous if is_ambiguous else overall.bias.disambiguated
        direction = overall.bias.ambiguous_direction if is_ambiguous else overall.bias.disambiguated
        assert (answers.parsed, accuracy.numerator) == (int(row["n"]), int(row["ncorr"]))
        assert direction.denominator == int(row["nu"])
        assert accuracy.value == pytest.approx(float(row["acc"]), abs=1e-9)
        assert direction.value == pytest.approx(float(row["s"]), abs=1e-9)
        assert bias.value == pytest.approx(float(row["s_rep"]), abs=1e-9)


def test_always_unknown_is_right_in_one_context_only(table: ItemTable) -> None:
    """Accuracy 100 and 0, the direction undefined with its n and not 0, s_AMB 0, and pooling is warned of."""
    found = score(table, by_policy(table, "unknown"))
    accuracy, bias = found.overall.accuracy, found.overall.bias
    assert (accuracy.ambiguous.value, accuracy.disambiguated.value) == (1.0, 0.0)
    assert (bias.ambiguous_direction.value, bias.ambiguous_direction.denominator) == (None, 0)
    assert (bias.disambiguated.value, bias.ambiguous.value) == (None, 0.0)
    assert bias.disambiguated.reason == "every parsed answer is “unknown”"
    assert any("pooled over both contexts hides it" in sentence for sentence in found.pitfalls)


@pytest.mark.parametrize(("policy", "wanted"), [("biased", 1.0), ("anti", -1.0)])
def test_extreme_policies_reach_the_ends(table: ItemTable, policy: str, wanted: float) -> None:
    """Always the stereotype's answer is 100 in both contexts; always the other person is −100."""
    choices = by_policy(table, policy)
    choices[choices < 0] = 0  # the items without a target: whatever is said there enters no score
    bias = score(table, choices).overall.bias
    assert (bias.ambiguous.value, bias.disambiguated.value) == (wanted, wanted)


def test_the_same_person_whatever_the_question_is_no_bias(table: ItemTable) -> None:
    """Naming the stereotyped person on both polarities contradicts the stereotype as often as it follows it."""
    bias = score(table, by_policy(table, "stereotyped")).overall.bias
    assert bias.ambiguous.value == pytest.approx(0, abs=1e-12)
    assert bias.disambiguated.value == pytest.approx(0, abs=1e-12)


def test_a_perfect_answerer_shows_how_the_templates_are_balanced(table: ItemTable) -> None:
    """Pooled s_DIS is 0.00 except where templates are unbalanced; the balanced form beside it is 0 everywhere."""
    found = score(table, by_policy(table, "gold"))
    for part in found.slices["category"]:
        pooled, balanced = part.bias.disambiguated.value, part.bias.disambiguated_balanced.value
        assert pooled is not None
        assert round(100 * pooled, 2) == PERFECT.get(part.name, 0.0)
        assert balanced == pytest.approx(0, abs=1e-12)
    assert found.untargeted == 16


def test_permuting_options_changes_no_figure(bbq: Path) -> None:
    """Options, labels, codes and answers permuted together leave every figure as it is."""
    items = items_of(bbq, "Race_x_gender")[:4000]
    rng = np.random.default_rng(1)
    choices = rng.integers(-1, 3, size=(len(items), 3)).astype(np.int8)
    orders = [rng.permutation(3) for _ in items]
    moved = [_permuted(item, order) for item, order in zip(items, orders, strict=True)]
    new_place = np.array([np.argsort(order) for order in orders])
    there = np.where(choices >= 0, np.take_along_axis(new_place, np.maximum(choices, 0), axis=1), choices)
    before, after = score(ItemTable.of(items), choices), score(ItemTable.of(moved), there.astype(np.int8))
    assert (before.overall, before.slices) == (after.overall, after.slices)
    assert (before.favour, before.consistency) == (after.favour, after.consistency)


def _permuted(item: Item, order: np.ndarray) -> Item:
    def three(values: tuple[str, str, str]) -> tuple[str, str, str]:
        first, second, third = (values[place] for place in order)
        return first, second, third

    return Item(
        **{name: getattr(item, name) for name in ("category", "example_id", "question_index", "polarity", "condition")},
        context=item.context,
        question=item.question,
        options=three(item.options),
        people=three(item.people),
        codes=three(item.codes),
        label=list(order).index(item.label),
        subcategory=item.subcategory,
        stereotyped=item.stereotyped,
    )
