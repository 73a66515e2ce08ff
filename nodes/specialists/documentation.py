"""The specialist for documentation: docstrings, comments, and the texts at the top of the tree."""

from __future__ import annotations

import re
from collections.abc import Callable

from configs.audit import AuditSettings
from nodes.specialists.claims import Claim, Coverage, Row, code, counted, figure
from nodes.specialists.function_topics import called
from nodes.specialists.topics import Narrowing, Specialist, Topic, coverage
from tools.audit.report import Audit, Definition

KIND_SAYS = (
    (r"\bfunctions?\b", ("function", "method")),
    (r"\bmethods?\b", ("method",)),
    (r"\bclass(?:es)?\b", ("class",)),
    (r"\b(?:modules?|files?|packages?|scripts?)\b", ("module",)),
)
KIND_NOUNS = {
    frozenset({"function", "method"}): ("function", "functions"),
    frozenset({"method"}): ("method", "methods"),
    frozenset({"class"}): ("class", "classes"),
    frozenset({"module"}): ("module", "modules"),
}
LACKING = re.compile(
    r"\b(?:no|without|lack\w*|miss\w*|undocumented|not|n't|absent|need\w*|omit\w*|poor\w*|neither|never|unexplained)\b"
    r"|n't\b|\bincomplete\b"
)
HAVING = re.compile(r"\b(?:with|has|have|documented|having|carry|carries|explained)\b")
TEXT_SAYS = {
    "readme": r"\bread ?me\b",
    "licence": r"\blicen[cs]e\b",
    "changelog": r"\bchange ?log\b",
    "contributing": r"\bcontribut\w+",
}
TEXT_WORDS = {
    "readme": "README",
    "licence": "licence",
    "changelog": "changelog",
    "contributing": "contribution guide",
}


def _definition(one: Definition) -> Row:
    has = "has a docstring" if one.documented else "has no docstring"
    claim = Claim(
        claim=f"The {'public ' if one.public else ''}{one.kind} {code(one.name)} {has}.",
        kernel="documentation",
        file=one.place.file,
        line=one.line,
        end_line=max(one.line, one.place.end_line),
        severity="low" if one.public and not one.documented else "info",
        rule="docstring" if one.documented else "no_docstring",
        name=one.name,
    )
    tags = {
        f"kind:{one.kind}",
        "public" if one.public else "private",
        "documented" if one.documented else "undocumented",
    }
    names = called(one.name) if one.kind != "module" else (one.name, one.name.rpartition(".")[2])
    return Row(claim, 1.0, (one.place.file,), names, frozenset(tags))


def _definitions(audit: Audit, _settings: AuditSettings) -> list[Row]:
    return [_definition(one) for one in audit.documentation.definitions]


def _coverage_rows(audit: Audit, _settings: AuditSettings) -> list[Row]:
    ends = {one.file: max(1, one.lines) for one in audit.scan.modules}
    by_file: dict[str, list[Definition]] = {}
    for one in audit.documentation.definitions:
        if one.public:
            by_file.setdefault(one.place.file, []).append(one)
    found = []
    for file, public in by_file.items():
        documented = sum(one.documented for one in public)
        share = round(100 * documented / len(public), 2)
        claim = Claim(
            claim=f"{documented} of {counted(len(public), 'public definition', 'public definitions')} of the file "
            f"have a docstring ({figure(share)}%).",
            kernel="documentation",
            file=file,
            line=1,
            end_line=ends.get(file, 1),
            severity="low" if documented < len(public) else "info",
            measured=share,
            rule="docstring_coverage",
            name=file,
        )
        found.append(Row(claim, share, (file,)))
    return found


def _comments(audit: Audit, _settings: AuditSettings) -> list[Row]:
    found = []
    for one in audit.scan.modules:
        written = one.code_lines + one.comment_lines
        if not written:
            continue
        share = round(100 * one.comment_lines / written, 2)
        claim = Claim(
            claim=f"{one.comment_lines} of {counted(written, 'line', 'lines')} that are not blank are comments or "
            f"docstrings ({figure(share)}%).",
            kernel="ast_scan",
            file=one.file,
            line=1,
            end_line=max(1, one.lines),
            measured=share,
            rule="comment_share",
            name=one.file,
        )
        found.append(Row(claim, share, (one.file,)))
    return found


def _texts(audit: Audit, _settings: AuditSettings) -> list[Row]:
    found = []
    for one in audit.documentation.texts:
        lines = one.place.end_line
        claim = Claim(
            claim=f"There is a {TEXT_WORDS[one.kind]} of {counted(lines, 'line', 'lines')}.",
            kernel="documentation",
            file=one.place.file,
            line=1,
            end_line=lines,
            measured=lines,
            rule=one.kind,
        )
        found.append(Row(claim, lines, (one.place.file,), tags=frozenset({f"text:{one.kind}"})))
    return found


def _parsed(audit: Audit) -> Coverage:
    looked = coverage(audit, ("documentation",), "python")
    known = set(audit.documentation.files)
    return Coverage(
        tuple(one for one in looked.files if one in known), looked.others, looked.skipped, looked.reads
    )


def _read(audit: Audit) -> Coverage:
    return coverage(audit, ("ast_scan",))


