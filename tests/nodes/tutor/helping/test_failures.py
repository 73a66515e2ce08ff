"""Planted loops are found, and play that goes well shows none."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.tutor.helping.card_table import CARDS, CARDS_FOR, MOST_TIMES
from nodes.tutor.helping.failures import WINDOW, detect
from nodes.tutor.turns import Outcome, Turn

GOOD: tuple[Outcome, ...] = ("played",)
BAD: tuple[Outcome, ...] = ("illegal", "failed", "rejected")


def turn(signature: str, outcome: Outcome = "played", *, novel: bool = True) -> Turn:
    return Turn(
        number=1, given={}, move="PROPOSE", signature=signature, outcome=outcome, message="", novel=novel
    )


def healthy(many: int) -> list[Turn]:
    """No action twice, all new."""
    return [turn(f"look {number}") for number in range(many)]


@given(st.integers(0, 60))
@settings(max_examples=25)
def test_play_in_which_nothing_recurs_shows_no_pattern(many: int) -> None:
    assert detect(healthy(many), ()) == ()


@given(st.integers(0, 30), st.lists(st.sampled_from(BAD), min_size=3, max_size=5))
@settings(max_examples=25)
def test_three_errors_in_a_row_are_found_and_end_with_a_move_that_goes_through(
    before: int, outcomes: Sequence[Outcome]
) -> None:
    errors = [turn(f"error {number}", outcome) for number, outcome in enumerate(outcomes)]
    assert detect(healthy(before) + errors, ()) == ("errors",)
    assert "errors" not in detect(healthy(before) + errors + healthy(1), ())
    assert "errors" not in detect(healthy(before) + errors[:2], ())
    assert "errors" not in detect([*errors[:1], *healthy(1), *errors[1:3]], ())


@given(st.lists(st.integers(0, 4), min_size=2, max_size=2))
@settings(max_examples=25)
def test_an_action_played_three_times_is_found_whatever_lies_between(gaps: Sequence[int]) -> None:
    other = iter(range(100))
    turns = [turn("again")]
    for gap in gaps:
        turns += [turn(f"other {next(other)}") for _ in range(gap)]
        turns.append(turn("again"))
    assert "repetition" in detect(turns, ())
    assert "repetition" not in detect(turns[:-1], ())


def test_an_action_of_long_ago_is_no_repetition() -> None:
    turns = [turn("again"), turn("again"), *healthy(WINDOW), turn("again")]
    assert detect(turns, ()) == ()


@given(st.integers(0, 20), st.sampled_from([2, 3]), st.integers(2, 4))
@settings(max_examples=25)
def test_a_cycle_of_two_or_three_actions_is_found_after_its_second_round(
    before: int, period: int, rounds: int
) -> None:
    circle = [turn(f"step {step}") for step in range(period)]
    assert "cycle" in detect(healthy(before) + rounds * circle, ())
    assert "cycle" not in detect(healthy(before) + circle + circle[:-1], ())


def test_one_action_over_and_over_is_a_repetition_and_no_cycle() -> None:
    assert detect([turn("same")] * 6, ()) == ("repetition",)


@given(st.integers(0, 20), st.integers(4, 8))
@settings(max_examples=25)
def test_four_turns_without_anything_new_are_a_stall(before: int, dull: int) -> None:
    stalled = [turn(f"dull {number}", novel=False) for number in range(dull)]
    assert detect(healthy(before) + stalled, ()) == ("stall",)
    assert detect(healthy(before) + stalled[:3], ()) == ()


def test_prose_is_an_error_and_neither_a_repetition_nor_a_cycle() -> None:
    prose = Turn(number=1, given="I think", move="", signature="I think", outcome="illegal", message="No.")
    assert detect([prose] * 6, ()) == ("errors", "stall")


@given(st.permutations([card for card in CARDS for _ in range(MOST_TIMES)]), st.integers(0, 2 * len(CARDS)))
@settings(max_examples=25)
def test_cards_are_exhausted_exactly_when_none_is_left_for_a_pattern(shown: list[str], many: int) -> None:
    given_ = shown[:many]
    turns = [turn(f"error {number}", "illegal") for number in range(3)]
    left = [
        card for card in CARDS_FOR["errors"] if given_.count(card) < MOST_TIMES and card not in given_[-1:]
    ]
    assert ("exhausted" in detect(turns, given_)) == (not left)
    assert detect(healthy(5), given_) == ()


def test_only_the_last_turns_are_looked_at() -> None:
    class Long(list[Turn]):
        def __iter__(self) -> object:  # type: ignore[override]  # nothing may walk over a whole game
            raise AssertionError("the whole game was walked over")

    assert detect(Long(healthy(1000)), ()) == ()
