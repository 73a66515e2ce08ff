"""Topics about files and classes: sizes, sums over functions, coupling, changes, risk."""

from __future__ import annotations

from collections.abc import Iterable

from configs.audit import AuditSettings
from nodes.specialists.claims import Claim, Coverage, Row, Weight, code, counted, figure, weight_of
from nodes.specialists.function_topics import called
from nodes.specialists.topics import Topic, coverage, of
from tools.audit.kernels import Kernel
from tools.audit.report import Audit

NOUN = ("file", "files")
CLASS = ("class", "classes")
EACH = r"files?|modules?|scripts?"


def _ends(audit: Audit) -> dict[str, int]:
    """The last line of every module."""
    return {one.file: max(1, one.lines) for one in audit.scan.modules}


def _rows(
    audit: Audit,
    kernel: Kernel,
    rule: str,
    told: Iterable[tuple[str, float, str]],
    limit: float | None = None,
) -> list[Row]:
    """Rows of files: path, figure, and what is said of it."""
    ends = _ends(audit)
    languages = {one.file: one.language for one in audit.scan.modules}
    return [
        Row(
            Claim(
                claim=f"{says}{_over(measured, limit)}.",
                kernel=kernel,
                file=file,
                line=1,
                end_line=ends.get(file, 1),
                severity=weight_of(measured, limit),
                measured=measured,
                rule=rule,
                name=file,
            ),
            measured,
            (file,),
            tags=frozenset({f"language:{languages.get(file, '')}"}),
        )
        for file, measured, says in told
    ]


def _over(measured: float, limit: float | None) -> str:
    return f", over the limit of {figure(limit)}" if limit is not None and measured > limit else ""


def _files(audit: Audit, _settings: AuditSettings) -> list[Row]:
    told = ((one.file, one.lines, f"The file is written in {one.language}") for one in audit.scan.modules)
    return _rows(audit, "ast_scan", "module", told)


def _lines(audit: Audit, settings: AuditSettings) -> list[Row]:
    told = (
        (
            one.file,
            one.lines,
            f"The file has {counted(one.lines, 'line', 'lines')}, {one.code_lines} of them code",
        )
        for one in audit.scan.modules
    )
    return _rows(audit, "ast_scan", "module_lines", told, settings.most_module_lines)


def _code_lines(audit: Audit, _settings: AuditSettings) -> list[Row]:
    told = (
        (one.file, one.code_lines, f"The file has {counted(one.code_lines, 'line', 'lines')} of code")
        for one in audit.scan.modules
    )
    return _rows(audit, "ast_scan", "module_code_lines", told)


def _function_counts(audit: Audit, _settings: AuditSettings) -> list[Row]:
    told = (
        (one.file, one.functions, f"The file defines {counted(one.functions, 'function', 'functions')}")
        for one in audit.metrics.modules
    )
    return _rows(audit, "metrics", "module_functions", told)


def _cyclomatic(audit: Audit, _settings: AuditSettings) -> list[Row]:
    told = (
        (
            one.file,
            one.cyclomatic,
            f"The functions of the file have a cyclomatic complexity of {one.cyclomatic} together, "
            f"{one.most_cyclomatic} at most",
        )
        for one in audit.metrics.modules
    )
    return _rows(audit, "metrics", "module_cyclomatic", told)


def _duplicated(audit: Audit, _settings: AuditSettings) -> list[Row]:
    told = (
        (
            one.file,
            one.duplicated_lines,
            f"{counted(one.duplicated_lines, 'line', 'lines')} of the file "
            f"{'stands' if one.duplicated_lines == 1 else 'stand'} elsewhere, too",
        )
        for one in audit.metrics.modules
    )
    return _rows(audit, "metrics", "module_duplicated_lines", told)


def _afferent(audit: Audit, _settings: AuditSettings) -> list[Row]:
    told = (
        (one.file, one.afferent, f"{counted(one.afferent, 'module imports', 'modules import')} the file")
        for one in audit.metrics.coupling
    )
    return _rows(audit, "metrics", "afferent_coupling", told)


