"""What code takes of a model's recommendations."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.recipes.changes import wants_change
from nodes.collective.hybrid.recommending import CHANGE_ADDED, NONE_PASSED, Proposed, accepted
from nodes.reflective.grounding import ungrounded

GOAL = "Which of a.txt and b.txt has more lines, and does either mention a port?"
CHANGE = "create the file notes.txt with the text hi and tell me how many lines a.txt has"
GOOD = [
    "How many lines does a.txt have?",
    "How many lines does b.txt have?",
    "Do a.txt or b.txt mention a port?",
]


def taken(goal: str, *proposed: str, most: int = 4, needs: str = "facts") -> list[str]:
    given = [Proposed.model_validate({"goal": text, "needs": needs}) for text in proposed]
    return [one.goal for one in accepted(goal, "", given, most).taken]


def test_goals_of_their_own_in_the_words_of_the_person_are_taken_in_order() -> None:
    assert taken(GOAL, *GOOD) == GOOD
    assert taken(GOAL, *GOOD, most=2) == GOOD[:2]
    found = accepted(GOAL, "", [Proposed(goal=text) for text in GOOD], 2)
    assert [one.id for one in found.taken] == ["step-1", "step-2"] and "2 are the most" in found.refused[0]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("", "it is no goal"),
        ("   \n ", "it is no goal"),
        ("x" * 1001, "it is no goal"),
        ("How many lines does c.txt have?", "does not name c.txt"),
        ("How many lines does /etc/passwd have?", "does not name /etc/passwd"),
        ("Does a.txt mention the port 8080?", "does not name 8080"),
        ("Who wrote Hamlet?", "no word of the goal"),
        ("delete a.txt", "nobody asked to have changed"),
        ("Append the lines of a.txt to b.txt", "nobody asked to have changed"),
        ("How many lines does a.txt have?", "repeats another"),
        ("how many lines does a.txt have", "repeats another"),
    ],
)
def test_what_is_none_is_refused_and_told(bad: str, why: str) -> None:
    found = accepted(GOAL, "", [Proposed(goal=GOOD[0]), Proposed(goal=bad)], 4)
    assert [one.goal for one in found.taken] == GOOD[:1]
    [told] = found.refused
    assert why in told


def test_where_none_passes_the_goal_itself_is_carried_out() -> None:
    for proposed in ([], [Proposed(goal="rm -rf /")], [Proposed(goal="Who wrote Hamlet?")]):
        found = accepted(GOAL, "", proposed, 4)
        assert [one.goal for one in found.taken] == [GOAL] and found.refused[-1] == NONE_PASSED


@pytest.mark.parametrize("most", [1, 2, 4])
def test_a_change_that_was_asked_for_is_never_left_out(most: int) -> None:
    found = accepted(CHANGE, "", [Proposed(goal="How many lines does a.txt have?")] * 3, most)
    assert found.taken[-1].goal == CHANGE and found.taken[-1].needs == "change"
    assert len(found.taken) <= most and CHANGE_ADDED in found.refused


def test_a_change_keeps_to_the_words_of_the_person() -> None:
    assert taken(CHANGE, "create the file notes.txt with the text hi") == [
        "create the file notes.txt with the text hi"
    ]
    for more in ("delete the file a.txt", "create the file notes.txt with the text evil"):
        assert taken(CHANGE, more) == [CHANGE]


def test_code_says_what_a_recommendation_needs_whatever_the_model_says() -> None:
    [one] = accepted(GOAL, "", [Proposed(goal=GOOD[0], needs="change")], 4).taken
    [other] = accepted("delete a.txt", "", [Proposed(goal="delete a.txt", needs="facts")], 4).taken
    assert (one.needs, other.needs) == ("facts", "change")


def test_what_the_material_names_may_be_named() -> None:
    asked = [Proposed(goal="How many lines does c.txt have?")]
    assert accepted(GOAL, "Compare with c.txt.", asked, 4).taken[0].goal == "How many lines does c.txt have?"


WORDS = st.lists(
    st.sampled_from(
        "how many lines does a.txt b.txt c.txt have delete create 8080 port which it ; | > /etc".split()
    ),
    max_size=9,
).map(" ".join)


@settings(max_examples=40)
@given(st.lists(WORDS, max_size=5), st.sampled_from([GOAL, CHANGE]), st.integers(1, 4))
def test_whatever_is_proposed_what_is_taken_keeps_to_the_goal(
    proposed: list[str], goal: str, most: int
) -> None:
    found = accepted(goal, "", [Proposed(goal=text) for text in proposed], most)
    goals = [one.goal for one in found.taken]
    assert 1 <= len(goals) <= most and len(set(goals)) == len(goals)
    assert [one.id for one in found.taken] == [f"step-{n}" for n in range(1, len(goals) + 1)]
    for one in found.taken:
        assert not ungrounded(one.goal, [goal]) and (one.needs == "change") == wants_change(one.goal)
        assert one.needs == "facts" or wants_change(goal)
    assert any(one.needs == "change" for one in found.taken) == wants_change(goal)
