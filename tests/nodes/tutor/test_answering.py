"""Claims and targets, one for one."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from nodes.tutor.answering import has_form, matched
from nodes.tutor.claims import Claim
from nodes.tutor.games.game import Target


def target(subject: str, *, anything: bool = False) -> Target:
    return Target(
        predicate="exists", open=frozenset({"subject"} if anything else ()), subject=subject, value=True
    )


def claim(subject: str) -> Claim:
    return Claim(predicate="exists", subject=subject)


def test_a_claim_that_fits_two_targets_is_given_where_it_is_needed() -> None:
    found = matched([target("", anything=True), target("a")], [claim("a"), claim("b")])
    assert found.whole and found.filled == (1, 0)


def test_what_is_left_over_and_what_is_missing_is_told() -> None:
    found = matched([target("a"), target("b")], [claim("a"), claim("c")])
    assert not found.whole and found.filled == (0, None) and found.beside == (1,)
    assert not matched([], [claim("a")]).whole and matched([], []).whole


def test_a_path_may_be_written_as_a_tool_prints_it() -> None:
    wanted = Target(predicate="count", open=frozenset({"value"}), subject="a", unit="lines", scope="d")
    said = Claim(predicate="count", subject="./a", value=1, unit="lines", scope="./d/")
    assert has_form(wanted, said) and matched([wanted], [said]).whole
    text = Target(predicate="contains", open=frozenset({"subject"}), value="a")
    assert not has_form(text, Claim(predicate="contains", subject="f", value="./a"))


SUBJECTS = st.lists(st.sampled_from("abc"), max_size=4)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=4), SUBJECTS)
def test_claims_match_exactly_when_some_order_of_them_does(
    wanted: list[tuple[str, bool]], subjects: list[str]
) -> None:
    targets = [target(subject, anything=anything) for subject, anything in wanted]
    claims = [claim(subject) for subject in subjects]
    some = len(targets) == len(claims) and any(
        all(one.fits(other) for one, other in zip(targets, order, strict=True))
        for order in permutations(claims)
    )
    assert matched(targets, claims).whole == some
