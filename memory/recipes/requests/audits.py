"""Questions about source code that measuring answers: complexity, findings, hotspots, cycles, what is documented.

A question is read whole: where it asks about is taken out of it, and what is left must be one of the shapes.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from memory.recipes.recipe import AnswerTemplate
from memory.recipes.requests.audit_places import Asked, asked_where, asked_within
from memory.recipes.requests.draft import Draft, Facts, Parsed
from memory.recipes.requests.marked import NUMBER, PATH, Marked, number
from memory.recipes.requests.wording import FIND, SHOW

Shape = Literal[
    "most", "over", "named", "average", "count",
    "findings", "hotspots", "cycles", "duplicates", "undocumented", "risks", "advice",
]  # fmt: skip
Measure = Literal["cyclomatic", "cognitive", "nesting", "parameters", "lines"]


class AuditQuestion(BaseModel):
    """What is asked of a measurement.

    Attributes:
        shape: which kind of question it is.
        place: what is measured, as it is told.
        measure: of a function; of a module, its sum.
        unit: what is ranked.
        n: how many are asked for; None if that is not said.
        least: the smallest value that is asked for.
        name: of the function asked about.
        severity: of the findings asked for.
        kind: what is counted, or what lacks a docstring: function, class, method, module, or empty for all.
        public: True if only what is for others to use is asked about.
        counts: True if only their number is asked.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    shape: Shape
    place: str = "."
    measure: Measure = "cyclomatic"
    unit: Literal["functions", "modules"] = "functions"
    n: int | None = None
    least: int | None = None
    name: str = ""
    severity: Literal["", "high", "medium", "low"] = ""
    kind: str = ""
    public: bool = False
    counts: bool = False


# Who asks for the most complex functions, and not how many, wants so many.
FEW = 10
# Rows a question needs that goes over all of them; as JSON they stay below the cap of an output.
ALL_ROWS = 4000
# What stands behind the first ones may be as weighty as they are.
MORE_ROWS = 200
KERNELS: dict[Shape, str] = {
    "most": "ast_scan", "over": "ast_scan", "named": "ast_scan", "average": "ast_scan", "count": "ast_scan",
    "findings": "security", "hotspots": "hotspots", "cycles": "metrics", "duplicates": "metrics",
    "undocumented": "documentation", "risks": "risk", "advice": "recommendations",
}  # fmt: skip

