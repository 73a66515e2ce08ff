"""Restatements and reviews written after the checks: more than a quick round of tests can hold."""

import pytest

from nodes.contractive.normalization import guarded
from tests.nodes.contractive.labelled import restatements, reviewed
from tests.nodes.contractive.test_normalization import CAUGHT, LET_THROUGH
from tests.nodes.contractive.test_pre_review import RIGHT, review

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("name", ["second", "third", "fourth", "fifth", "sixth"])
def test_harmful_restatements_are_caught_and_harmless_ones_let_through(name: str) -> None:
    told = [(row, guarded(row.question, row.restated, row.earlier)) for row in restatements(name)]
    harmful = [why for row, why in told if row.label != "harmless"]
    harmless = [why for row, why in told if row.label == "harmless"]
    assert len(harmful) >= 10 and len(harmless) >= 20
    assert sum(map(bool, harmful)) >= CAUGHT * len(harmful)
    assert sum(not why for why in harmless) >= LET_THROUGH * len(harmless), [why for why in harmless if why]


@pytest.mark.parametrize("name", ["second", "third"])
def test_verdicts_are_those_people_gave(name: str) -> None:
    rows = reviewed(name)
    told = [
        (row, review(row.question, row.answer, support=row.support, entropy=row.entropy).verdict)
        for row in rows
    ]
    wrong = [(row.verdict, verdict, row.question) for row, verdict in told if verdict != row.verdict]
    assert len(wrong) <= (1 - RIGHT) * len(rows), wrong
    assert not [entry for entry in wrong if {entry[0], entry[1]} == {"reject", "approved"}]
