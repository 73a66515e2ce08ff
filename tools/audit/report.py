"""What an audit finds: the types the kernels share, and the report they make together.

Every fact carries its place. Paths are relative to the audited root, with `/`; lines count from 1. Lists are
sorted, so that the same tree gives the same bytes.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from tools.audit.kernels import Kernel

SCHEMA_VERSION = 1

Severity = Literal["low", "medium", "high"]
LeftOut = Literal[
    "syntax", "too_large", "binary", "encoding", "unreadable", "link", "crashed", "timeout", "too_many"
]


class Fact(BaseModel):
    """Base of all that is found; immutable, and nothing beside its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Place(Fact):
    """Lines of a file.

    Attributes:
        file: path relative to the root.
        line: first line, from 1.
        end_line: last line, inclusive.
    """

    file: str
    line: int = Field(ge=1)
    end_line: int = Field(ge=1)


class Skipped(Fact):
    """A file, or a kernel's look at it, that was left out.

    Attributes:
        file: path; of a tree that was cut, the directory.
        kernel: which kernel had to do without it.
        reason: machine-readable.
        what: what happened, for people.
        line: where, for a syntax error; else None.
    """

    file: str
    kernel: Kernel
    reason: LeftOut
    what: str
    line: int | None = None


class Module(Fact):
    """One source file.

    Attributes:
        file: path.
        language: lower case, e.g. "python".
        encoding: it was decoded with.
        lines: all of them.
        code_lines, comment_lines, blank_lines: of these; a docstring counts as comment.
        parsed: False if its functions and imports are not known, because of an error in it.
    """

    file: str
    language: str
    encoding: str
    lines: int
    code_lines: int
    comment_lines: int
    blank_lines: int
    parsed: bool = True


class Function(Fact):
    """A function or method.

    Attributes:
        name: qualified within its file, e.g. "Toolbox.run" or "outer.<locals>.inner".
        place: from its first decorator or `def` line to its last line.
        line: of the `def` itself.
        parameters: number, without `self` and `cls` of methods.
        code_lines: lines with code.
        cyclomatic: McCabe's number, as radon counts it for Python and lizard for other languages.
        cognitive: cognitive complexity (SonarSource, G. Ann Campbell 2018); None where it is not measured.
        nesting: depth of the deepest block; None where it is not measured.
    """

    name: str
    place: Place
    line: int
    parameters: int
    code_lines: int
    cyclomatic: int
    cognitive: int | None = None
    nesting: int | None = None


class Class(Fact):
    """A class.

    Attributes:
        name: qualified within its file.
        place: whole.
        bases: as they are written.
        methods: their number.
    """

    name: str
    place: Place
    bases: tuple[str, ...] = ()
    methods: int = 0


class Import(Fact):
    """An import.

    Attributes:
        file, line: where it stands.
        module: as it is named, made absolute if it was relative.
        target: the file of this tree it names; None for what lies outside it.
        lazy: True if it stands within a function, or only type checkers follow it.
    """

    file: str
    line: int
    module: str
    target: str | None = None
    lazy: bool = False


class Scan(Fact):
    """What `ast_scan` finds."""

    modules: tuple[Module, ...] = ()
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    imports: tuple[Import, ...] = ()


class Coupling(Fact):
    """How a module hangs together with the others of this tree.

    Attributes:
        file: path.
        afferent: modules that import it (Ca).
        efferent: modules it imports (Ce).
        instability: Ce / (Ca + Ce), 0 to 1; None without any (R. C. Martin 1994).
    """

    file: str
    afferent: int
    efferent: int
    instability: float | None


class Cycle(Fact):
    """Modules that import one another, each of which can be reached from each.

    Attributes:
        files: sorted.
        imports: one closed round of them, in order.
        lazy: True if the round is closed by a lazy import only, which is no error at import time.
    """

    files: tuple[str, ...]
    imports: tuple[Place, ...]
    lazy: bool = False


class Duplicate(Fact):
    """A passage that stands in several places.

    Attributes:
        lines: of the shortest of them.
        tokens: of the passage.
        places: two or more, sorted.
    """

    lines: int
    tokens: int
    places: tuple[Place, ...]


class ModuleMetrics(Fact):
    """Sums of one module.

    Attributes:
        file: path.
        code_lines: of code.
        functions: their number.
        cyclomatic: sum over its functions; `most_cyclomatic` of one.
        cognitive: sum; None where it is not measured.
        duplicated_lines: lines that stand in some duplicate.
    """

    file: str
    code_lines: int
    functions: int
    cyclomatic: int
    most_cyclomatic: int
    cognitive: int | None
    duplicated_lines: int


