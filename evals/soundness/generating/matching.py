"""Claims about how many lines hold a text, and how often it stands there."""

from __future__ import annotations

from random import Random

from evals.soundness.generating.counting import wrong_numbers
from evals.soundness.generating.parts import Actions, Lie, Made, altered, call, cats, claim
from evals.soundness.generating.trees import SPECIAL, WORDS, plain_files, scopes, text_of, tree_of
from evals.soundness.tree import Tree
from evals.soundness.truth import measure


def _planted(dice: Random) -> tuple[Tree, str]:
    """A tree with a literal in some of its files."""
    literal = dice.choice((*SPECIAL, *WORDS[:4], "TODO", "err=7", "aXa"))
    tree = tree_of(dice)
    files = {**tree.files, "notes/plain.txt": text_of(dice, 1, 4)}
    paths = plain_files(Tree(files))
    for path in dice.sample(paths, k=min(3, len(paths))):
        files[path] += "".join(
            dice.choice(
                (f"see {literal} there\n", f"{literal}\n", f"{literal} and {literal}\n", f"x{literal}y\n")
            )
            for _ in range(dice.randint(1, 3))
        )
    files |= {"notes/case.txt": "read me\nreader reads\nnotes\n", "notes/aaaa.txt": "aaaa\n"}
    return Tree(files, tree.links), literal


def _greps(literal: str, scope: str, tree: Tree) -> dict[str, Actions]:
    """Ways to see every line below a directory, or of a file, that holds a text."""
    if tree.text(scope) is not None:
        return {
            "cat": cats(scope),
            "grep -F": [call("grep", pattern=literal, path=scope, fixed=True)],
            "grep -nF": [call("grep", pattern=literal, path=scope, fixed=True, line_number=True)],
        }
    return {
        "grep -rF": [call("grep", pattern=literal, path=scope, fixed=True, recursive=True)],
        "grep -rnF": [
            call("grep", pattern=literal, path=scope, fixed=True, recursive=True, line_number=True)
        ],
        "find and cat": [call("find", path=scope, type="f"), *cats(*tree.below(scope, "file"))],
    }


def text_count(dice: Random) -> Made:
    """Lines that hold a text, or how often it stands there."""
    tree, literal = _planted(dice)
    scope = dice.choice([*scopes(tree), *plain_files(tree)])
    unit = dice.choice(("matching lines", "occurrences"))
    number = measure(literal, unit, scope, tree)
    fields = claim("count", literal, number, unit, scope)
    ways = _greps(literal, scope, tree)
    recursive = {} if tree.text(scope) is not None else {"recursive": True}
    if unit == "matching lines":
        ways["grep -cF"] = [call("grep", pattern=literal, path=scope, fixed=True, count=True, **recursive)]
    other = "occurrences" if unit == "matching lines" else "matching lines"
    lies = [
        *wrong_numbers(fields),
        Lie("number of the other unit", altered(fields, value=measure(literal, other, scope, tree))),
        Lie(
            "regular expression",
            claim("count", "n.t.s", 1, unit, "notes"),
            [call("grep", pattern="n.t.s", path="notes", recursive=True)],
        ),
        Lie(
            "any case",
            claim("count", "READ", 1, unit, "notes/case.txt"),
            [call("grep", pattern="READ", path="notes/case.txt", ignore_case=True, count=True)],
        ),
        Lie(
            "whole words",
            claim("count", "read", 1, unit, "notes/case.txt"),
            [call("grep", pattern="read", path="notes/case.txt", word=True, count=True)],
        ),
        Lie(
            "lines without it",
            claim("count", "read", 1, unit, "notes/case.txt"),
            [call("grep", pattern="read", path="notes/case.txt", invert=True, count=True)],
        ),
        Lie("overlapping", claim("count", "aa", 3, "occurrences", "notes/aaaa.txt"), cats("notes/aaaa.txt")),
    ]
    weak = {
        "some of its lines": [call("head", path="notes/case.txt", lines=1)],
        "another text": [call("grep", pattern="ghost", path=scope, fixed=True, **recursive)],
    }
    return Made(tree, fields, ways, lies, weak)
