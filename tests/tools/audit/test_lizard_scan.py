"""Other languages: the numbers are lizard's own."""

from pathlib import Path, PurePath

import lizard
import pytest
from lizard_languages import languages

from configs.audit import AuditSettings
from tools.audit.file_facts import FileFacts
from tools.audit.languages import FLAT, SUFFIXES, language_of
from tools.audit.lizard_scan import scan_with_lizard
from tools.audit.reading import Text, read
from tools.audit.sources import Source

SOURCES = {
    "a.js": "// one\nfunction f(a, b) {\n  if (a && b) {\n    for (;;) { g(); }\n  }\n\n  return a ? 1 : 2;\n"
    "}\nclass A { m(x) { return x || 1; } }\nconst h = (a) => { while (a) a--; };\n",
    "a.ts": "export function f(a: number, b?: string): number {\n  switch (a) {\n    case 1: return 1;\n"
    "    default: return 2;\n  }\n}\n",
    "A.java": "class A {\n  /* two\n     lines */\n  int f(int a) throws B {\n"
    "    try { g(); } catch (C c) { return 1; }\n    return a > 0 ? 1 : 0;\n  }\n}\n",
    "a.c": "#include <a.h>\nint f(int a, char *b)\n{\n  do { a--; } while (a && b);\n  return a;\n}\n",
    "a.cpp": "namespace N { class A { int m() { if (1) return 2; return 3; } }; }\n"
    "template <typename T> T g(T a) { return a; }\n",
    "a.go": "package a\n\nfunc F(a int, b int) int {\n\tfor i := 0; i < a; i++ {\n\t\tif a > b && b > 0 {\n"
    "\t\t\treturn 1\n\t\t}\n\t}\n\treturn 0\n}\n",
    "a.rs": "fn f(a: i32) -> i32 {\n  match a {\n    1 => 2,\n    _ => if a > 3 { 4 } else { 5 },\n  }\n}\n",
    "a.rb": "def f(a)\n  if a\n    1\n  end\nend\n",
    "a.kt": 'fun f(a: Int): String {\n  return when (a) {\n    1 -> "x"\n    else -> "y"\n  }\n}\n',
    "a.php": "<?php\nfunction f($a) {\n  foreach ($a as $b) { if ($b) { return 1; } }\n}\n",
}


def scanned(name: str, text: str) -> FileFacts:
    return scan_with_lizard(Source(name, Path(name), language_of(name) or "", 0), Text(text, "utf-8"))


@pytest.mark.parametrize("name", SOURCES)
def test_functions_and_sizes_are_those_lizard_reports(name: str) -> None:
    theirs = lizard.analyze_file.analyze_source_code(name, SOURCES[name])
    facts = scanned(name, SOURCES[name])
    expected = [
        (one.name, one.start_line, one.end_line, one.nloc, one.cyclomatic_complexity, one.parameter_count)
        for one in theirs.function_list
    ]
    found = [
        (one.name, one.line, one.place.end_line, one.code_lines, one.cyclomatic, one.parameters)
        for one in facts.functions
    ]
    assert sorted(found) == sorted(expected) != []
    assert facts.module.code_lines == theirs.nloc
    rows = SOURCES[name].splitlines()
    module = facts.module
    assert module.lines == len(rows) == module.code_lines + module.comment_lines + module.blank_lines
    assert module.blank_lines == rows.count("")


@pytest.mark.parametrize("name", SOURCES)
def test_cognitive_complexity_is_told_where_blocks_are_followed(name: str) -> None:
    for one in scanned(name, SOURCES[name]).functions:
        assert (one.cognitive is None) == (language_of(name) in FLAT)


def test_cognitive_complexity_counts_nesting() -> None:
    [found] = scanned(
        "a.c", "int f(int a) {\n  if (a) { while (a) { if (a) a--; } }\n  return a;\n}\n"
    ).functions
    assert found.cognitive == 1 + 2 + 3


def test_every_file_of_lizards_has_a_language_and_no_other() -> None:
    theirs = {suffix.lower() for reader in languages() for suffix in reader.ext}
    ours = {suffix for suffixes in SUFFIXES.values() for suffix in suffixes.split()}
    assert ours - {"pyw"} == theirs


@pytest.mark.parametrize("name", ["a.txt", "py", ".py", "Makefile", "a.py.bak", "a.tar.gz", ""])
def test_other_files_have_none(name: str) -> None:
    assert language_of(name) is None


@pytest.mark.parametrize("name", ["a.PY", "b/c.Js", "x.y.go", "a\nb.rs"])
def test_a_language_is_told_by_the_end_of_a_name(name: str) -> None:
    assert language_of(name) is not None


STRANGE = [
    "",
    "\n",
    "}{)(\"'`/* <!-- %} #{ end end begin :- {{{{ \\",
    "(" * 100,
    "a\n\nb\n" * 50,
    "(" * 1_500,
]


@pytest.mark.parametrize(
    "suffix", [suffixes.split()[0] for suffixes in SUFFIXES.values() if "py" not in suffixes]
)
def test_no_text_is_too_strange(suffix: str) -> None:
    for text in STRANGE:
        facts = scanned(f"a.{suffix}", text)
        module = facts.module
        assert module.lines == len(text.splitlines())
        assert module.code_lines + module.comment_lines + module.blank_lines == module.lines
        assert module.parsed == (facts.problem is None)


def test_nesting_without_end_is_told() -> None:
    facts = scanned("a.js", "(" * 1_500)
    assert facts.problem is not None and facts.problem.reason == "crashed"
    assert (facts.module.code_lines, facts.module.parsed, facts.units) == (1, False, None)


def test_a_name_with_a_line_feed_keeps_its_language(tmp_path: Path) -> None:
    path = tmp_path / "a\nb.go"
    path.write_text(SOURCES["a.go"])
    source = Source("a\\nb.go", path, "go", 0)
    [found] = scan_with_lizard(source, read(source, AuditSettings())).functions
    assert (found.name, found.place.file) == ("F", "a\\nb.go")
    assert PurePath(path).suffix == ".go"
