from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st

from cli.batch.answer import Outcome
from cli.batch.goal import Goal
from cli.batch.progress import LINE_SECONDS, Told, eta_text, seconds_left
from cli.batch.report import BatchReport, exit_code_of, report_text

GOAL = Goal("1", "a", "auto")
NONE: dict[Outcome, int] = {"succeeded": 0, "failed": 0, "refused": 0}


@given(done=st.integers(1, 10**6), left=st.integers(0, 10**6), pace=st.floats(0.001, 1000))
def test_the_rest_takes_as_long_as_it_took_so_far(done: int, left: int, pace: float) -> None:
    seconds = seconds_left(done, left, done * pace)
    assert seconds is not None and abs(seconds - left * pace) <= 1e-6 * max(1.0, left * pace)


def test_nothing_is_foretold_before_anything_is_done() -> None:
    assert seconds_left(0, 10, 5.0) is None
    assert (eta_text(None), eta_text(0.4), eta_text(3725.0)) == ("-", "0:00:00", "1:02:05")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_lines_are_told_now_and_then_and_in_the_end() -> None:
    clock, stream = Clock(), io.StringIO()
    with Told({**NONE, "failed": 1}, 5, stream, stream, clock) as watcher:
        watcher.moved(0, 2)
        for outcome in ("succeeded", "refused", "succeeded"):
            clock.now += LINE_SECONDS / 2
            watcher.ended(GOAL, outcome)  # type: ignore[arg-type]  # a literal of the list
            watcher.moved(1, 2)
        clock.now += 0.1
        watcher.ended(GOAL, "succeeded")
        watcher.moved(0, 2)
        watcher.moved(0, 2)
    told = stream.getvalue().splitlines()
    assert told[0].startswith("1 of 5 done (0 succeeded, 1 failed, 0 refused)") and told[0].endswith("ETA -")
    # Two goals in five seconds, and two are left.
    assert told[1].startswith("3 of 5 done (1 succeeded, 1 failed, 1 refused)")
    assert told[1].endswith("1 under way at 2 workers, ETA 0:00:05")
    assert told[2].startswith("5 of 5 done (3 succeeded, 1 failed, 1 refused)") and len(told) == 3


def test_who_wants_quiet_hears_notes_only_and_no_terminal_is_driven() -> None:
    notes = io.StringIO()
    with Told(NONE, 2, None, notes) as watcher:
        watcher.moved(1, 1)
        watcher.note("a worker \x1b[31mdied")
    assert notes.getvalue() == "a worker \\x1b[31mdied\n"


@given(failed=st.integers(0, 3), refused=st.integers(0, 3), left=st.integers(0, 3))
def test_the_exit_code_is_0_only_if_all_succeeded(failed: int, refused: int, left: int) -> None:
    code = exit_code_of(failed=failed, refused=refused, left=left)
    assert (code == 0) == (failed + refused + left == 0)
    assert (code == 130) == bool(left)


@given(counts=st.tuples(*[st.integers(0, 99)] * 4))
def test_the_last_line_counts(counts: tuple[int, int, int, int]) -> None:
    succeeded, failed, refused, left = counts
    report = BatchReport(
        batch="b", results="/out", engine="ray", workers=2, goals=sum(counts), succeeded=succeeded,
        failed=failed, refused=refused, left=left, before=0, deaths=1, seconds=2.0, goals_per_second=1.0,
    )  # fmt: skip
    text = report_text(report, "reflect batch --resume")
    last = text.splitlines()[-1]
    assert f"{sum(counts)} goals: {succeeded} succeeded, {failed} failed, {refused} refused" in last
    assert (f"{left} left" in last) == bool(left) == ("--resume" in text)
