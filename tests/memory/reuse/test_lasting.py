import pytest

from memory.reuse.lasting import states_what_it_names


@pytest.mark.parametrize(
    "command",
    [
        "grep -rn --include='*.py' 'def ' src",
        "grep -rnE 'TODO|FIXME|XXX' .",
        "grep -rcE '^ *(if|for|while|except)' src",
        "git log --format=%an --name-only",
        "find . -type f --exclude-dir=node_modules",
    ],
)
def test_a_plan_that_says_how_to_look_lasts(command: str) -> None:
    assert states_what_it_names([command], "which files are there")


@pytest.mark.parametrize(
    "command",
    [
        "grep -rn load_state src",
        "grep -rnE 'arrive|depart|moor' src",
        "grep -rn ShipList .",
        "grep -c useState web",
    ],
)
def test_a_plan_that_holds_what_was_found_does_not(command: str) -> None:
    assert not states_what_it_names([command], "which functions have no caller")


def test_names_of_the_goal_may_stand_in_the_plan() -> None:
    assert states_what_it_names(["grep -rn load_state src"], "who calls load_state")
