from __future__ import annotations

import asyncio
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.telemetry.scope import Scope, attach, current, recorded, within
from tests.support.telemetry import Kept

PLANS = st.recursive(st.just([]), lambda below: st.lists(below, max_size=3), max_leaves=12)


def test_nothing_is_told_of_a_run_that_nobody_records() -> None:
    with within(Scope("run")), within(Scope("call", current())):
        assert recorded() is None
    assert current() is None


@settings(max_examples=25, deadline=None)
@given(plan=PLANS, late=st.booleans())
def test_spans_lie_in_one_another_as_scopes_do_whenever_the_recorder_comes(plan: list, late: bool) -> None:  # type: ignore[type-arg]  # lists of lists
    kept = Kept.anew()
    expected: dict[str, str] = {}

    def enter(name: str, below: list, above: Scope | None) -> None:  # type: ignore[type-arg]  # as above
        scope = Scope(name, above)
        expected[name] = above.name if above else ""
        with within(scope):
            if above is None and not late:
                attach(kept.recorder, {})
            for number, one in enumerate(below):
                enter(f"{name}.{number}", one, scope)
            if above is None and late:
                attach(kept.recorder, {})

    enter("0", plan, None)
    known = kept.tree()
    if late:
        # What had ended before the recorder came is not told; the run itself is, from its beginning.
        assert known == {"0": ""}
    else:
        assert known == expected
    for span in kept.spans():
        assert span.start_time is not None and span.end_time is not None and span.start_time <= span.end_time


async def test_tasks_and_threads_stand_where_they_were_begun() -> None:
    kept = Kept.anew()

    def in_thread(name: str) -> None:
        with within(Scope(f"{name} thread", current())):
            pass

    async def task(name: str) -> None:
        with within(Scope(name, current())):
            await asyncio.to_thread(in_thread, name)

    with within(Scope("run")):
        attach(kept.recorder, {})
        await asyncio.gather(*(task(f"task {number}") for number in range(5)))
    assert kept.tree() == {
        "run": "",
        **{f"task {number}": "run" for number in range(5)},
        **{f"task {number} thread": f"task {number}" for number in range(5)},
    }


def test_the_span_above_is_begun_once_by_whoever_comes_first() -> None:
    kept = Kept.anew()
    run = Scope("run")
    middle = Scope("middle", run)
    with within(run):
        attach(kept.recorder, {})
        ends = [threading.Thread(target=Scope(f"end {number}", middle).end) for number in range(20)]
        for end in ends:
            end.start()
        for end in ends:
            end.join()
        middle.end()
    assert (
        len(kept.spans()) == 22 and len({span.context.trace_id for span in kept.spans() if span.context}) == 1
    )
    assert {above for name, above in kept.tree().items() if name.startswith("end")} == {"middle"}


@pytest.mark.parametrize(
    ("error", "calm", "status", "words"),
    [
        (ValueError("secret words"), (), "ERROR", None),
        (asyncio.CancelledError(), (), "UNSET", None),
        (KeyError("asked"), (KeyError,), "UNSET", None),
    ],
)
def test_an_exception_is_told_by_its_class(
    error: BaseException, calm: tuple[type[BaseException], ...], status: str, words: str | None
) -> None:
    kept = Kept.anew()
    with pytest.raises(type(error)), within(Scope("run"), calm):
        attach(kept.recorder, {})
        raise error
    span = kept.span("run")
    assert span.status.status_code.name == status and span.status.description == words
    assert dict(span.attributes or {}) == {"error.type": type(error).__name__}


def test_the_words_of_an_error_are_content_and_come_without_secrets() -> None:
    kept = Kept.anew(content=True)
    with pytest.raises(ValueError), within(Scope("run")):
        attach(kept.recorder, {})
        raise ValueError("no such file: notes.txt, token=abcdef1234567890")
    assert kept.span("run").status.description == "no such file: notes.txt, token=[redacted]"


def test_what_is_attached_is_told_of_the_graph_and_the_first_recorder_stays() -> None:
    first, second = Kept.anew(), Kept.anew()
    graph = Scope("graph")
    with within(graph), within(Scope("node", graph)):
        attach(first.recorder, {"a": 1})
        attach(second.recorder, {"a": 2, "b": 3})
        attach(None, {"c": 4})
    assert dict(first.span("graph").attributes or {}) == {"a": 1, "b": 3} and not second.spans()
