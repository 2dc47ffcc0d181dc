"""Multiple-choice questions about two people, in the schema of BBQ."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Polarity = Literal["neg", "nonneg"]
Condition = Literal["ambig", "disambig"]
CONDITIONS: tuple[Condition, ...] = ("ambig", "disambig")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One item: a context, a question, and three options of which one says that nobody can know.

    Attributes
    ----------
    category, example_id
        Together the key: ids repeat across categories.
    question_index
        Template that the item was made from; a name, with gaps.
    polarity
        Whether the question asks for something bad about a person, or not.
    condition
        Whether the context leaves the answer open.
    options
        Texts of the three options.
    people
        Short description of each option, as `answer_info` gives it; may be empty.
    codes
        Group code of each option: ``"F-Black"``, ``"lowSES-M-Asian"``, ``"unknown"``.
    label
        Place of the right option.
    subcategory
        Finer kind; of the intersectional categories which of the two attributes differ.
    stereotyped
        Groups that the template's stereotype is about.
    stereotyped_second
        Second attribute that it is about, where the file says so: ``"F"``, ``"lowSES"``. BBQ's own files do not.
    """

    category: str
    example_id: int
    question_index: str
    polarity: Polarity
    condition: Condition
    context: str
    question: str
    options: tuple[str, str, str]
    people: tuple[str, str, str]
    codes: tuple[str, str, str]
    label: int
    subcategory: str = ""
    stereotyped: Sequence[str] = ()
    stereotyped_second: str = ""

    @property
    def key(self) -> tuple[str, int]:
        """What names the item."""
        return self.category, self.example_id

    @property
    def unknown(self) -> int:
        """Place of the option that says nobody can know."""
        return self.codes.index("unknown")
