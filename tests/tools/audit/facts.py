"""What kernels could find, as hypothesis makes it up: a tree of a few files, consistent in itself."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from tools.audit.report import (
    Audit,
    Changes,
    Coupling,
    Cycle,
    Definition,
    Documentation,
    Duplicate,
    Function,
    History,
    Metrics,
    Module,
    ModuleMetrics,
    Place,
    Scan,
    SecurityFinding,
    Severity,
    Skipped,
)

FILES = ("a.py", "pkg/b.py", "pkg/c.py", "tests/test_d.py", "e f.js", "empty.py")
LEVELS: tuple[Severity, ...] = ("low", "medium", "high")
RULES = ("B101", "B102", "B602")


@dataclass(frozen=True)
class Tree:
    """The lines of each file; a file without any cannot hold anything."""

    lines: dict[str, int]

    @property
    def holding(self) -> list[str]:
        return [file for file, lines in self.lines.items() if lines]


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    files = draw(st.lists(st.sampled_from(FILES), unique=True, min_size=1))
    return Tree({file: 0 if file == "empty.py" else draw(st.integers(1, 40)) for file in sorted(files)})


@st.composite
def places(draw: st.DrawFn, tree: Tree) -> Place:
    file = draw(st.sampled_from(tree.holding))
    line = draw(st.integers(1, tree.lines[file]))
    return Place(file=file, line=line, end_line=draw(st.integers(line, tree.lines[file])))


@st.composite
def functions(draw: st.DrawFn, tree: Tree) -> Function:
    place = draw(places(tree))
    return Function(
        name=draw(st.sampled_from(["run", "Toolbox.run", "f.<locals>.g"])),
        place=place,
        line=place.line,
        parameters=draw(st.integers(0, 30)),
        code_lines=draw(st.integers(1, 300)),
        cyclomatic=draw(st.integers(1, 90)),
        cognitive=draw(st.none() | st.integers(0, 90)),
    )


@st.composite
def definitions(draw: st.DrawFn, tree: Tree) -> Definition:
    place = draw(places(tree))
    return Definition(
        kind=draw(st.sampled_from(["module", "class", "function", "method"])),
        name=draw(st.sampled_from(["run", "Toolbox", "Toolbox.run", "_f"])),
        place=place,
        line=place.line,
        public=draw(st.booleans()),
        documented=draw(st.booleans()),
    )


@st.composite
def security(draw: st.DrawFn, tree: Tree) -> SecurityFinding:
    return SecurityFinding(
        scanner="bandit",
        rule=draw(st.sampled_from(RULES)),
        cwe=None,
        severity=draw(st.sampled_from(LEVELS)),
        confidence=draw(st.sampled_from(LEVELS)),
        place=draw(places(tree)),
        message="Look here.",
        suppressed=draw(st.booleans()),
    )


@st.composite
def cycles(draw: st.DrawFn, tree: Tree) -> Cycle:
    imports = draw(st.lists(places(tree), min_size=2, max_size=6))
    files = tuple(sorted({place.file for place in imports}))
    return Cycle(files=files, imports=tuple(imports), lazy=draw(st.booleans()))


@st.composite
def duplicates(draw: st.DrawFn, tree: Tree) -> Duplicate:
    found = draw(st.lists(places(tree), min_size=2, max_size=4))
    order = sorted(found, key=lambda place: (place.file, place.line, place.end_line))
    return Duplicate(lines=draw(st.integers(1, 90)), tokens=draw(st.integers(100, 900)), places=tuple(order))


@st.composite
def module_metrics(draw: st.DrawFn, file: str, lines: int, found: list[Function]) -> ModuleMetrics:
    own = [function for function in found if function.place.file == file]
    return ModuleMetrics(
        file=file,
        code_lines=draw(st.integers(0, lines)),
        functions=len(own),
        cyclomatic=sum(function.cyclomatic for function in own),
        most_cyclomatic=max((function.cyclomatic for function in own), default=0),
        cognitive=draw(st.none() | st.integers(0, 300)),
        duplicated_lines=draw(st.integers(0, lines)),
    )


@st.composite
def audits(draw: st.DrawFn) -> Audit:
    """A report without hotspots, risk and recommendations, which are what is to be tested."""
    tree = draw(trees())
    some = st.lists if tree.holding else (lambda _, **__: st.just([]))
    found = draw(some(functions(tree), max_size=6))
    sums = [draw(module_metrics(file, lines, found)) for file, lines in tree.lines.items()]
    counts = {file: (draw(st.integers(0, 9)), draw(st.integers(0, 9))) for file in tree.lines}
    changed = draw(st.lists(st.sampled_from(sorted(tree.lines)), unique=True))
    return Audit(
        scan=Scan(
            modules=tuple(
                Module(
                    file=one.file,
                    language="python",
                    encoding="utf-8",
                    lines=tree.lines[one.file],
                    code_lines=one.code_lines,
                    comment_lines=0,
                    blank_lines=tree.lines[one.file] - one.code_lines,
                )
                for one in sums
            ),
            functions=tuple(found),
        ),
        metrics=Metrics(
            modules=tuple(sums),
            coupling=tuple(
                Coupling(file=file, afferent=into, efferent=out, instability=None)
                for file, (into, out) in counts.items()
            ),
            cycles=tuple(draw(some(cycles(tree), max_size=2))),
            duplicates=tuple(draw(some(duplicates(tree), max_size=2))),
        ),
        history=History(
            available=bool(changed),
            files=tuple(
                Changes(file=file, commits=draw(st.integers(1, 60)), added=1, deleted=1, authors=1)
                for file in sorted(changed)
            ),
        ),
        security=tuple(draw(some(security(tree), max_size=8))),
        documentation=Documentation(definitions=tuple(draw(some(definitions(tree), max_size=8)))),
        skipped=tuple(
            Skipped(
                file=draw(st.sampled_from(sorted(tree.lines))),
                kernel=kernel,
                reason=reason,
                what="Not understood.",
                line=draw(st.none() | st.integers(1, 90)),
            )
            for kernel, reason in draw(
                st.lists(
                    st.sampled_from([("ast_scan", "syntax"), ("security", "syntax"), ("ast_scan", "link")]),
                    max_size=3,
                )
            )
        ),
    )
