"""Defines, imports and cycle: generated packages, judged by plain reading of what was generated."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.tutor.claims import Claim
from nodes.tutor.facts import Entry, Fact, Found, Lines, Search, Text
from nodes.tutor.proving.prove import prove
from nodes.tutor.proving.world import World
from tests.nodes.tutor.proving.knowing import judged, status

seeds = st.integers(0, 10**6)
NAMES = ["alpha", "beta", "gamma", "delta", "omega", "Alpha", "Omega"]


def source_of(rng: random.Random) -> tuple[str, dict[str, str]]:
    """A file, and what it defines: names to function or class."""
    defined: dict[str, str] = {}
    blocks = ['"""def delta(): and class Omega: are words here."""', "import gamma_ray  # def gamma(): pass"]
    for name in rng.sample(NAMES, rng.randint(1, 4)):
        kind = rng.choice(["def", "async def", "class"])
        defined[name] = "class" if kind == "class" else "function"
        head = f"class {name}:" if kind == "class" else f"{kind} {name}(self=None):"
        inner = rng.choice([one for one in ("run", "stop")])
        defined[f"{name}.{inner}"] = "function"
        block = f"{head}\n    def {inner}(self):\n        return beta_of('alpha')\n"
        if rng.random() < 0.3:
            around = rng.choice(["if DEBUG:", "try:", "with lock:", "for _ in range(2):"])
            block = around + "\n" + "\n".join("    " + line for line in block.split("\n"))
            block += "\nexcept ImportError:\n    pass" if around == "try:" else ""
        blocks.append(
            rng.choice(["", "@decorated\n"]) + block
            if not block.startswith(("if", "try", "with", "for"))
            else block
        )
    return "\n\n".join(blocks) + "\n", defined


@settings(deadline=None, max_examples=80)
@given(seed=seeds)
def test_what_a_file_defines_and_nothing_else(seed: int) -> None:
    text, defined = source_of(random.Random(seed))
    for name in [*NAMES, "run", "Alpha.run", "alpha.stop", "gamma_ray", "self", "beta_of"]:
        for unit in ("function", "class", None):
            found = status({"m.py": text}, "defines", "m.py", name, unit=unit)
            true = name in defined and unit in (None, defined[name])
            assert (found == "validated") is true, (name, unit, text)
            if name in NAMES and not true:
                assert found == "refuted"


@pytest.mark.parametrize(
    "text",
    [
        "if False:\n    def f(): pass\n",
        "if TYPE_CHECKING:\n    def f(): pass\n",
        "if not True:\n    def f(): pass\n",
        "def f(): pass\nf = 3\n",
        "def f(): pass\ndel f\n",
        "def f(): pass\nfrom x import f\n",
        "def f(): pass\nfrom x import *\n",
        "def f(): pass\ndef g():\n    global f\n    f = 3\n",
        "raise SystemExit\ndef f(): pass\n",
        "class A:\n    def f(self): pass\n",
        "f = lambda: 0\n",
        "f = g\n",
        "def f(: pass\n",
        "def f():\n    pass\n  x\n",
        "while 0:\n    def f(): pass\n",
        "exec('def f(): pass')\n",
        "if X:\n    def f(): pass\nelse:\n    class f: pass\n",
    ],
)
def test_what_may_be_no_definition_is_undecidable(text: str) -> None:
    assert status({"m.py": text}, "defines", "m.py", "f", unit="function") == "undecidable"


IMPORTS = """import os.path
import app.db as database
from app import cache
from . import near
from .near import thing
from ..app.far import other
try:
    import fast
except ImportError:
    import slow
if TYPE_CHECKING:
    import typed
def later():
    from app.late import f