def _efferent(audit: Audit, _settings: AuditSettings) -> list[Row]:
    told = (
        (
            one.file,
            one.efferent,
            f"The file imports {counted(one.efferent, 'module', 'modules')} of this tree",
        )
        for one in audit.metrics.coupling
    )
    return _rows(audit, "metrics", "efferent_coupling", told)


def _instability(audit: Audit, _settings: AuditSettings) -> list[Row]:
    told = (
        (
            one.file,
            round(one.instability, 4),
            f"The file has an instability of {figure(one.instability)} "
            f"(it imports {one.efferent}, and {one.afferent} import it)",
        )
        for one in audit.metrics.coupling
        if one.instability is not None
    )
    return _rows(audit, "metrics", "instability", told)


def _commits(audit: Audit, _settings: AuditSettings) -> list[Row]:
    told = (
        (
            one.file,
            one.commits,
            f"{counted(one.commits, 'commit', 'commits')} of {counted(one.authors, 'author', 'authors')} "
            f"changed the file ({one.added} lines added, {one.deleted} deleted)",
        )
        for one in audit.history.files
    )
    return _rows(audit, "history", "commits", told)


def _authors(audit: Audit, _settings: AuditSettings) -> list[Row]:
    told = (
        (one.file, one.authors, f"{counted(one.authors, 'author', 'authors')} changed the file")
        for one in audit.history.files
    )
    return _rows(audit, "history", "authors", told)


def _risks(audit: Audit, _settings: AuditSettings) -> list[Row]:
    ends = _ends(audit)
    found = []
    for one in audit.risk.files:
        terms = ", ".join(f"{term.name} {figure(round(term.points, 2))}" for term in one.terms if term.points)
        weight: Weight = "high" if one.score >= 66 else "medium" if one.score >= 33 else "info"
        claim = Claim(
            claim=f"The file has a risk score of {figure(round(one.score, 2))} of 100{f' ({terms})' if terms else ''}.",
            kernel="risk",
            file=one.place.file,
            line=one.place.line,
            end_line=min(one.place.end_line, ends.get(one.place.file, one.place.end_line)),
            severity=weight,
            measured=one.score,
            rule="risk",
            name=one.place.file,
        )
        found.append(Row(claim, one.score, (one.place.file,)))
    return found


def _classes(audit: Audit, _settings: AuditSettings) -> list[Row]:
    return [
        Row(
            Claim(
                claim=f"The class {code(one.name)} has {counted(one.methods, 'method', 'methods')}.",
                kernel="ast_scan",
                file=one.place.file,
                line=one.place.line,
                end_line=one.place.end_line,
                measured=one.methods,
                rule="class_methods",
                name=one.name,
            ),
            one.methods,
            (one.place.file,),
            called(one.name),
        )
        for one in audit.scan.classes
    ]


def _with_history(audit: Audit) -> Coverage:
    looked = coverage(audit, ("history",))
    known = {one.file for one in audit.history.files}
    absent = (
        "" if audit.history.available else f"There is no history: {audit.history.note or 'no git repository'}"
    )
    return Coverage(tuple(one for one in looked.files if one in known), skipped=looked.skipped, absent=absent)


def _imports_known(audit: Audit) -> Coverage:
    return coverage(audit, ("ast_scan", "metrics"), "python")


def _all(audit: Audit) -> Coverage:
    return coverage(audit, ("ast_scan",))


