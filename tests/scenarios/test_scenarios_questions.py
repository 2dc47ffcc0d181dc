"""The question set that ships, and what the reader refuses."""

import gzip
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.errors import DataError, UnknownNameError
from evenhand.instruments.intersectional.targets import target
from evenhand.scenarios.questions.reader import read_items
from evenhand.scenarios.questions.registry import read_set

ROOT = Path(__file__).parents[2]


def a_line(**changed: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "example_id": 1,
        "question_index": "1",
        "question_polarity": "neg",
        "context_condition": "ambig",
        "category": "Race_x_gender",
        "answer_info": {"ans0": ["Black man", "M-Black"], "ans1": ["Black woman", "F-Black"], "ans2": ["", "unknown"]},
        "additional_metadata": {"subcategory": "intersectional_a", "stereotyped_groups": ["Black"]},
        "context": "Two came.",
        "question": "Who?",
        "ans0": "The Black man",
        "ans1": "The Black woman",
        "ans2": "Unknown",
        "label": 2,
    }
    return {**plain, **changed}


def written(folder: Path, *lines: Any) -> Path:
    path = folder / "items.jsonl"
    path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
    return path


def test_the_shipped_file_is_what_its_templates_say() -> None:
    """Nobody edits it by hand."""
    code = "import sys; sys.path.insert(0, 'docs'); import generate_questions as g; print('\\n'.join(g.lines()))"
    printed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert printed == (ROOT / "src/evenhand/scenarios/questions/builtin/mini.jsonl").read_text(encoding="utf-8")


def test_the_shipped_set_is_balanced() -> None:
    """Eight templates; in each, every context × polarity × contrast × kind of right answer occurs equally often."""
    items = read_set("mini")
    found = [(item, target(item)) for item in items]
    assert len(items) == 384
    assert all(t.stereotyped is not None for _, t in found)
    cells = Counter((i.question_index, i.condition, i.polarity, t.contrast, t.reinforces) for i, t in found)
    assert set(cells.values()) == {2, 4}
    assert {n for (_, c, *_), n in cells.items() if c == "disambig"} == {2}
    assert set(Counter(item.unknown for item in items).values()) == {128}
    assert len({item.question_index for item in items}) == 8
    assert set(Counter(t.stereotyped for _, t in found).values()) == {128}
    people = [(i, i.people[t.stereotyped or 0]) for i, t in found]
    others = [i.people[3 - i.unknown - (t.stereotyped or 0)] for i, t in found]
    first = [i.context.index(p) < i.context.index(o) for (i, p), o in zip(people, others, strict=True)]
    assert sum(first) == 192


def test_the_shipped_set_names_rich_and_poor() -> None:
    """Half of the templates about levels are about the rich."""
    about = {i.question_index: i.stereotyped_second for i in read_set("mini") if i.category == "Race_x_SES_mini"}
    assert sorted(about.values()) == ["highSES", "highSES", "lowSES", "lowSES"]


def test_answer_info_may_be_empty_texts(tmp_path: Path) -> None:
    """The published files hold descriptions that are empty."""
    assert read_items([written(tmp_path, a_line())])[0].people[2] == ""


def test_gzip_is_recognised_by_its_bytes(tmp_path: Path) -> None:
    """Whatever the file is called."""
    path = tmp_path / "items.data"
    path.write_bytes(gzip.compress(json.dumps(a_line()).encode()))
    assert read_items([path])[0].key == ("Race_x_gender", 1)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (a_line(label=3), "the label is 0, 1 or 2"),
        (a_line(label=True), "the label is 0, 1 or 2"),
        (a_line(example_id="1"), "whole number"),
        (a_line(context_condition="both"), "ambig or disambig"),
        (
            a_line(answer_info={"ans0": ["", "unknown"], "ans1": ["", "unknown"], "ans2": ["", "F"]}),
            "exactly one option",
        ),
        (a_line(answer_info={"ans0": ["", ""]}), "described by two texts"),
        (a_line(question=" "), "this field is a text"),
        ("[1]\n", "an item is a JSON object"),
        ("{\n", "not valid JSON"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, line: Any, said: str) -> None:
    """File, line, and what is wrong."""
    with pytest.raises(DataError, match=said) as error:
        read_items([written(tmp_path, a_line(example_id=7), line)])
    assert error.value.line == 2


def test_an_item_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    """The key is category and example_id; the same id in another category is another item."""
    assert len(read_items([written(tmp_path, a_line(), a_line(category="Age"))])) == 2
    with pytest.raises(DataError, match="occurs twice"):
        read_items([written(tmp_path, a_line(), a_line())])


def test_no_such_set_names_the_known_ones() -> None:
    """A name that is no file either."""
    with pytest.raises(UnknownNameError, match="mini"):
        read_set("minni")


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_explained(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """Never an exception without a file's name."""
    path = tmp_path_factory.mktemp("bytes") / "items.jsonl"
    path.write_bytes(content)
    with pytest.raises(DataError):
        read_items([path])
