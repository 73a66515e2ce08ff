"""Forms of the claims about order, causes, Python code and changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from nodes.tutor.claims import Claim
from nodes.tutor.proving import key_paths, paths

LONGEST = 10_000
LONGEST_STAMP = 100
MOST_MODULES = 200
# Surrogates from U+DC80 to U+DCFF stand for single bytes in the names of files; the others for nothing.
_NOT_TEXT = re.compile(r"[\ud800-\udc7f\udd00-\udfff]")
_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
_CORRECTED = re.compile(r"(?s)corrected by (.+)")
_INSIDE = "inside the sandbox, relative to it, without `..`"
_LINE = f"a path and the number of a line, as in `a/b.log:7`, {_INSIDE}"


def is_text(text: str, longest: int = LONGEST) -> bool:
    """True for text that can be written as UTF-8, or that names a file whose name is none."""
    return len(text) <= longest and _NOT_TEXT.search(text) is None


def _order(claim: Claim) -> str | None:
    if claim.unit is not None:
        return f"{claim.predicate} has no unit; leave it out."
    if paths.numbered(claim.subject) is None:
        return f"The subject of {claim.predicate} is {_LINE}."
    if not isinstance(claim.value, str) or not claim.value.strip() or len(claim.value) > paths.LONGEST + 10:
        return f"The value of {claim.predicate} is {_LINE}, or a written timestamp."
    if paths.numbered(claim.value) is None and len(claim.value) > LONGEST_STAMP:
        return f"The value of {claim.predicate} is {_LINE}, or a written timestamp."
    return None


def _correction(claim: Claim) -> str | None:
    if claim.scope is None:
        return None
    found = _CORRECTED.fullmatch(claim.scope) if isinstance(claim.scope, str) else None
    if found is None or paths.normal(found[1]) is None:
        return f"The scope of {claim.predicate} is none, or `corrected by FILE`, with a file {_INSIDE}."
    return None


def _causes(claim: Claim) -> str | None:
    if claim.unit is not None:
        return "causes has no unit; leave it out."
    both = isinstance(claim.value, str) and paths.numbered(claim.value) and paths.numbered(claim.subject)
    return None if both else f"Subject (configuration) and value (logged error) of causes are both {_LINE}."


def _defines(claim: Claim) -> str | None:
    if claim.unit not in ("function", "class"):
        return "The unit of defines is function or class."
    return _python(claim, "name")


def _imports(claim: Claim) -> str | None:
    if claim.unit is not None:
        return "imports has no unit; leave it out."
    return _python(claim, "dotted module")


def _python(claim: Claim, kind: str) -> str | None:
    if not isinstance(claim.value, str) or len(claim.value) > LONGEST or not _NAME.fullmatch(claim.value):
        return f"The value of {claim.predicate} is a {kind}."
    if paths.normal(claim.subject) is None:
        return f"The subject of {claim.predicate} is a Python file {_INSIDE}."
    return None


def _cycle(claim: Claim) -> str | None:
    if claim.unit is not None:
        return "cycle has no unit; leave it out."
    if paths.normal(claim.subject) is None:
        return f"The subject of cycle is a directory {_INSIDE}."
    value = claim.value
    if not isinstance(value, list) or not 0 < len(value) <= MOST_MODULES:
        return "The value of cycle is a list of modules in order."
    if not all(isinstance(module, str) and _NAME.fullmatch(module) for module in value):
        return "The modules of cycle are dotted names."
    return None


def _versions(claim: Claim) -> str | None:
    if isinstance(claim.scope, tuple) and all(paths.normal(scope) for scope in claim.scope):
        return None
    return f"The scope of changed_between is [old, new]: two paths {_INSIDE}."


def _changed(claim: Claim) -> str | None:
    if claim.unit not in ("file", "line", "value"):
        return "The unit of changed_between is file, line or value."
    of_file = isinstance(claim.value, bool)
    if not of_file and not (isinstance(claim.value, list) and len(claim.value) == 2):
        return "The value of changed_between is true or false (unit file), or [old, new]."
    if of_file != (claim.unit == "file"):
        return "With the unit file the value is true or false, with line or value it is [old, new]."
    if claim.unit == "line" and not all(part is None or isinstance(part, str) for part in claim.value):
        return "With the unit line the value is [old line, new line]."
    if claim.unit == "value":
        right = key_paths.parse(claim.subject) is not None
        return None if right else "With the unit value the subject is a key path, as in `a.b[1].c`."
    if paths.normal(claim.subject) is None:
        return f"The subject of changed_between is a path below both versions, {_INSIDE}."
    return None


SCOPES: Mapping[str, Callable[[Claim], str | None]] = {
    "before": _correction,
    "after": _correction,
    "changed_between": _versions,
}
FORMS: Mapping[str, Callable[[Claim], str | None]] = {
    "before": _order,
    "after": _order,
    "causes": _causes,
    "defines": _defines,
    "imports": _imports,
    "cycle": _cycle,
    "changed_between": _changed,
}
