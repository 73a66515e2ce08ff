"""A report in brief: the same bytes each time, nothing in it that the report does not hold."""

import json
from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from tests.tools.audit.facts import audits
from tools.audit.brief import brief
from tools.audit.kernels import Kernel
from tools.audit.report import Audit

KERNELS = st.sampled_from(get_args(Kernel))
HEAD = {"audit", "kernel", "files", "languages", "totals", "notes", "left_out_in_all"}


def lists(told: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    return {name: rows for name, rows in told.items() if name not in HEAD}


@given(audits(), KERNELS, st.integers(1, 8))
def test_a_brief_is_json_with_a_fact_a_line_and_no_more_than_were_asked_for(
    audit: Audit, kernel: Kernel, limit: int
) -> None:
    text = brief(audit, kernel, place="src", prefix="src/", limit=limit)
    assert text == brief(audit, kernel, place="src", prefix="src/", limit=limit)
    told = json.loads(text)
    assert (told["audit"], told["kernel"], told["files"]) == ("src", kernel, len(audit.scan.modules))
    lines = text.splitlines()
    for name, rows in lists(told).items():
        whole = told["left_out_in_all"] if name == "left_out" else told["totals"][f"{name}_in_all"]
        assert len(rows) == min(limit, whole)
        assert all(
            f"  {json.dumps(row, ensure_ascii=False)}" in (line.rstrip(",") for line in lines) for row in rows
        )


@given(audits(), KERNELS)
def test_a_shorter_brief_begins_as_a_longer_one_does(audit: Audit, kernel: Kernel) -> None:
    short, long = (json.loads(brief(audit, kernel, place=".", prefix="", limit=n)) for n in (2, 1000))
    assert short["totals"] == long["totals"]
    assert lists(short) == {name: rows[:2] for name, rows in lists(long).items()}


@given(audits())
def test_functions_come_by_complexity_each_with_the_line_it_is_defined_in(audit: Audit) -> None:
    told = json.loads(brief(audit, "ast_scan", place="pkg", prefix="pkg/", limit=1000))
    rows = told["functions"]
    assert [row["cyclomatic"] for row in rows] == sorted(
        (one.cyclomatic for one in audit.scan.functions), reverse=True
    )
    known = {(f"pkg/{one.place.file}:{one.line}", one.name, one.cyclomatic) for one in audit.scan.functions}
    assert {(row["at"], row["function"], row["cyclomatic"]) for row in rows} == known
    assert told["totals"]["cyclomatic"] == sum(one.cyclomatic for one in audit.scan.functions)


@given(audits())
def test_findings_that_a_comment_suppresses_are_counted_apart_and_come_last(audit: Audit) -> None:
    told = json.loads(brief(audit, "security", place=".", prefix="", limit=1000))
    totals, suppressed = told["totals"], [row["suppressed"] for row in told["findings"]]
    assert totals["open"] + totals["suppressed"] == len(audit.security) == totals["findings_in_all"]
    assert totals["open"] == totals["high"] + totals["medium"] + totals["low"] == suppressed.count(False)
    first = suppressed.index(True) if True in suppressed else len(suppressed)
    assert not any(suppressed[:first])


def test_what_is_missing_of_the_history_is_told_where_something_rests_on_it() -> None:
    missing = "There is no git repository here."
    audit = Audit(notes=(missing,)).model_copy(
        update={"history": Audit().history.model_copy(update={"note": missing})}
    )
    told = {
        kernel: json.loads(brief(audit, kernel, place=".", prefix="", limit=1)) for kernel in get_args(Kernel)
    }
    assert {kernel for kernel, one in told.items() if missing in one["notes"]} == {
        "history", "hotspots", "risk", "recommendations",
    }  # fmt: skip
