"""Hotspots: both ranks count, equal figures have equal ranks, and what has no history is none."""

from __future__ import annotations

from hypothesis import given, settings

from tests.tools.audit.facts import audits
from tools.audit.hotspots import hotspots
from tools.audit.report import Audit, Changes, Function, History, Metrics, ModuleMetrics, Place, Scan


def of(audit: Audit) -> dict[str, float]:
    found = hotspots(audit.metrics, audit.scan, audit.history)
    return {hotspot.place.file: hotspot.score for hotspot in found}


@settings(max_examples=150)
@given(audits())
def test_the_score_is_the_product_of_both_shares_of_files_below(audit: Audit) -> None:
    commits = {one.file: one.commits for one in audit.history.files}
    figures = {
        one.file: (commits[one.file], one.cyclomatic) for one in audit.metrics.modules if one.file in commits
    }
    scores = of(audit)
    for file, own in figures.items():
        others = [figure for other, figure in figures.items() if other != file]
        shares = [
            sum(other[at] < own[at] for other in others) / len(others) if others else 0 for at in (0, 1)
        ]
        assert scores.get(file, 0.0) == round(shares[0] * shares[1], 4)
        assert all(
            scores.get(other, 0.0) == scores.get(file, 0.0) for other in figures if figures[other] == own
        )
    assert set(scores) <= set(figures)


@settings(max_examples=50)
@given(audits())
def test_a_hotspot_points_to_the_most_complex_function_of_its_file(audit: Audit) -> None:
    found = hotspots(audit.metrics, audit.scan, audit.history)
    assert list(found) == sorted(found, key=lambda one: (-one.score, one.place.file))
    for hotspot in found:
        own = [one for one in audit.scan.functions if one.place.file == hotspot.place.file]
        most = max(one.cyclomatic for one in own)
        assert any(
            (one.name, one.place, one.cyclomatic) == (hotspot.function, hotspot.place, most) for one in own
        )


def test_a_file_that_is_only_often_changed_or_only_complex_is_none() -> None:
    figures = {"both.py": (9, 9), "calm.py": (1, 20), "simple.py": (20, 1), "neither.py": (1, 1)}
    metrics = Metrics(
        modules=tuple(
            ModuleMetrics(
                file=file,
                code_lines=1,
                functions=1,
                cyclomatic=complexity,
                most_cyclomatic=complexity,
                cognitive=None,
                duplicated_lines=0,
            )
            for file, (_, complexity) in figures.items()
        )
    )
    past = History(
        available=True,
        files=tuple(
            Changes(file=file, commits=commits, added=0, deleted=0, authors=1)
            for file, (commits, _) in figures.items()
        ),
    )
    place = Place(file="both.py", line=3, end_line=9)
    hard = Function(name="hard", place=place, line=3, parameters=0, code_lines=7, cyclomatic=9)
    (only,) = hotspots(metrics, Scan(functions=(hard,)), past)
    assert (only.place, only.function, only.commits, only.complexity) == (place, "hard", 9, 9)
    assert only.score == round(2 / 3 * 2 / 3, 4)
    assert hotspots(metrics, Scan(), History()) == ()
