"""What passes the policy changes nothing on the disk and tells no secret, with no other wall behind it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tools.hostile_vectors import Vector, build, harm, vectors
from tests.tools.places import Project


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return build(Project(tmp_path_factory.mktemp("disk")))


BATCHES = st.lists(vectors(), min_size=8, max_size=8)


@pytest.mark.integration  # takes seconds
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(batch=BATCHES)
async def test_no_vector_of_a_tools_own_grammar_has_an_effect(
    batch: list[Vector], repository: Project
) -> None:
    assert await harm(repository, batch) == []


@pytest.mark.integration
@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(batch=BATCHES)
async def test_no_vector_has_an_effect_in_many_more_tries(batch: list[Vector], repository: Project) -> None:
    assert await harm(repository, batch) == []


async def test_a_change_and_a_leak_would_be_seen(
    repository: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.stages.check_argv", lambda root, tool, argv: list(argv))
    seen = await harm(repository, [("sort", ["-o", "pwned", "a.py"]), ("cat", ["link_out"])])
    (repository.root / "pwned").unlink()
    assert any("pwned was made" in line for line in seen)
    assert any("told the secret" in line for line in seen)