class Metrics(Fact):
    """What `metrics` finds."""

    modules: tuple[ModuleMetrics, ...] = ()
    coupling: tuple[Coupling, ...] = ()
    cycles: tuple[Cycle, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()


class Changes(Fact):
    """What the history says of one file.

    Attributes:
        file: path.
        commits: that changed it.
        added, deleted: lines, over all of these.
        authors: number of different ones.
    """

    file: str
    commits: int
    added: int
    deleted: int
    authors: int


class History(Fact):
    """What git says.

    Attributes:
        available: False without a repository, git, or any commit.
        shallow: True if its beginning was cut off, so that counts are lower bounds.
        commits: that were read.
        until: date of the newest one, ISO, UTC; empty without any. Counts rest on it, never on today's date.
        note: why there is none, or what it lacks; empty if nothing is to be said.
        files: sorted.
    """

    available: bool = False
    shallow: bool = False
    commits: int = 0
    until: str = ""
    note: str = ""
    files: tuple[Changes, ...] = ()


class Hotspot(Fact):
    """A file that is both complex and often changed.

    Attributes:
        place: its most complex function; the whole file if it has none.
        function: name of that one; empty if there is none.
        commits: that changed the file.
        complexity: the file's cyclomatic sum.
        score: 0 to 1: rank of its commits times rank of its complexity, each as share of the files below it.
    """

    place: Place
    function: str
    commits: int
    complexity: int
    score: float


class SecurityFinding(Fact):
    """What a scanner warns of.

    Attributes:
        scanner: its name.
        rule: its id, e.g. "B602".
        cwe: number of the weakness; None if the scanner names none.
        severity: of what may happen.
        confidence: that it is one.
        place: where.
        message: in the scanner's words, escaped.
        code: the first line of it, escaped and bounded.
        suppressed: True if a comment in the file says that it is none.
    """

    scanner: str
    rule: str
    cwe: int | None
    severity: Severity
    confidence: Severity
    place: Place
    message: str
    code: str = ""
    suppressed: bool = False


class RiskTerm(Fact):
    """One summand of a risk.

    Attributes:
        name: e.g. "complexity".
        measured: the figure it rests on.
        share: 0 to 1, where the figure lies among the files of the tree, or by a fixed scale.
        weight: points for a share of 1.
        points: share times weight.
    """

    name: str
    measured: float
    share: float
    weight: float
    points: float


class FileRisk(Fact):
    """How much a file deserves a look.

    Attributes:
        place: what weighs most in it.
        score: 0 to 100, the sum of its terms' points.
        terms: all of them, the heaviest first.
    """

    place: Place
    score: float
    terms: tuple[RiskTerm, ...]


class Risk(Fact):
    """What `risk` finds.

    Attributes:
        formula: by which every score is made, with its weights, as text.
        files: the highest score first.
        score: of the tree: mean of its files' scores, weighted by their lines of code.
    """

    formula: str = ""
    files: tuple[FileRisk, ...] = ()
    score: float = 0.0


class Recommendation(Fact):
    """Something to do, and where.

    Attributes:
        rule: machine-readable kind, e.g. "split_function".
        kernel: whose fact it rests on.
        severity: how pressing it is.
        place: where; always there.
        what: one sentence for people that names figure and limit.
        measured: the figure.
        limit: the limit it passes; None where there is none.
        also: further places it is about, e.g. the other copies.
    """

    rule: str
    kernel: Kernel
    severity: Severity
    place: Place
    what: str
    measured: float
    limit: float | None = None
    also: tuple[Place, ...] = ()


class Definition(Fact):
    """Something a docstring can explain: a module, class, function or method of Python.

    Attributes:
        kind: a method is a function that stands in a class.
        name: qualified within its file, as in `Function`; of a module, its dotted path.
        place: from its first decorator or keyword to its last line; of a module, all of it.
        line: of the `def` or `class` itself; 1 for a module.
        public: True if neither its name nor that of a class, module or package around it begins with an
            underscore (PEP 8), it stands in no function, and it is no setter, deleter, overload or special
            method.
        documented: True if it begins with a docstring that is not blank.
    """

    kind: Literal["module", "class", "function", "method"]
    name: str
    place: Place
    line: int = Field(ge=1)
    public: bool
    documented: bool


class ProjectText(Fact):
    """A text that stands at the top of the tree, for people.

    Attributes:
        kind: what its name says it is.
        place: all of it.
    """

    kind: Literal["readme", "licence", "changelog", "contributing"]
    place: Place


class Documentation(Fact):
    """What `documentation` finds.

    Attributes:
        files: Python files whose definitions are known.
        definitions: all of them, by place.
        texts: by name.
    """

    files: tuple[str, ...] = ()
    definitions: tuple[Definition, ...] = ()
    texts: tuple[ProjectText, ...] = ()


class Audit(Fact):
    """A report.

    Attributes:
        schema_version: of this format.
        versions: of the libraries that measured, by name: another version may count otherwise.
        scan, metrics, history, hotspots, security, risk, recommendations, documentation: what the kernels
            found.
        skipped: what was left out, and why.
        notes: what a reader should know, e.g. that the history is shallow.
    """

    schema_version: int = SCHEMA_VERSION
    versions: dict[str, str] = Field(default_factory=dict)
    scan: Scan = Scan()
    metrics: Metrics = Metrics()
    history: History = History()
    hotspots: tuple[Hotspot, ...] = ()
    security: tuple[SecurityFinding, ...] = ()
    risk: Risk = Risk()
    recommendations: tuple[Recommendation, ...] = ()
    documentation: Documentation = Documentation()
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()

    def to_json(self) -> str:
        """The report as JSON, the same bytes for the same report: fields in their order, indented by two."""
        return self.model_dump_json(indent=2) + "\n"
