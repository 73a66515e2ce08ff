"""Claims about Python sources: what they define, what they import, and import cycles."""

from __future__ import annotations

from random import Random

from evals.soundness.generating.parts import Lie, Made, altered, call, cats, claim
from evals.soundness.generating.trees import WORDS, tree_of
from evals.soundness.tree import Tree


def _module(dice: Random, imports: list[str], names: list[str]) -> str:
    """A source with imports, functions and classes, and the same words in strings and comments."""
    first, second, third = names
    return "\n".join(
        [
            dice.choice(('"""A module.', '"""def quoted(): of another day.')),
            "",
            "class Quoted:",
            '"""',
            "",
            *imports,
            "",
            f"# def {first}_old(): pass",
            dice.choice(("", f"{third.upper()} = 'class Hidden: pass'")),
            dice.choice((f"def {first}(value: int) -> int:", f"async def {first}(value):")),
            "    def inner():",
            "        return value",
            "    return inner()",
            "",
            *dice.choice((["@staticmethod"], [])),
            f"def {second}(*args, **more): return 'def unseen(): pass'",
            "",
            f"class {third.title()}(Exception):",
            "    def method(self):",
            f"        return {first}",
            "",
        ]
    )


def defined_name(dice: Random) -> Made:
    """A function or class at the top of a module."""
    names = dice.sample(WORDS, 3)
    source = _module(
        dice, ["import os", "from json import dumps as written", f"from .x import {WORDS[0]}_a"], names
    )
    path = dice.choice(("src/app.py", "tool.py", "pkg/__init__.py"))
    tree = Tree({**tree_of(dice, 1, 3).files, path: source, "spare/other.py": f"def {names[0]}_far(): ...\n"})
    name, unit = dice.choice(((names[0], "function"), (names[1], "function"), (names[2].title(), "class")))
    fields = claim("defines", path, name, unit)
    others = {
        "in a comment": f"{names[0]}_old",
        "in a string": "unseen",
        "in the docstring": "Quoted",
        "imported": "written",
        "a module": "os",
        "of another file": f"{names[0]}_far",
        "a method": "method",
        "a nested function": "inner",
        "other case": name.swapcase(),
        "part of a name": name[:-1],
        "a constant": names[2].upper(),
    }
    lies = [Lie(how, altered(fields, value=other)) for how, other in others.items()]
    lies += [
        Lie("the other kind", altered(fields, unit="class" if unit == "function" else "function")),
        Lie("in another file", altered(fields, subject="spare/other.py"), cats(path, "spare/other.py")),
        Lie("a line alone", altered(fields, value="unseen"), [call("grep", pattern="def", path=path)]),
    ]
    weak = {"another file": cats("spare/other.py"), "the size": [call("wc", path=path)]}
    return Made(
        tree, fields, {"cat": cats(path), "cat -n": [call("cat", path=path, number=True)]}, lies, weak
    )


