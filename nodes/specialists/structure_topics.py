"""Topics about how files hang together: cycles, copies, imports; hotspots, advice, and what was left out."""

from __future__ import annotations

from configs.audit import AuditSettings
from configs.redaction import escaped
from nodes.specialists.claims import Claim, Coverage, Row, code, counted, figure
from nodes.specialists.topics import Topic, coverage
from tools.audit.report import Audit, Cycle, Duplicate, Place, Recommendation

MOST_NAMED = 6
"""Places or files one sentence names."""


def _cycle(cycle: Cycle) -> Row:
    first = cycle.imports[0] if cycle.imports else Place(file=cycle.files[0], line=1, end_line=1)
    lazy = "; a lazy import closes it, so nothing fails at import time" if cycle.lazy else ""
    named = [escaped(one) for one in cycle.files]
    claim = Claim(
        claim=f"{counted(len(named), 'module', 'modules')} import each other in a circle: {_list(named)}{lazy}.",
        kernel="metrics",
        file=first.file,
        line=first.line,
        end_line=first.end_line,
        severity="low" if cycle.lazy else "medium",
        measured=len(named),
        rule="cycle",
    )
    return Row(claim, len(named), cycle.files, tags=frozenset({"lazy" if cycle.lazy else "eager"}))


def _cycles(audit: Audit, _settings: AuditSettings) -> list[Row]:
    return [_cycle(one) for one in audit.metrics.cycles]


def _duplicate(one: Duplicate) -> Row:
    first, rest = one.places[0], one.places[1:]
    copies = _list([f"{escaped(place.file)}:{place.line}" for place in rest])
    claim = Claim(
        claim=f"A passage of {counted(one.lines, 'line', 'lines')} ({one.tokens} tokens) stands here and at {copies}.",
        kernel="metrics",
        file=first.file,
        line=first.line,
        end_line=first.end_line,
        severity="low",
        measured=one.lines,
        rule="duplicate",
    )
    return Row(claim, one.lines, tuple(dict.fromkeys(place.file for place in one.places)))


def _duplicates(audit: Audit, _settings: AuditSettings) -> list[Row]:
    return [_duplicate(one) for one in audit.metrics.duplicates]


def _hotspots(audit: Audit, _settings: AuditSettings) -> list[Row]:
    found = []
    for one in audit.hotspots:
        worst = f", most of it in {code(one.function)}" if one.function else ""
        claim = Claim(
            claim=f"The file was changed by {counted(one.commits, 'commit', 'commits')} and has a cyclomatic "
            f"complexity of {one.complexity}{worst}: hotspot score {figure(round(one.score, 4))} of 1.",
            kernel="hotspots",
            file=one.place.file,
            line=one.place.line,
            end_line=one.place.end_line,
            severity="medium" if one.score >= 0.5 else "info",
            measured=one.score,
            rule="hotspot",
            name=one.function,
        )
        found.append(Row(claim, one.score, (one.place.file,)))
    return found


def _advice(one: Recommendation) -> Row:
    claim = Claim(
        claim=escaped(" ".join(one.what.split())),
        kernel=one.kernel,
        file=one.place.file,
        line=one.place.line,
        end_line=one.place.end_line,
        severity=one.severity,
        measured=one.measured,
        rule=one.rule,
    )
    files = dict.fromkeys([one.place.file, *(place.file for place in one.also)])
    return Row(claim, {"high": 3.0, "medium": 2.0, "low": 1.0}[one.severity], tuple(files))


def _recommendations(audit: Audit, _settings: AuditSettings) -> list[Row]:
    """All that is no matter of security, which has a specialist of its own."""
    return [_advice(one) for one in audit.recommendations if one.kernel not in ("security", "documentation")]


def _left_out(audit: Audit, _settings: AuditSettings) -> list[Row]:
    found = []
    for one in audit.skipped:
        line = one.line or 1
        claim = Claim(
            claim=f"{one.kernel} had to leave the file out ({one.reason}): {escaped(one.what)}",
            kernel=one.kernel,
            file=one.file,
            line=line,
            end_line=line,
            severity="medium" if one.reason == "syntax" else "low",
            rule=one.reason,
        )
        found.append(Row(claim, line, (one.file,), tags=frozenset({f"reason:{one.reason}"})))
    return found


def _left_out_once(audit: Audit, settings: AuditSettings) -> list[Row]:
    """What was left out; a file several kernels had to do without for one reason is told of once."""
    seen: dict[tuple[str, str], Row] = {}
    for row in _left_out(audit, settings):
        seen.setdefault((row.claim.file, row.claim.rule), row)
    return list(seen.values())


