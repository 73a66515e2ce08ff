"""Which subjects, values, units and scopes belong to which predicate: the form, before any proof."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from nodes.tutor.claims import Claim
from nodes.tutor.proving import key_paths, paths, patterns, quantities, reasoning_forms
from nodes.tutor.proving.reasoning_forms import is_text

LONGEST_TEXT = 1_000_000
LONGEST_LITERAL = 10_000
MOST_VALUES = 5000
DEEPEST = 32
LARGEST_BITS = 1024
SIZES = ("lines", "words", "bytes")
LOOKED_FOR = ("matching lines", "occurrences")
COUNTED = (*SIZES, "files", "directories", *LOOKED_FOR, "keys", "items")
_ADD_SCOPE = "add scope, the directory it is about"
_OUTSIDE = "has to be a path inside the sandbox, relative to it, without `..`"


def problem_of(claim: Claim) -> str | None:
    """What is wrong with a claim's form, and what would be right; None if it can be judged.

    Never raises, whatever a model wrote.
    """
    if not _bounded(claim.value):
        return "The value is too large, nested too deeply, or holds what is no JSON."
    if not is_text(claim.subject) or any(not is_text(scope) for scope in _scopes(claim)):
        return "Subject and scope have to be text of at most 10000 characters, in Unicode."
    problem = _SCOPES.get(claim.predicate, _no_scope)(claim)
    return problem or _FORMS[claim.predicate](claim)


def _scopes(claim: Claim) -> tuple[str, ...]:
    if claim.scope is None:
        return ()
    return (claim.scope,) if isinstance(claim.scope, str) else claim.scope


def _bounded(value: object) -> bool:
    """True if a value is JSON of a size that can be compared at once."""
    waiting, seen = [(value, 0)], 0
    while waiting:
        part, depth = waiting.pop()
        seen += 1
        if depth > DEEPEST or seen > MOST_VALUES or not _is_json(part):
            return False
        if isinstance(part, dict):
            if not all(isinstance(key, str) and is_text(key) for key in part):
                return False
            waiting += [(inner, depth + 1) for inner in part.values()]
        elif isinstance(part, list):
            waiting += [(inner, depth + 1) for inner in part]
    return True


def _is_json(part: object) -> bool:
    if isinstance(part, str):
        return is_text(part, LONGEST_TEXT)
    if isinstance(part, float):
        return math.isfinite(part)
    if isinstance(part, int):
        return part.bit_length() <= LARGEST_BITS
    return part is None or isinstance(part, list | dict)


def _no_scope(claim: Claim) -> str | None:
    return None if claim.scope is None else f"{claim.predicate} has no scope; leave it out."


def _one_scope(claim: Claim) -> str | None:
    if claim.scope is None or (isinstance(claim.scope, str) and paths.normal(claim.scope)):
        return None
    return f"The scope of {claim.predicate} {_OUTSIDE}."


def _needed_scope(claim: Claim) -> str | None:
    if claim.scope is None:
        return f"{claim.predicate} needs the configuration file as its scope."
    return _one_scope(claim)


def _presence(claim: Claim) -> str | None:
    if claim.value is not True:
        other = "absent" if claim.predicate == "exists" else "exists"
        return f"The value of {claim.predicate} is true; to say the opposite, use {other}."
    if claim.unit not in (None, "file", "directory"):
        return f"The unit of {claim.predicate} is file, directory or none."
    return _path(claim.subject) or _scope_of_pattern(claim, claim.subject)


def _path(written: str) -> str | None:
    return None if paths.normal(written) else f"{written[:80]!r} {_OUTSIDE}."


def _count(claim: Claim) -> str | None:
    if isinstance(claim.value, bool) or not isinstance(claim.value, int):
        return "The value of count is a whole number."
    if claim.unit == "files" and claim.scope is None and _is_name(claim.subject):
        return f"To count files of a name, {_ADD_SCOPE}."
    return _measured(claim, claim.subject)


def _is_name(subject: str) -> bool:
    """True for a name or a name pattern; a path has a `/` in it, or is the sandbox."""
    return "/" not in subject.strip("/") and paths.normal(subject) != "."


def _scope_of_pattern(claim: Claim, subject: str) -> str | None:
    """What is missing if a subject is a name pattern; what has a `/` in it is a path, whatever its signs."""
    if claim.scope is None and patterns.is_pattern(subject) and "/" not in subject.strip("/"):
        return f"{subject[:80]!r} is a name pattern: {_ADD_SCOPE}; for a file of this very name, write `./`."
    return None


def _measured(claim: Claim, subject: str) -> str | None:
    """What is wrong with the subject of a number, by its unit."""
    if claim.unit not in COUNTED:
        return f"The unit is one of: {', '.join(COUNTED)}."
    if claim.unit in LOOKED_FOR:
        if claim.scope is None:
            return f"To count {claim.unit}, {_ADD_SCOPE}, or the file."
        return _literal(subject, claim.unit == "matching lines", "subject")
    if claim.unit in ("keys", "items"):
        if claim.scope is None:
            return f"To count {claim.unit}, give the configuration file as the scope."
        return _key(subject)
    if claim.unit in ("files", "directories") and patterns.is_pattern(subject) and "/" in subject.strip("/"):
        return "A name pattern has no `/`: give the directory as the scope."
    return _path(subject) or _scope_of_pattern(claim, subject)


def _literal(text: str, one_line: bool, place: str) -> str | None:
    if not text or len(text) > LONGEST_LITERAL:
        return f"The {place} is the text looked for, of 1 to {LONGEST_LITERAL} characters."
    return "The text looked for stands within one line here." if one_line and "\n" in text else None


def _key(written: str) -> str | None:
    if key_paths.parse(written) is None:
        return "A key path looks like `a.b[1].c`, and is `$` for the whole file."
    return None


def _equals(claim: Claim) -> str | None:
    if not isinstance(claim.value, str):
        return "The value of equals is text."
    if claim.unit not in (None, "file", "sha256"):
        return "The unit of equals is file (the value is another file), sha256 (a digest) or none (the text)."
    if claim.unit == "file" and not paths.normal(claim.value):
        return f"The value {_OUTSIDE}."
    if claim.unit == "sha256" and not _is_digest(claim.value):
        return "A SHA-256 digest has 64 hexadecimal digits."
    return _path(claim.subject)


def _is_digest(value: str) -> bool:
    return len(value) == 64 and all(digit in "0123456789abcdefABCDEF" for digit in value)


def _contains(claim: Claim) -> str | None:
    if not isinstance(claim.value, str):
        return f"The value of {claim.predicate} is the text looked for."
    if claim.unit not in (None, "word", "line"):
        return f"The unit of {claim.predicate} is word, line or none."
    return _literal(claim.value, claim.unit is not None, "value") or _path(claim.subject)


def _value_of(claim: Claim) -> str | None:
    if claim.unit is not None and quantities.factor(claim.unit) is None:
        return "The unit is that of the value, such as ms, s, min, kb, mb, kib, mib or percent, or none."
    return _key(claim.subject)


def _compared(claim: Claim) -> str | None:
    if isinstance(claim.value, bool) or not isinstance(claim.value, int | float | str):
        return f"The value of {claim.predicate} is a number, or a second subject of the same kind."
    subjects = [claim.subject, claim.value] if isinstance(claim.value, str) else [claim.subject]
    for subject in subjects:
        problem = _measured(claim, subject) if claim.unit is not None else _configured(claim, subject)
        if problem:
            return problem
    return None


def _configured(claim: Claim, subject: str) -> str | None:
    if claim.scope is None:
        return f"Without a unit, {claim.predicate} is about a key path: its scope is the configuration file."
    return _key(subject)


_SCOPES: Mapping[str, Callable[[Claim], str | None]] = {
    "exists": _one_scope,
    "absent": _one_scope,
    "count": _one_scope,
    "value_of": _needed_scope,
    "greater": _one_scope,
    "less": _one_scope,
    **reasoning_forms.SCOPES,
}
_FORMS: Mapping[str, Callable[[Claim], str | None]] = {
    "exists": _presence,
    "absent": _presence,
    "count": _count,
    "equals": _equals,
    "contains": _contains,
    "not_contains": _contains,
    "value_of": _value_of,
    "greater": _compared,
    "less": _compared,
    **reasoning_forms.FORMS,
}