HOW_MANY = r"(?:how many|(?:count|number of|what is the number of|the number of)(?: (?:the|all))*)"
ASK = rf"(?:(?:(?:which|what|where)(?: is| are|'s)?|{SHOW}|{FIND}|name|rank|is there|are there|{HOW_MANY})(?: of)? )?"
ALL = r"(?:(?:the|all|any|an?|our|my|its|their) )*"
THERE = r"(?: (?:are|is)(?: there)?| there are| exist| (?:was|were|are|is) (?:found|there|reported)| have been found| it has)?"
FUNCTION = r"(?:functions?(?: (?:or|and) methods?)?)"
CALLABLE = r"(?:functions?|methods?)"
MODULE = r"(?:(?:source |code )?(?:files?|modules?|scripts?))"
UNIT = rf"(?:(?P<functions>{FUNCTION})|(?P<modules>{MODULE}))"
COMPLEXITY = r"(?:(?P<metric>cyclomatic|cognitive|mccabe(?:'s)?)(?: code)? )?(?:complexity|complexities)(?: (?:number|score|value))?"
HIGHEST = r"(?:highest|greatest|largest|biggest|most|maximum|max|maximal|worst|top)"
N = rf"(?P<n>{NUMBER})"
TOP = rf"(?:top )?(?:{N} )?(?:top )?"
MEASURES = (
    rf"{COMPLEXITY}|(?P<parameters>parameters?|arguments?)|(?P<nesting>(?:levels? of )?nesting(?: depth)?|nested blocks)"
    r"|(?P<lines>lines(?: of code)?)"
)
MOST = [
    # which function has the highest complexity; the 3 functions with the most parameters
    rf"{ASK}{ALL}{TOP}{UNIT}(?: names?)?(?: that| which)? (?:has|have|with|having|shows?|takes?|of) (?:the )?{HIGHEST} (?:number of )?(?:{MEASURES})",
    # the most complex function; the 5 longest functions; the deepest nested function
    rf"{ASK}{ALL}{TOP}(?:most (?:complex|complicated)|(?P<deep>(?:most )?(?:deeply|deepest)[- ]nested)|(?P<long>longest)) {UNIT}(?: by {COMPLEXITY})?",
    # which function is the most complex, is the longest
    rf"(?:which|what) {UNIT} (?:is|are) {ALL}{TOP}(?:most (?:complex|complicated)|(?P<deep>(?:most )?(?:deeply|deepest)[- ]nested)|(?P<long>longest))(?: one| ones)?(?: by {COMPLEXITY})?",
    # functions by complexity
    rf"{ASK}{ALL}{TOP}{UNIT}(?: ranked| sorted| ordered)? by {COMPLEXITY}",
    # what is the highest complexity
    rf"{ASK}{ALL}{HIGHEST} {COMPLEXITY}(?: (?:of|among)(?: an?| any| all| the)* {UNIT})?",
]
ABOVE = r"(?:above|over|greater than|higher than|larger than|more than|beyond|(?:that )?exceed(?:s|ing)?)"
LEAST = r"(?:at least|no less than|not less than|not below)"
FUNCTIONS = rf"{ASK}{ALL}{FUNCTION}(?: are there| there are| is there)?(?: that| which)?"
LIMIT = rf"(?:(?:(?P<more>{ABOVE})|(?P<least>{LEAST})) {N}|{N.replace('<n>', '<n2>')} (?P<up>or (?:more|higher|above|greater)))"
OVER = [
    # functions with a complexity of more than 10, of 10 or more; whose complexity is above 10
    rf"{FUNCTIONS} (?:(?:has|have|having|with|of)(?: an?| the)?|whose) {COMPLEXITY}(?: (?:is|of|that is|which is))* {LIMIT}",
    # functions that exceed a complexity of 10, above a complexity of 10
    rf"{FUNCTIONS} (?:(?:are|is|with|of) )?(?P<more>{ABOVE}) (?:an? |the )?{COMPLEXITY}(?: of)? {N}",
    rf"{FUNCTIONS}(?: are| is)? (?P<more>more (?:complex|complicated) than) {N}",
]
NAME = rf"(?P<name>{PATH})(?:\(\))?"
NAMED_UNIT = (
    rf"(?:(?:the )?(?:(?P<function>{CALLABLE})|{MODULE}|directory|folder|package) )?{NAME}(?: {CALLABLE})?"
)
NAMED = [
    rf"(?:(?:what is|what's|how (?:high|large|big) is|{SHOW}|{FIND}|compute|calculate|measure) )?(?:the )?{COMPLEXITY} of (?:the )?{NAMED_UNIT}",
    rf"how (?P<metric>)(?:complex|complicated) is (?:the )?{NAMED_UNIT}",
    rf"(?:what|which|how much) {COMPLEXITY} (?:does|has) (?:the )?{NAMED_UNIT}(?: have)?",
]
AVERAGE = [
    rf"{ASK}{ALL}(?:average|mean) {COMPLEXITY}(?: (?:of|per|over|across) {ALL}(?P<functions>{FUNCTION}))?",
    rf"{ASK}{ALL}{COMPLEXITY} of {ALL}(?P<functions>{FUNCTION}) on average",
]
COUNT = [
    rf"{HOW_MANY} (?:different )?(?P<functions>functions?)(?: definitions)?(?: (?:are|is|there|defined|exist|have|in all|in total|total|altogether))*",
]
LEVEL = r"(?:(?P<severity>high|medium|low)(?:[- ](?:severity|risk|level))? )?"
FINDING = (
    rf"(?:(?:{LEVEL}(?:potential |possible |known )*security {LEVEL.replace('severity>', 'severity2>')}(?:findings?|issues?|problems?|vulnerabilit(?:y|ies)|warnings?|flaws?|holes?|weakness(?:es)?|defects?|risks?))"
    rf"|(?:{LEVEL.replace('severity>', 'severity3>')}(?:potential |possible )*(?:vulnerabilit(?:y|ies)|bandit (?:findings?|issues?|warnings?))))"
    r"(?: (?:of|with)(?: a| the)? (?P<severity4>high|medium|low) severity)?"
)
FINDINGS = [rf"{ASK}{ALL}{FINDING}{THERE}"]
HOTSPOTS = [
    rf"{ASK}{ALL}{TOP}(?:(?:biggest|hottest|worst|main|top|code) )*hot[- ]?spots?(?: (?:files?|modules?))?{THERE}",
    rf"(?:which|what) {MODULE} (?:are|is) {ALL}{TOP}(?:(?:biggest|hottest|worst|main|top|code) )*hot[- ]?spots?",
    rf"{ASK}{ALL}(?:complex {MODULE} that (?:change|are changed) (?:often|frequently|most)|{MODULE} (?:that )?(?:are )?(?:both )?complex and (?:often|frequently) changed)",
]
CYCLES = [
    rf"{ASK}{ALL}(?:import cycles?|(?:circular|cyclic) (?:imports?|(?:import |module )?dependenc(?:y|ies))|cycles? (?:in|of|among|between) (?:the )?imports?|import loops?){THERE}",
    rf"(?:do|does) (?:any|some) {MODULE} import (?:each other|one another)(?: in a (?:cycle|circle))?",
]
DUPLICATES = [
    rf"{ASK}{ALL}(?:(?:the )?(?:largest|biggest) )?(?:duplicated? (?:code|code blocks|blocks of code|passages)|code (?:duplicates?|duplication|clones?)|copied code|copy-?(?:and-)?pasted code){THERE}",
]
DEFINITION = r"(?:(?P<public>public) )?(?:(?P<functions>(?:python )?functions?)|(?P<methods>methods?)|(?P<classes>class(?:es)?)|(?P<modules>(?:python )?modules?)|definitions?)"
UNDOCUMENTED = [
    rf"{ASK}{ALL}{DEFINITION}(?: that| which)? (?:do not have|don't have|have no|has no|without|lack|lacks|lacking|missing|with no|are missing|is missing|having no|miss)(?: a| any)? (?:docstrings?|documentation)",
    rf"{ASK}{ALL}undocumented {DEFINITION}{THERE}",
    rf"{ASK}{ALL}{DEFINITION} (?:that |which )?(?:are|is) (?:undocumented|not documented)",
]
RISKS = [
    rf"{ASK}{ALL}{TOP}(?:riskiest|most risky|most dangerous) (?P<modules>{MODULE})",
    rf"(?:which|what) (?P<modules>{MODULE}) (?:is|are) {ALL}{TOP}(?:riskiest|most risky)",
    rf"{ASK}{ALL}{TOP}(?P<modules>{MODULE}) (?:that |which )?(?:has|have|with|having) the highest risk(?: scores?)?",
]
ADVICE = [
    r"what should (?:be|i|we) (?:refactor(?:ed)?|fix(?:ed)?|improved?|clean(?:ed)? up) first",
    r"what (?:code )?(?:needs|deserves) (?:refactoring|work|attention)(?: the)?(?: most| first)?",
    r"audit(?: (?:the|this|my|our))*(?: (?:code(?: ?base)?|source(?: code)?|repository|repo|project))?",
]
SHAPES: tuple[tuple[Shape, list[str]], ...] = (
    ("most", MOST), ("over", OVER), ("average", AVERAGE), ("count", COUNT),
    ("findings", FINDINGS), ("hotspots", HOTSPOTS), ("cycles", CYCLES), ("duplicates", DUPLICATES),
    ("undocumented", UNDOCUMENTED), ("risks", RISKS), ("advice", ADVICE),
)  # fmt: skip
WRITTEN_IN_CODE = re.compile(r"[_./]|[a-z][A-Z]")
# Looking for one of these spares trying all patterns on every other goal.
SPEAKS = re.compile(
    r"complex|complicated|nest(?:ed|ing)|longest|parameters?|arguments?|secur|vulnerab|bandit|hot[- ]?spot|cycl|circular"
    r"|loops?|duplicat|clones?|copied|pasted|docstring|document|risk|dangerous|audit|refactor|improve|fix|attention|work"
    r"|functions?|class(?:es)?|import",
    re.IGNORECASE,
)
# "What are import cycles?" asks what the word means, "What are the import cycles?" which there are.
MEANING = re.compile(
    r"(?:what|which)(?: is| are|'s) (?!the\b|all\b|any\b|our\b|my\b|there\b|most\b)", re.IGNORECASE
)