def _imports(audit: Audit, _settings: AuditSettings) -> list[Row]:
    found = []
    for one in audit.scan.imports:
        lazily = " lazily" if one.lazy else ""
        of_tree = "" if one.target is None else f", which is {escaped(one.target)}"
        claim = Claim(
            claim=f"The file imports {code(one.module)}{lazily}{of_tree}.",
            kernel="ast_scan",
            file=one.file,
            line=one.line,
            end_line=one.line,
            rule="import",
            name=one.module,
        )
        tags = {f"module:{one.module.lower()}", f"module:{one.module.partition('.')[0].lower()}"}
        tags |= {f"target:{one.target}"} if one.target is not None else set()
        found.append(Row(claim, one.line, (one.file,), tags=frozenset(tags)))
    return found


def _list(named: list[str]) -> str:
    more = len(named) - MOST_NAMED
    return ", ".join([*named[:MOST_NAMED], *([f"and {more} more"] if more > 0 else [])])


def _imports_known(audit: Audit) -> Coverage:
    return coverage(audit, ("ast_scan", "metrics"), "python")


def _copies_known(audit: Audit) -> Coverage:
    return coverage(audit, ("ast_scan", "metrics"))


def _hotspots_known(audit: Audit) -> Coverage:
    looked = coverage(audit, ("history", "hotspots"))
    absent = (
        "" if audit.history.available else f"There is no history: {audit.history.note or 'no git repository'}"
    )
    return Coverage(looked.files, skipped=looked.skipped, absent=absent)


def _everything(audit: Audit) -> Coverage:
    return Coverage(files=tuple(dict.fromkeys([*(one.file for one in audit.scan.modules)])))


CYCLES = Topic(
    id="cycles",
    noun=("import cycle", "import cycles"),
    rows=_cycles,
    covered=_imports_known,
    says=r"\bcycl(?:es?|ic)\b|\bcircular|\bcircles?\b|\bimport (?:each other|one another)\b|\bmutual(?:ly)?\b"
    r"|\b(?:imports?|dependenc(?:y|ies)) (?:\w+ )?loops?\b|\bloops? of imports\b|\bin a loop\b",
    measure="number of modules",
    standing=True,
    overview=True,
)
DUPLICATES = Topic(
    id="duplicates",
    noun=("duplicated passage", "duplicated passages"),
    rows=_duplicates,
    covered=_copies_known,
    says=r"\bduplicat\w*|\bcop(?:y|ies|ied)\b|\bcopy-?(?:and-?)?past\w+|\bclon(?:es?|ed)\b|\b(?:same|repeated|identical)"
    r" (?:\w+ )?(?:code|lines|passages?|blocks?)\b|\brepeat(?:s|ed)? (?:itself|code)\b|\bredundan\w+",
    measure="number of lines",
    standing=True,
)
HOTSPOTS = Topic(
    id="hotspots",
    noun=("hotspot", "hotspots"),
    rows=_hotspots,
    covered=_hotspots_known,
    says=r"\bhot ?spots?\b|\b(?:complex|complicated) (?:files )?(?:and|but) (?:often|frequently) changed\b",
    measure="hotspot score",
)
IMPORTS = Topic(
    id="imports",
    noun=("import", "imports"),
    rows=_imports,
    covered=_imports_known,
    says=r"\bimport(?:s|ed|ing)?\b|\bdepends? on\b",
    standing=True,
)
LEFT_OUT = Topic(
    id="left_out",
    noun=("file that was left out", "files that were left out"),
    rows=_left_out_once,
    covered=_everything,
    says=r"\bsyntax errors?\b|\bpars(?:e|ed|ing)\b(?=.*(?:fail|error|cannot|could not|not))|\b(?:fail\w*|cannot|could"
    r" not|can't|not) (?:to )?(?:be )?pars\w+|\bskipped\b|\bleft out\b|\bunreadable\b",
    standing=True,
)
RECOMMENDATIONS = Topic(
    id="recommendations",
    noun=("recommendation", "recommendations"),
    rows=_recommendations,
    covered=_everything,
    says=r"\brecommend\w*|\bimprov\w+|\brefactor\w*|\bclean ?(?:ed )?up\b|\btechnical debt\b|\bmaintainab\w+|\bto fix\b"
    r"|\bcode smells?\b|\bsmells?\b|\bfix first\b|\bwhat should (?:i|we)\b|\bwork on\b|\bsplit\b",
    standing=True,
    overview=True,
)
TOPICS = (LEFT_OUT, CYCLES, DUPLICATES, HOTSPOTS)
