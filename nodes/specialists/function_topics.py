"""Topics about functions: complexity, length, nesting, parameters; and which functions there are."""

from __future__ import annotations

from collections.abc import Callable

from configs.audit import AuditSettings
from nodes.specialists.claims import Claim, Coverage, Row, code, counted, figure, weight_of
from nodes.specialists.topics import Topic, about
from tools.audit.report import Audit, Function

NOUN = ("function", "functions")
Limit = Callable[[AuditSettings], float]
DEEPEST_NESTING = 4
"""Blocks in blocks from which on nesting is said to be deep (SonarSource's rule S134 allows 3 to 4)."""


def _row(function: Function, measured: float, says: str, rule: str, limit: float | None) -> Row:
    over = f", over the limit of {figure(limit)}" if limit is not None and measured > limit else ""
    claim = Claim(
        claim=f"{code(function.name)} {says}{over}.",
        kernel="ast_scan",
        file=function.place.file,
        line=function.line,
        end_line=max(function.line, function.place.end_line),
        severity=weight_of(measured, limit),
        measured=measured,
        rule=rule,
        name=function.name,
    )
    return Row(claim, measured, (function.place.file,), called(function.name), kinds(function))


def called(name: str) -> tuple[str, ...]:
    """What a definition can be called by: its whole name and each end of it."""
    parts = name.replace(".<locals>", "").split(".")
    return tuple(dict.fromkeys([name, *(".".join(parts[at:]) for at in range(len(parts)))]))


def kinds(function: Function) -> frozenset[str]:
    """Tags of a function."""
    inside = function.name.replace(".<locals>", "").rpartition(".")[0]
    own = function.name.rpartition(".")[2]
    method = bool(inside) and not function.name.rpartition(".")[0].endswith("<locals>")
    return frozenset({"method" if method else "plain", "private" if own.startswith("_") else "public"})


def _measured(
    rule: str, figure_of: Callable[[Function], float | None], says: str, limit: Limit | None
) -> Callable[[Audit, AuditSettings], list[Row]]:
    """Rows of all functions of which a figure is known."""

    def rows(audit: Audit, settings: AuditSettings) -> list[Row]:
        at = limit(settings) if limit is not None else None
        known = [(one, figure_of(one)) for one in audit.scan.functions]
        return [
            _row(one, measured, says.format(figure(measured)), rule, at)
            for one, measured in known
            if measured is not None
        ]

    return rows


def _looked_at(known: Callable[[Function], bool]) -> Callable[[Audit], Coverage]:
    """Modules whose functions are known; those of languages a figure is not measured for are others."""

    def covered(audit: Audit) -> Coverage:
        languages = {one.file: one.language for one in audit.scan.modules}
        measured = {languages.get(one.place.file, "") for one in audit.scan.functions if known(one)}
        unmeasured = {languages.get(one.place.file, "") for one in audit.scan.functions} - measured
        parsed = [one for one in audit.scan.modules if one.parsed]
        return Coverage(
            files=tuple(one.file for one in parsed if one.language not in unmeasured),
            others=tuple(one.file for one in parsed if one.language in unmeasured),
            skipped=tuple(one for one in audit.skipped if one.kernel == "ast_scan"),
            reads=", ".join(sorted(one.capitalize() for one in measured if one)),
        )

    return covered


def _spanned(one: Function) -> float:
    return max(1, one.place.end_line - one.line + 1)


def _lengths(audit: Audit, settings: AuditSettings) -> list[Row]:
    limit = settings.most_function_lines
    return [
        _row(
            one,
            _spanned(one),
            f"spans {counted(_spanned(one), 'line', 'lines')}, {one.code_lines} of them code",
            "function_lines",
            limit,
        )
        for one in audit.scan.functions
    ]


def _all(audit: Audit, _settings: AuditSettings) -> list[Row]:
    return [_row(one, one.cyclomatic, "is defined here", "function", None) for one in audit.scan.functions]


EVERY = _looked_at(lambda one: True)
COGNITIVE = Topic(
    id="cognitive",
    noun=NOUN,
    rows=_measured(
        "cognitive", lambda one: one.cognitive, "has a cognitive complexity of {}", lambda s: s.most_cognitive
    ),
    covered=_looked_at(lambda one: one.cognitive is not None),
    says=about("function", r"cognitive|hard(?:est)? to (?:understand|read|follow)|least readable|unreadable"),
    measure="cognitive complexity",
    limit=lambda settings: settings.most_cognitive,
)
CYCLOMATIC = Topic(
    id="cyclomatic",
    noun=NOUN,
    rows=_measured(
        "cyclomatic",
        lambda one: one.cyclomatic,
        "has a cyclomatic complexity of {}",
        lambda s: s.most_cyclomatic,
    ),
    covered=EVERY,
    says=about(
        "function",
        r"cyclomatic|mccabe|complex(?:ity|ities|er)?|complicated|convoluted|branch(?:es|y)|simplest"
        r"|hard(?:est)? to test",
    ),
    measure="cyclomatic complexity",
    limit=lambda settings: settings.most_cyclomatic,
)
CODE_LINES = Topic(
    id="function_code_lines",
    noun=NOUN,
    rows=_measured("function_code_lines", lambda one: one.code_lines, "has {} lines of code", None),
    covered=EVERY,
    says=r"(?s)\A(?=.*\b(?:functions?|methods?)\b).*\b(?:lines of code|code lines|loc|sloc)\b",
    measure="number of lines of code",
    counted=r"lines of code|code lines|loc",
)
LINES = Topic(
    id="function_lines",
    noun=NOUN,
    rows=_lengths,
    covered=EVERY,
    says=r"(?s)\A(?=.*\b(?:functions?|methods?|routines?)\b).*\b(?:lines?|long(?:er|est)?|short(?:er|est)?"
    r"|length|size|big(?:ger|gest)?|large[rs]?t?|small(?:er|est)?)\b",
    measure="number of lines",
    counted=r"lines",
    limit=lambda settings: settings.most_function_lines,
)
NESTING = Topic(
    id="nesting",
    noun=NOUN,
    rows=_measured(
        "nesting", lambda one: one.nesting, "nests blocks {} deep", lambda settings: DEEPEST_NESTING
    ),
    covered=_looked_at(lambda one: one.nesting is not None),
    says=about("function", r"nest(?:ed|ing|s)?|deep(?:est|er|ly)?|indent(?:ed|ation)"),
    measure="nesting depth",
    counted=r"levels|blocks",
    limit=lambda settings: DEEPEST_NESTING,
)
PARAMETERS = Topic(
    id="parameters",
    noun=NOUN,
    rows=_measured(
        "parameters", lambda one: one.parameters, "takes {} parameters", lambda s: s.most_parameters
    ),
    covered=EVERY,
    says=r"\b(?:parameters?|arguments?|args|signatures?)\b",
    measure="number of parameters",
    counted=r"parameters|arguments|args",
    limit=lambda settings: settings.most_parameters,
)
FUNCTIONS = Topic(
    id="functions", noun=NOUN, rows=_all, covered=EVERY, says=r"\b(?:functions?|methods?|defs?)\b"
)
TOPICS = (PARAMETERS, COGNITIVE, NESTING, CYCLOMATIC, CODE_LINES, LINES)
