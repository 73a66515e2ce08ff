"""The labelled goals, and the questions whose answers are found without the kernels."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from configs.audit import AuditSettings
from evals.specialists.asking import Asker, checked, problems
from evals.specialists.project import write_project
from evals.specialists.questions import Case, cases
from evals.specialists.routing import HERE, SETS, measure, read_goals
from evals.specialists.truth import Truth
from models.embeddings import MiniLMEmbedder
from models.remembered_vectors import RememberedVectors
from nodes.specialists.merging import Merged
from tools.audit.pipeline import audit_repository


@pytest.fixture(scope="module")
def embedder() -> RememberedVectors:
    return RememberedVectors(MiniLMEmbedder())


def test_goals_are_many_and_half_of_them_held_out() -> None:
    tables = [read_goals(HERE / f"{name}.tsv") for name in SETS]
    goals = [one.goal for table in tables for one in table]
    assert len(goals) == len(set(goals)) >= 60
    assert abs(len(tables[0]) - len(tables[1])) <= 2


@pytest.mark.parametrize("name", SETS)
def test_the_right_specialists_are_chosen(name: str, embedder: RememberedVectors) -> None:
    figures = measure(read_goals(HERE / f"{name}.tsv"), embedder)
    assert figures["right"] >= 0.9 and figures["none_right"] == 1.0


def test_a_table_of_other_columns_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("id\tgoal\n")
    with pytest.raises(ValueError, match="line 1"):
        read_goals(tmp_path / "t.tsv")


def test_questions_about_a_generated_project_are_answered_rightly(
    tmp_path: Path, embedder: RememberedVectors
) -> None:
    write_project(tmp_path, 5)
    audit = asyncio.run(audit_repository(tmp_path, AuditSettings()))
    known = cases(Truth(tmp_path))
    assert len(known) >= 30
    assert checked(Asker(audit, AuditSettings(), embedder), known) == []


def test_wrong_answers_are_noticed() -> None:
    given = Merged("answered", "", "There are 12 functions.", [], [], [])
    assert problems(Case("x", number=12, places=frozenset()), given) == []
    assert problems(Case("x", number=1), given)
    assert problems(Case("x", number=2), given)
    assert problems(Case("x", says="Yes"), given)
    assert problems(Case("x", name="parse"), given)
    assert problems(Case("x", places=frozenset({("a.py", 1)})), given)
