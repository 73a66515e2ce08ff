"""The truth of generated probes, against claims whose truth is plain."""

import hashlib
import json

import pytest

from evals.soundness.tree import Tree
from evals.soundness.truth import holds

CYCLE = {
    "a.py": "import b\n",
    "b.py": "from c import x\n",
    "c.py": '"""import d"""\nimport a\nx = 1\n',
    "d.py": "",
}
FILES = {
    "note.txt": "one two\nthree\n",
    "src/.hid/x.py": "def f(): pass\n# def g(): pass\nclass C:\n    def m(self): pass\n",
    "src/pkg/m.py": "from ..other import thing\nfrom . import n\nimport os.path as p, json\n",
    "src/pkg/n.py": "TEXT = '''\nimport re\n'''\n",
    "src/other.py": "thing = 1\n",
    "aaa.txt": "aaaa\nnote.txt\n",
    "hollow/": "",
    "app.json": json.dumps({"a": {"b": [1, {"c": 1.0}]}, "wait_ms": 1500, "on": True}),
    "app.ini": "[s]\nPort = 80\n",
    "z.log": "2024-05-01T10:00:00+02:00 x\n2024-05-01T09:00:00Z y\n",
    "u.log": "2024-05-01 09:00:00 x\n2024-05-01 08:00:00 y\n",
    "u2.log": "2024-05-01 08:30:00 x\n",
    "clocks.json": json.dumps({"u.log": 3600, "u2.log": 0}),
    **{f"ring/{path}": text for path, text in CYCLE.items()},
    "v1/f": "a\nb\nc\n",
    "v2/f": "new\na\nB\nc\n",
    "v1/k.json": '{"x": 1}',
    "v2/k.json": '{"x": 1.0}',
    "cfg.json": '{\n  "n": {\n    "k": "12x",\n    "g": "12"\n  }\n}\n',
    "r.py": 'C = json.load(open("cfg.json"))\nx = int(C["n"]["k"])\n',
    "e.log": (
        'Traceback (most recent call last):\n  File "/app/r.py", line 2, in <module>\n'
        "    x = int(C[...])\nValueError: invalid literal for int() with base 10: '12x'\n"
    ),
}
TREE = Tree(FILES, {"loop": "src", "gone": "nowhere"})
RIGHT = hashlib.sha256(FILES["note.txt"].encode()).hexdigest()