def imported_module(dice: Random) -> Made:
    """A module that a source imports directly, also by a relative import."""
    names = dice.sample(WORDS, 3)
    one, two, three = dice.sample(WORDS, 3)
    relative = {
        f"from . import {one}": f"pkg.sub.{one}",
        f"from .{one} import thing": f"pkg.sub.{one}",
        f"from ..{two} import thing as other": f"pkg.{two}",
        f"import pkg.{two}": f"pkg.{two}",
        "import json, os.path as where": "os.path",
        f"from pkg.sub.{one} import (\n    thing,\n    more,\n)": f"pkg.sub.{one}",
        f"from pkg import {two}": f"pkg.{two}",
    }
    line, module = dice.choice(sorted(relative.items()))
    path = "pkg/sub/main.py"
    hidden = f'TEXT = """\nimport pkg.{three}\n"""\n# import {three}\n'
    files = {
        **tree_of(dice, 1, 3).files,
        path: _module(dice, [line], names) + hidden,
        "pkg/__init__.py": "",
        "pkg/sub/__init__.py": "",
        f"pkg/sub/{one}.py": f"import pkg.{three}\nthing = more = 1\n",
        f"pkg/{two}.py": "thing = 2\n",
        f"pkg/{three}.py": "thing = 3\n",
        f"{one}.py": "",
    }
    fields = claim("imports", path, module)
    lies = [
        Lie("in a string", altered(fields, value=f"pkg.{three}")),
        Lie("in a comment", altered(fields, value=three)),
        Lie("relative as absolute", altered(fields, value=one)),
        Lie("at another level", altered(fields, value=f"pkg.{one}")),
        Lie("a name of a module", altered(fields, value=f"{module}.thing")),
        Lie("by way of another", altered(fields, value=f"pkg.{three}"), cats(path, f"pkg/sub/{one}.py")),
        Lie("in another file", altered(fields, subject=f"pkg/{two}.py"), cats(path, f"pkg/{two}.py")),
        Lie("other case", altered(fields, value=module.upper())),
    ]
    shown = cats(path)
    if line.startswith("from") and module.rpartition(".")[2] in line.partition("import")[2]:
        # What stands after `import` may be a name of the package; the listing shows the module.
        shown = [*shown, call("find", path="pkg"), *cats("pkg/__init__.py", "pkg/sub/__init__.py")]
    weak = {"another file": cats(f"pkg/{two}.py"), "names": [call("find", path="pkg")]}
    return Made(Tree(files), fields, {"cat": shown}, lies, weak)


def import_cycle(dice: Random) -> Made:
    """Modules that import one another in a circle, among others that do not."""
    count = dice.randint(2, 4)
    modules = dice.sample(WORDS, count + 2)
    ring, (aside, behind) = modules[:count], modules[count:]
    top, package = dice.choice((("", ""), ("lib/", ""), ("", "pkg."), ("src/", "pkg.")))
    names = [package + module for module in ring]
    files = dict(tree_of(dice, 1, 2).files)
    if package:
        files[f"{top}{package[:-1]}/__init__.py"] = ""
    for module, following in zip([*ring, aside], [*ring[1:], ring[0], ring[0]], strict=True):
        files[_path(top, package + module)] = _ring_source(dice, package, following, behind)
    files[_path(top, package + behind)] = f'"""import {package}{ring[0]}"""\nVALUE = 1\n'
    turn = dice.randrange(count)
    start = [*names[turn:], *names[:turn]]
    directory = top.rstrip("/") or "."
    fields = claim("cycle", directory, start)
    every = cats(*(_path(top, name) for name in [*names, package + aside, package + behind]))
    lies = [
        Lie("reversed", altered(fields, value=start[::-1])),
        Lie("two swapped", altered(fields, value=[start[1], start[0], *start[2:]])),
        Lie("one left out", altered(fields, value=start[:-1]), every),
        Lie("one too many", altered(fields, value=[*start, package + aside]), every),
        Lie("with what is only named", altered(fields, value=[start[0], package + behind]), every),
        Lie("the first again", altered(fields, value=[*start, start[0]])),
        Lie("another directory", altered(fields, subject="elsewhere")),
        Lie("one alone", altered(fields, value=[start[0]])),
    ]
    ways = {"cat": cats(*(_path(top, name) for name in names))}
    if package:
        listing = [call("find", path=top + package[:-1]), *cats(f"{top}{package[:-1]}/__init__.py")]
        ways = {"cat": [*ways["cat"], *listing]}
    weak = {"one is missing": cats(*(_path(top, name) for name in names[1:]))}
    return Made(Tree(files), fields, ways, lies, weak)


def _path(top: str, module: str) -> str:
    return f"{top}{module.replace('.', '/')}.py"


def _ring_source(dice: Random, package: str, following: str, behind: str) -> str:
    styles = [f"import {package}{following}", f"from {package}{following} import VALUE as other"]
    if package:
        styles += [f"from . import {following}", f"from .{following} import VALUE as other"]
    extra = dice.choice((f"import {package}{behind}", f"# import {behind}", "import os"))
    return f"{dice.choice(styles)}\n{extra}\n\nVALUE = 1\n"