FILES = Topic(id="files", noun=NOUN, rows=_files, covered=_all, says=rf"\b(?:{EACH})\b")
CLASSES = Topic(
    id="classes",
    noun=CLASS,
    rows=_classes,
    covered=_all,
    says=r"(?s)\A(?=.*\bclass(?:es)?\b)",
    measure="number of methods",
    counted=r"methods",
)
RISK = Topic(
    id="risk", noun=NOUN, rows=_risks, covered=_all, says=r"\brisk(?:y|iest|s|ier)?\b", measure="risk score"
)
DUPLICATED = Topic(
    id="module_duplicated",
    noun=NOUN,
    rows=_duplicated,
    covered=_all,
    says=of("module", r"most (?:duplicat\w+|copied|repeated)|duplicated lines|lines .*duplicated"),
    measure="number of duplicated lines",
    counted=r"duplicated lines|lines",
    total=True,
)
TOPICS = (
    Topic(
        id="authors",
        noun=NOUN,
        rows=_authors,
        covered=_with_history,
        says=r"\bauthors?\b|\bcontributors\b|how many (?:people|persons|developers)",
        measure="number of authors",
        counted=r"authors|people|contributors",
    ),
    Topic(
        id="commits",
        noun=NOUN,
        rows=_commits,
        covered=_with_history,
        says=r"\bcommits?\b|\bchurn\b|\bhow (?:often|many times)\b.*\b(?:chang|modif|edit|touch)\w+|\bchang(?:es|ed) (?:\w+ )?(?:often|frequently|most)\b|\b(?:most|often|frequently)"
        r" (?:\w+ )?(?:changed|modified|edited|touched)\b|\bmodified most\b",
        measure="number of commits",
        counted=r"commits|changes|times",
    ),
    Topic(
        id="instability",
        noun=NOUN,
        rows=_instability,
        covered=_imports_known,
        says=r"\binstability\b|\b(?:un)?stable\b",
        measure="instability",
    ),
    Topic(
        id="afferent",
        noun=NOUN,
        rows=_afferent,
        covered=_imports_known,
        says=r"most (?:often )?imported|afferent|fan-?in|most (?:used|depended)|(?:most|other|many) (?:\w+ )?modules "
        r"(?:depend on|import|use)\b|imported (?:by|the most|most)|tight(?:ly|est)|coupl(?:ed|ing)|how many "
        r"(?:modules|files) import",
        measure="number of modules that import it",
        counted=r"(?:modules|files)(?: that)? import",
    ),
    Topic(
        id="efferent",
        noun=NOUN,
        rows=_efferent,
        covered=_imports_known,
        says=r"imports? (?:the )?most|most imports|efferent|fan-?out|depends on (?:the )?most|most dependencies"
        r"|how many (?:modules|files) does",
        measure="number of modules it imports",
        counted=r"modules|files|imports",
    ),
    Topic(
        id="module_functions",
        noun=NOUN,
        rows=_function_counts,
        covered=_all,
        says=rf"\b(?:most|fewest) functions\b(?! with)|\bfunctions per\b|\b(?:{EACH}) (?:with|that have|have|define|defining)"
        r" .{0,20}\d+ functions|\bhow many functions (?:per|each)\b",
        measure="number of functions",
        counted=r"functions",
        total=True,
    ),
    Topic(
        id="module_cyclomatic",
        noun=NOUN,
        rows=_cyclomatic,
        covered=_all,
        says=of("module", r"complex(?:ity)?|complicated|cyclomatic"),
        measure="sum of cyclomatic complexity",
        total=True,
    ),
    Topic(
        id="module_code_lines",
        noun=NOUN,
        rows=_code_lines,
        covered=_all,
        says=r"(?s)\A(?!.*\b(?:functions?|methods?|class(?:es)?)\b).*\b(?:lines of code|code lines|sloc|loc)\b",
        measure="number of lines of code",
        counted=r"lines of code|code lines|loc|sloc|lines",
        total=True,
    ),
    Topic(
        id="module_lines",
        noun=NOUN,
        rows=_lines,
        covered=_all,
        says=r"(?s)\A(?!.*\b(?:functions?|methods?|class(?:es)?)\b).*\b(?:lines|long(?:er|est)?|short(?:er|est)?|length"
        r"|size|big(?:ger|gest)?|large[rs]?t?|small(?:er|est)?)\b",
        measure="number of lines",
        counted=r"lines",
        limit=lambda settings: settings.most_module_lines,
        total=True,
    ),
)
