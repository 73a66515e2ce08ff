"""Forms of claims: whatever a model writes is refused with a reason, or gets a verdict."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nodes.tutor.claims import PREDICATES, Claim
from nodes.tutor.facts import Entry, Text
from nodes.tutor.proving.forms import problem_of
from nodes.tutor.proving.prove import prove
from nodes.tutor.proving.world import World

WRITTEN = [
    "a.py",
    "./a.py",
    "src",
    ".",
    "*.py",
    "a.py:1",
    "a:b:2",
    "$",
    "a.b[0]",
    "c.json",
    "",
    "/etc",
    "../x",
    "~",
    "a\0",
]
texts = st.sampled_from([*WRITTEN, "\ud800", "x" * 2000, "a/../b", "[", "corrected by c.json"]) | st.text(
    max_size=8
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)
UNITS = [
    "file",
    "directory",
    "lines",
    "files",
    "directories",
    "matching lines",
    "keys",
    "ms",
    "sha256",
    "word",
    "line",
]
claims = st.builds(
    Claim,
    predicate=st.sampled_from(PREDICATES),
    subject=texts,
    value=values,
    unit=st.none() | st.sampled_from([*UNITS, "occurrences", "items", "function", "value", "parsecs"]),
    scope=st.none() | texts | st.tuples(texts, texts),
)
SEEN = World(
    {
        "o1": [Text(path="a.py", text="x = 1\n"), Text(path="c.json", text='{"a": {"b": [1]}}')],
        "o2": [Entry(path="src", kind="directory"), Entry(path="b", kind="absent")],
    }
)


@given(claims)
@example(Claim(predicate="equals", subject=".", value="a.py"))
@example(Claim(predicate="exists", subject=".", value=True, unit="file"))
@settings(max_examples=300)
def test_anything_gets_a_message_or_a_verdict(claim: Claim) -> None:
    problem = problem_of(claim)
    if problem is not None:
        assert problem.endswith(".")
        return
    verdict = prove(claim, SEEN)
    assert verdict.reason
    assert bool(verdict.used) == (verdict.status != "undecidable")


OUTSIDE = ["../x", "/etc", "a/../../b", "a/..", "..", "~", "~/x", "~root/x", "", "a\0b", "x" * 2000]


@pytest.mark.parametrize("path", OUTSIDE)
def test_what_may_lie_outside_the_sandbox_is_refused(path: str) -> None:
    for claim in (
        Claim(predicate="exists", subject=path),
        Claim(predicate="exists", subject="a", scope=path),
        Claim(predicate="count", subject=path, value=1, unit="lines"),
        Claim(predicate="count", subject="x", value=1, unit="matching lines", scope=path),
        Claim(predicate="equals", subject=path, value="x"),
        Claim(predicate="equals", subject="a", value=path, unit="file"),
        Claim(predicate="contains", subject=path, value="x"),
        Claim(predicate="value_of", subject="a", value=1, scope=path),
        Claim(predicate="greater", subject="a", value=path, unit="lines"),
        Claim(predicate="before", subject=f"{path}:1", value="a:1"),
        Claim(predicate="before", subject="a:1", value="a:2", scope=f"corrected by {path}"),
        Claim(predicate="causes", subject="a:1", value=f"{path}:1"),
        Claim(predicate="defines", subject=path, value="f"),
        Claim(predicate="imports", subject=path, value="os"),
        Claim(predicate="cycle", subject=path, value=["a", "b"]),
        Claim(predicate="changed_between", subject="a", value=True, unit="file", scope=("v1", path)),
    ):
        assert problem_of(claim) is not None, claim


WRONG = [
    {"predicate": "exists", "subject": "a", "value": False},
    {"predicate": "absent", "subject": "a", "value": 1},
    {"predicate": "exists", "subject": "a", "unit": "link"},
    {"predicate": "exists", "subject": "a", "scope": ["b", "c"]},
    {"predicate": "count", "subject": "a", "value": True, "unit": "lines"},
    {"predicate": "count", "subject": "a", "value": 1.0, "unit": "lines"},
    {"predicate": "count", "subject": "a", "value": "1", "unit": "lines"},
    {"predicate": "count", "subject": "a", "value": 1},
    {"predicate": "count", "subject": "", "value": 1, "unit": "matching lines", "scope": "a"},
    {"predicate": "count", "subject": "a\nb", "value": 1, "unit": "matching lines", "scope": "a"},
    {"predicate": "count", "subject": "src/*.py", "value": 1, "unit": "files"},
    {"predicate": "count", "subject": "a..b", "value": 1, "unit": "keys", "scope": "c.json"},
    {"predicate": "equals", "subject": "a", "value": 1},
    {"predicate": "equals", "subject": "a", "value": "abc", "unit": "sha256"},
    {"predicate": "equals", "subject": "a", "value": "x", "scope": "."},
    {"predicate": "contains", "subject": "a", "value": ""},
    {"predicate": "contains", "subject": "a", "value": "x\ny", "unit": "line"},
    {"predicate": "value_of", "subject": "a", "value": 1},
    {"predicate": "value_of", "subject": "a", "value": 1, "unit": "parsecs", "scope": "c.json"},
    {"predicate": "value_of", "subject": "a", "value": float("nan"), "scope": "c.json"},
    {"predicate": "greater", "subject": "a", "value": True, "unit": "lines"},
    {"predicate": "greater", "subject": "a", "value": 1},
    {"predicate": "defines", "subject": "a.py", "value": "f"},
    {"predicate": "changed_between", "subject": "a", "value": True, "scope": ["v1", "v2"]},
    {"predicate": "changed_between", "subject": "a.b", "value": [1, 2], "scope": ["c.json", "d.json"]},
    {"predicate": "before", "subject": "a", "value": "a:1"},
    {"predicate": "before", "subject": "a:0", "value": "a:1"},
    {"predicate": "before", "subject": "a:1", "value": "a:1", "scope": "by clock.json"},
    {"predicate": "causes", "subject": "a:1", "value": "b"},
    {"predicate": "defines", "subject": "a.py", "value": "f()", "unit": "function"},
    {"predicate": "imports", "subject": "a.py", "value": ".b"},
    {"predicate": "cycle", "subject": "src", "value": "a b"},
    {"predicate": "cycle", "subject": "src", "value": []},
    {"predicate": "changed_between", "subject": "a", "value": [1, 2], "unit": "file", "scope": ["v1", "v2"]},
    {"predicate": "changed_between", "subject": "a", "value": True, "unit": "file", "scope": "v1"},
    {"predicate": "changed_between", "subject": "a", "value": [1, 2], "unit": "line", "scope": ["v1", "v2"]},
]


PATTERNS = st.sampled_from(["*.py", "te?t", "[ab].c", "*", "x*/"])
LITERALS = st.sampled_from(["foo", "a.py", "*.py", "TODO: x", "src/a"])


@st.composite
def without_scope(draw: st.DrawFn) -> Claim:
    """A claim about names, or about a text, that does not say where."""
    predicate = draw(st.sampled_from(["exists", "absent", "count", "greater", "less"]))
    pattern, literal = draw(PATTERNS), draw(LITERALS)
    if predicate in ("exists", "absent"):
        return Claim(predicate=predicate, subject=pattern, unit=draw(st.sampled_from([None, "file"])))
    unit = draw(st.sampled_from(["lines", "words", "bytes", "files", "directories", "matching lines"]))
    subject = literal if unit == "matching lines" else pattern
    other = draw(st.sampled_from(["a.py", "src/a.py"]))
    pair = (subject, other) if draw(st.booleans()) else (other, subject)
    if predicate != "count" and unit != "matching lines" and draw(st.booleans()):
        return Claim(predicate=predicate, subject=pair[0], value=pair[1], unit=unit)
    return Claim(predicate=predicate, subject=subject, value=1, unit=unit)


@given(without_scope())
def test_a_pattern_or_a_text_without_scope_is_refused_and_told_so(claim: Claim) -> None:
    problem = problem_of(claim)
    assert problem is not None and "add scope" in problem
    assert problem_of(claim.model_copy(update={"scope": "src"})) is None


@pytest.mark.parametrize("subject", ["a.py", "src/a.py", "./*.py", "src/[id].tsx", "."])
def test_a_plain_path_needs_no_scope(subject: str) -> None:
    for claim in (
        Claim(predicate="exists", subject=subject),
        Claim(predicate="absent", subject=subject),
        Claim(predicate="count", subject=subject, value=1, unit="lines"),
        Claim(predicate="count", subject=subject, value=1, unit="bytes"),
        Claim(predicate="greater", subject=subject, value=1, unit="words"),
    ):
        assert problem_of(claim) is None, claim


@pytest.mark.parametrize("written", WRONG)
def test_a_wrong_form_is_refused(written: dict[str, object]) -> None:
    problem = problem_of(Claim.model_validate(written))
    assert problem is not None
    assert problem.endswith(".")


RIGHT = [
    {"predicate": "exists", "subject": "./a/"},
    {"predicate": "absent", "subject": "*.lock", "scope": "src"},
    {"predicate": "count", "subject": "", "value": 1, "unit": "keys", "scope": "c.json"},
    {"predicate": "count", "subject": "a\nb", "value": 1, "unit": "occurrences", "scope": "a"},
    {"predicate": "equals", "subject": "a:3", "value": ""},
    {"predicate": "value_of", "subject": "$", "value": {"a": [1, None]}, "scope": "c.json"},
    {"predicate": "value_of", "subject": 'a["b.c"][0].d', "value": 1.5, "unit": "MiB", "scope": "c.json"},
    {"predicate": "less", "subject": "a.b", "value": "a.c", "scope": "c.json"},
    {"predicate": "after", "subject": "a.log:1", "value": "2024-05-01T10:00:00Z"},
    {"predicate": "after", "subject": "a.log:1", "value": "b.log:2", "scope": "corrected by clocks.json"},
    {"predicate": "causes", "subject": "c.json:1", "value": "a.log:2"},
    {"predicate": "defines", "subject": "a.py", "value": "A.f", "unit": "function"},
    {"predicate": "imports", "subject": "a.py", "value": "pkg.b"},
    {"predicate": "cycle", "subject": "src", "value": ["a", "b"]},
    {"predicate": "changed_between", "subject": "a", "value": False, "unit": "file", "scope": ["v1", "v2"]},
    {
        "predicate": "changed_between",
        "subject": "a",
        "value": ["x", "y"],
        "unit": "line",
        "scope": ["v1", "v2"],
    },
    {
        "predicate": "changed_between",
        "subject": "a.b",
        "value": [1, 2],
        "unit": "value",
        "scope": ["c.json", "d.json"],
    },
]


@pytest.mark.parametrize("written", RIGHT)
def test_a_right_form_is_judged(written: dict[str, object]) -> None:
    assert problem_of(Claim.model_validate(written)) is None


def test_values_too_large_or_too_deep_are_refused() -> None:
    deep: object = 1
    for _ in range(5000):
        deep = [deep]
    for value in (deep, [0] * 10_000, 10**400, "\ud800", {"\ud800": 1}, {1, 2}):
        claim = Claim(predicate="value_of", subject="a", value=value, scope="c.json")
        assert problem_of(claim) is not None
