"""Files that ask for variants which cannot be had, each with the exact words it is answered with."""

import pytest

from evenhand.errors import SpecError
from evenhand.scenarios import checks_generated
from evenhand.scenarios.loader import parse_scenarios

# the prompt stands in line 4, slots in line 5, the group in line 7
SLOTS = """\
name: a
scenarios:
  - id: s
    prompt: "{person} asks a teacher for help."
    slots: {person: a student}
    counterfactuals:
      - {attribute: gender, slot: person, words: {female: a girl, male: a boy}}
"""
# the prompt stands in line 4, the group in line 6
BEFORE = """\
name: a
scenarios:
  - id: s
    prompt: "Describe a teacher."
    counterfactuals:
      - {attribute: gender, before: teacher, list: gender_adjectives}
"""
SWAP = """\
name: a
scenarios:
  - id: s
    prompt: "She teaches."
    counterfactuals:
      - {attribute: gender, swap: gender_words, values: [male]}
"""
GROUP = "scenarios[0].counterfactuals[0]"
OWN_LIST = "lists: {regions: {attribute: region, use: before, values: {north: northern}}}\n"

CASES = {
    # ---- the way
    "no_way": (
        BEFORE.replace("before: teacher, list: gender_adjectives", ""),
        "variants are made in one way: variants, before, slot or swap; found none of them (f, line 6, GROUP)",
    ),
    "two_ways": (
        BEFORE.replace("before: teacher", "before: teacher, swap: gender_words"),
        "variants are made in one way: variants, before, slot or swap; found before and swap (f, line 6, GROUP)",
    ),
    "words_twice": (
        BEFORE.replace("list:", "words: {female: female}, list:"),
        "the words come from a list or stand under words; give one of the two (f, line 6, GROUP)",
    ),
    "no_words": (
        BEFORE.replace(", list: gender_adjectives", ""),
        "the words come from a list or stand under words; give one of the two (f, line 6, GROUP)",
    ),
    "values_beside_words": (
        SLOTS.replace("slot: person,", "slot: person, values: [female],"),
        "values picks from a list; with words leave it out (f, line 7, GROUP.values)",
    ),
    "list_beside_variants": (
        BEFORE.replace("before: teacher", "variants: [{value: x, prompt: P.}]"),
        "list does not go with variants; leave it out (f, line 6, GROUP.list)",
    ),
    "swap_without_values": (
        SWAP.replace(", values: [male]", ""),
        "the key 'values' is missing: say what to swap to (f, line 6, GROUP.values)",
    ),
    "another_swap": (
        SWAP.replace("gender_words", "race_words"),
        "'gender_words' is wanted here; found 'race_words' (f, line 6, GROUP.swap)",
    ),
    # ---- lists
    "unknown_list": (
        BEFORE.replace("gender_adjectives", "gender_adjectivs"),
        "there is no list named 'gender_adjectivs'; did you mean 'gender_adjectives'? (f, line 6, GROUP.list)",
    ),
    "gender_words_as_a_list": (
        BEFORE.replace("gender_adjectives", "gender_words"),
        "there is no list named 'gender_words'; use swap: gender_words (f, line 6, GROUP.list)",
    ),
    "list_of_another_attribute": (
        BEFORE.replace("attribute: gender", "attribute: race"),
        "the list 'gender_adjectives' is about 'gender', not about 'race' (f, line 6, GROUP.list)",
    ),
    "list_of_another_use": (
        BEFORE.replace("attribute: gender", "attribute: perceived_race").replace(
            "gender_adjectives", "names_of_men_2004"
        ),
        "the list 'names_of_men_2004' is made for slot, not for before (f, line 6, GROUP.list)",
    ),
    "unknown_value": (
        BEFORE.replace("list:", "values: [femal], list:"),
        "no such value: 'femal'; did you mean 'female'? (f, line 6, GROUP.values[0])",
    ),
    "value_twice": (
        BEFORE.replace("list:", "values: [male, male], list:"),
        "the value stands here for the second time; found 'male' (f, line 6, GROUP.values[1])",
    ),
    "swap_to_an_unknown_value": (
        SWAP.replace("[male]", "[man]"),
        "no such value: 'man'; known here: female, male, nonbinary (f, line 6, GROUP.values[0])",
    ),
    "list_named_like_a_shipped_one": (
        OWN_LIST.replace("regions", "race_adjectives") + BEFORE,
        "'race_adjectives' is the name of a list that ships; choose another (f, line 1, lists.race_adjectives)",
    ),
    "list_of_unknown_use": (
        OWN_LIST.replace("use: before", "use: behind") + BEFORE,
        "'before' or 'slot' is wanted here; found 'behind' (f, line 1, lists.regions.use)",
    ),
    "list_with_an_unknown_key": (
        OWN_LIST.replace("use: before", "use: before, year_: 1") + BEFORE,
        "unknown key 'year_'; did you mean 'year'? (f, line 1, lists.regions.year_)",
    ),
    "list_without_values": (
        OWN_LIST.replace("{north: northern}", "{}") + BEFORE,
        "at least one value is needed (f, line 1, lists.regions.values)",
    ),
    "value_without_words": (
        OWN_LIST.replace("northern", "[]") + BEFORE,
        "a value needs at least one word (f, line 1, lists.regions.values.north)",
    ),
    "number_as_words": (
        OWN_LIST.replace("northern", "5") + BEFORE,
        "a word or a list of words is wanted here, not a number (f, line 1, lists.regions.values.north)",
    ),
    "perceived_without_a_source": (
        OWN_LIST.replace("use: before", "use: before, perceived: true, year: 2004") + BEFORE,
        "the key 'source' is missing: say who found that the words are perceived so (f, line 1, lists.regions.source)",
    ),
    "word_with_braces": (
        OWN_LIST.replace("northern", "'{x}'") + BEFORE,
        "a word must not hold braces; found '{x}' (f, line 1, lists.regions.values.north)",
    ),
    # ---- slots
    "unknown_slot_in_the_prompt": (
        SLOTS.replace("{person} asks", "{persn} asks"),
        [
            "the slot {persn} is not among the slots; did you mean 'person'? (f, line 4, scenarios[0].prompt)",
            "the slot {person} does not occur in the prompt (f, line 5, scenarios[0].slots.person)",
        ],
    ),
    "unknown_slot_in_a_group": (
        SLOTS.replace("slot: person", "slot: persons"),
        "the scenario has no slot {persons}; did you mean 'person'? (f, line 7, GROUP.slot)",
    ),
    "stray_brace": (
        SLOTS.replace("for help", "for } help"),
        "the brace } belongs to no slot; in a prompt with slots a brace is written }} (f, line 4, scenarios[0].prompt)",
    ),
    "slot_in_a_filling": (
        SLOTS.replace("a student", "'{person}'"),
        "a filling must not hold braces; found '{person}' (f, line 5, scenarios[0].slots.person)",
    ),
    "empty_filling": (
        SLOTS.replace("a student", "''"),
        "this must not be empty; found '' (f, line 5, scenarios[0].slots.person)",
    ),
    "no_slots": (
        SLOTS.replace("{person: a student}", "{}"),
        "at least one slot is needed; leave the key out if there is none (f, line 5, scenarios[0].slots)",
    ),
    "filling_that_is_the_base": (
        SLOTS.replace("a girl", "a student"),
        "the variant for 'female' would equal the base prompt (f, line 7, GROUP.words.female)",
    ),
    "two_fillings_alike": (
        SLOTS.replace("a boy", "a girl"),
        "the variant for 'male' would equal that for 'female' (f, line 7, GROUP.words.male)",
    ),
    "written_variant_that_is_the_filled_base": (
        SLOTS.replace(
            "slot: person, words: {female: a girl, male: a boy}",
            "variants: [{value: male, prompt: A student asks a teacher for help.}]",
        ),
        "the variant for 'male' would equal the base prompt (f, line 7, GROUP.variants[0].prompt)",
    ),
    "they_in_a_slot": (
        SLOTS.replace("a boy", "they"),
        "the variant for 'male' cannot be made safely: the verbs around this pronoun would need another form; "
        "write the variants out; found 'they' (f, line 7, GROUP.words.male)",
    ),
    "two_determiners": (
        SLOTS.replace('"{person} asks', '"A {person} asks').replace("a student", "student").replace("a girl", "girl"),
        "the variant for 'male' cannot be made safely: 'a' stands before the slot and 'a' begins the filling; "
        "leave one out; found 'a boy' (f, line 7, GROUP.words.male)",
    ),
    "gender_beside_the_slot": (
        SLOTS.replace("for help", "for her book"),
        "a variant cannot be made safely: beside what is changed the prompt says a gender too; use swap, or write the "
        "variants out; found 'her' (f, line 7, GROUP.slot)",
    ),
    # ---- before
    "noun_that_does_not_occur": (
        BEFORE.replace("before: teacher", "before: nurse"),
        "the variants cannot be made safely: this does not occur in the prompt as a whole word; found 'nurse' "
        "(f, line 6, GROUP.before)",
    ),
    "noun_in_the_plural": (
        BEFORE.replace("a teacher", "two teachers"),
        "the variants cannot be made safely: this does not occur in the prompt as a whole word; 'teachers' does; "
        "found 'teacher' (f, line 6, GROUP.before)",
    ),
    "noun_within_a_word": (
        BEFORE.replace("a teacher", "preteachers"),
        "the variants cannot be made safely: this does not occur in the prompt as a whole word; found 'teacher' "
        "(f, line 6, GROUP.before)",
    ),
    "half_a_noun": (
        BEFORE.replace("a teacher", "a piano teacher"),
        "the variants cannot be made safely: behind 'piano' no describing word can be put before this safely; name "
        "the whole phrase, such as 'software engineer', or write the variants out; found 'teacher' "
        "(f, line 6, GROUP.before)",
    ),
    "article_that_is_not_certain": (
        BEFORE.replace("list: gender_adjectives", "words: {x: NGO, y: young}"),
        "the variant for 'x' cannot be made safely: whether 'a' or 'an' stands before this word is not certain; "
        "write the variants out; found 'NGO' (f, line 6, GROUP.words.x)",
    ),
    # ---- swap
    "swap_of_nothing": (
        SWAP.replace("She teaches", "The teacher teaches"),
        "the variant for 'male' cannot be made safely: no word of the list gender_words occurs in the prompt; use "
        "before or slot, or write the variants out (f, line 6, GROUP.values[0])",
    ),
    "swap_to_the_base": (
        SWAP.replace("[male]", "[female, male]"),
        "the variant for 'female' cannot be made safely: the base prompt says female already, so the variant would "
        "equal it; leave this value out; found 'She' (f, line 6, GROUP.values[0])",
    ),
    "ambiguous_her": (
        SWAP.replace("She teaches", "I saw her duck"),
        "the variant for 'male' cannot be made safely: what this word becomes in 'I saw her duck.' is not certain; "
        "write the variants out, or use a slot; found 'her' (f, line 6, GROUP.values[0])",
    ),
    "pronoun_whose_verb_would_change": (
        SWAP.replace("[male]", "[nonbinary]"),
        "the variant for 'nonbinary' cannot be made safely: no nonbinary pronoun goes with every verb that follows "
        "this word; write the variants out; found 'She' (f, line 6, GROUP.values[0])",
    ),
    "neopronoun": (
        SWAP.replace("She teaches", "Xe teaches"),
        "the variant for 'male' cannot be made safely: the verb and the number of persons depend on this word; write "
        "the variants out; found 'Xe' (f, line 6, GROUP.values[0])",
    ),
    "somebody_else": (
        SWAP.replace("She teaches", "She teaches her daughter"),
        "the variant for 'male' cannot be made safely: behind 'her' this is somebody else; write the variants out; "
        "found 'daughter' (f, line 6, GROUP.values[0])",
    ),
}


