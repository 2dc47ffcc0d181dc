"""Who is who: mentions to persons, by a plain rule instead of coreference.

In order of trust: declared pronouns, titles, kinship, descriptions and pronouns, then first names.

Gender. A person is

1. a name: a titled name ("Mr. Smith"), or a first name that the table reads; mentions that share a name are one person;
2. a possessed relative ("her husband", "my wife", "Mom"): one per kinship word;
3. a description ("a woman", "the female engineer"), if no named person has its gender: one per gender;
4. a pronoun, if nobody of 1 to 3 has its gender: one per gender. "Her mother": the mother is not the one called "her".

A name's own reading gives way when the text has a single named person, no other person, and speaks on with
pronouns of one other gender ("James said that she …"): the pronoun is then the person. Pronouns declared right
behind a name ("Alex (they/them)") are that name's.

Every other attribute. One person per label: two Black persons in one text are not told apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evenhand.evaluation.mention import Mention
from evenhand.evaluation.words import Words

_TELLING_FORMS = frozenset({"subject", "reflexive"})


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """The persons of one text.

    Attributes
    ----------
    shares
        Attribute to label to weight: equal weights per person with a label, summing to 1 per attribute.
    number
        Persons with a label, of the attribute that has most.
    mentions
        The mentions that counted.
    """

    shares: Mapping[str, Mapping[str, float]]
    number: int
    mentions: Sequence[Mention]


def tell_apart(mentions: Sequence[Mention], words: Words) -> People:
    """Group mentions into persons and give each the same weight."""
    counted = [mention for mention in mentions if mention.label is not None]
    gender = _yielding_names([mention for mention in counted if mention.attribute == "gender"])
    persons = {"gender": _gender_persons(_with_declared_names(gender, words))}
    for mention in counted:
        if mention.attribute != "gender":
            labels = persons.setdefault(mention.attribute, [])
            if mention.label not in labels:
                labels.append(str(mention.label))
    shares = {attribute: _shares(labels) for attribute, labels in persons.items() if labels}
    kept = [m for m in mentions if m.attribute != "gender" or m.label is None or m in gender]
    return People(shares=shares, number=max((len(labels) for labels in persons.values()), default=0), mentions=kept)


def _shares(labels: Sequence[str]) -> dict[str, float]:
    return {label: labels.count(label) / len(labels) for label in sorted(set(labels))}


def _gender_persons(mentions: Sequence[Mention]) -> list[str]:
    """One label per person."""
    named = _named_persons(mentions)
    kin = [m for m in mentions if m.kind == "kinship" and not _is_named(m, mentions)]
    relatives = {(m.person, m.label): m for m in kin}
    labels = [str(label) for label in named] + [str(label) for _, label in relatives]
    for kind in ("description", "declared pronouns"):
        for label in _labels(mentions, kind):
            if label not in named and not (kind == "declared pronouns" and label in labels):
                labels.append(label)
                named.append(label)
    owners = {"her": "female", "his": "male"}
    others = {m.label for m in relatives.values() if owners.get(m.owner) != m.label}
    labels += [label for label in _labels(mentions, "pronoun") if label not in named and label not in others]
    return labels


def _labels(mentions: Sequence[Mention], kind: str) -> list[str]:
    return list(dict.fromkeys(str(m.label) for m in mentions if m.kind == kind))


def _is_named(relative: Mention, mentions: Sequence[Mention]) -> bool:
    """ "Her husband, David" and "David, her husband" are one person, who is counted by name."""
    return any(
        m.kind in ("name", "title")
        and m.label == relative.label
        and (m.at == relative.at + 1 or m.at + len(m.person) == relative.at - 1)
        for m in mentions
    )


def _named_persons(mentions: Sequence[Mention]) -> list[str]:
    """Labels of the named persons, one each.

    Two first names are one person if they are equal; a titled name and another are one if they share any name.
    """
    persons: list[list[Mention]] = []
    for mention in mentions:
        if mention.kind in ("title", "name"):
            same = next((known for known in persons if any(_is_same(mention, m) for m in known)), None)
            if same is None:
                persons.append([mention])
            else:
                same.append(mention)
    return [str(known[0].label) for known in persons]


def _is_same(one: Mention, other: Mention) -> bool:
    if one.label != other.label:
        return False
    if one.kind == other.kind == "name":
        return one.person[0] == other.person[0]
    return not set(one.person).isdisjoint(other.person)


def _yielding_names(mentions: list[Mention]) -> list[Mention]:
    """Without the first name that the text's own pronouns contradict."""
    names = [m for m in mentions if m.kind == "name"]
    others = [m for m in mentions if m.kind not in ("name", "pronoun")]
    if others or not names or len({m.person[0] for m in names}) > 1:
        return mentions
    pronouns = [m for m in mentions if m.kind == "pronoun"]
    labels = {m.label for m in pronouns}
    telling = any(m.at > names[0].at and (m.form in _TELLING_FORMS or m.text.lower() == "his") for m in pronouns)
    if len(labels) == 1 and names[0].label not in labels and telling:
        return pronouns
    return mentions


def _with_declared_names(mentions: Sequence[Mention], words: Words) -> list[Mention]:
    """Give the pronouns declared right behind a name to that name."""
    declared = [m for m in mentions if m.kind == "declared pronouns"]
    result = list(mentions)
    for declaration in declared:
        for name in mentions:
            if name.kind == "name" and name.at + len(name.person) == declaration.at:
                result = [
                    replace(m, label=declaration.label) if m.kind == "name" and m.person[0] == name.person[0] else m
                    for m in result
                    if m is not declaration
                ]
    return result