def read_audit(text: str, marked: Marked) -> Parsed | None:
    """A question that measuring answers, or None."""
    text = text.rstrip(" ?.!")
    if not SPEAKS.search(text):
        return None
    where = asked_where(text)
    for shape, patterns in SHAPES:
        match = _matched(patterns, where.rest)
        if match is None:
            continue
        if MEANING.match(where.rest) and not where.named and shape not in ("most", "risks"):
            return None
        question = _question(shape, match)
        # Lines of files are counted by those who count lines.
        if question.unit == "modules" and question.measure not in ("cyclomatic", "cognitive"):
            return None
        return _parsed(question, where, marked)
    return _read_named(text, marked)


def _read_named(text: str, marked: Marked) -> Parsed | None:
    """A question about one function, or one file; its name stands where a place would."""
    within = asked_within(text)
    match = _matched(NAMED, within.rest)
    if match is None:
        return None
    name = marked.value(match["name"]).removesuffix("()")
    # "What is the complexity of quicksort?" is no question about a project.
    if not (within.named or match["metric"] or match["function"] or WRITTEN_IN_CODE.search(name)):
        return None
    question = AuditQuestion(shape="named", name=name, measure=_measure(match))
    path = marked.value(within.path) if within.path else ""

    def build(facts: Facts) -> Draft | None:
        if facts.kind(name) in ("file", "directory"):
            return _draft(_placed(question.model_copy(update={"name": ""}), facts, name))
        return None if path and not _is_place(facts, path) else _draft(_placed(question, facts, path))

    return Parsed("audit-named", build, tuple(filter(None, (name, path))), measures=True)