# import commented
text = "import quoted"
"""


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("os.path", "validated"),
        ("os", "undecidable"),
        ("app.db", "validated"),
        ("app", "validated"),
        ("app.cache", "validated"),
        ("app.near", "validated"),
        ("app.near.thing", "undecidable"),
        ("app.far", "undecidable"),
        ("fast", "validated"),
        ("slow", "validated"),
        ("typed", "undecidable"),
        ("app.late", "validated"),
        ("app.late.f", "undecidable"),
        ("commented", "refuted"),
        ("quoted", "refuted"),
        ("database", "refuted"),
        ("app.dbs", "refuted"),
        ("application", "refuted"),
    ],
)
def test_the_modules_a_file_names_itself(module: str, expected: str) -> None:
    files = {"app/main.py": IMPORTS, "app/__init__.py": "", "app/cache.py": "", "app/near.py": ""}
    assert status(files, "imports", "app/main.py", module) == expected


@pytest.mark.parametrize(
    ("init", "expected"),
    [
        ("", "validated"),
        (None, "validated"),
        ("from . import cache\n", "validated"),
        ("cache = {}\n", "undecidable"),
        ("from .cache import cache\n", "undecidable"),
        ("from .other import *\n", "undecidable"),
        ("def __getattr__(name): ...\n", "undecidable"),
    ],
)
def test_a_name_taken_from_a_package_is_a_module_if_the_package_does_not_say_otherwise(
    init: str | None, expected: str
) -> None:
    files = {"main.py": "from app import cache\n", "app/__init__.py": init, "app/cache.py": ""}
    assert status(files, "imports", "main.py", "app.cache") == expected
    for path, unseen in (("app/__init__.py", "validated"), ("app/cache.py", "undecidable")):
        without = {one: text for one, text in files.items() if one != path}
        assert status(without, "imports", "main.py", "app.cache") == unseen


@pytest.mark.parametrize(
    ("main", "text", "module"),
    [
        ("app/main.py", "from . import two\n", "app.two"),
        ("app/sub/main.py", "from .. import two\n", "app.two"),
        ("app/main.py", "from .sub import two\n", "app.sub.two"),
        ("app/x/main.py", "from ..sub import one, two as other\n", "app.sub.two"),
        ("main.py", "from app.sub import two\n", "app.sub.two"),
    ],
)
def test_a_listing_shows_that_a_name_is_a_module(main: str, text: str, module: str) -> None:
    file = f"{module.replace('.', '/')}.py"
    claim = Claim(predicate="imports", subject=main, value=module)
    seen: list[Fact] = [Text(path=main, text=text)]
    listed = Search(directory="app", found=(Found(path=file, kind="file"),))
    init = f"{file.rpartition('/')[0]}/__init__.py"
    assert prove(claim, World({"o1": seen})).status == "undecidable"
    assert prove(claim, World({"o1": seen, "o2": [listed]})).status == "validated"
    for line in ("two = 2", "from .three import two", "from .three import *", "def __getattr__(name):"):
        shown = Lines(path=init, first=4, lines=(line,))
        assert prove(claim, World({"o1": seen, "o2": [listed], "o3": [shown]})).status == "undecidable"
    also = Entry(path=f"{file.removesuffix('.py')}/__init__.py", kind="file")
    assert prove(claim, World({"o1": seen, "o2": [listed], "o3": [also]})).status == "undecidable"


def test_modules_imported_while_the_program_runs_are_not_read_off_its_text() -> None:
    text = "import importlib\nimportlib.import_module('plugin')\n"
    assert status({"m.py": text}, "imports", "m.py", "plugin") == "undecidable"


def package(rng: random.Random) -> tuple[dict[str, str], list[str]]:
    """A package with one cycle, and other modules that only lead to it or away from it."""
    names = rng.sample(["api", "db", "auth", "jobs", "mail", "util_a", "cli"], 6)
    ring, rest = names[: rng.randint(2, 4)], names[4:]
    files = {"pkg/__init__.py": ""}
    edges = {one: [following] for one, following in zip(ring, ring[1:] + ring[:1], strict=True)}
    edges |= {one: [rng.choice(ring)] for one in rest[:1]} | {
        one: [] for one in names if one not in [*ring, *rest[:1]]
    }
    for one in names:
        lines = [f"# import pkg.{rng.choice(names)}", "import os"]
        for target in edges[one]:
            lines.append(
                rng.choice(
                    [
                        f"from pkg.{target} import thing",
                        f"import pkg.{target}",
                        f"from .{target} import thing as other",
                        f"from . import {target}",
                        f"from pkg import {target}",
                        f"def late():\n    from .{target} import thing",
                    ]
                )
            )
        files[f"pkg/{one}.py"] = "\n".join(lines) + "\n"
    return files, ring


@settings(deadline=None, max_examples=80)
@given(seed=seeds)
def test_a_cycle_in_its_order_from_any_start_and_no_other_list(seed: int) -> None:
    rng = random.Random(seed)
    files, ring = package(rng)
    start = rng.randrange(len(ring))
    turned = ring[start:] + ring[:start]
    named = turned if rng.random() < 0.5 else [f"pkg.{one}" for one in turned]
    assert status(files, "cycle", "pkg", named) == "validated"
    assert status(files, "cycle", ".", [f"pkg.{one}" for one in turned]) == "validated"
    outside = next(path[4:-3] for path in files if path[4:-3] not in (*ring, "__init__"))
    wrong = [[*turned, outside], [outside, *turned[1:]], [*turned, turned[0]], turned[:1]]
    wrong += [turned[::-1], turned[:-1]] if len(ring) > 2 else []
    for other in wrong:
        assert status(files, "cycle", "pkg", other) != "validated", (other, files)
    for path in files:
        if path[4:-3] in ring:
            fewer = {one: text for one, text in files.items() if one != path}
            assert status(fewer, "cycle", "pkg", turned) == "undecidable"


def test_a_broken_ring_is_refuted_by_the_module_that_breaks_it() -> None:
    files = {"a.py": "import b\n", "b.py": "import c\n", "c.py": "import d\n"}
    verdict = judged(files, "cycle", ".", ["a", "b", "c"])
    assert (verdict.status, "c.py" in verdict.used) == ("refuted", True)


@pytest.mark.parametrize("predicate", ["defines", "imports"])
@pytest.mark.parametrize(
    "text", ["(" * 5000, "-" * 100_000 + "1", "x" + ".y" * 100_000, "\0", "if 1:\n" * 200, "é = 1\r\n"]
)
def test_sources_of_any_kind_are_judged_without_an_error(predicate: str, text: str) -> None:
    assert status({"m.py": text}, predicate, "m.py", "f") in ("undecidable", "refuted")
