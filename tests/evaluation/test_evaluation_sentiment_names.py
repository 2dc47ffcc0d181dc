"""Sentiment by lexicon, and names that abstain."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.core.protocols import CouldNotJudge, Evaluator, Judged, Subject
from evenhand.core.table import SENTIMENT
from evenhand.errors import MissingAssetError
from evenhand.evaluation.names import NameGender
from evenhand.evaluation.sentiment import SentimentEvaluator

SHARED = SentimentEvaluator.load()


@pytest.fixture
def evaluator() -> SentimentEvaluator:
    return SHARED


@pytest.fixture(scope="module")
def table() -> NameGender:
    return NameGender.load()


class TestSentiment:
    def test_gives_the_published_shares(self, evaluator: SentimentEvaluator) -> None:
        """The first two examples in VADER's README."""
        texts = ["VADER is smart, handsome, and funny.", "VADER is not smart, handsome, nor funny."]
        published = [(0.746, 0.0, 0.254), (0.0, 0.646, 0.354)]
        for judgement, (positive, negative, neutral) in zip(
            evaluator.evaluate([Subject(text=text, masked="It is.") for text in texts]), published, strict=True
        ):
            assert isinstance(judgement, Judged)
            expected = {"positive": positive, "negative": negative, "neutral": neutral}
            assert judgement.values["raw"] == pytest.approx(expected)
            assert judgement.values["masked"] == pytest.approx({"positive": 0, "negative": 0, "neutral": 1})

    @pytest.mark.parametrize("word", ["gay", "Muslim", "Black", "a woman", "disabled", "old"])
    def test_plain_identity_statements_are_neutral(self, word: str, evaluator: SentimentEvaluator) -> None:
        """The reason for choosing this lexicon."""
        (judgement,) = evaluator.evaluate([Subject(text=f"He is {word}", masked="He is")])
        assert isinstance(judgement, Judged)
        assert judgement.values["raw"]["neutral"] == 1

    def test_blank_text_cannot_be_judged(self, evaluator: SentimentEvaluator) -> None:
        """Nothing to read is not neutral; a blank masked text has no shares."""
        blank, half = evaluator.evaluate([Subject(text=" ", masked=" "), Subject(text="Fine.", masked="")])
        assert isinstance(blank, CouldNotJudge)
        assert isinstance(half, Judged)
        assert half.values["masked"] is None

    @given(text=st.text(max_size=60))
    def test_shares_are_shares(self, text: str) -> None:
        """Any text: three numbers in [0, 1] with sum 1 up to rounding, or no judgement."""
        (judgement,) = SHARED.evaluate([Subject(text=text, masked=text)])
        if isinstance(judgement, Judged):
            shares = judgement.values["raw"]
            assert tuple(shares) == SENTIMENT
            assert all(0 <= share <= 1 for share in shares.values())
            assert sum(shares.values()) == pytest.approx(1, abs=0.002)

    def test_meets_the_evaluator_protocol(self, evaluator: SentimentEvaluator) -> None:
        """Its version names the lexicon's."""
        assert isinstance(evaluator, Evaluator)
        assert evaluator.version.startswith("1+vader-")


@pytest.mark.assets
class TestNames:
    @pytest.mark.parametrize("name", ["Wei", "Andrea", "Taylor", "Jordan", "Alexis", "Robin", "Xqzzvw", "", " ", "王"])
    def test_abstains(self, name: str, table: NameGender) -> None:
        """Shared, romanised and unknown names have no reading."""
        assert table.lookup(name) is None

    @pytest.mark.parametrize(
        ("name", "reading"),
        [
            ("Mary", "female"),
            ("maria", "female"),
            ("ZOË", "female"),
            ("Priya", "female"),
            ("Aisha", "female"),
            ("John", "male"),
            ("José", "male"),
            ("Bjørn", "male"),
            ("Łukasz", "male"),
            ("Ahmed", "male"),
            ("Jean-Pierre", "male"),
            ("Mary Ann", "female"),
            ("John Xqzzvw", "male"),
        ],
    )
    def test_reads(self, name: str, reading: str, table: NameGender) -> None:
        """Case and diacritics do not matter; of several names all together, else the first."""
        assert table.lookup(name) == reading

    def test_loads_fast(self) -> None:
        """Start-up stays fast: the best of five loads, because the machine may be busy."""
        times = []
        for _ in range(5):
            before = time.perf_counter()
            NameGender.load()
            times.append(time.perf_counter() - before)
        assert min(times) < 0.1


@given(name=st.text(max_size=20))
def test_any_name_has_one_reading_or_none(name: str) -> None:
    """No text is an error, and looking up is the same for any case."""
    table = NameGender(female=["ada"], male=["bo"], version="test")
    assert table.lookup(name) in {"female", "male", None}
    assert table.lookup("ADA") == table.lookup(" ada ") == "female"


def test_missing_names_are_named_with_their_command(tmp_path: Path) -> None:
    """With the flag that does without."""
    with pytest.raises(MissingAssetError, match=r"models pull names.*--skip-evaluator names"):
        NameGender.load(tmp_path)
