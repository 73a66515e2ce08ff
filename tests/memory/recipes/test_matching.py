from dataclasses import replace
from datetime import date
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recipes.fill import fill_steps
from memory.recipes.ground import Ground
from memory.recipes.match import match_recipes
from memory.recipes.places import Place, Whereabouts, known_names, locate
from memory.recipes.quantities import read_quantities
from memory.recipes.reading import Reading, read_goal
from memory.recipes.recipe import Recipe, load_recipes

# Readings are frozen, and the goal of a phrasing is read in several tests.
first_reading = cache(read_goal)
RECIPES = load_recipes()
PHRASINGS = [(recipe, goal) for recipe in RECIPES for goal in recipe.says]
FOLDERS = ("src", "docs", "tests", "scripts", ".github", "config")


@cache
def places() -> tuple[Place, ...]:
    """Of a project in which a phrasing's file exists, unless its recipe is about files that do not."""
    mentioned = [
        mention
        for recipe, goal in PHRASINGS
        if recipe.id not in ("missing-file", "renamed-away", "missing-file-deleted")
        for mention in first_reading(goal).mentions
    ]
    named = [Place(one.text, False) for one in mentioned if one.role in ("file", "either")]
    return (*(Place(name, True) for name in FOLDERS), *named)


def exact(goal: str, recipe: Recipe) -> float:
    """A phrasing resembles its own recipe fully."""
    return 1.0 if goal in recipe.says else 0.0


def read(goal: str) -> tuple[Reading, Whereabouts]:
    first = first_reading(goal)
    reading = read_goal(goal, known_names(first, places()))
    return reading, locate(reading, places())


def chosen(goal: str) -> str | None:
    matches = match_recipes(*read(goal), RECIPES)
    return matches[0].recipe.id if matches else None


def test_there_are_enough_recipes_in_every_family() -> None:
    families = {recipe.family for recipe in RECIPES}
    assert families == {"file_search", "counting", "content_search", "sizes", "code_lookup", "git"}
    assert len(RECIPES) >= 60


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.id)
def test_every_phrasing_selects_its_own_recipe_and_no_other_as_well(recipe: Recipe) -> None:
    for goal in recipe.says:
        matches = match_recipes(
            *read(goal),
            RECIPES,
            lambda _, other, goal=goal: exact(goal, other),
            last_resort=recipe.last_resort,
        )
        assert matches and matches[0].recipe.id == recipe.id, goal
        assert len(matches) == 1 or matches[1].specificity < matches[0].specificity, goal


@pytest.mark.parametrize(
    "goal",
    [
        "is there a class named Parser",
        "is there a function named main",
        "list the functions called low",
        "which files have a class called parser",
    ],
)
def test_a_named_function_is_looked_for_in_the_code_although_a_file_has_its_name(goal: str) -> None:
    existing = (Place("src/main.py", False), Place("parser.py", False), Place("low", True))
    reading = read_goal(goal, known_names(read_goal(goal), existing))
    matches = match_recipes(reading, locate(reading, existing), RECIPES)
    assert [match.recipe.id for match in matches[:1]] == ["definition-of"]


def test_what_only_shows_lines_is_never_chosen_before_the_last_resort() -> None:
    goals = [goal for recipe, goal in PHRASINGS if recipe.last_resort]
    assert goals and all(chosen(goal) is None for goal in goals)
    others = [goal for recipe, goal in PHRASINGS if not recipe.last_resort]
    resorts = {
        match.recipe.id for goal in others for match in match_recipes(*read(goal), RECIPES, last_resort=True)
    }
    assert resorts <= {recipe.id for recipe in RECIPES if recipe.last_resort}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("largest python file", "smallest python file"),
        ("files containing 'x1'", "files not containing 'x1'"),
        ("newest file", "oldest file"),
        ("file with the most lines", "file with the most words"),
        ("how many files are in src", "how many directories are in src"),
        ("first commit", "last commit"),
        ("list the functions in parser.py", "list the classes in parser.py"),
        ("who has the most commits", "who has the fewest commits"),
        ("first 3 lines of notes.txt", "last 3 lines of notes.txt"),
        ("where is load_config defined", "where is load_config used"),
    ],
)
def test_near_misses_never_share_a_recipe(one: str, other: str) -> None:
    assert chosen(one) is not None and chosen(other) is not None
    assert chosen(one) != chosen(other)


@pytest.mark.parametrize(
    "goal",
    [
        "largest python file written by someone famous last tuesday",
        "find the python files containing 'x' that were refactored badly",
        "explain how the parser handles unicode",
        "hello",
        "what is the capital of France?",
        "delete all python files and push the result",
    ],
)
def test_goals_beyond_a_recipe_select_none(goal: str) -> None:
    assert chosen(goal) is None