def _top(audit: Audit) -> Coverage:
    return Coverage(files=tuple(one.place.file for one in audit.documentation.texts))


def _documented_share(
    audit: Audit, covers: Callable[[str], bool], tags: frozenset[str]
) -> tuple[str, float] | None:
    """How many of the definitions of some kinds have a docstring; of the public ones, unless it is said."""
    kinds = {one.removeprefix("kind:") for one in tags if one.startswith("kind:")}
    wanted = [
        one
        for one in audit.documentation.definitions
        if covers(one.place.file)
        and (not kinds or one.kind in kinds)
        and (one.public or (kinds and "public" not in tags) or "private" in tags)
        and not (one.public and "private" in tags)
    ]
    if not wanted:
        return None
    documented = sum(one.documented for one in wanted)
    share = round(100 * documented / len(wanted), 2)
    which = "private " if "private" in tags else "" if kinds and "public" not in tags else "public "
    noun = KIND_NOUNS.get(frozenset(kinds), ("definition", "definitions"))
    held = "has" if documented == 1 else "have"
    return f"{documented} of {len(wanted)} {which}{noun[1]} {held} a docstring ({figure(share)}%)", share


def _comment_share(
    audit: Audit, covers: Callable[[str], bool], _tags: frozenset[str]
) -> tuple[str, float] | None:
    files = [one for one in audit.scan.modules if covers(one.file)]
    comments = sum(one.comment_lines for one in files)
    written = comments + sum(one.code_lines for one in files)
    if not written:
        return None
    share = round(100 * comments / written, 2)
    told = f"{comments} of {counted(written, 'line', 'lines')} that are not blank are comments or docstrings"
    return f"{told} ({figure(share)}%)", share


def narrowed(text: str, topic: Topic) -> list[Narrowing]:
    """Kinds of definitions, whether they are public, and whether they are documented."""
    if topic.id == "texts":
        kinds = [kind for kind, says in TEXT_SAYS.items() if re.search(says, text)]
        noun = TEXT_WORDS[kinds[0]] if len(kinds) == 1 else ""
        tags = frozenset(f"text:{kind}" for kind in kinds)
        return [Narrowing(tags, noun=(noun, f"{noun} files") if noun else None)] if kinds else []
    if topic.id == "comments":
        return []
    found = []
    kinds = sorted({kind for says, several in KIND_SAYS for kind in several if re.search(says, text)})
    if topic.id == "docstring_coverage" and re.search(r"\b(?:best|worst|most|least|poorest)\b", text):
        kinds = [one for one in kinds if one != "module"]  # these are what is ranked
    if kinds:
        named = KIND_NOUNS.get(frozenset(kinds), ("definition", "definitions"))
        found.append(Narrowing(frozenset(f"kind:{kind}" for kind in kinds), noun=named))
    if re.search(r"\bprivate\b|\binternal\b", text):
        found.append(Narrowing(frozenset({"private"}), before="private "))
    elif re.search(r"\bpublic\b", text) or not kinds:
        found.append(Narrowing(frozenset({"public"}), before="public "))
    if topic.id == "docstrings":
        lacking = LACKING.search(text) is not None or not HAVING.search(text)
        found.append(
            Narrowing(frozenset({"undocumented"}), after=" without a docstring")
            if lacking
            else Narrowing(frozenset({"documented"}), after=" with a docstring")
        )
    return found


TEXTS = Topic(
    id="texts",
    noun=("text at the top of the tree", "texts at the top of the tree"),
    rows=_texts,
    covered=_top,
    says=r"\bread ?me\b|\blicen[cs]e\b|\bchange ?log\b|\bcontributing\b|\bcontribution guide\b",
    standing=True,
)
COMMENTS = Topic(
    id="comments",
    noun=("file", "files"),
    rows=_comments,
    covered=_read,
    says=r"\bcomment(?:s|ed|ary|ing)?\b",
    measure="share of comments",
    good=True,
    unit="%",
    summary=_comment_share,
)
COVERAGE = Topic(
    id="docstring_coverage",
    noun=("file", "files"),
    rows=_coverage_rows,
    covered=_parsed,
    says=r"\bcoverage\b|\bshare\b|\bpercent\w*|\bproportion\b|\bhow (?:well|much)\b|\b(?:best|worst|most|least|poorest)"
    r"[ -](?:\w+ )?document\w*|\bexplains? itself\b",
    measure="share of public definitions with a docstring",
    good=True,
    unit="%",
    summary=_documented_share,
)
DOCSTRINGS = Topic(
    id="docstrings",
    noun=("definition", "definitions"),
    rows=_definitions,
    covered=_parsed,
    says=r"\bdoc-? ?strings?\b|\b(?:un)?document(?:ed|ation|ing)?\b|\bdocs\b|\bexplain(?:ed|s)?\b|\bdocument\b",
    standing=True,
    overview=True,
)
DOCUMENTATION = Specialist(
    name="documentation",
    field="documentation: docstrings, comments, README",
    topics=(TEXTS, COMMENTS, COVERAGE, DOCSTRINGS),
    prompt="specialist_documentation",
    narrowed=narrowed,
)
