"""Expressions of a program, read with the values of one configuration file in it; the rest is unknown.

Three-valued: an expression has a value that is known, fails for certain, or nothing is said of it.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nodes.tutor.proving import evaluation
from nodes.tutor.proving.configuration_files import FileName, files_named
from nodes.tutor.proving.configuration_lines import KeyPath, Settings
from nodes.tutor.proving.evaluation import Datum, Fails, applied
from nodes.tutor.proving.program import Program, Running, Source, binding_of, parameters
from nodes.tutor.proving.python_source import Function, statements

_MOST_STEPS = 4_000
_DEEPEST = 40
CONFIGURATION = re.compile(r"conf|cfg|setting|option|props|env|params|^(?:safe_|full_)?load$", re.IGNORECASE)
_WRAPPED = frozenset(("config", "cfg", "conf", "settings", "options", "data", "values"))
_ENUMS = frozenset(("Enum", "StrEnum", "IntEnum"))
_FORMAT = re.compile(r"[<>=^]?[+ -]?0?\d{0,2},?(?:\.\d{1,2})?[a-zA-Z%]?")


class Unbounded(Exception):
    """The line is too large to be read."""


@dataclass(frozen=True, eq=False)
class Opaque:
    """Something of the program that is not known, and may be the configuration.

    Attributes:
        name: of it in the source.
        files: names of configuration files in what it is made from.
        whole: True if it is made by a call, and so may be taken for the whole of a file.
    """

    name: str
    files: tuple[FileName, ...] = ()
    whole: bool = False


@dataclass(frozen=True, eq=False)
class Member:
    """An enumeration or a module of the source, by what stands in it."""

    values: Mapping[str, Datum]
    name: str


Read = Datum | Opaque | Member | None


class Interpreter:
    """Reads expressions.

    Attributes:
        doubtful: True if something unknown was passed, that may have failed before.
        roots: what was taken for the configuration.
    """

    def __init__(self, program: Program, settings: Settings) -> None:
        self.program = program
        self.settings = settings
        self.doubtful = False
        self.roots: list[Opaque] = []
        self._steps = 0
        self._depth = 0

    def value(self, node: ast.expr, running: Running) -> Read:
        """What an expression is; None if it is not known.

        Raises:
            Fails: it fails for certain, unless something unknown before it does.
            Unbounded: there is too much of it.
        """
        self._steps += 1
        if self._steps > _MOST_STEPS or self._depth > _DEEPEST:
            raise Unbounded
        read = _READERS.get(type(node))
        self._depth += 1
        try:
            found = read(self, node, running) if read is not None else None
        finally:
            self._depth -= 1
        if found is None:
            self.doubtful = True
        return found

    def known(self, node: ast.expr, running: Running) -> Datum | None:
        """What an expression is, if it is a plain value."""
        found = self.value(node, running)
        if isinstance(found, Datum):
            return found
        self.doubtful = True
        return None

    def elsewhere(self, node: ast.expr, running: Running) -> Read:
        """What an expression was when another line ran, which did not fail."""
        doubtful = self.doubtful
        try:
            return self.value(node, running)
        except Fails:
            return None
        finally:
            self.doubtful = doubtful

    def configuration(self, found: Read) -> Read:
        """The document, if something can be it; whatever else it is."""
        if not isinstance(found, Opaque) or not (found.files or CONFIGURATION.search(found.name)):
            return found
        self.roots.append(found)
        return Datum(self.settings.value, frozenset(), ())

    # --- names

    def name(self, node: ast.Name, running: Running) -> Read:
        return self.named(node.id, running, node.lineno)

    def named(self, name: str, running: Running, line: int | None) -> Read:
        """What a name stands for, on a line of its own scope or anywhere below it."""
        if name in running.bound:
            found: Read = running.bound[name]
            return found
        for depth in range(len(running.chain), 0, -1):
            scope, own = running.chain[depth - 1], depth == len(running.chain)
            if isinstance(scope, ast.ClassDef) and not own:
                continue
            outer = Running(running.source, running.chain[:depth], running.call)
            bound = binding_of(scope, name)
            given = isinstance(scope, Function) and name in parameters(scope)
            if bound is False or (bound is not None and given):
                return None
            if isinstance(bound, ast.stmt):
                late = own and line is not None and bound.lineno >= line
                return None if late else self._bound(bound, name, outer)
            if given and isinstance(scope, Function):
                return self._argument(scope, name, outer) if own else Opaque(name)
        return None

    def _bound(self, bound: ast.stmt, name: str, running: Running) -> Read:
        if isinstance(bound, ast.ImportFrom):
            return self._imported(bound, name, running)
        if isinstance(bound, ast.ClassDef):
            return self._enumeration(bound, running)
        if isinstance(bound, ast.With):
            opened = [item.context_expr for item in bound.items]
            return Opaque(name, tuple(file for one in opened for file in files_named(one, running.source)))
        value = getattr(bound, "value", None)
        if not isinstance(bound, ast.Assign | ast.AnnAssign) or value is None:
            return None
        targets = bound.targets if isinstance(bound, ast.Assign) else [bound.target]
        for target in targets:
            if isinstance(target, ast.Name) and target.id == name:
                return self.elsewhere(value, running)
            if isinstance(target, ast.Tuple):
                return self._unpacked(target, self.elsewhere(value, running), name)
        return None

    def _unpacked(self, target: ast.Tuple, found: Read, name: str) -> Read:
        names = [one.id if isinstance(one, ast.Name) else "" for one in target.elts]
        if not isinstance(found, Datum) or not isinstance(found.data, list | tuple):
            return None
        if len(found.data) != len(names) or name not in names:
            return None
        return evaluation.item(found, Datum(names.index(name)))

    def _imported(self, node: ast.ImportFrom, name: str, running: Running) -> Read:
        source = self.program.imported(running.source, node)
        if source is None:
            return Opaque(name)
        original = next(alias.name for alias in node.names if (alias.asname or alias.name) == name)
        return self.named(original, Running(source, (source.module,)), None)

    def _enumeration(self, node: ast.ClassDef, running: Running) -> Read:
        bases = {
            base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases
        }
        if not bases & _ENUMS:
            return None
        values = {}
        for placed in statements(node):
            statement = placed.node
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                value = self.elsewhere(statement.value, running)
                if not isinstance(value, Datum):
                    return None
                values[statement.targets[0].id] = value
            elif not isinstance(statement, ast.Pass) and not (
                isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            ):
                return None
        return Member(values, node.name)

    def _argument(self, function: Function, name: str, running: Running) -> Read:
        """What a parameter was given by the call before, if that call was seen."""
        before = self.program.calls[running.call - 1] if running.call else None
        if before is None:
            return Opaque(name)
        found = [
            call
            for call in ast.walk(before.running.source.module)
            if isinstance(call, ast.Call)
            and call.lineno <= before.line <= (call.end_lineno or 0)
            and (call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", ""))
            == function.name
        ]
        if len(found) != 1:
            return Opaque(name)
        given = _given(found[0], function, name, len(running.chain) > 2)
        return self.elsewhere(given, before.running) if given is not None else None

    # --- containers

    def subscript(self, node: ast.Subscript, running: Running) -> Read:
        base = self.configuration(self.value(node.value, running))
        if isinstance(node.slice, ast.Slice):
            return None
        index = self.known(node.slice, running)
        if isinstance(base, Member) and index is not None:
            return self._member(base, index)
        if not isinstance(base, Datum) or index is None:
            return None
        return self.item(base, index)

    def _member(self, base: Member, index: Datum) -> Read:
        if index.data in base.values:
            return None
        raise Fails("KeyError", repr(index.data), index.keys)

    def item(self, base: Datum, index: Datum) -> Datum | None:
        """`base[index]`, with the rules of configparser for a file of that kind."""
        if self.settings.kind == "ini" and base.place is not None and len(base.place) == 1:
            return self._option(base.place[0], index)
        return evaluation.item(base, index)

    def _option(self, section: str | int, index: Datum) -> Datum | None:
        for part in (section, "DEFAULT"):
            for key, text in self.settings.value.get(part, {}).items():
                if isinstance(index.data, str) and key.lower() == index.data.lower():
                    # A percent sign may stand for another option.
                    path: KeyPath = (part, key)
                    return None if "%" in text else Datum(text, index.keys | {path}, path)
        raise Fails("KeyError", repr(index.data), index.keys)

    def attribute(self, node: ast.Attribute, running: Running) -> Read:
        own = self._own_attribute(node, running)
        if own is not None:
            return own
        if self._is_environment(node, running):
            return Datum(self.settings.value, frozenset(), ()) if self.settings.kind == "env" else None
        base = self.value(node.value, running)
        if isinstance(base, Opaque):
            document = self.configuration(base)
            if isinstance(document, Datum) and isinstance(document.data, dict) and node.attr in document.data:
                return self.item(document, Datum(node.attr))
            return Opaque(node.attr, base.files) if node.attr in _WRAPPED else None
        if isinstance(base, Datum) and isinstance(base.data, dict):
            inside = base.place is not None and node.attr in base.data
            return self.item(base, Datum(node.attr)) if inside else None
        if isinstance(base, Datum):
            return applied(lambda one: getattr(one, node.attr), base)
        return None

    def _own_attribute(self, node: ast.Attribute, running: Running) -> Read:
        """What a method's own object was given under a name, if it is given it once."""
        classes = [one for one in running.chain if isinstance(one, ast.ClassDef)]
        function = running.scope
        if not classes or not isinstance(function, Function) or not isinstance(node.value, ast.Name):
            return None
        if parameters(function)[:1] != [node.value.id]:
            return None
        given = []
        for method in (one for one in classes[-1].body if isinstance(one, Function)):
            for placed in statements(method):
                targets = getattr(placed.node, "targets", None) or [getattr(placed.node, "target", None)]
                if any(isinstance(one, ast.Attribute) and one.attr == node.attr for one in targets):
                    given.append((method, placed.node))
        if not given:
            return Opaque(node.attr)
        method, statement = given[0]
        value = getattr(statement, "value", None)
        if len(given) > 1 or not isinstance(statement, ast.Assign | ast.AnnAssign) or value is None:
            return None
        at = running.chain.index(classes[-1])
        call = running.call if method is function else None
        return self.elsewhere(value, Running(running.source, (*running.chain[: at + 1], method), call))

    def _is_environment(self, node: ast.expr, running: Running) -> bool:
        return self.full_name(node, running) == "os.environ"

    def full_name(self, node: ast.expr, running: Running) -> str:
        """The dotted name of something imported or built in; "" for anything else."""
        if isinstance(node, ast.Attribute):
            base = self.full_name(node.value, running)
            return f"{base}.{node.attr}" if base else ""
        if not isinstance(node, ast.Name) or node.id in running.bound:
            return ""
        for scope in reversed(running.chain):
            bound = binding_of(scope, node.id)
            if bound is False or (isinstance(scope, Function) and node.id in parameters(scope)):
                return ""
            if isinstance(bound, ast.Import):
                alias = next(one for one in bound.names if (one.asname or one.name.split(".")[0]) == node.id)
                return alias.name if alias.asname else node.id
            if isinstance(bound, ast.ImportFrom):
                alias = next(one for one in bound.names if (one.asname or one.name) == node.id)
                return f"{bound.module}.{alias.name}" if not bound.level else ""
            if bound is not None:
                return ""
        return node.id if hasattr(builtins, node.id) else ""

    # --- calls

    def call(self, node: ast.Call, running: Running) -> Read:
        full = self.full_name(node.func, running)
        if full in ("os.getenv", "os.environ.get") and self.settings.kind == "env":
            return self._got(Datum(self.settings.value, frozenset(), ()), node, running)
        act = evaluation.FUNCTIONS.get(full) or evaluation.LIBRARY.get(full)
        if act is not None:
            return self._applied(act, node, running)
        if isinstance(node.func, ast.Attribute) and not full:
            return self._method(node.func, node, running)
        called = self._called(node, running)
        self._arguments(node, running)
        self.doubtful = True
        return called

    def _called(self, node: ast.Call, running: Running) -> Read:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        found = self.value(node.func, running) if isinstance(node.func, ast.Name) else None
        if isinstance(found, Member) and len(node.args) == 1:
            given = self.known(node.args[0], running)
            if given is not None and all(given.data != one.data for one in found.values.values()):
                raise Fails("ValueError", f"{given.data!r} is not a valid {found.name}", given.keys)
            return None
        function = self._function(node.func, running)
        if function is not None:
            return self._returned(node, *function, running)
        return Opaque(name, self._files_behind(node, running), True)

    def _files_behind(self, node: ast.expr, running: Running) -> tuple[FileName, ...]:
        """Names of files in an expression, and in what the names in it were made from."""
        found = files_named(node, running.source)
        for one in ast.walk(node):
            if isinstance(one, ast.Name):
                value = self.elsewhere(one, running)
                found += value.files if isinstance(value, Opaque) else ()
        return tuple(found)

    def _function(self, node: ast.expr, running: Running) -> tuple[Function, Source] | None:
        if not isinstance(node, ast.Name):
            return None
        source = running.source
        bound = binding_of(source.module, node.id)
        if isinstance(bound, ast.ImportFrom):
            imported = self.program.imported(source, bound)
            alias = next((one for one in bound.names if (one.asname or one.name) == node.id), None)
            if imported is None or alias is None:
                return None
            source, bound = imported, binding_of(imported.module, alias.name)
        return (bound, source) if isinstance(bound, Function) else None

    def _returned(self, node: ast.Call, function: Function, source: Source, running: Running) -> Read:
        returns = [one.node for one in statements(function) if isinstance(one.node, ast.Return)]
        if len(returns) != 1 or not isinstance(returns[0], ast.Return) or returns[0].value is None:
            return None
        bound: dict[str, Any] = {}
        for name in parameters(function):
            given = _given(node, function, name, False)
            bound[name] = self.elsewhere(given, running) if given is not None else None
        found = self.elsewhere(returns[0].value, Running(source, (source.module, function), None, bound))
        if isinstance(found, Opaque):
            files = (
                found.files or tuple(files_named(function, source)) or self._files_of_arguments(node, running)
            )
            return Opaque(found.name, files, found.whole)
        return found

    def _files_of_arguments(self, node: ast.Call, running: Running) -> tuple[FileName, ...]:
        return tuple(name for one in node.args for name in self._files_behind(one, running))

    def _arguments(self, node: ast.Call, running: Running) -> list[Read]:
        return [self.value(one, running) for one in (*node.args, *(given.value for given in node.keywords))]

    def _applied(self, act: Callable[..., Any], node: ast.Call, running: Running) -> Datum | None:
        values = self._arguments(node, running)
        plain = [one for one in values if isinstance(one, Datum)]
        if len(plain) < len(values) or any(given.arg is None for given in node.keywords):
            return None
        names = [given.arg for given in node.keywords if given.arg is not None]
        count = len(node.args)

        def called(*data: Any) -> Any:
            return act(*data[:count], **dict(zip(names, data[count:], strict=True)))

        return applied(called, *plain)

    def _method(self, func: ast.Attribute, node: ast.Call, running: Running) -> Read:
        base = self.value(func.value, running)
        reads = func.attr == "get" or func.attr in evaluation.CONVERTED
        base = self.configuration(base) if reads else base
        if isinstance(base, Datum) and isinstance(base.data, dict) and reads:
            return self._got(base, node, running)
        if isinstance(base, Datum):
            return self._plain_method(base, func.attr, node, running)
        self._arguments(node, running)
        self.doubtful = True
        if base is None or isinstance(base, Opaque):
            files = self._files_behind(node, running)
            return Opaque(func.attr, files or (base.files if isinstance(base, Opaque) else ()), True)
        return None

    def _plain_method(self, base: Datum, name: str, node: ast.Call, running: Running) -> Read:
        if isinstance(base.data, dict) and base.place is not None and not hasattr(base.data, name):
            return None
        applied(lambda one: (getattr(one, name), None)[1], base)
        if name not in evaluation.METHODS.get(type(base.data), ()):
            self._arguments(node, running)
            return None
        values = self._arguments(node, running)
        plain = [one for one in values if isinstance(one, Datum)]
        if len(plain) < len(values) or node.keywords:
            return None

        def called(one: Any, *given: Any) -> Any:
            found = getattr(one, name)(*given)
            return list(found) if name in ("keys", "values", "items") else found

        return applied(called, base, *plain)

    def _got(self, base: Datum, node: ast.Call, running: Running) -> Read:
        """`get` of a mapping or of configparser, and the methods of configparser that convert as well."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else "get"
        given = [self.known(one, running) for one in node.args]
        if not given or any(one is None for one in given):
            return None
        parts = [one for one in given if one is not None]
        is_ini = self.settings.kind == "ini" and base.place is not None and len(base.place) <= 1
        if name in evaluation.CONVERTED and not is_ini:
            return None
        if is_ini and base.place == () and len(parts) == 2:
            section = evaluation.item(base, parts[0])
            base, parts = (section, parts[1:]) if section is not None else (base, [])
        if not parts or (node.keywords and not self._has(base, parts[0])):
            return None
        if self._has(base, parts[0]):
            found = self.item(base, parts[0])
            act = evaluation.CONVERTED.get(name)
            return found if act is None or found is None else applied(act, found)
        if name != "get" or is_ini:
            return None
        return parts[1] if len(parts) > 1 else Datum(None)

    def _has(self, base: Datum, key: Datum) -> bool:
        try:
            return self.item(base, key) is not None
        except Fails:
            return False

    # --- operations

    def constant(self, node: ast.Constant, running: Running) -> Read:
        return Datum(node.value) if isinstance(node.value, evaluation.PLAIN) else None

    def sequence(self, node: ast.List | ast.Tuple | ast.Set, running: Running) -> Read:
        values = [self.known(one, running) for one in node.elts]
        known = [one for one in values if one is not None]
        if len(known) < len(values):
            return None
        kind = {ast.List: list, ast.Tuple: tuple, ast.Set: set}[type(node)]
        return applied(lambda *data: kind(data), *known)

    def dictionary(self, node: ast.Dict, running: Running) -> Read:
        keys = [self.known(one, running) if one is not None else None for one in node.keys]
        if any(key is None for key in keys):
            return None
        doubtful = self.doubtful
        data: dict[Any, Any] = {}
        used: frozenset[KeyPath] = frozenset()
        for key, value in zip(keys, node.values, strict=True):
            read = self.value(value, running)
            assert key is not None
            # Values that are not known, functions for instance, do not keep a key from being looked up.
            data[key.data] = read.data if isinstance(read, Datum) else NotImplemented
            used |= key.keys | (read.keys if isinstance(read, Datum) else frozenset())
        self.doubtful = doubtful
        return Datum(data, used)

    def formatted(self, node: ast.JoinedStr, running: Running) -> Read:
        parts = [self.known(one, running) for one in node.values]
        known = [one for one in parts if one is not None]
        return applied(lambda *data: "".join(data), *known) if len(known) == len(parts) else None

    def formatted_value(self, node: ast.FormattedValue, running: Running) -> Read:
        found = self.known(node.value, running)
        spec = self.known(node.format_spec, running) if node.format_spec is not None else Datum("")
        if found is None or spec is None or not _FORMAT.fullmatch(spec.data):
            return None
        if node.conversion == ord("r"):
            return applied(lambda one, how: format(repr(one), how), found, spec)
        return applied(format, found, spec) if node.conversion == -1 else None

    def binary(self, node: ast.BinOp, running: Running) -> Read:
        left, right = self.known(node.left, running), self.known(node.right, running)
        return evaluation.binary(node.op, left, right) if left is not None and right is not None else None

    def unary(self, node: ast.UnaryOp, running: Running) -> Read:
        operand = self.known(node.operand, running)
        return evaluation.unary(node.op, operand) if operand is not None else None

    def boolean(self, node: ast.BoolOp, running: Running) -> Read:
        keys: frozenset[KeyPath] = frozenset()
        stops = isinstance(node.op, ast.Or)
        last: Datum | None = None
        for part in node.values:
            last = self.known(part, running)
            if last is None:
                return None
            if bool(last.data) is stops:
                return last
            keys |= last.keys
        return Datum(last.data, keys, last.place) if last is not None else None

    def comparison(self, node: ast.Compare, running: Running) -> Read:
        left = self.known(node.left, running)
        keys: frozenset[KeyPath] = frozenset()
        for op, other in zip(node.ops, node.comparators, strict=True):
            right = self.known(other, running)
            found = evaluation.compared(op, left, right) if left is not None and right is not None else None
            if found is None:
                return None
            if not found.data:
                return found
            keys, left = keys | found.keys, right
        return Datum(True, keys)

    def choice(self, node: ast.IfExp, running: Running) -> Read:
        test = self.known(node.test, running)
        if test is None:
            return None
        return self.value(node.body if test.data else node.orelse, running)

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, running: Running) -> Read:
        if len(node.generators) != 1 or node.generators[0].ifs:
            return None
        each = self.each(node.generators[0].target, node.generators[0].iter, running)
        if each is None:
            return None
        values = [self.known(node.elt, one) for one in each]
        known = [one for one in values if one is not None]
        return applied(lambda *data: list(data), *known) if len(known) == len(values) else None

    def each(self, target: ast.expr, iterated: ast.expr, running: Running) -> Iterator[Running] | None:
        """The scope at every round of a loop; None if what it goes through is not known.

        Raises:
            Fails: it cannot be gone through.
        """
        found = self.known(iterated, running)
        if found is None:
            return None
        items = applied(lambda one: list(iter(one)), found)
        if items is None or not isinstance(target, ast.Name):
            return None
        if found.place is not None and isinstance(found.data, list):
            rounds = [evaluation.item(found, Datum(at)) for at in range(len(items.data))]
        else:
            rounds = [Datum(one, items.keys) for one in items.data]
        return (running.with_bound({target.id: one}) for one in rounds)


def _given(call: ast.Call, function: Function, name: str, method: bool) -> ast.expr | None:
    """The argument a call gives to a parameter, or the parameter's default."""
    if any(isinstance(one, ast.Starred) for one in call.args) or any(
        one.arg is None for one in call.keywords
    ):
        return None
    for given in call.keywords:
        if given.arg == name:
            return given.value
    positional = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    if name not in positional:
        return None
    at = positional.index(name) - method
    if 0 <= at < len(call.args):
        return call.args[at]
    defaults = dict(zip(positional[::-1], function.args.defaults[::-1], strict=False))
    return defaults.get(name)


_READERS: Mapping[type[ast.expr], Callable[[Interpreter, Any, Running], Read]] = {
    ast.Name: Interpreter.name,
    ast.Subscript: Interpreter.subscript,
    ast.Attribute: Interpreter.attribute,
    ast.Call: Interpreter.call,
    ast.Constant: Interpreter.constant,
    ast.List: Interpreter.sequence,
    ast.Tuple: Interpreter.sequence,
    ast.Set: Interpreter.sequence,
    ast.Dict: Interpreter.dictionary,
    ast.JoinedStr: Interpreter.formatted,
    ast.FormattedValue: Interpreter.formatted_value,
    ast.BinOp: Interpreter.binary,
    ast.UnaryOp: Interpreter.unary,
    ast.BoolOp: Interpreter.boolean,
    ast.Compare: Interpreter.comparison,
    ast.IfExp: Interpreter.choice,
    ast.ListComp: Interpreter.comprehension,
    ast.SetComp: Interpreter.comprehension,
    ast.GeneratorExp: Interpreter.comprehension,
}