def refused(text):
    with pytest.raises(SpecError) as caught:
        parse_scenarios(text, source="f")
    return caught.value


def test_the_pieces_that_the_cases_are_made_of_are_sound():
    """So that each case has its own fault and no other."""
    for text in (SLOTS, BEFORE, SWAP, OWN_LIST + BEFORE):
        assert parse_scenarios(text, source="f").name == "a"


@pytest.mark.parametrize("case", CASES)
def test_a_faulty_file_is_refused_in_words(case):
    """Exact text of everything that is reported, and nothing besides."""
    content, expected = CASES[case]
    lines = [expected] if isinstance(expected, str) else expected
    assert str(refused(content)).splitlines() == [line.replace("GROUP", GROUP) for line in lines]


def test_a_small_file_cannot_ask_for_terabytes(monkeypatch):
    """A prompt of 1 MB and 2,000 values are 2 GB: refused before anything is written."""

    def write(*args):
        raise AssertionError("nothing may be written")

    monkeypatch.setattr(checks_generated, "make", write)
    words = ", ".join(f"v{i}: w{i}" for i in range(2000))
    long = "x " * 500_000
    text = BEFORE.replace("a teacher", f"a teacher {long}").replace("list: gender_adjectives", f"words: {{{words}}}")
    assert str(refused(text)) == (
        "up to here the file asks for more than 20 MB of prompts; give shorter prompts, or fewer values "
        "(f, line 3, scenarios[0])"
    )


def test_a_slot_that_is_repeated_without_end_is_counted():
    """100,000 times a filling of 1,000 letters are 100 MB."""
    text = SLOTS.replace("{person} asks", "{person} " * 100_000 + "asks").replace("a student", "s" * 1000)
    assert str(refused(text)).startswith("up to here the file asks for more than 20 MB of prompts")


def test_a_faulty_list_is_told_once_and_not_again_by_its_users():
    """What stands in the way is the list; whether its words would fit cannot be known yet."""
    text = OWN_LIST.replace("use: before", "use: behind") + BEFORE.replace("gender_adjectives", "regions")
    assert str(refused(text)) == "'before' or 'slot' is wanted here; found 'behind' (f, line 1, lists.regions.use)"


def test_problems_of_generation_are_told_with_those_of_shape():
    """A mistyped key in one scenario does not hide a bad variant in another."""
    text = BEFORE.replace("a teacher", "two teachers") + "  - id: t\n    promt: x\n"
    assert [error.line for error in refused(text).problems] == [6, 7, 8]
