"""Is a claim true of some files? Plain code that reads them, and knows nothing of evidence or of provers.

It tells what generated probes hold, so it reads what the generator writes, not everything there is: stamps
stand first in their lines, keys hold no dots, and Python sources are laid out as people do.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from configparser import Error as IniError
from fractions import Fraction
from tokenize import TokenError
from typing import Any

from yaml import YAMLError

from evals.soundness.tree import Kind, Tree
from evals.soundness.truth_of_causes import causes
from evals.soundness.truth_of_changes import changed
from evals.soundness.truth_of_order import ordered
from evals.soundness.truth_of_python import defines, imports, is_cycle
from evals.soundness.truth_of_values import Missing, same, stored, value_at

Fields = Mapping[str, Any]
ANY_KIND: tuple[Kind, ...] = ("file", "directory")
UNREADABLE = (Missing, KeyError, IndexError, ValueError, TypeError, YAMLError, IniError, TokenError)
SPACE = re.compile(rb"[ \t\n\v\f\r]+")


def holds(claim: Fields, tree: Tree) -> bool:
    """True if the claim is so; a claim about what is not there, or cannot be read, is false.

    Args:
        claim: its fields, in a form that can be judged.
        tree: the files it is about.
    """
    try:
        return TRUTHS[claim["predicate"]](claim, tree)
    except UNREADABLE:
        return False


def _exists(claim: Fields, tree: Tree) -> bool:
    subject, scope = claim["subject"], claim.get("scope")
    kinds = [kind for kind in ANY_KIND if claim.get("unit") in (None, kind)]
    if scope is None and not re.search(r"[*?\[]", subject):
        return tree.kind(subject) in kinds
    return any(tree.named(subject, scope or ".", kind) for kind in kinds)


def measure(subject: str, unit: str | None, scope: Any, tree: Tree) -> Any:
    """The number of something: of lines, words, bytes, files, directories, matches, keys; or a value itself.

    Raises:
        Missing: there is no such value, or it is no number.
    """
    if unit in ("lines", "words", "bytes"):
        paths = [subject] if tree.text(subject) is not None else tree.named(subject, scope or ".", "file")
        return sum(_size(tree.files[path], unit) for path in paths)
    if unit == "files":
        is_directory = scope is None and tree.kind(subject) == "directory"
        return len(
            list(tree.below(subject, "file")) if is_directory else tree.named(subject, scope or ".", "file")
        )
    if unit == "directories":
        return len(list(tree.below(subject, "directory")))
    if unit in ("matching lines", "occurrences"):
        paths = [scope] if tree.text(scope) is not None else list(tree.below(scope, "file"))
        if unit == "occurrences":
            return sum(tree.files[path].count(subject) for path in paths)
        return sum(subject in line for path in paths for line in tree.lines(path))
    value = value_at(tree, scope, subject)
    if unit in ("keys", "items"):
        return len(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Missing(subject)
    return value


def _size(text: str, unit: str) -> int:
    content = text.encode("utf-8", "surrogateescape")
    counts: dict[str, Callable[[], int]] = {
        "lines": lambda: content.count(b"\n"),
        "bytes": lambda: len(content),
        "words": lambda: len([word for word in SPACE.split(content) if word]),
    }
    return counts[unit]()


def _count(claim: Fields, tree: Tree) -> bool:
    wanted = dict if claim["unit"] == "keys" else list
    if claim["unit"] in ("keys", "items"):
        value = value_at(tree, claim["scope"], claim["subject"])
        return isinstance(value, wanted) and same(len(value), claim["value"])
    return same(measure(claim["subject"], claim["unit"], claim.get("scope"), tree), claim["value"])


def _compared(claim: Fields, tree: Tree) -> Fraction:
    """The measure of the subject less what it is compared with."""
    unit, scope, value = claim.get("unit"), claim.get("scope"), claim["value"]
    other = measure(value, unit, scope, tree) if isinstance(value, str) else value
    return Fraction(str(measure(claim["subject"], unit, scope, tree))) - Fraction(str(other))


def _equals(claim: Fields, tree: Tree) -> bool:
    subject, value, unit = claim["subject"], claim["value"], claim.get("unit")
    text = tree.text(subject)
    if unit == "file":
        return text is not None and text == tree.text(value)
    if unit == "sha256":
        if text is None:
            return False
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest() == str(value).lower()
    if text is not None:
        return isinstance(value, str) and text.removesuffix("\n") == value.removesuffix("\n")
    path, _, number = subject.rpartition(":")
    if tree.text(path) is None or not number.isdigit():
        return False
    lines = tree.lines(path)
    return 0 < int(number) <= len(lines) and lines[int(number) - 1] == value


def _contains(claim: Fields, tree: Tree) -> bool:
    subject, literal, unit = claim["subject"], claim["value"], claim.get("unit")
    paths = [subject] if tree.text(subject) is not None else list(tree.below(subject, "file"))
    if unit == "line":
        return any(line == literal for path in paths for line in tree.lines(path))
    if unit == "word":
        word = re.compile(rf"(?<!\w){re.escape(literal)}(?!\w)")
        return any(word.search(tree.files[path]) for path in paths)
    return any(tree.files[path].count(literal) > 0 for path in paths)


def _not_contains(claim: Fields, tree: Tree) -> bool:
    return tree.kind(claim["subject"]) is not None and not _contains(claim, tree)


def _value_of(claim: Fields, tree: Tree) -> bool:
    value = value_at(tree, claim["scope"], claim["subject"])
    unit = claim.get("unit")
    return (
        same(value, claim["value"]) if unit is None else stored(value, claim["subject"], claim["value"], unit)
    )


TRUTHS: Mapping[str, Callable[[Fields, Tree], bool]] = {
    "exists": _exists,
    "absent": lambda claim, tree: not _exists(claim, tree),
    "count": _count,
    "equals": _equals,
    "contains": _contains,
    "not_contains": _not_contains,
    "value_of": _value_of,
    "greater": lambda claim, tree: _compared(claim, tree) > 0,
    "less": lambda claim, tree: _compared(claim, tree) < 0,
    "before": lambda claim, tree: ordered(claim, tree) == "before",
    "after": lambda claim, tree: ordered(claim, tree) == "after",
    "causes": lambda claim, tree: causes(tree, claim["subject"], claim["value"]),
    "defines": lambda claim, tree: defines(tree, claim["subject"], claim["value"], claim.get("unit")),
    "imports": lambda claim, tree: imports(tree, claim["subject"], claim["value"]),
    "cycle": lambda claim, tree: is_cycle(tree, claim["subject"], claim["value"]),
    "changed_between": changed,
}
