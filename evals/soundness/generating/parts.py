"""What a generated probe is made of: a claim that is true, ways to show it, and ways to go wrong."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from evals.soundness.tree import Tree

Action = dict[str, Any]
Actions = list[Action]
Fields = dict[str, Any]


@dataclass(frozen=True)
class Lie:
    """A claim meant to be false; whether it is, `truth` decides.

    Attributes:
        name: of the mutation.
        claim: what is claimed instead.
        actions: what is cited for it; None for the honest evidence of the true claim.
    """

    name: str
    claim: Fields
    actions: Actions | None = None


@dataclass(frozen=True)
class Made:
    """A true claim about a tree.

    Attributes:
        tree: the files.
        claim: what is so.
        ways: actions that show it, each of them enough, by name.
        lies: claims like it that are false.
        weak: actions that do not show it, by what they lack.
    """

    tree: Tree
    claim: Fields
    ways: Mapping[str, Actions]
    lies: Sequence[Lie] = ()
    weak: Mapping[str, Actions] = field(default_factory=dict)


Maker = Callable[[Random], Made]


def claim(
    predicate: str, subject: str, value: Any = True, unit: str | None = None, scope: Any = None
) -> Fields:
    """Fields of a claim, without those that are not said."""
    fields = {"predicate": predicate, "subject": subject, "value": value, "unit": unit, "scope": scope}
    return {name: given for name, given in fields.items() if given is not None or name == "value"}


def altered(fields: Fields, **changes: Any) -> Fields:
    """A claim with some fields changed; None takes a field away."""
    changed = {**fields, **changes}
    return {name: given for name, given in changed.items() if given is not None or name == "value"}


def call(tool: str, **args: Any) -> Action:
    """A tool call in the first form."""
    return {"tool": tool, "args": args}


def cats(*paths: str) -> Actions:
    """One call for each file."""
    return [call("cat", path=path) for path in paths]


FLAGS = {
    "cat": {"number": "-n"},
    "grep": {
        "recursive": "-r",
        "count": "-c",
        "ignore_case": "-i",
        "fixed": "-F",
        "word": "-w",
        "line_number": "-n",
        "invert": "-v",
        "files_with_matches": "-l",
    },
    "wc": {"lines": "-l", "words": "-w", "bytes": "-c"},
    "ls": {"all": "-a", "long": "-l", "recursive": "-R"},
    "diff": {"brief": "-q"},
}


def as_raw(action: Action, dice: Random) -> Action:
    """The same call as a person types it."""
    tool, args = action["tool"], action["args"]
    paths = [_operand(path) for path in args.get("paths", [args["path"]] if "path" in args else [])]
    if tool == "find":
        depth = ["-maxdepth", str(args["maxdepth"])] if "maxdepth" in args else []
        tests = [*depth, *_tests(args, dice)]
        return {"raw": shlex.join(["find", *paths, *tests])}
    letters = [letter for name, letter in FLAGS.get(tool, {}).items() if args.get(name)]
    if len(letters) > 1 and dice.random() < 0.5:
        letters = ["-" + "".join(letter[1] for letter in letters)]
    if tool in ("head", "tail") and "lines" in args:
        letters = [dice.choice((f"-n{args['lines']}", f"-{args['lines']}"))]
    pattern = ["-e", args["pattern"]] if tool == "grep" else []
    return {"raw": shlex.join([tool, *letters, *pattern, *paths])}


def _tests(args: Mapping[str, Any], dice: Random) -> list[str]:
    tests = [["-name", args["name"]]] if "name" in args else []
    tests += [["-type", args["type"]]] if "type" in args else []
    dice.shuffle(tests)
    return [word for test in tests for word in test]


def _operand(path: str) -> str:
    return f"./{path}" if path.startswith("-") else path