@pytest.mark.parametrize(
    "goal",
    [
        "What does parser.py do?",
        "What is parser.py for?",
        "What is parser.py?",
        "tell me about parser.py",
        "who needs parser.py",
        "does parser.py work",
    ],
)
def test_what_a_file_does_is_not_answered_by_its_being_there(goal: str) -> None:
    assert chosen(goal) != "find-file"


@pytest.mark.parametrize(
    "goal",
    [
        "do you have a parser.py",
        "is parser.py in src",
        "which folder has parser.py",
        "look if parser.py exists",
    ],
)
def test_whether_a_file_is_there_may_be_asked_in_many_ways(goal: str) -> None:
    reading, _ = read(goal)
    assert reading.sought


@given(st.text(max_size=200))
def test_any_text_can_be_read(goal: str) -> None:
    reading = read_goal(goal)
    assert match_recipes(reading, locate(reading, ()), RECIPES) is not None


@given(st.sampled_from(PHRASINGS), st.text(alphabet="abcXYZ09 $%*'\"\\;|&<>`{}()\n", min_size=1, max_size=20))
def test_text_from_the_goal_stays_one_argument(pair: tuple[Recipe, str], text: str) -> None:
    recipe, goal = pair
    reading, whereabouts = read(goal)
    with_text = replace(reading, literal=text)
    without = fill_steps(recipe, reading, whereabouts, [])
    filled = fill_steps(recipe, with_text, whereabouts, [])
    assert [len(step["tool_call"]["args"]["stages"]) for step in filled] == [
        len(step["tool_call"]["args"]["stages"]) for step in without
    ]
    assert [stage["tool"] for step in filled for stage in step["tool_call"]["args"]["stages"]] == [
        stage["tool"] for step in without for stage in step["tool_call"]["args"]["stages"]
    ]


def test_a_directory_that_does_not_exist_stays_in_the_plan() -> None:
    reading, whereabouts = read("how many files are in the nowhere directory")
    assert whereabouts.missing == ("nowhere",)
    recipe = match_recipes(reading, whereabouts, RECIPES)[0].recipe
    stages = fill_steps(recipe, reading, whereabouts, [])[0]["tool_call"]["args"]["stages"]
    assert stages[0]["args"]["paths"] == ["nowhere"]


@pytest.mark.parametrize(
    ("goal", "recipe"),
    [
        ("which files did Alice change", "person-files"),
        ("which files did Alice add", "person-files-added"),
        ("which files were deleted by Alice", "person-files-deleted"),
        ("who deleted gone_long_ago.css", "missing-file-deleted"),
    ],
)
def test_files_somebody_changed_are_not_those_somebody_added_or_deleted(goal: str, recipe: str) -> None:
    assert chosen(goal) == recipe


@pytest.mark.parametrize(
    "goal", ["which files were changed by both Alice and Bob", "which files did Alice, but not Bob change"]
)
def test_two_people_are_not_one_of_a_long_name(goal: str) -> None:
    assert read_goal(goal).person is None
    assert chosen(goal) is None


@pytest.mark.parametrize("month", ["October", "march"])
def test_a_month_is_no_person(month: str) -> None:
    reading = read_goal(f"which commits were made in {month}")
    assert reading.person is None
    assert reading.quantities.since is not None
    assert read_goal("which commits were made in October 2024").quantities.since == "2024-10-01T00:00:00"


@pytest.mark.parametrize(
    ("words", "since", "until"),
    [
        ("in October", "2026-10-01T00:00:00", "2026-10-31T23:59:59"),
        ("in december", "2025-12-01T00:00:00", "2025-12-31T23:59:59"),
        ("since November", "2026-11-01T00:00:00", None),
        ("before September", None, "2026-09-01T00:00:00"),
        ("of October", None, None),
        ("in october.txt", None, None),
    ],
)
def test_a_month_without_a_year_is_the_last_that_has_begun(
    words: str, since: str | None, until: str | None
) -> None:
    quantities = read_quantities(Ground.of(f"commits {words}"), date(2026, 11, 23))
    assert (quantities.since, quantities.until) == (since, until)


