"""A goal that says to use a tool, one that asks about it, and one that rules it out."""

from __future__ import annotations

import pytest

from memory.recipes.tool_orders import says_to_use

NAME = "tracker.create_ticket"


@pytest.mark.parametrize(
    "goal",
    [
        "use tracker.create_ticket to report the leak",
        "Please use the tool tracker.create_ticket to report the leak.",
        "Count the errors in app.log and open a ticket with tracker.create_ticket",
        "can you call tracker.create_ticket with the title Leak?",
        "Report the leak via tracker.create_ticket.",
        'tracker.create_ticket {"title": "Leak"}',
        "How many errors are in app.log? Use tracker.create_ticket to report them.",
        "utilise tracker.create_ticket pour signaler la fuite",
        "Melde das Leck mit tracker.create_ticket",
        "usa tracker.create_ticket para avisar de la fuga",
        "usa tracker.create_ticket per segnalare la perdita",
        "用 tracker.create_ticket 报告泄漏",
    ],
)
def test_an_order(goal: str) -> None:
    assert says_to_use(goal, NAME)


@pytest.mark.parametrize(
    "goal",
    [
        "what does tracker.create_ticket do?",
        "How do I use tracker.create_ticket?",
        "which tickets did tracker.create_ticket open",
        "is tracker.create_ticket safe to call?",
        "report the leak without tracker.create_ticket",
        "do not use tracker.create_ticket",
        "Find the leak, but don't call tracker.create_ticket.",
        "never run tracker.create_ticket here",
        "n'utilise pas tracker.create_ticket",
        "Melde das Leck ohne tracker.create_ticket",
        "不要用 tracker.create_ticket",
        "find files that mention tracker.create_ticket",
        "use the log. tracker.other is not asked for",
    ],
)
def test_no_order(goal: str) -> None:
    assert not says_to_use(goal, NAME)


def test_a_question_may_be_answered_with_a_tool_that_only_reads() -> None:
    goal = "how warm is it in Paris, using weather.forecast?"
    assert says_to_use(goal, "weather.forecast", asking=True) and not says_to_use(goal, "weather.forecast")
    assert not says_to_use("which files mention weather.forecast?", "weather.forecast", asking=True)
