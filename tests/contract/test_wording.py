"""A number and its noun agree, everywhere."""

import re
from pathlib import Path

import pytest

import dashboard
import dpgep_core
from dpgep_core.wording import plural


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (0, "draw", "0 draws"),
        (1, "draw", "1 draw"),
        (1200, "noise draw", "1,200 noise draws"),
        (1, "class", "1 class"),
        (2, "class", "2 classes"),
        (3, "category", "3 categories"),
        (2, "key", "2 keys"),
    ],
)
def test_a_noun_follows_its_number(number, noun, said):
    assert plural(number, noun) == said


def test_no_place_makes_plurals_of_its_own():
    """There is one helper; an ending that is multiplied or chosen is a second one."""
    own = re.compile(r"""['"]e?s['"] (\* \(|if )""")
    for package in (dashboard, dpgep_core):
        for file in Path(package.__file__).parent.rglob("*.py"):
            if file.name != "wording.py":
                assert not own.search(file.read_text(encoding="utf-8")), file
