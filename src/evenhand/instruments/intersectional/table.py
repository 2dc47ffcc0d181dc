"""Items and answers as columns: what every score is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evenhand.core.questions import Item
from evenhand.instruments.intersectional.targets import CONTRASTS, Target, target

Codes = NDArray[np.int64]
Choices = NDArray[np.int8]
Flags = NDArray[np.bool_]

INVALID = -1
"""The model answered, and the answer is none of the three options."""
MISSING = -2
"""There is no answer: not asked, failed."""
REFUSED = -3
"""The model, or a filter before it, declined to answer: invalid too, and counted apart."""
NONE = -1
_COLUMNS = (
    "question",
    "is_negative",
    "is_ambiguous",
    "label",
    "unknown",
    "biased",
    "counter",
    "reinforces",
    "subgroup",
    "contrast",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemTable:
    """N items, column by column. Places of options are 0, 1, 2; `NONE` where there is none.

    Attributes
    ----------
    question
        (N,) code of the template (category and question_index), the cluster of every interval.
    is_negative, is_ambiguous
        (N,) polarity and context.
    label, unknown, biased, counter
        (N,) places of the right option, of "unknown", of the answer that follows the stereotype, of the other person.
    reinforces
        (N,) 1 if the right answer of a disambiguated item follows the stereotype, 0 if not, `NONE` otherwise.
    subgroup
        (N, 3) code into `subgroups` of each option; `NONE` for "unknown".
    contrast
        (N,) place in a, b, c; `NONE` outside the intersectional categories.
    """

    items: Sequence[Item]
    targets: Sequence[Target]
    questions: tuple[str, ...]
    subgroups: tuple[str, ...]
    question: Codes
    is_negative: Flags
    is_ambiguous: Flags
    label: Codes
    unknown: Codes
    biased: Codes
    counter: Codes
    reinforces: Codes
    subgroup: Codes
    contrast: Codes

    @classmethod
    def of(cls, items: Sequence[Item], targets: Sequence[Target] | None = None) -> "ItemTable":
        """Turn items into columns, with the targets of BBQ's rules unless others are given."""
        found = [target(item) for item in items] if targets is None else targets
        names = [f"{item.category} {item.question_index}" for item in items]
        questions = tuple(dict.fromkeys(names))
        subgroups = tuple(sorted({group for each in found for group in each.subgroups if group is not None}))
        question_code = {name: code for code, name in enumerate(questions)}
        group_code: dict[str | None, int] = {name: code for code, name in enumerate(subgroups)}
        letters = tuple(CONTRASTS)
        return cls(
            items=items,
            targets=found,
            questions=questions,
            subgroups=subgroups,
            question=np.array([question_code[name] for name in names], dtype=np.int64),
            is_negative=np.array([item.polarity == "neg" for item in items], dtype=bool),
            is_ambiguous=np.array([item.condition == "ambig" for item in items], dtype=bool),
            label=np.array([item.label for item in items], dtype=np.int64),
            unknown=np.array([item.unknown for item in items], dtype=np.int64),
            biased=_places([each.biased for each in found]),
            counter=_places([each.counter for each in found]),
            reinforces=_places([None if t.reinforces is None else int(t.reinforces) for t in found]),
            subgroup=np.array(
                [[group_code.get(group, NONE) for group in each.subgroups] for each in found], dtype=np.int64
            ).reshape(len(items), 3),
            contrast=_places([None if each.contrast is None else letters.index(each.contrast) for each in found]),
        )

    def __len__(self) -> int:
        return len(self.items)

    def only(self, rows: Flags) -> "ItemTable":
        """Keep some items; codes keep their meaning."""
        places = np.flatnonzero(rows)
        columns = {name: getattr(self, name)[places] for name in _COLUMNS}
        kept = [int(place) for place in places]
        return replace(self, items=[self.items[i] for i in kept], targets=[self.targets[i] for i in kept], **columns)

    @property
    def has_target(self) -> Flags:
        """(N,) items with exactly one stereotyped person; the others enter neither accuracy nor bias."""
        flags: Flags = self.biased >= 0
        return flags


def _places(values: Sequence[int | None]) -> Codes:
    return np.array([NONE if value is None else value for value in values], dtype=np.int64)
