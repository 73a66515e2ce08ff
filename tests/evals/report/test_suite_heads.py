"""What every suite's command line, report and refusals have in common."""

import asyncio
import shlex
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.errors import UsageError
from evals.claims import suite as claims
from evals.report import (
    Case,
    Planned,
    Report,
    circumstances,
    refuse_unknown,
    run_planned,
    suite_options,
    suite_parser,
)

DEFAULTS = suite_options(suite_parser("x", None).parse_args([]))
NAMES = st.text("ab/-1", min_size=1, max_size=4)


def test_a_report_tells_what_was_typed_when_and_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["reflect eval claims", "--only", "a b"])
    told = Report(**circumstances("claims"), model="code")
    assert shlex.split(told.command) == ["reflect", "eval", "claims", "--only", "a b"]
    assert told.suite == "claims" and told.at.endswith("+00:00") and told.machine["python"]
    assert circumstances("shell", ["--limit", "3"])["command"] == "reflect eval shell --limit 3"


@settings(max_examples=40, deadline=None)
@given(only=st.lists(NAMES), known=st.lists(NAMES))
def test_a_slip_in_only_is_told_with_every_name_that_is_none(only: list[str], known: list[str]) -> None:
    options = DEFAULTS.model_copy(update={"only": tuple(only)})
    missing = sorted(set(only) - set(known))
    if not missing:
        refuse_unknown(options, known)
        return
    with pytest.raises(UsageError) as told:
        refuse_unknown(options, known)
    assert f"There is no case {', '.join(missing)}." in str(told.value)


def test_a_claim_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="There is no case nobody"):
        claims.main(["--only", "nobody"])


def test_cases_run_as_the_options_say_and_are_gone_on_with(tmp_path: Path) -> None:
    ran: list[str] = []

    async def run_one(one: Planned) -> Case:
        ran.append(one.id)
        return Case(id=one.id, group="g", variant=one.variant, passed=True)

    options = suite_options(suite_parser("x", None).parse_args(["--resume", str(tmp_path / "done.jsonl")]))
    planned = [Planned(id=name, variant="code") for name in "ab"]
    for _ in range(2):
        assert [case.id for case in asyncio.run(run_planned(planned, run_one, options))] == ["a", "b"]
    assert ran == ["a", "b"]
