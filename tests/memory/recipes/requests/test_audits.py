"""Questions about source code: what each asks for, and which are no such questions."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recipes.requests.audits import AuditQuestion
from memory.recipes.requests.draft import Draft, Facts
from memory.recipes.requests.read import read_requests

FACTS = Facts(
    kinds={"src": "directory", "lib/tool": "directory", "src/app.py": "file", "dev": "other"},
    paths={"app": "src/app.py"},
)
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("Which function has the highest cyclomatic complexity", {"shape": "most"}),
    ("what are the 5 most complex functions", {"shape": "most", "n": 5}),
    (
        "list the top three functions by cognitive complexity",
        {"shape": "most", "n": 3, "measure": "cognitive"},
    ),
    ("what is the longest function", {"shape": "most", "measure": "lines"}),
    ("which function takes the most parameters", {"shape": "most", "measure": "parameters"}),
    ("show the most deeply nested function", {"shape": "most", "measure": "nesting"}),
    ("which file is the most complex", {"shape": "most", "unit": "modules"}),
    ("which functions have the highest complexity", {"shape": "most", "n": 10}),
    ("list the riskiest files", {"shape": "risks", "n": 10}),
    ("which functions have a complexity above 10", {"shape": "over", "least": 11}),
    ("list all functions with a cyclomatic complexity of at least 8", {"shape": "over", "least": 8}),
    ("how many functions have a complexity of 15 or more", {"shape": "over", "least": 15, "counts": True}),
    ("which functions exceed a complexity of 15", {"shape": "over", "least": 16}),
    ("what is the average complexity of the functions", {"shape": "average"}),
    ("List the security findings", {"shape": "findings"}),
    ("are there any high severity vulnerabilities", {"shape": "findings", "severity": "high"}),
    ("how many security issues are there", {"shape": "findings", "counts": True}),
    ("Which files are the hotspots", {"shape": "hotspots"}),
    ("show the 3 biggest hotspots", {"shape": "hotspots", "n": 3}),
    ("Are there import cycles", {"shape": "cycles"}),
    ("find circular imports", {"shape": "cycles"}),
    ("is there duplicated code", {"shape": "duplicates"}),
    (
        "list all public classes without docstrings",
        {"shape": "undocumented", "kind": "class", "public": True},
    ),
    ("list all undocumented definitions", {"shape": "undocumented", "public": True}),
    ("which functions have no docstring", {"shape": "undocumented", "kind": "function"}),
    ("which file is the riskiest", {"shape": "risks"}),
    ("what should be refactored first", {"shape": "advice"}),
]
PLACES = [
    ("in src", "src"),
    ("in the src directory", "src"),
    ("under lib/tool", "lib/tool"),
    ("of src/app.py", "src/app.py"),
    ("in the file src/app.py", "src/app.py"),
    ("in this repository", "."),
    ("of the whole project", "."),
    ("", "."),
]


def drafted(goal: str) -> Draft | None:
    """The plan of the first reading, which is the audit's if there is one."""
    parsed = read_requests(goal)
    return parsed[0].build(FACTS) if parsed and parsed[0].id.startswith("audit-") else None


def question(goal: str) -> AuditQuestion | None:
    draft = drafted(goal)
    return AuditQuestion.model_validate(draft.slots["question"]) if draft else None


@given(
    st.sampled_from(QUESTIONS),
    st.sampled_from(PLACES),
    st.sampled_from(["", "please ", "Can you "]),
    st.sampled_from(["", "?", "."]),
)
def test_a_question_keeps_its_meaning_wherever_it_asks(
    asked: tuple[str, dict[str, Any]], place: tuple[str, str], polite: str, end: str
) -> None:
    text, meant = asked
    goal = f"{polite}{' '.join(filter(None, [text, place[0]]))}{end}"
    assert question(goal) == AuditQuestion(**meant, place=place[1]), goal


@pytest.mark.parametrize(
    ("goal", "meant"),
    [
        ("does src have circular imports?", {"shape": "cycles"}),
        ("Which function in src has the highest cyclomatic complexity?", {"shape": "most"}),
        ("What security issues does src contain?", {"shape": "findings"}),
        ("audit src", {"shape": "advice"}),
        ("what is the cyclomatic complexity of main in src?", {"shape": "named", "name": "main"}),
        ("how complex is Toolbox.run in src?", {"shape": "named", "name": "Toolbox.run"}),
        ("what is the complexity of the function `parse` in src", {"shape": "named", "name": "parse"}),
        ("what is the cyclomatic complexity of src?", {"shape": "named"}),
    ],
)
def test_a_place_may_stand_in_the_middle(goal: str, meant: dict[str, Any]) -> None:
    assert question(goal) == AuditQuestion(**meant, place="src")


@pytest.mark.parametrize(
    "goal",
    [
        "What is cyclomatic complexity?",
        "what are import cycles?",
        "what are security vulnerabilities?",
        "what are hotspots",
        "Explain the difference between cyclomatic complexity and cognitive complexity.",
        "what is the complexity of quicksort?",
        "how complex is a red-black tree?",
        "fix the security issues in src",
        "list the functions in src/app.py",
        "how many classes does src define?",
        "how many python functions are there in src",
        "which file has the most lines?",
        "what is the longest file in src",
        "which methods have the highest complexity",
        "what is the cyclomatic complexity of our functions?",
        "which functions call load_config",
        "how many functions are there in src and in lib/tool",
        "which function in src has the highest complexity and who wrote it",
        "how many functions return None in src",
        "list the security findings in src and delete them",
    ],
)
def test_what_asks_for_something_else_or_more_is_not_taken_for_one(goal: str) -> None:
    assert not any(one.id.startswith("audit-") for one in read_requests(goal))


@pytest.mark.parametrize("place", ["nowhere", "dev", "../other", "/etc"])
def test_a_place_that_is_no_file_and_no_directory_gets_no_plan(place: str) -> None:
    assert drafted(f"list the security findings in {place}") is None


@given(st.sampled_from(QUESTIONS), st.sampled_from(PLACES))
def test_the_plan_is_one_audit_of_that_place_and_nothing_else(
    asked: tuple[str, dict[str, Any]], place: tuple[str, str]
) -> None:
    draft = drafted(f"{asked[0]} {place[0]}".strip())
    assert draft is not None and len(draft.steps) == 1
    call = draft.steps[0]["tool_call"]
    assert call["tool"] == "audit" and call["args"]["path"] == place[1]
    assert set(call["args"]) == {"path", "kernel", "limit"}


@pytest.mark.parametrize("form", ["how many functions does {} have?", "How many functions are there in {}?"])
def test_functions_are_counted_in_one_python_file_and_elsewhere_as_a_list_of_them_is(form: str) -> None:
    counted = AuditQuestion(shape="count", kind="function", counts=True, place="src/app.py")
    assert question(form.format("src/app.py")) == counted
    assert question(form.format("src")) is None and question("how many functions are there?") is None
