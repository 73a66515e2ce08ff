"""What follows only from several observations together."""

import hashlib

import pytest

from nodes.tutor.claims import Claim
from nodes.tutor.facts import (
    Compared,
    Digest,
    Entry,
    Fact,
    Found,
    Lines,
    Match,
    Matches,
    Measure,
    Search,
    Searched,
    Text,
    Walked,
)
from nodes.tutor.proving.forms import problem_of
from nodes.tutor.proving.prove import prove
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict


def judged(claim: Claim, *facts: Fact) -> Verdict:
    """Each fact is of an observation of its own: o1, o2 ..."""
    assert problem_of(claim) is None
    return prove(claim, World({f"o{number}": [fact] for number, fact in enumerate(facts, 1)}))


def listing(directory: str, *paths: str, **tests: object) -> Search:
    found = tuple(Found(path=path, kind="directory" if path.endswith("/") else "file") for path in paths)
    found = tuple(entry.model_copy(update={"path": entry.path.rstrip("/")}) for entry in found)
    return Search(directory=directory, found=found, **tests)


def count(subject: str, value: int, unit: str, scope: str | None = None) -> Claim:
    return Claim(predicate="count", subject=subject, value=value, unit=unit, scope=scope)


A, B = Text(path="d/a.py", text="x = 1\ny = x\n"), Text(path="d/e/b.py", text="x\n")
TREE = listing("d", "d/a.py", "d/e/", "d/e/b.py")

CASES: list[tuple[Claim, tuple[Fact, ...]]] = [
    # A listing and the text of each file in it.
    (count("x", 3, "matching lines", "d"), (TREE, A, B)),
    (count("*.py", 3, "lines", "d"), (TREE, A, Measure(path="d/e/b.py", unit="lines", value=1))),
    # One listing for each directory.
    (
        count("*.py", 2, "files", "d"),
        (listing("d", "d/a.py", "d/e/", depth=1), listing("d/e", "d/e/b.py", depth=1)),
    ),
    # A wider name pattern.
    (count("a*.py", 1, "files", "d"), (listing("d", "d/a.py", "d/e/b.py", names=("*.py",)),)),
    (count("a.py", 1, "files", "d"), (listing("d", "d/a.py", "d/e/b.py", names=("x", "*.p?"), kind="file"),)),
    (Claim(predicate="absent", subject="*.lock", scope="d"), (TREE,)),
    (Claim(predicate="absent", subject="d/x", unit="file"), (listing("d", "d/a.py", depth=1),)),
    (Claim(predicate="absent", subject="gone/x"), (Entry(path="gone", kind="absent"),)),
    (Claim(predicate="absent", subject="d/a.py/x"), (A,)),
    # Names that begin with a dot do not matter for those that cannot.
    (Claim(predicate="absent", subject="d/x"), (listing("d", "d/a.py", depth=1, hidden=False),)),
    # Lines of the beginning and of the end, which overlap or meet.
    (
        Claim(predicate="not_contains", subject="f", value="z"),
        (Lines(path="f", first=1, lines=("a", "b")), Lines(path="f", first=2, lines=("b", "c"), ends=True)),
    ),
    (
        Claim(predicate="equals", subject="f:3", value="c"),
        (
            Lines(path="f", first=None, lines=("b", "c"), ends=True, terminated=True),
            Measure(path="f", unit="lines", value=3),
        ),
    ),
    # An end that was shown, and the lines before it by their numbers.
    (
        count("f", 2, "lines"),
        (Lines(path="f", first=3, lines=("c",), ends=True, terminated=False),),
    ),
    (
        Claim(predicate="value_of", subject="b", value=2, scope="c.toml"),
        (
            Lines(path="c.toml", first=1, lines=("a = 1",)),
            Lines(path="c.toml", first=None, lines=("b = 2",), ends=True, terminated=True),
            Measure(path="c.toml", unit="lines", value=2),
        ),
    ),
    (
        Claim(predicate="defines", subject="c.py", value="f", unit="function"),
        (Lines(path="c.py", first=1, lines=("def f(): pass",), ends=True),),
    ),
    # All lines, and a size that tells whether the last has an end.
    (
        count("f", 4, "bytes"),
        (Lines(path="f", first=1, lines=("a", "b"), ends=True), Measure(path="f", unit="lines", value=2)),
    ),
    # The same content, by a comparison or by digests.
    (
        Claim(predicate="contains", subject="copy", value="y = x", unit="line"),
        (A, Compared(old="d/a.py", new="copy", same=True)),
    ),
    (
        Claim(predicate="equals", subject="copy", value=A.text),
        (Digest(path="copy", sha256=hashlib.sha256(A.text.encode()).hexdigest()),),
    ),
    (
        Claim(predicate="equals", subject="p", value="q", unit="file"),
        (Digest(path="p", sha256="0" * 64), Digest(path="q", sha256="0" * 64)),
    ),
]


def shown(*lines: tuple[int, str]) -> tuple[Match, ...]:
    return tuple(Match(path="f", number=number, text=text) for number, text in lines)


SEARCHES: list[tuple[Claim, tuple[Fact, ...]]] = [
    (
        count("x.y", 1, "matching lines", "f"),
        (Matches(path="f", literal="x", ignore_case=True, count=2, lines=shown((1, "X"), (5, "x.y"))),),
    ),
    (
        count("x", 3, "matching lines", "f"),
        (Matches(path="f", literal="x", inverted=True, count=2), Matches(path="f", literal="", count=5)),
    ),
    (
        Claim(predicate="greater", subject="x", value=1, unit="matching lines", scope="."),
        (
            Matches(path="f", literal=None, count=2, lines=shown((1, "ax"), (2, "bx"))),
            Entry(path="f", kind="file"),
        ),
    ),
    (
        Claim(predicate="not_contains", subject="d/e", value="TODO: x", unit="word"),
        (Searched(directory="d", literal="TODO", files=("d/a.py",)), Entry(path="d/e", kind="directory")),
    ),
    (
        count("TODO", 3, "matching lines", "."),
        (Searched(directory=".", literal="TODO", files=("a", "b"), counts=(1, 2)),),
    ),
    (
        count("f", 0, "occurrences", "d/a.py"),
        (Searched(directory="d", literal="f", files=()), TREE),
    ),
]


