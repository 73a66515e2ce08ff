"""Causes: the line of a configuration whose value made the program fail, and the line of the log.

The chain has to be whole: the last call of the traceback, the line of the source that reads the key, and the
value that makes that very line fail with that very exception, in the file that the program reads.
"""

from __future__ import annotations

import ast
import posixpath
import re
from functools import partial
from typing import Literal, NamedTuple

from nodes.tutor.claims import Claim
from nodes.tutor.proving.configuration_files import FileName, files_named, is_file
from nodes.tutor.proving.configuration_lines import KeyPath, Settings, settings_of, written
from nodes.tutor.proving.evaluation import Fails
from nodes.tutor.proving.expressions import READERS
from nodes.tutor.proving.failing_lines import outcome_of
from nodes.tutor.proving.interpreting import CONFIGURATION, Interpreter, Unbounded
from nodes.tutor.proving.places import Place, place_of
from nodes.tutor.proving.program import Program
from nodes.tutor.proving.tracebacks import Failure, failure_at
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict, refuted, undecidable, validated

_QUOTED = re.compile(r"'[^']*'")
# Methods that put other values into a mapping.
_CHANGES = frozenset(
    "update setdefault merge set pop popitem clear __setitem__ __delitem__ add_section remove_option".split()
)


class _Seen(NamedTuple):
    """What the chain is made of."""

    place: Place
    failure: Failure
    program: Program
    settings: Settings
    used: frozenset[str]


def prove_causes(claim: Claim, world: World) -> Verdict:
    """The subject's line sets the key that the failing line reads, to a value with which that line fails."""
    seen = _seen(claim, world)
    if isinstance(seen, str):
        return undecidable(seen)
    call = seen.program.calls[-1]
    assert call is not None
    interpreter = Interpreter(seen.program, seen.settings, READERS)
    try:
        outcome = outcome_of(call, interpreter)
    except (Unbounded, RecursionError):
        return undecidable("The line that failed is too large to be read.")
    used = seen.used | call.running.source.used | interpreter.used
    if outcome == "fine":
        file = _reads(seen, interpreter)
        if interpreter.roots and file == "yes":
            return refuted("With that configuration the line does not fail.", used)
        return undecidable("The line that failed is not seen to read this configuration.")
    if outcome == "open":
        failing = f"line {call.line} of {call.running.source.path}"
        return undecidable(f"That {failing} fails for a value of the configuration is not seen.")
    return _judged(outcome, seen, interpreter, used)


def _seen(claim: Claim, world: World) -> _Seen | str:
    """The parts of the chain; what would have to be seen if one is missing."""
    place, error = place_of(claim.subject), place_of(claim.value)
    if place is None or error is None:
        return "A line of the configuration and a line of the log are needed, each written path:line."
    failure = failure_at(error, world)
    if failure is None:
        return f"{error.path}:{error.number} is not seen to end a traceback; its lines would have to be seen."
    known = world.read(place.path, partial(settings_of, place.path))
    settings = known.value if known is not None else None
    if known is None or settings is None:
        return f"The whole of {place.path} would have to be seen, and be a configuration with each key once."
    frames = [frame for frame in failure.frames if not frame.library]
    if not frames:
        return "No call of the traceback is in the program's own files."
    program = Program(frames, world)
    if program.calls[-1] is None or not program.fits:
        return f"The source {frames[-1].path} would have to be seen, and fit the traceback."
    return _Seen(place, failure, program, settings, failure.used | known.used)


def _judged(failure: Fails, seen: _Seen, interpreter: Interpreter, used: frozenset[str]) -> Verdict:
    said = _same(failure, seen.failure)
    if said != "yes" or (interpreter.doubtful and failure.message is None):
        return undecidable(
            "What the log reports is not certain to be what this configuration makes that line do."
        )
    if len(failure.keys) != 1:
        return undecidable("The failing line depends on no single key of the configuration.")
    if not interpreter.roots and seen.settings.kind != "env":
        return undecidable("The failing line is not seen to read a configuration.")
    (key,) = failure.keys
    file = _reads(seen, interpreter)
    if file != "yes":
        return undecidable(
            f"That the program reads {seen.place.path}, and no other file, is not seen: "
            "the source that opens it would show it."
        )
    if _is_overridden(key, seen) or _may_be_deeper(key, seen, interpreter):
        return undecidable(f"What the program reads as {written(key)} may be set in another place.")
    setting = seen.settings.by_path[key]
    if setting.line is None:
        return undecidable(f"{written(key)} is not set in one place.")
    names = frozenset[str]().union(used, *(source.used for source in seen.program.sources))
    if setting.line != seen.place.number:
        return refuted(
            f"It is {written(key)} that makes the line fail, and line {setting.line} sets it.", names
        )
    return validated(f"{written(key)} is read by the line that failed, and makes it fail.", names)


def _same(failure: Fails, logged: Failure) -> Literal["yes", "no", "open"]:
    """Whether a failure is the one logged, by type and by what of its message is the same in every Python."""
    if failure.exception != logged.exception:
        return "no"
    if failure.message is None or failure.message == (logged.message or ""):
        return "yes"
    message = logged.message or ""
    if failure.exception == "ZeroDivisionError" and message.endswith("by zero"):
        return "yes"
    if failure.exception == "TypeError":
        # Their wording differs between versions, the types they name do not.
        named = _QUOTED.findall(failure.message)
        return "yes" if named and named == _QUOTED.findall(message) else "open"
    return (
        "yes" if message.startswith("too many values") and message.startswith(failure.message[:-1]) else "no"
    )


def _reads(seen: _Seen, interpreter: Interpreter) -> Literal["yes", "no", "open"]:
    """Whether the configuration the line reads is the file of the claim, by the names in the source.

    A value alone does not tell which of several files it was read from, so some source has to name the file:
    that of the failing line, one it imports or is called from, or else any other that was seen.
    """
    named: list[FileName] = [file for root in interpreter.roots for file in root.files]
    for sources in (seen.program.sources, seen.program.every_source()):
        if not named:
            named = [file for source in sources for file in files_named(source.module, source)]
    if not named and seen.settings.kind == "env":
        # Nobody names the file of the environment: it is the one of this name.
        return "yes" if posixpath.basename(seen.place.path) == ".env" else "open"
    answers = {is_file(file, seen.place.path, seen.program) for file in named}
    return answers.pop() if len(answers) == 1 else "open"


def _is_overridden(key: KeyPath, seen: _Seen) -> bool:
    """True if a source that was seen may set the key itself."""
    return any(_sets(node, key[-1]) for source in seen.program.sources for node in ast.walk(source.module))


def _sets(node: ast.AST, key: str | int) -> bool:
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return node.slice.value == key if isinstance(node.slice, ast.Constant) else _is_named(node.value)
    if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return node.attr == key and getattr(node.value, "id", "") != "self"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in _CHANGES and _is_named(node.func.value)
    return False


def _is_named(node: ast.expr) -> bool:
    """True if something is called as configurations are."""
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return CONFIGURATION.search(name) is not None


def _may_be_deeper(key: KeyPath, seen: _Seen, interpreter: Interpreter) -> bool:
    """True if what was taken for the whole document may be a part of it that has such a key, too."""
    if all(root.whole for root in interpreter.roots):
        return False
    return any(len(path) > len(key) and path[-len(key) :] == key for path in seen.settings.by_path)
