"""What becomes of an exception in a node."""

import asyncio
import logging

import pytest
from langgraph.errors import NodeError

from configs.errors import UsageError
from nodes.reflective.failure import describe, on_node_error
from nodes.reflective.state import ReasoningState


def test_our_own_errors_keep_their_words() -> None:
    failure = describe("plan", UsageError("The root is gone.", "Name another."))
    assert (failure.what, failure.remedy, failure.environmental) == (
        "The root is gone.",
        "Name another.",
        True,
    )


@pytest.mark.parametrize(
    ("error", "environmental", "says"),
    [
        (TimeoutError(), True, "PLAN took longer than its limit."),
        (OSError(28, "No space left on device"), True, "No space left on device"),
        (KeyError("x"), False, "PLAN failed unexpectedly: KeyError"),
        (RecursionError("deep"), False, "RecursionError: deep"),
    ],
)
def test_other_errors_are_told_by_kind_and_a_defect_is_called_one(
    error: BaseException, environmental: bool, says: str
) -> None:
    failure = describe("plan", error)
    assert failure.environmental is environmental and says in failure.what
    assert ("defect" in failure.remedy) is not environmental


def test_the_run_goes_to_its_answer_and_a_defect_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        command = asyncio.run(
            on_node_error(ReasoningState(goal="x"), NodeError(node="execute", error=KeyError("x")))
        )
    assert command.goto == "respond"
    assert isinstance(command.update, dict) and command.update["stop_reason"] == "error"
    assert "node execute raised" in caplog.text
