import pytest

from memory.reuse.lasting import says_what_to_look_for, states_what_it_names


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
        "git diff --stat v0.1.0 v0.2.0",
        "git log --since=2024-05-13",
        "git show --stat 3fa9c1b",
        "git log --author=Alice",
        "git log --format=%an | grep -v 'Alice Moreau'",
    ],
)
def test_a_plan_that_holds_what_was_found_does_not(command: str) -> None:
    assert not states_what_it_names([command], "which functions have no caller")


def test_a_date_is_stated_by_its_year() -> None:
    assert states_what_it_names(["git log --since=2024-05-01"], "commits since May 2024")


@pytest.mark.parametrize(
    ("command", "goal", "general"),
    [
        ("grep -rl TODO .", "which files hold TODO", True),
        ("git log --oneline | wc -l", "how many commits are there", True),
        ("find . -name '*.py'", "where are the python files", True),
        ("find . -name '*.py'", "where are the .py files", True),
        ("find . -name '*.py'", "where are the modules", False),
        ("grep -rn 'def ' .", "which functions are there", False),
        ("grep -rn '^#' .", "which comments are there", False),
    ],
)
def test_elsewhere_only_what_the_goal_says_holds(command: str, goal: str, general: bool) -> None:
    assert says_what_to_look_for([command], goal) is general


def test_names_of_the_goal_may_stand_in_the_plan() -> None:
    assert states_what_it_names(["grep -rn load_state src"], "who calls load_state")
