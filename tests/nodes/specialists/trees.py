"""Small audits made by hand."""

from __future__ import annotations

from tools.audit.report import (
    Audit,
    Cycle,
    Definition,
    Documentation,
    Duplicate,
    Function,
    Import,
    Metrics,
    Module,
    ModuleMetrics,
    Place,
    Scan,
    SecurityFinding,
    Severity,
    Skipped,
)


def place(file: str, line: int = 1, end: int | None = None) -> Place:
    return Place(file=file, line=line, end_line=end or line)


def module(file: str, language: str = "python", lines: int = 100) -> Module:
    return Module(
        file=file, language=language, encoding="utf-8", lines=lines, code_lines=lines - 10, comment_lines=5,
        blank_lines=5,
    )  # fmt: skip


def function(
    file: str, name: str, line: int, cyclomatic: int = 1, *, end: int = 0, parameters: int = 0
) -> Function:
    last = end or line + 5
    return Function(
        name=name, place=place(file, line, last), line=line, parameters=parameters, code_lines=last - line,
        cyclomatic=cyclomatic, cognitive=cyclomatic, nesting=1,
    )  # fmt: skip


def warning(
    file: str, line: int, rule: str = "B307", severity: Severity = "medium", **more: object
) -> SecurityFinding:
    facts = {"suppressed": False, "message": "Look here.", **more}
    return SecurityFinding.model_validate(
        {
            "scanner": "bandit", "rule": rule, "cwe": 78, "severity": severity, "confidence": "high",
            "place": place(file, line), **facts,
        }
    )  # fmt: skip


def definition(file: str, name: str, line: int, *, documented: bool, kind: str = "function") -> Definition:
    return Definition.model_validate(
        {
            "kind": kind, "name": name, "place": place(file, line, line + 5), "line": line,
            "public": not name.startswith("_"), "documented": documented,
        }
    )  # fmt: skip


FUNCTIONS = (
    function("app/core.py", "parse", 10, 23, end=60, parameters=8),
    function("app/core.py", "Box.open", 70, 3, end=75, parameters=1),
    function("app/core.py", "Box._tap", 80, 11, end=99),
    function("app/other.py", "parse", 5, 4),
    function("tests/test_core.py", "test_it", 3, 1),
    function("web/main.js", "draw", 2, 12),
)
AUDIT = Audit(
    scan=Scan(
        modules=(
            module("app/core.py", lines=120),
            module("app/other.py", lines=40),
            module("tests/test_core.py", lines=20),
            module("web/main.js", "javascript", 30),
        ),
        functions=FUNCTIONS,
        imports=(
            Import(file="app/core.py", line=2, module="app.other", target="app/other.py"),
            Import(file="app/other.py", line=1, module="app.core", target="app/core.py"),
            Import(file="tests/test_core.py", line=1, module="numpy.linalg"),
        ),
    ),
    metrics=Metrics(
        modules=tuple(
            ModuleMetrics(
                file=file,
                code_lines=10,
                functions=sum(one.place.file == file for one in FUNCTIONS),
                cyclomatic=20,
                most_cyclomatic=10,
                cognitive=None,
                duplicated_lines=0,
            )  # fmt: skip
            for file in ("app/core.py", "app/other.py", "tests/test_core.py", "web/main.js")
        ),
        cycles=(
            Cycle(
                files=("app/core.py", "app/other.py"),
                imports=(place("app/core.py", 2), place("app/other.py", 1)),
            ),
        ),
        duplicates=(
            Duplicate(
                lines=9, tokens=120, places=(place("app/core.py", 20, 28), place("app/other.py", 20, 28))
            ),
        ),
    ),
    security=(
        warning("app/core.py", 30),
        warning("app/other.py", 8, "B602", "high"),
        warning("app/other.py", 9, "B105", "low", message="Possible hardcoded password: 'hunter2'", cwe=259),
        warning("app/other.py", 20, "B101", "low", suppressed=True),
    ),
    documentation=Documentation(
        files=("app/core.py", "app/other.py", "tests/test_core.py"),
        definitions=(
            definition("app/core.py", "parse", 10, documented=True),
            definition("app/core.py", "Box", 68, documented=False, kind="class"),
            definition("app/core.py", "Box.open", 70, documented=False, kind="method"),
            definition("app/other.py", "parse", 5, documented=False),
        ),
    ),
)
SKIPPING = AUDIT.model_copy(
    update={
        "skipped": tuple(
            Skipped(file="app/bad.py", kernel=kernel, reason="syntax", what="Not Python.", line=4)
            for kernel in ("ast_scan", "security", "documentation")
        )
    }
)
