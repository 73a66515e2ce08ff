"""Python by our own walk, against radon, complexipy and what is plain to see."""

import ast
import sysconfig
from pathlib import Path

import complexipy
import pytest
from hypothesis import given
from radon.complexity import cc_visit
from radon.raw import analyze
from radon.visitors import Function as RadonFunction

from configs.audit import AuditSettings
from tests.tools.audit.python_sources import modules
from tools.audit.file_facts import FileFacts
from tools.audit.file_scan import scan_file
from tools.audit.python_scan import scan_python
from tools.audit.reading import Text, read
from tools.audit.report import Function
from tools.audit.sources import Source

ROOT = Path(__file__).resolve().parents[3]
LIBRARY = Path(sysconfig.get_path("stdlib"))
OURS = sorted((ROOT / "tools").rglob("*.py"))
THEIRS = [
    LIBRARY / name for name in "argparse.py ast.py enum.py inspect.py pdb.py typing.py tarfile.py".split()
]
BREAKS = dict.fromkeys(map(ord, "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), " ")


def scanned(text: str) -> FileFacts:
    return scan_python("a.py", Text(text, "utf-8"))


def function(text: str, name: str = "f") -> Function:
    [found] = [one for one in scanned(text).functions if one.name == name]
    return found


def by_radon(text: str) -> set[tuple[str, int, int]]:
    """Name, line and complexity of all it lists, and of the closures in them."""
    found: set[tuple[str, int, int]] = set()

    def add(one: RadonFunction, prefix: str) -> None:
        found.add((prefix + one.name, one.lineno, one.complexity))
        for closure in one.closures:
            add(closure, f"{prefix}{one.name}.<locals>.")

    for block in cc_visit(text):
        if isinstance(block, RadonFunction):
            add(block, f"{block.classname}." if block.classname else "")
    return found


def assert_as_radon_counts(text: str) -> None:
    facts = scanned(text)
    assert facts.problem is None
    assert by_radon(text) <= {(one.name, one.line, one.cyclomatic) for one in facts.functions}
    defined = [
        node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert sorted(one.line for one in facts.functions) == sorted(node.lineno for node in defined)
    raw, module = analyze(text.translate(BREAKS)), facts.module
    assert (raw.loc, raw.sloc, raw.blank) == (module.lines, module.code_lines, module.blank_lines)
    assert raw.multi + raw.single_comments == module.comment_lines


@given(modules())
def test_generated_sources_count_as_radon_counts_them(text: str) -> None:
    assert_as_radon_counts(text)


@pytest.mark.parametrize("path", [*OURS[::25], *THEIRS[1:3]], ids=lambda path: path.name)
def test_real_files_count_as_radon_counts_them(path: Path) -> None:
    assert_as_radon_counts(path.read_text("utf-8"))


@given(modules())
def test_cognitive_complexity_is_that_of_complexipy(text: str) -> None:
    measured = complexipy.code_complexity(text, no_ignore=True, with_plans=False).functions
    ours = {one.place.line: one.cognitive for one in scanned(text).functions}
    assert {one.line_start: one.complexity for one in measured}.items() <= ours.items()
    assert None not in ours.values()


@pytest.mark.parametrize("path", THEIRS, ids=lambda path: path.name)
def test_cognitive_complexity_of_the_standard_library_is_known(path: Path) -> None:
    facts = scanned(path.read_text("utf-8"))
    assert len(facts.functions) > 20
    assert all(one.cognitive is not None for one in facts.functions)


def test_a_form_feed_ends_no_line() -> None:
    text = "a = 1\n\f\nb = 2\n"
    assert analyze(text).loc == 4
    assert scanned(text).module.lines == 3


def test_a_function_within_another_has_its_own_numbers() -> None:
    text = (
        "def f():\n    @deco\n    def g(x):\n        if x and y:\n            pass\n    g(1)\n    return 1\n"
    )
    outer, inner = scanned(text).functions
    assert (outer.name, outer.cyclomatic, outer.cognitive, outer.nesting) == ("f", 1, 3, 0)
    assert (inner.name, inner.cyclomatic, inner.cognitive, inner.nesting) == ("f.<locals>.g", 3, 2, 1)
    assert (inner.place.line, inner.line, inner.place.end_line, inner.code_lines) == (2, 3, 5, 4)


@pytest.mark.parametrize(
    ("text", "nesting"),
    [
        ("def f():\n    pass\n", 0),
        ("def f():\n    if a: pass\n    elif b: pass\n    elif c: pass\n    else: pass\n", 1),
        ("def f():\n    if a: pass\n    else:\n        if b: pass\n", 2),
        (
            "def f():\n  for a in b:\n    with c:\n      try: pass\n      except D:\n        while e: pass\n",
            4,
        ),
        ("def f():\n    match a:\n        case 1:\n            if b: pass\n", 2),
        ("def f():\n    def g():\n        if a:\n            if b: pass\n", 0),
        ("def f():\n    return [a for a in b for c in d if (e if g else h)]\n", 0),
    ],
)
def test_nesting_is_the_deepest_block(text: str, nesting: int) -> None:
    assert function(text).nesting == nesting


@pytest.mark.parametrize(
    ("arguments", "number"),
    [("", 0), ("a, b=1", 2), ("a, /, b, *, c", 3), ("*args, **options", 2), ("self", 1)],
)
def test_parameters_of_a_function(arguments: str, number: int) -> None:
    assert function(f"def f({arguments}): pass\n").parameters == number


@pytest.mark.parametrize(
    ("method", "number"),
    [
        ("def f(self, a): pass", 1),
        ("@classmethod\n    def f(cls, a): pass", 1),
        ("@staticmethod\n    def f(a): pass", 1),
        ("def f(*args): pass", 1),
    ],
)
def test_parameters_of_a_method_leave_out_what_it_is_called_on(method: str, number: int) -> None:
    assert function(f"class A:\n    {method}\n", "A.f").parameters == number


def test_classes_with_bases_and_methods() -> None:
    text = "@deco\nclass A(B, c.D[int], metaclass=M):\n  def f(self): pass\n  if x:\n    def g(self): pass\n"
    [found] = scanned(text).classes
    assert (found.name, found.bases, found.methods) == ("A", ("B", "c.D[int]"), 2)
    assert (found.place.line, found.place.end_line) == (1, 5)


def test_imports_as_they_are_written() -> None:
    text = (
        "import a.b, c\nfrom ..d import e as f, g\n"
        "if TYPE_CHECKING:\n    import h\nelse:\n    import i\n"
        "def j():\n    from . import k\n"
    )
    asked = [(one.line, one.level, one.module, one.names, one.lazy) for one in scanned(text).imports]
    assert asked == [
        (1, 0, "a.b", (), False),
        (1, 0, "c", (), False),
        (2, 2, "d", ("e", "g"), False),
        (4, 0, "h", (), True),
        (6, 0, "i", (), False),
        (8, 1, "", ("k",), True),
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("def f(:\n    pass\n", 1),
        ("a = 1\nprint 'hello'\n", 2),
        ("x = (\n", 1),
        ("if a:\nb\n", 2),
        ("\t a\n  b\n", 1),
    ],
)
def test_a_syntax_error_is_told_with_its_line_and_the_sizes_stay(text: str, line: int) -> None:
    facts = scanned(text)
    assert facts.problem is not None and facts.problem.reason == "syntax"
    assert facts.problem.line == line
    assert not facts.module.parsed and facts.module.lines == text.count("\n")
    assert facts.functions == () and facts.units is None


@pytest.mark.parametrize(
    "text", ["(" * 150 + ")" * 150, "-" * 10_000 + "1", "a = " + "[" * 5000, "x = " + "1+" * 20_000 + "1"]
)
def test_nesting_without_end_is_reported(text: str, tmp_path: Path) -> None:
    facts = scanned(text + "\n")
    assert facts.module.lines == 1
    assert (facts.problem is None) == facts.module.parsed


def test_an_empty_file_has_no_line() -> None:
    assert scanned("").module.lines == 0


def test_a_file_is_scanned_by_its_language(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"# -*- coding: latin-1 -*-\r\ndef f():\r\n    return '\xe4'\r\n")
    source = Source("a.py", path, "python", 0)
    assert read(source, AuditSettings()).encoding == "iso-8859-1"
    facts = scan_file(source, AuditSettings())
    assert [one.name for one in facts.functions] == ["f"]
    assert (facts.module.lines, facts.module.comment_lines, facts.module.encoding) == (3, 1, "iso-8859-1")
