"""What becomes of an exception in a node."""

import asyncio
import logging

import pytest
from langgraph.errors import NodeError
from langgraph.graph import END

from configs.errors import UsageError
from models.errors import ModelTimeout
from nodes.errors import AfterChange, NodeOverdue
from nodes.reflective.failure import describe, on_node_error, on_respond_error, stop_reason_of
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


def test_an_answer_respond_could_not_write_claims_nothing() -> None:
    error = NodeError(node="respond", error=KeyError("x"))
    state = ReasoningState(
        goal="create the file notes.txt", draft_answer="Done.", verified=True, iterations=7
    )
    command = asyncio.run(on_respond_error(state, error))
    assert command.goto == END and isinstance(command.update, dict)
    final = ReasoningState.model_validate(state.model_dump(mode="json") | command.update)
    assert (final.status, final.stop_reason, final.confidence, final.iterations) == ("error", "error", 0.0, 8)
    assert final.final_answer is not None and "Done." not in final.final_answer
    assert "KeyError" in final.final_answer and "look at the files" in final.final_answer


def test_what_went_wrong_first_is_what_is_told() -> None:
    first = describe("plan", UsageError("The root is gone.", "Name another."))
    state = ReasoningState(goal="x", failure=first, stop_reason="timeout")
    command = asyncio.run(on_respond_error(state, NodeError(node="respond", error=KeyError("x"))))
    assert isinstance(command.update, dict)
    assert (command.update["stop_reason"], command.update["failure"]["node"]) == ("timeout", "plan")
    assert "The root is gone." in command.update["final_answer"]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (NodeOverdue("late"), "timeout"),
        (ModelTimeout("late"), "timeout"),
        (TimeoutError(), "timeout"),
        (AfterChange(TimeoutError()), "timeout"),
        (AfterChange(KeyError("x")), "error"),
        (OSError(28, "full"), "error"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_took_too_long_is_a_timeout(error: Exception, reason: str) -> None:
    assert stop_reason_of(error) == reason


def test_an_error_after_a_change_keeps_its_own_words() -> None:
    assert describe("execute", AfterChange(UsageError("The root is gone."))).what == "The root is gone."