@pytest.mark.parametrize(
    "goal",
    [
        # Chosen by the names of definitions, not of files.
        "list all functions that start with load",
        "which classes end with Error",
        "which functions have get in their name",
        # Tests of something, not in it.
        "is there a test for parser.py",
        "do we have tests for the report module",
        # Each condition, or each question, counts.
        "which files contain both TODO and FIXME",
        "how many python files and how many yaml files are there",
        "which files import json or csv",
        "which files import json but not csv",
        # Limits on what is not counted.
        "which classes are in more than one file",
        "which files have exactly one class",
        "which authors have more than 3 commits",
        # Counted by what they are in, of which a name is used more than once.
        "how many functions call list_items",
        # Lines of several files, told without the files.
        "which has more functions, parser.py or cache.py",
        # Somebody left out, or several, of whom one is known.
        "who besides Alice committed",
        "who are the authors of parser.py",
        "how many people changed parser.py",
        "which commits were made on a Monday",
        "which commits changed both parser.py and cache.py",
        "what is the diff of the last commit",
        # One of two ends, one of two facts.
        "which file is largest and which is smallest",
        "what are the first and the last commit",
        "what is the largest file and how many lines does it have",
        "are there both tests and docs",
        "which file has the longest name",
        # Of a log, not of the history.
        'does the log contain "payment refused"',
        # Signatures, and uses of what no name is read in.
        "which functions take a path",
        "which functions return a list",
        "where is test used",
        # Kinds of text, not texts.
        "which files contain an email address",
        "are there any files with umlauts in their name",
        # Other meanings of words that are known.
        "is parser.py modified",
        "are there modified files",
        "who made the last commit on main",
        "how many lines are in the largest file",
        "what are the sections of setup.cfg",
        "what does total return when it is empty",
    ],
)
def test_what_no_plan_looks_at_leads_to_none(goal: str) -> None:
    assert chosen(goal) is None


@pytest.mark.parametrize(
    ("goal", "recipe"),
    [
        ("which files are ignored by git", "ignored"),
        ("what does total return", "body-of"),
        ("which files changed between v0.1 and v0.2", "files-between"),
        ("what changed between v0.1 and v0.2", "commits-between"),
        ("what happened yesterday", "list-commits"),
        ("is there anything to commit", "uncommitted"),
        ("how many methods does Basket have", "body-of"),
        ("are there files with spaces in their names", "list-files"),
        ("which file names contain a blank", "list-files"),
        ("how many functions are there in files that start with test_", "functions-in-files"),
        ("list the tests of tests/test_parser.py", "tests-in-file"),
        ("what are the sections of docs/guide.md", "headings-in-file"),
    ],
)
def test_wordings_near_those_have_a_plan(goal: str, recipe: str) -> None:
    assert chosen(goal) == recipe


def test_a_word_behind_file_called_is_its_name_whatever_else_it_means() -> None:
    mentions = read_goal("is there a file called list").mentions
    assert [(mention.text, mention.role) for mention in mentions] == [("list", "file")]


def test_documents_are_a_kind_of_file_and_docs_are_as_well() -> None:
    assert read_goal("which docs do not mention PayPal").globs == read_goal("which documents name it").globs


@pytest.mark.parametrize(
    "goal",
    [
        "which files are not python, yaml or csv",
        "list all files except python, yaml and csv files",
        "which files are neither python nor yaml nor csv",
    ],
)
def test_what_rules_out_one_kind_rules_out_those_listed_with_it(goal: str) -> None:
    reading = read_goal(goal)
    assert (reading.globs, reading.not_globs) == ((), ("*.py", "*.yaml", "*.yml", "*.csv"))
    assert chosen(goal) == "list-files"


def test_two_files_named_together_are_files() -> None:
    existing = (Place("src/parser.py", False), Place("src/cache.py", False))
    goal = "how many lines are in parser.py and cache.py"
    reading = read_goal(goal, known_names(read_goal(goal), existing))
    assert locate(reading, existing).files == ("src/parser.py", "src/cache.py")


def test_a_directory_is_ruled_out_although_its_name_is_a_kind_of_file() -> None:
    existing = (Place("docs", True),)
    goal = "list all files except docs"
    reading = read_goal(goal, known_names(read_goal(goal), existing))
    assert (locate(reading, existing).excluded, reading.not_globs) == (("docs",), ())


@pytest.mark.parametrize(
    ("goal", "file", "directory"),
    [
        ('how many lines does "new ideas.md" have', ("docs/new ideas.md",), ()),
        ('what is in "docs/new ideas.md"', ("docs/new ideas.md",), ()),
        ('how many files are in "sales reports"', (), ("sales reports",)),
    ],
)
def test_a_quoted_name_with_blanks_is_one_if_there_is_such_a_file(
    goal: str, file: tuple[str, ...], directory: tuple[str, ...]
) -> None:
    existing = (Place("docs/new ideas.md", False), Place("sales reports", True))
    reading = read_goal(goal, known_names(read_goal(goal), existing))
    whereabouts = locate(reading, existing)
    assert (whereabouts.files, whereabouts.directories, reading.literal) == (file, directory, None)
    assert read_goal(goal).literal is not None
