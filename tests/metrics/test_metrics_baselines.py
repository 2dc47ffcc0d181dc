"""The shipped reference distributions: what was published, in the vocabulary of the detected labels."""

import math
from time import perf_counter

import pytest

from evenhand.errors import UnknownNameError
from evenhand.metrics import baselines


@pytest.fixture(scope="module")
def table():
    return baselines.load()


def test_every_distribution_is_there(table):
    """793 distributions of 276 names, 2,131 shares in all."""
    assert len(table) == 793
    assert len({name for name, _ in table}) == len(baselines.names()) == 276
    assert sum(len(entry.reference.shares) for entry in table.values()) == 2131


def test_every_distribution_sums_to_one(table):
    """Shares lie in [0, 1] and sum to 1, up to the last printed digit."""
    for entry in table.values():
        shares = entry.reference.shares.values()
        assert all(0 <= share <= 1 for share in shares)
        assert math.isclose(sum(shares), 1, abs_tol=2e-6)


def test_every_distribution_names_source_year_place_and_mark(table):
    """No figure without where it comes from and how it was read."""
    for (name, attribute), entry in table.items():
        reference = entry.reference
        assert (reference.name, reference.attribute) == (name, attribute)
        assert reference.source
        assert reference.year
        assert reference.place
        assert entry.url
        assert set(entry.marks) == set(reference.shares)
        assert set(entry.marks.values()) <= {"V1", "V1+", "V2", "S", "DERIVED"}


def test_the_top_line_of_table_11_is_the_published_one(table):
    """BLS 2023: 161,037 thousand employed; 46.9 % women, 76.5 White, 12.8 Black, 6.9 Asian, 18.8 Hispanic."""
    of = {attribute: table["us_cps2023_all_employed", attribute].reference for attribute in ("gender", "race")}
    assert of["gender"].shares == {"female": 0.469, "male": 0.531}
    assert [of["race"].shares[race] for race in ("white", "black", "asian")] == [0.765, 0.128, 0.069]
    assert table["us_cps2023_all_employed", "hispanic_ethnicity"].reference.shares["hispanic"] == 0.188
    assert of["gender"].total == 161_037_000


def test_census_shares_are_those_of_the_published_counts(table):
    """2020 Census, P1: 204,277,273 White and 41,104,200 Black of 331,449,281."""
    shares = table["us_census2020_total_population", "race"].reference.shares
    assert shares["white"] == pytest.approx(204_277_273 / 331_449_281, abs=1e-6)
    assert shares["black"] == pytest.approx(41_104_200 / 331_449_281, abs=1e-6)


def test_sex_of_the_sources_is_gender_of_the_labels(table):
    """The sources count women and men under sex; the labels say female and male under gender."""
    entry = table["us_cps2023_registered_nurses", "gender"]
    assert entry.source_attribute == "sex"
    assert entry.source_categories == {"female": "women", "male": "men"}
    assert not any(attribute == "sex" for _, attribute in table)


def test_a_baseline_is_a_reference_with_its_citation():
    """Registered nurses 2023: 87.4 % of 3,472 thousand."""
    reference = baselines.baseline("us_cps2023_registered_nurses", "gender")
    assert reference.shares == {"female": 0.874, "male": 0.126}
    assert reference.source == 'BLS Current Population Survey, annual averages 2023, Table 11: "Registered nurses"'
    assert (reference.year, reference.place, reference.total) == ("2023", "US", 3_472_000)


def test_suppressed_occupations_have_no_figures(table):
    """Athletes stay under the BLS limit of 50 thousand: no row, never filled in."""
    assert not any("athletes" in name for name, _ in table)
    assert all(e.reference.total >= 50_000 for (name, _), e in table.items() if name.startswith("us_cps"))


def test_an_unknown_name_gets_its_nearest():
    """A mistyped name is answered with the nearest, not with 276 names."""
    with pytest.raises(UnknownNameError, match="Did you mean 'us_cps2023_registered_nurses'") as caught:
        baselines.baseline("us_cps2023_registerd_nurses", "gender")
    assert len(str(caught.value)) < 2000
    assert str(caught.value).endswith("and 246 more.")


def test_an_unknown_attribute_gets_the_known_ones():
    """The name is right, so the message speaks of the attribute."""
    with pytest.raises(UnknownNameError) as caught:
        baselines.baseline("us_cps2023_registered_nurses", "sex")
    assert str(caught.value) == (
        "There is no attribute of the baseline 'us_cps2023_registered_nurses' named 'sex'. "
        "Known: gender, hispanic_ethnicity, race."
    )


@pytest.mark.parametrize(
    ("total", "median", "percentile_90"),
    [
        (50_000, 3.2, 11.1),
        (99_999, 3.2, 11.1),
        (100_000, 2.7, 8.0),
        (250_000, 2.3, 6.2),
        (635_000, 1.2, 3.5),
        (1_000_000, 0.7, 2.2),
        (161_037_000, 0.7, 2.2),
    ],
)
def test_noise_falls_with_the_size_of_the_occupation(total, median, percentile_90):
    """Change of the women's share from year to year, 2021 to 2023, in points."""
    noise = baselines.sampling_noise_points(total)
    assert (noise.median, noise.percentile_90) == (median, percentile_90)
    assert f"{percentile_90:g} in one year out of ten" in str(noise)


@pytest.mark.parametrize("total", [None, 0, 49_999])
def test_noise_is_unknown_where_nothing_is_published(total):
    """Below 50,000 the BLS prints no share, so no noise was measured."""
    assert baselines.sampling_noise_points(total) is None


def test_reading_takes_less_than_fifty_milliseconds():
    """The best of five, so that a busy machine does not decide."""
    times = []
    for _ in range(5):
        start = perf_counter()
        baselines.load()
        times.append(perf_counter() - start)
    assert min(times) < 0.05
