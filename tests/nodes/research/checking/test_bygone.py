"""Which values a source recalls from an earlier time."""

from __future__ import annotations

from datetime import date

import pytest

from nodes.research.checking.bygone import recalled
from nodes.research.checking.facts import facts_of
from nodes.research.checking.folding import fold

WRITTEN = date(2024, 9, 1)


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("When the scheme was approved in 2021 the bill stood at 412 million euros.", "412 million", True),
        ("Four years after counting 310 herons, the reserve has 270 herons.", "310", True),
        ("Four years after counting 310 herons, the reserve has 270 herons.", "270", False),
        ("The reserve has 270 herons.", "270", False),
        ("An interim count had put it at 310 herons.", "310", True),
        ("In July 2024 the reserve had 270 herons.", "270", False),
        ("In 2020 the reserve had 310 herons.", "310", True),
        ("保護區現有270隻蒼鷺，2020年為310隻。", "310", True),
        ("保護區現有270隻蒼鷺，2020年為310隻。", "270", False),
        ("動工時的經費為12億元。", "12", True),
        ("經費為12億元。", "12", False),
    ],
)
def test_what_is_recalled_from_an_earlier_time(text: str, value: str, expected: bool) -> None:
    facts = facts_of(fold(text))
    (one,) = [each for each in facts.quantities if each.text.strip().startswith(value)]
    assert recalled(facts, one.start, one.end, WRITTEN) is expected