TRUE = [
    ("exists", "note.txt", True, "file", None),
    ("exists", "hollow", True, "directory", None),
    ("exists", "*.py", True, None, "src"),
    ("exists", "x.py", True, "file", "."),
    ("absent", "x.py", True, None, None),
    ("absent", "note.txt", True, "directory", None),
    ("absent", "*.lock", True, None, "."),
    ("count", "note.txt", 2, "lines", None),
    ("count", "note.txt", 3, "words", None),
    ("count", "note.txt", 14, "bytes", None),
    ("count", "*.py", 4, "files", "src"),
    ("count", "src", 2, "directories", None),
    ("count", "aa", 1, "matching lines", "."),
    ("count", "note.txt", 1, "occurrences", "aaa.txt"),
    ("count", "a.b", 2, "items", "app.json"),
    ("count", "s", 1, "keys", "app.ini"),
    ("equals", "note.txt", "one two\nthree", None, None),
    ("equals", "note.txt:2", "three", None, None),
    ("equals", "note.txt", RIGHT.upper(), "sha256", None),
    ("equals", "note.txt", "note.txt", "file", None),
    ("contains", "note.txt", "thre", None, None),
    ("contains", "src", "class C:", "line", None),
    ("contains", "note.txt", "two", "word", None),
    ("not_contains", "note.txt", "thre", "word", None),
    ("not_contains", "note.txt", "One", None, None),
    ("value_of", "a.b[1].c", 1.0, None, "app.json"),
    ("value_of", "s.Port", "80", None, "app.ini"),
    ("value_of", "wait_ms", 1.5, "s", "app.json"),
    ("greater", "note.txt", 1, "lines", None),
    ("greater", "note.txt", "src/other.py", "bytes", None),
    ("less", "a.b[0]", "wait_ms", None, "app.json"),
    ("before", "z.log:1", "z.log:2", None, None),
    ("after", "u.log:1", "u.log:2", None, None),
    ("after", "z.log:2", "2024-05-01T08:59:59Z", None, None),
    ("before", "u.log:1", "u2.log:1", None, "corrected by clocks.json"),
    ("defines", "src/.hid/x.py", "f", "function", None),
    ("defines", "src/.hid/x.py", "C", None, None),
    ("imports", "src/pkg/m.py", "src.other", None, None),
    ("imports", "src/pkg/m.py", "src.pkg.n", None, None),
    ("imports", "src/pkg/m.py", "os.path", None, None),
    ("cycle", "ring", ["b", "c", "a"], None, None),
    ("changed_between", "f", True, "file", ["v1", "v2"]),
    ("changed_between", "f", ["b", "B"], "line", ["v1", "v2"]),
    ("changed_between", "x", [1, 1.0], "value", ["v1/k.json", "v2/k.json"]),
    ("causes", "cfg.json:3", "e.log:4", None, None),
]
FALSE = [
    ("exists", "note.txt", True, "directory", None),
    ("exists", "gone", True, None, None),
    ("exists", "*.lock", True, None, "."),
    ("absent", "*.py", True, None, "src"),
    ("count", "note.txt", 2.0, "lines", None),
    ("count", "note.txt", True, "lines", None),
    ("count", "*.py", 6, "files", "src"),
    ("count", "aa", 3, "occurrences", "aaa.txt"),
    ("count", "a", 1, "items", "app.json"),
    ("equals", "note.txt", "one two\nthree\n\n", None, None),
    ("equals", "note.txt:3", "", None, None),
    ("equals", "note.txt", "aaa.txt", "file", None),
    ("contains", "note.txt", "thre", "word", None),
    ("contains", "note.txt", "thre", "line", None),
    ("not_contains", "none.txt", "x", None, None),
    ("not_contains", "src", "class", None, None),
    ("value_of", "a.b[1].c", 1, None, "app.json"),
    ("value_of", "on", 1, None, "app.json"),
    ("value_of", "s.port", "80", None, "app.ini"),
    ("value_of", "wait_ms", 1500, "s", "app.json"),
    ("value_of", "a.b[0]", 1, "ms", "app.json"),
    ("greater", "note.txt", 2, "lines", None),
    ("less", "on", 2, None, "app.json"),
    ("after", "z.log:1", "z.log:2", None, None),
    ("before", "z.log:1", "z.log:1", None, None),
    ("before", "z.log:1", "u.log:1", None, None),
    ("before", "u2.log:1", "u.log:1", None, None),
    ("defines", "src/.hid/x.py", "g", "function", None),
    ("defines", "src/.hid/x.py", "m", None, None),
    ("defines", "src/.hid/x.py", "C", "function", None),
    ("imports", "src/pkg/m.py", "other", None, None),
    ("imports", "src/pkg/n.py", "re", None, None),
    ("cycle", "ring", ["a", "c", "b"], None, None),
    ("cycle", "ring", ["a", "b"], None, None),
    ("changed_between", "f", False, "file", ["v1", "v2"]),
    ("changed_between", "f", ["a", "B"], "line", ["v1", "v2"]),
    ("changed_between", "f", ["b", "new"], "line", ["v1", "v2"]),
    ("changed_between", "x", [1, 1], "value", ["v1/k.json", "v2/k.json"]),
    ("causes", "cfg.json:4", "e.log:4", None, None),
    ("causes", "app.json:1", "e.log:4", None, None),
    ("causes", "cfg.json:3", "e.log:3", None, None),
]


def fields(claim: tuple[object, ...]) -> dict[str, object]:
    return dict(zip(("predicate", "subject", "value", "unit", "scope"), claim, strict=True))


@pytest.mark.parametrize("claim", TRUE, ids=str)
def test_what_is_so_is_true(claim: tuple[object, ...]) -> None:
    assert holds(fields(claim), TREE)


@pytest.mark.parametrize("claim", FALSE, ids=str)
def test_what_is_not_so_is_false(claim: tuple[object, ...]) -> None:
    assert not holds(fields(claim), TREE)


def test_steps_of_the_harness_change_what_is_true() -> None:
    steps = [
        {"tool": "cat", "args": {"path": "note.txt"}},
        {"tool": "host:write", "args": {"path": "new/one.txt", "content": "1\n"}},
        {"tool": "host:rename", "args": {"path": "src", "to": "lib"}},
        {"tool": "host:delete", "args": {"path": "ring"}},
        "no step",
    ]
    after = TREE.after(steps)
    assert after.kind("new/one.txt") == "file" and after.kind("lib/pkg/m.py") == "file"
    assert after.kind("src") is None and after.kind("ring") is None
    assert TREE.kind("ring") == "directory"
