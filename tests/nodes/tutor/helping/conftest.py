"""Observations of games in memory hold their facts as JSON."""

import pytest

from nodes.tutor.helping import sightings
from tests.nodes.tutor.helping.playing import written_facts


@pytest.fixture(autouse=True)
def facts_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sightings, "facts_of", written_facts)
