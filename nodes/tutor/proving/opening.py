"""Files that a program opens to read them: whether that fails, since nothing is there or a directory is."""

from __future__ import annotations

import ast
import posixpath
from pathlib import PurePosixPath

from nodes.tutor.proving import listings, paths
from nodes.tutor.proving.containers import full_name
from nodes.tutor.proving.evaluation import Datum, Fails
from nodes.tutor.proving.interpreting import Interpreter
from nodes.tutor.proving.places import below
from nodes.tutor.proving.program import Running, binding_of

_OPENS = frozenset(("open", "io.open"))
_READS = frozenset(("read_text", "read_bytes", "open"))
_PATHS = frozenset(("pathlib.Path", "pathlib.PosixPath"))
_MODES = frozenset(("r", "rt", "rb"))


def fail_to_open(interpreter: Interpreter, node: ast.Call, full: str, running: Running) -> None:
    """Fail as a call does that opens a file for reading; nothing happens if it may succeed, or does not.

    Raises:
        Fails: no file is there to be read, in whatever directory the program may have been started.
    """
    method = isinstance(node.func, ast.Attribute) and node.func.attr in _READS and not full
    if full in _OPENS and node.args:
        named, rest = node.args[0], node.args[1:]
    elif method and isinstance(node.func, ast.Attribute):
        named, rest = node.func.value, node.args if node.func.attr == "open" else []
    else:
        return
    if not _is_read(rest, node.keywords):
        return
    path = _path(interpreter, named, running)
    if path is None and full in _OPENS:
        given = interpreter.elsewhere(named, running)
        path = given if isinstance(given, Datum) and isinstance(given.data, str) else None
    if path is None or not path.data or "\0" in path.data:
        return
    _check(interpreter, path, running)


def _is_read(rest: list[ast.expr], keywords: list[ast.keyword]) -> bool:
    if any(given.arg not in ("mode", "encoding", "errors", "newline") for given in keywords):
        return False
    modes = [*rest[:1], *(given.value for given in keywords if given.arg == "mode")]
    return all(isinstance(mode, ast.Constant) and mode.value in _MODES for mode in modes)


def _path(interpreter: Interpreter, node: ast.expr, running: Running) -> Datum | None:
    """What `Path(...)` is the path of, also through a name and with parts joined on."""
    if isinstance(node, ast.Name):
        bound = binding_of(running.scope, node.id)
        known = isinstance(bound, ast.Assign) and isinstance(bound.targets[0], ast.Name)
        return _path(interpreter, bound.value, running) if known and isinstance(bound, ast.Assign) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return _joined(_path(interpreter, node.left, running), interpreter.elsewhere(node.right, running))
    if not isinstance(node, ast.Call) or full_name(interpreter, node.func, running) not in _PATHS:
        return None
    found: Datum | None = Datum("")
    for part in node.args:
        found = _joined(found, interpreter.elsewhere(part, running))
    return found if node.args and not node.keywords else None


def _joined(left: Datum | None, right: object) -> Datum | None:
    if left is None or not isinstance(right, Datum) or not isinstance(right.data, str):
        return None
    return Datum(str(PurePosixPath(left.data, right.data)), left.keys | right.keys)


def _check(interpreter: Interpreter, path: Datum, running: Running) -> None:
    """Look at every place the path may name; what is known of them has to be the same."""
    program, world = interpreter.program, interpreter.program.world
    places = [""] if program.relative else paths.ancestors(posixpath.dirname(running.source.path) or ".")
    written = path.data
    if written.startswith("/"):
        if program.root is None or not written.startswith(program.root):
            return
        places, written = [""], written.removeprefix(program.root)
    found = [below(place or ".", written) for place in places]
    if any(paths.normal(one) is None or one.startswith("..") for one in found):
        return
    missing = [listings.absence(world, one, None) for one in found]
    if all(missing):
        interpreter.used = interpreter.used.union(*(one.used for one in missing if one is not None))
        raise Fails("FileNotFoundError", f"[Errno 2] No such file or directory: {path.data!r}", path.keys)
    directories = [world.is_directory(one) for one in found]
    if len(found) == 1 and directories[0] is not None:
        interpreter.used |= directories[0].used
        raise Fails("IsADirectoryError", f"[Errno 21] Is a directory: {path.data!r}", path.keys)