def _parsed(question: AuditQuestion, where: Asked, marked: Marked) -> Parsed:
    path = marked.value(where.path) if where.path else ""

    def build(facts: Facts) -> Draft | None:
        if path and not _is_place(facts, path):
            return None
        # In other languages the parser counts functions without a name too, which no list of functions shows.
        if question.shape == "count" and not path.endswith((".py", ".pyi")):
            return None
        return _draft(_placed(question, facts, path))

    return Parsed(f"audit-{question.shape}", build, (path,) if path else (), measures=True)


def _is_place(facts: Facts, path: str) -> bool:
    return facts.kind(path) in ("file", "directory")


def _placed(question: AuditQuestion, facts: Facts, path: str) -> AuditQuestion:
    place = facts.place(path).removeprefix("./").rstrip("/") if path else ""
    return question.model_copy(update={"place": place or "."})


def _draft(question: AuditQuestion) -> Draft:
    """One step: the audit; code writes the answer from what it finds."""
    kernel = "metrics" if question.unit == "modules" else KERNELS[question.shape]
    first = question.shape in ("most", "count") and question.measure == "cyclomatic"
    limit = (question.n or 1) + MORE_ROWS if first else ALL_ROWS
    args: dict[str, Any] = {"path": question.place, "kernel": kernel, "limit": min(limit, ALL_ROWS)}
    step = {
        "num": 1,
        "description": f"Measure the source code in {question.place} ({kernel})",
        "tool_call": {"tool": "audit", "args": args},
    }
    answer = AnswerTemplate(reader="audit", one="${text}")
    return Draft([step], answer, {"question": question.model_dump(mode="json")})


def _matched(patterns: list[str], text: str) -> re.Match[str] | None:
    found = (re.fullmatch(pattern, text, re.IGNORECASE) for pattern in patterns)
    return next((match for match in found if match is not None), None)


def _question(shape: Shape, match: re.Match[str]) -> AuditQuestion:
    said = {name: value for name, value in match.groupdict().items() if value}
    severity = next((value.lower() for name, value in said.items() if name.startswith("severity")), "")
    kinds = {"functions": "function", "methods": "method", "classes": "class", "modules": "module"}
    kind = next((kind for name, kind in kinds.items() if name in said), "")
    stated = said.get("n") or said.get("n2")
    n = number(stated) if stated else None
    several = (said.get("functions") or said.get("modules") or "").lower().endswith("s")
    if n is None and several and shape in ("most", "risks"):
        n = FEW
    return AuditQuestion.model_validate(
        {
            "shape": shape,
            "measure": _measure(match),
            "unit": "modules" if shape == "most" and "modules" in said else "functions",
            "n": n if shape != "over" else None,
            "least": _least(said, n) if shape == "over" else None,
            "severity": severity,
            "kind": kind if shape in ("count", "undocumented") else "",
            # Whoever names no kind means what anybody is expected to explain.
            "public": shape == "undocumented" and (not kind or "public" in said),
            "counts": re.match(HOW_MANY, match.string, re.IGNORECASE) is not None,
        }
    )


def _least(said: dict[str, str], n: int | None) -> int | None:
    """The smallest number that was meant: "over 10" begins at 11, "10 or more" at 10."""
    assert n is not None
    return n if "least" in said or "up" in said else n + 1


def _measure(match: re.Match[str]) -> Measure:
    said = {name: (value or "").lower() for name, value in match.groupdict().items()}
    others: dict[str, Measure] = {
        "parameters": "parameters", "nesting": "nesting", "deep": "nesting", "lines": "lines", "long": "lines",
    }  # fmt: skip
    found = next((measure for name, measure in others.items() if said.get(name)), None)
    cognitive = "cognitive" in (said.get("metric"), said.get("metric2"))
    return found or ("cognitive" if cognitive else "cyclomatic")