@pytest.mark.parametrize(("claim", "facts"), CASES + SEARCHES)
def test_what_follows_from_all_needs_each(claim: Claim, facts: tuple[Fact, ...]) -> None:
    verdict = judged(claim, *facts)
    assert verdict.status == "validated", verdict
    assert verdict.used == {f"o{number}" for number in range(1, len(facts) + 1)}


INSUFFICIENT: list[tuple[Claim, tuple[Fact, ...]]] = [
    # A link may stand between: nothing below it is counted.
    (Claim(predicate="contains", subject=".", value="x"), (A,)),
    (count("*", 1, "files", "d"), (listing("d", "d/a.py", hidden=False),)),
    (count("*", 1, "files", "d"), (listing("d", "d/a.py", kind="file", depth=1),)),
    (count("*.py", 1, "files", "d"), (listing("d", "d/a.py", names=("a*",)),)),
    # An end without the number of lines, a number of lines without the end.
    (
        Claim(predicate="equals", subject="f:3", value="c"),
        (Lines(path="f", first=None, lines=("c",), ends=True),),
    ),
    (count("f", 2, "lines"), (Lines(path="f", first=1, lines=("a", "b"), ends=True),)),
    (
        Claim(predicate="not_contains", subject="f", value="z"),
        (Lines(path="f", first=1, lines=("a", "b")), Measure(path="f", unit="lines", value=2)),
    ),
    # The last line end is part of this value.
    (
        Claim(predicate="value_of", subject="a", value="x\n", scope="c.yaml"),
        (Lines(path="c.yaml", first=1, lines=("a: |", "  x"), ends=True),),
    ),
    # Other letters, other words.
    (
        Claim(predicate="contains", subject="f", value="x"),
        (Matches(path="f", literal="x", ignore_case=True, count=1),),
    ),
    (
        Claim(predicate="not_contains", subject="f", value="x"),
        (Matches(path="f", literal="x", word=True, count=0),),
    ),
    (count("aa", 2, "occurrences", "f"), (Text(path="f", text="aaa aa\n"),)),
    (count("x", 1, "occurrences", "f"), (Matches(path="f", literal="x", count=1),)),
    (Claim(predicate="absent", subject="d/x"), (listing("d", "d/a.py", depth=1, kind="file"),)),
    (
        Claim(predicate="exists", subject="l", unit="file"),
        (Entry(path="l", kind="link"), Text(path="l", text="")),
    ),
    (Claim(predicate="greater", subject="gone", value=-1, unit="lines"), (A,)),
    (Claim(predicate="equals", subject="gone", value="gone", unit="file"), (A,)),
    (count("d", 2, "files", "."), (TREE, A)),
    (
        count("b.py", 1, "lines", "."),
        (
            Measure(path="b.py", unit="lines", value=1),
            listing("d", "d/b.py"),
            Entry(path="d", kind="directory"),
        ),
    ),
]


@pytest.mark.parametrize(("claim", "facts"), INSUFFICIENT)
def test_what_does_not_follow_is_undecidable(claim: Claim, facts: tuple[Fact, ...]) -> None:
    verdict = judged(claim, *facts)
    assert verdict.status == "undecidable"
    assert verdict.reason and not verdict.used


CONTRADICTIONS: list[tuple[Fact, ...]] = [
    (A, Text(path="d/a.py", text="other")),
    (A, Measure(path="d/a.py", unit="bytes", value=1)),
    (A, Digest(path="d/a.py", sha256="0" * 64)),
    (A, Entry(path="d/a.py", kind="absent")),
    (A, Entry(path="d/a.py", kind="directory")),
    (A, Lines(path="d/a.py", first=2, lines=("x",))),
    (A, Matches(path="d/a.py", literal="x", count=1)),
    (A, TREE, listing("d", "d/a.py/")),
    (A, Entry(path="d", kind="file"), Entry(path="d/a.py", kind="file")),
    (A, Lines(path="f", first=1, lines=("a",)), Lines(path="f", first=1, lines=("b",))),
]


@pytest.mark.parametrize("facts", CONTRADICTIONS)
def test_nothing_follows_from_observations_that_contradict_each_other(facts: tuple[Fact, ...]) -> None:
    claim = Claim(predicate="contains", subject="d/a.py", value="x")
    assert judged(claim, facts[0]).status == "validated"
    verdict = judged(claim, *facts)
    assert verdict.status == "undecidable"
    assert "contradict" in verdict.reason


def test_what_a_search_walked_through_narrows_it_and_shows_nothing_else() -> None:
    nowhere = Searched(directory=".", literal="x", files=(), counts=())
    walked = Walked(directory=".", paths=("d", "d/e"))
    claim = Claim(predicate="not_contains", subject="d/e", value="x")
    assert judged(claim, nowhere).status == "undecidable"
    assert judged(claim, nowhere, walked).status == "validated"
    assert judged(count("d", 1, "directories"), walked).status == "undecidable"
    there = Claim(predicate="exists", subject="d/e", value=True, unit="directory")
    assert judged(there, walked).status == "undecidable"
