"""The circuit breaker through any history of calls."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from models.fleet.breaker import FIRST_BACK_OFF, LONGEST_BACK_OFF, Breaker

STEPS = st.lists(
    st.tuples(st.sampled_from(["failed", "succeeded", "let_go"]), st.floats(0, 20), st.floats(0, 30)),
    max_size=30,
)


@given(STEPS)
def test_it_opens_at_a_new_failure_closes_at_a_new_success_and_old_calls_tell_nothing(
    steps: list[tuple[str, float, float]],
) -> None:
    breaker, now = Breaker(), 100.0
    for what, passed, lasted in steps:
        now += passed
        began = now - lasted
        known, is_old = breaker, bool(breaker.failures) and began < breaker.opened
        if what == "failed":
            breaker = breaker.failed(began, now)
        else:
            breaker = breaker.succeeded(began) if what == "succeeded" else breaker.let_go(began)
        if is_old:
            assert breaker == known
        elif what == "failed":
            assert breaker.state(now) == "open" and breaker.failures == known.failures + 1
            assert now + FIRST_BACK_OFF <= breaker.until <= now + LONGEST_BACK_OFF
            assert breaker.state(breaker.until) == "half_open"
        elif what == "succeeded":
            assert breaker.state(now) == "closed"
        else:
            assert (breaker.failures, breaker.opened, breaker.trying) == (known.failures, known.opened, False)


@given(st.integers(1, 40))
def test_each_failure_in_a_row_doubles_the_back_off_up_to_the_longest(failures: int) -> None:
    breaker = Breaker()
    for _ in range(failures):
        breaker = breaker.tried().failed(breaker.until, breaker.until)
    waits = breaker.until - breaker.opened
    assert abs(waits - min(FIRST_BACK_OFF * 2 ** (failures - 1), LONGEST_BACK_OFF)) < 1e-3
    assert not breaker.trying


def test_calls_that_fail_together_are_one_failure() -> None:
    breaker = Breaker()
    for moment in range(10):
        breaker = breaker.failed(began=5.0, now=6.0 + moment / 100)
    assert breaker.failures == 1 and breaker.until == 6.0 + FIRST_BACK_OFF
