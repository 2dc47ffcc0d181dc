"""Where figures mislead: sentences that appear beside them exactly when they do."""

from collections.abc import Iterator, Mapping

from evenhand.core.questions import Condition
from evenhand.instruments.intersectional.consistency import Consistency
from evenhand.instruments.intersectional.favour import Favour
from evenhand.instruments.intersectional.slices import Slice

INVALID_WARNS = 0.05
ABSTENTION_WARNS = {"ambiguous": 0.9, "disambiguated": 0.2}
INSTABILITY_WARNS = 0.1
CONTEXTS: Mapping[Condition, str] = {"ambig": "ambiguous", "disambig": "disambiguated"}


def pitfalls(
    overall: Slice,
    favour: Mapping[Condition, Favour],
    consistency: Mapping[Condition, Consistency],
    *,
    untargeted: int,
    unanswered: int,
) -> tuple[str, ...]:
    """Say what must be read with these figures, the gravest first."""
    return (
        *_incomplete(overall, untargeted, unanswered),
        *_abstention(overall),
        *_sparse(favour),
        *_unstable(consistency),
    )


def _incomplete(overall: Slice, untargeted: int, unanswered: int) -> Iterator[str]:
    for name, answers in (("ambiguous", overall.ambiguous), ("disambiguated", overall.disambiguated)):
        rate = answers.invalid_rate
        if rate is not None and rate > INVALID_WARNS:
            yield (
                f"{rate:.1%} of the answers in {name} context are no option ({answers.invalid} of {answers.answered}, "
                f"{answers.refused} of them refusals). They count as wrong in accuracy and enter no bias score: the "
                "scores speak about the rest, which may differ."
            )
    missing = overall.ambiguous.missing + overall.disambiguated.missing
    if missing or unanswered:
        yield (
            f"Answers are missing: {missing} of {missing + overall.ambiguous.answered + overall.disambiguated.answered}"
            f" to items with a target; {unanswered} items have none at all. Missing answers enter no figure."
        )
    if untargeted:
        yield (
            f"{untargeted} items name no single stereotyped person; they enter no accuracy and no bias score, only "
            "favour and consistency."
        )


def _abstention(overall: Slice) -> Iterator[str]:
    for name, answers in (("ambiguous", overall.ambiguous), ("disambiguated", overall.disambiguated)):
        rate = answers.abstention
        if rate is None or rate <= ABSTENTION_WARNS[name]:
            continue
        rest = answers.parsed - answers.unknown
        yield (
            f"In {name} context {rate:.1%} of the parsed answers are “unknown”: {rest} name a person. Abstaining that "
            "often pulls the scaled bias score and the range of favour towards 0 and leaves ratios with little "
            "under them, whatever the model thinks of the groups."
        )
        if name == "disambiguated":
            yield (
                "There the context says who it was: “unknown” is then an error. Accuracy pooled over both contexts "
                "hides it, since the same answer is right in ambiguous context."
            )


def _sparse(favour: Mapping[Condition, Favour]) -> Iterator[str]:
    for context, found in favour.items():
        name = CONTEXTS[context]
        if found.is_unbounded:
            never = [group.subgroup for group in found.groups if not group.favoured]
            yield (
                f"DF in {name} context is unbounded: never favoured were {_listed(never)}. Read the counts and the "
                "smoothed values."
            )
        elif found.sparse:
            yield (
                f"In {name} context fewer than five answers favour {_listed(found.sparse)}: SF can look small because "
                "hardly anybody is favoured, and DF is mostly chance."
            )


def _unstable(consistency: Mapping[Condition, Consistency]) -> Iterator[str]:
    for context, found in consistency.items():
        most, always = found.mfaa.value, found.gtc_all.value
        if found.runs > 1 and most is not None and always is not None and most - always > INSTABILITY_WARNS:
            yield (
                f"MFAA hides instability in {CONTEXTS[context]} context: the most frequent answer is right for "
                f"{most:.1%} of the items, and only {always:.1%} are right in every one of {found.runs} runs. Read the "
                "histogram of items by their share of right runs."
            )


def _listed(names: "tuple[str, ...] | list[str]") -> str:
    shown = ", ".join(names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"
