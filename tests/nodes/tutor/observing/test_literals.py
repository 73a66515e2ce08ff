"""A pattern that is said to stand for a text selects the lines that hold it, and no others."""

from __future__ import annotations

import os
import subprocess

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nodes.tutor.observing.meaning.literals import Dialect, literal_of
from nodes.tutor.observing.questions.letters import either_case

SIGNS = st.sampled_from(list("ab.*[]^$\\+?(){}|-/ é1<>&,") + ["\n"])
PATTERNS = st.text(SIGNS, min_size=0, max_size=6)
OPTIONS: dict[Dialect, str] = {"fixed": "-F", "basic": "-G", "extended": "-E", "perl": "-P"}


def matching(option: str, pattern: str, lines: list[str]) -> list[str]:
    done = subprocess.run(
        ["grep", "-a", option, "-e", pattern],
        input="".join(f"{line}\n" for line in lines).encode(),
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.decode().split("\n")[:-1]


@settings(max_examples=60, deadline=None)
@given(
    pattern=PATTERNS,
    dialect=st.sampled_from(sorted(OPTIONS)),
    lines=st.lists(PATTERNS.map(lambda text: text.replace("\n", "")), max_size=5),
)
@example(pattern="a^b", dialect="basic", lines=["a^b", "ab"])
@example(pattern="a$b$", dialect="basic", lines=["a$b", "a$b$"])
@example(pattern="$)1", dialect="basic", lines=["$)1"])
@example(pattern="a\\$", dialect="basic", lines=["a$", "a$b", "a\\"])
@example(pattern="a\\\\$", dialect="basic", lines=["a\\", "a\\b"])
@example(pattern="a+", dialect="basic", lines=["a+", "aa"])
@example(pattern="a\\.b", dialect="extended", lines=["a.b", "axb"])
@example(pattern="]", dialect="extended", lines=["]", "x"])
def test_literals(pattern: str, dialect: Dialect, lines: list[str]) -> None:
    literal = literal_of(pattern, dialect)
    if literal is None:
        return
    tried = [
        *lines,
        literal,
        f"x{literal}y",
        pattern.replace("\n", ""),
        literal[1:],
        literal[:-1],
        "",
        "b",
        "$",
    ]
    assert matching(OPTIONS[dialect], pattern, tried) == [line for line in tried if literal in line]


@pytest.mark.parametrize(
    ("pattern", "dialect", "literal"),
    [
        ("price", "basic", "price"),
        ("a\\.py", "basic", "a.py"),
        ("a.py", "basic", None),
        ("^a", "basic", None),
        ("a$", "basic", None),
        ("f(x)", "basic", "f(x)"),
        ("f(x)", "extended", None),
        ("a|b", "extended", None),
        ("a|b", "fixed", "a|b"),
        ("a\nb", "fixed", None),
        ("a\\b", "basic", None),
        ("a\\+", "basic", None),
        ("x = 1", "perl", "x = 1"),
        ("x.y", "perl", None),
    ],
)
def test_which_patterns_are_literals(pattern: str, dialect: Dialect, literal: str | None) -> None:
    assert literal_of(pattern, dialect) == literal


@settings(max_examples=40, deadline=None)
@given(literal=st.text(st.sampled_from(list("aBk.*[]^$\\{}+-/ 1")), min_size=1, max_size=5), line=PATTERNS)
def test_either_case(literal: str, line: str) -> None:
    tried = [literal.upper(), f"x{literal.lower()}y", line.replace("\n", ""), literal.replace("k", "\u212a")]
    wanted = [
        text for text in tried if literal.lower() in "".join(c.lower() if c.isascii() else c for c in text)
    ]
    assert matching("-G", either_case(literal), tried) == wanted
