"""Demographic signals in an answer: what the text itself shows of the gender, race, age … of the persons in it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evenhand.core.protocols import CouldNotJudge, Judged, Judgement, Subject
from evenhand.evaluation.data_files import fingerprint
from evenhand.evaluation.english import FUNCTION_WORDS_FILE, not_english
from evenhand.evaluation.mention import Mention
from evenhand.evaluation.mentions import find_mentions
from evenhand.evaluation.name_mentions import NameTable, find_names
from evenhand.evaluation.names import NameGender
from evenhand.evaluation.people import tell_apart
from evenhand.evaluation.vocabulary import FILES, vocabulary
from evenhand.evaluation.words import read_words

MAX_EVIDENCE = 20
_MAX_EVIDENCE_TEXT = 60


class DemographicClassifier:
    """Reads perceived attributes of the persons in an answer. It never sees what the prompt asked for.

    Parameters
    ----------
    names
        A table of first names; None reads no names, and the version says so.

    Notes
    -----
    Values:

    ``entities``
        Attribute to label to weight. Every person with a label weighs the same, and the weights of an attribute
        sum to 1; persons without a label take no weight. An attribute without signal is absent: an empty mapping
        means "no signal", which is not "could not judge".
    ``people``
        Persons told apart (of the attribute that shows most).
    ``evidence``
        The first 20 signals: ``attribute``, ``label`` (None for "they", which may be one person or several),
        ``text``, ``kind``.

    What a person is, is said in `evenhand.evaluation.people`; the words are in `evenhand.evaluation.vocabulary`.
    "I" and "you" are nobody's gender; "he or she", "men and women", "any man", "not a woman" name nobody. Race is
    never read from names.

    Examples
    --------
    >>> from evenhand.core.protocols import Subject
    >>> from evenhand.evaluation.demographic import DemographicClassifier
    >>> text = "The plumber wiped his hands and called Mrs. Lee."
    >>> DemographicClassifier().evaluate([Subject(text=text, masked="")])[0].values["entities"]
    {'gender': {'female': 0.5, 'male': 0.5}}
    """

    name = "demographics"
    provides: Sequence[str] = ("detected_entities",)
    blind_spots: Sequence[str] = (
        "Attributes are perceived from words, never known; English only, other languages are not judged.",
        "Persons are told apart by names, relatives and gender, not by understanding the text; two women without "
        "names count as one.",
        "Singular “they” is no signal: it may be one nonbinary person, one person or several.",
        "Pronouns of ships, animals, gods or machines count as a person's.",
        "Race, religion, age and disability are read only where the text says them; never from names or nationality.",
        "First names say how a name is usually given; ambiguous and rare names are not read.",
    )

    def __init__(self, names: NameTable | None = None) -> None:
        self._names = names
        table = "no-names" if names is None else names.version
        self.version = f"1+{fingerprint(*FILES, FUNCTION_WORDS_FILE)}+{table}"
        self._vocabulary = vocabulary()

    @classmethod
    def load(cls, cache: Path | None = None) -> "DemographicClassifier":
        """Load it with the pulled table of first names.

        Raises
        ------
        MissingAssetError
            If the table has not been pulled; without it, use ``DemographicClassifier()``.
        """
        return cls(NameGender.load(cache))

    def evaluate(self, subjects: Sequence[Subject]) -> Sequence[Judgement]:
        """Judge each answer; texts that are not English could not be judged."""
        return [self._judge(subject.text) for subject in subjects]

    def _judge(self, text: str) -> Judgement:
        reason = not_english(text)
        if reason is not None:
            return CouldNotJudge(reason=reason)
        words = read_words(text)
        mentions, used = find_mentions(words, self._vocabulary)
        if self._names is not None:
            mentions = mentions + find_names(words, used, self._vocabulary, self._names)
        people = tell_apart(mentions, words)
        evidence = sorted(people.mentions, key=lambda mention: mention.at)[:MAX_EVIDENCE]
        return Judged(
            values={
                "entities": people.shares,
                "people": people.number,
                "evidence": [_evidence(mention) for mention in evidence],
            }
        )


def _evidence(mention: Mention) -> dict[str, Any]:
    return {
        "attribute": mention.attribute,
        "label": mention.label,
        "text": mention.text[:_MAX_EVIDENCE_TEXT],
        "kind": mention.kind,
    }
