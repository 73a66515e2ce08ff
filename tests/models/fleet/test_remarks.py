from __future__ import annotations

from langchain_core.messages import AIMessage

from models.errors import ModelFailed
from models.fleet.failover import FleetReply
from models.fleet.remarks import MOST, FleetRemarks


def reply(address: str, *problems: str, away: dict[str, str] | None = None) -> FleetReply:
    failed: dict[str, ModelFailed] = {problem: ModelFailed(problem) for problem in problems}
    return FleetReply(AIMessage("a"), address, dict(failed), away or {})


def test_calls_that_the_first_server_answered_are_not_worth_a_word() -> None:
    remarks = FleetRemarks()
    remarks.add(reply("http://a"))
    assert remarks.lines() == []


def test_a_failure_is_told_with_who_answered_and_how_often_and_without_a_password() -> None:
    remarks = FleetRemarks()
    for _ in range(3):
        remarks.add(reply("http://me:hunter2@b:1", "Nothing answers at http://me:hunter2@a:1."))
    (line,) = remarks.lines()
    assert line == ("Nothing answers at http://[hidden]@a:1. http://[hidden]@b:1 answered instead. (3 calls)")


def test_a_server_that_is_away_is_told_once_however_many_calls_pass_it_over() -> None:
    remarks = FleetRemarks()
    for _ in range(3):
        remarks.add(reply("http://b", away={"http://a": "no answer at http://a: refused"}))
    (line,) = remarks.lines()
    assert line.startswith("http://a was away") and "refused" in line


def test_many_kinds_of_failures_are_summed_up() -> None:
    remarks = FleetRemarks()
    for number in range(MOST + 5):
        remarks.add(reply("http://b", f"Failure {number}."))
    lines = remarks.lines()
    assert len(lines) == MOST + 1 and lines[-1].startswith("5 further calls")
