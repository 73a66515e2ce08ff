"""A goal as questions to one specialist: parts, and for each its topic, operation, scope and properties."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.recipes.signals import fold
from nodes.specialists.reading.operation import Operation, read_operation
from nodes.specialists.reading.scope import MASK, Scope, Tree, read_scope
from nodes.specialists.topics import NOUNS, Narrowing, Specialist, Topic
from tools.audit.languages import SUFFIXES

_ASKS = (
    r"how (?:many|much|well|long|complex|deep\w*)|which|what|where|who|is there|are there|is|are|does|do|has|have|list|show"
    r"|find|count|give|tell|name|those|the ones|any"
)
PARTS = re.compile(
    rf"(?<=[?!;])\s+|(?<=[a-z0-9)`])\.\s+(?=[A-Z])|\n+|,?\s+(?:and|also|as well as|plus)\s+(?=(?:{_ASKS})\b)",
    re.I,
)
BROAD = re.compile(
    r"\baudit\b|\breview\b|\boverview\b|\bassess\w*|\binspect\b|\banaly[sz]e\b|\bcheck\b|\bscan\b|\bexamine\b|\breport\b"
    r"|\bstate of\b|\bhealth\w*|\bwrong with\b|\bquality\b|\bhow good\b|\bproblems?\b|\bissues?\b|\bimprov\w+|\beverything\b"
    r"|\blook at\b|\bsummar\w+"
)
OPENING = re.compile(r"\A\W*(?:in|within|under|for|inside|below)\b", re.I)
BETWEEN = re.compile(rf"\bbetween (?:the )?(?:\w+ )?[`\"']?{MASK}")
IMPORTERS = re.compile(
    rf"\b(?:imports?|uses?|depends? on|importing) (?:the )?(?:(?!does|do|of|in|has)\w+ )?[`\"']?{MASK}"
)
REFERS = re.compile(
    r"\b(?:it|its|they|them|their)\b|\b(?:that|this) (?:one|function|method|class|file|module)\b"
)
CONTINUES = re.compile(r"\W*(?:have|has|take|takes|are|is|lack|lacks|do not|don't|does not)\b(?! there\b)")
EVERY = re.compile(r"\b(?:all|every|each(?! other)|everything|fully|completely)\b")
REASSURES = re.compile(
    r"\b(?:secure|safe|clean|free of|harmless|trustworthy|ok|okay|fine|sound|healthy|good)\b"
)
ONE_IMPORTS_OTHER = re.compile(rf"{MASK}[`\"']? (?:\w+ )?(?:imports?|uses?|depends? on) [`\"']?{MASK}")
LANGUAGE = re.compile(
    rf"(?<!\w)({'|'.join(map(re.escape, sorted(SUFFIXES, key=len, reverse=True)))})"
    r"(?= (?:files?|functions?|methods?|code|modules?|scripts?|class(?:es)?|sources?|lines)\b)"
)
COMPARES = re.compile(r"\b(?:most|fewest|largest|biggest|smallest|than|least|average|mean|median|methods)\b")
PLAIN = ("functions", "classes", "files")
PLAIN_WORDS = frozenset(
    "a all and any are at called class classes code codebase count define defined defines defining do does each ever "
    "every exist exists except excluding file files find folder for function functions get give has have here how i in "
    "inside is it list many me method methods module modules most much my name named names number of or other our "
    "out outside package private project public repo repository routine routines s script scripts see show source "
    "tell than that the there these this to top total tree under us using want we what where which within you with "
    "number methods directory base".split()
)
MOST_PARTS = 6


@dataclass(frozen=True)
class Question:
    """One part of a goal, as one specialist reads it.

    Attributes:
        text: as it was asked.
        folded: without paths and names, lower case.
        topic: what it asks about.
        operation: what is to be done.
        scope: which part of the tree, which names.
        narrowings: properties the rows must have.
        every_path: rows must lie in each of the scope's paths.
        refers: the part before, if this one is about what that came to ("and which of them"); else empty.
        all: True if it asks whether all are so.
        language: that files must be written in; empty for any.
        verdict: False if yes or no would say more than the facts do ("is it safe?").
        read_by: what found the topic: words, exemplars, a model, or overview for a broad question.
    """

    text: str
    folded: str
    topic: Topic
    operation: Operation
    scope: Scope
    narrowings: tuple[Narrowing, ...] = ()
    every_path: bool = False
    read_by: str = "words"
    refers: str = ""
    all: bool = False
    language: str = ""
    verdict: bool = True


def read_questions(goal: str, specialist: Specialist, tree: Tree) -> list[Question]:
    """The parts of a goal that ask what this specialist knows, by their words.

    Args:
        goal: as written.
        specialist: who is asked.
        tree: paths and names of the audit.

    Returns:
        Questions; none if no words of the goal name a topic of this specialist.
    """
    whole = read_scope(goal, tree)
    found: list[Question] = []
    parts = _parts(goal)
    for at, part in enumerate(parts):
        own = read_scope(part, tree)
        scope = _inherited(own, whole, parts[0])
        folded = _with_noun(fold(scope.text), parts[at - 1] if at else "")
        goes_on = at and not own.narrow and (REFERS.search(folded) or CONTINUES.match(folded))
        refers = parts[at - 1] if goes_on else ""
        for topic in _topics(folded, specialist):
            found.append(replace(question(part, folded, scope, topic, specialist), refers=refers))
    return found[:MOST_PARTS]


def overview(goal: str, specialist: Specialist, tree: Tree) -> list[Question]:
    """What a broad goal ("audit this project") asks of a specialist: the state of everything.

    Returns:
        Questions; none if the goal is not broad.
    """
    scope = read_scope(goal, tree)
    folded = fold(scope.text)
    if BROAD.search(folded) is None:
        return []
    return state_of_everything(goal, specialist, scope)


def state_of_everything(goal: str, specialist: Specialist, scope: Scope) -> list[Question]:
    """A question for each topic that tells how things stand."""
    listing = Operation("list")
    return [
        replace(question(goal, "", scope, topic, specialist), operation=listing, read_by="overview")
        for topic in specialist.topics
        if topic.overview
    ]


def question(part: str, folded: str, scope: Scope, topic: Topic, specialist: Specialist) -> Question:
    """One part, asked about one topic."""
    narrowings = specialist.narrowed(folded, topic)
    operation = read_operation(folded)
    if topic.id == "imports" and scope.groups and IMPORTERS.search(folded):
        first, last = scope.groups[0], scope.groups[-1]
        both = len(scope.groups) > 1 and ONE_IMPORTS_OTHER.search(folded) is not None
        imported = last if both else scope.paths
        targets = frozenset(f"target:{path}" for path in imported)
        narrowings = [Narrowing(targets, after=f" of {' or '.join(imported)}")]
        scope = replace(scope, groups=(first,) if both else ())
    asks_all = operation.kind == "exists" and not scope.names and _all_are_meant(folded, topic)
    if asks_all and topic.id == "docstrings":
        lacking = Narrowing(frozenset({"undocumented"}), after=" without a docstring")
        narrowings = [lacking if one.tags == {"documented"} else one for one in narrowings]
    return Question(
        text=part.strip(),
        folded=folded,
        topic=topic,
        operation=operation,
        all=asks_all,
        language=_language(folded),
        verdict=REASSURES.search(folded) is None,
        scope=scope,
        narrowings=tuple(narrowings),
        every_path=len(scope.groups) > 1
        and (topic.id in ("duplicates", "cycles"))
        and bool(BETWEEN.search(folded)),
    )


def _unexplained(folded: str, topic: Topic) -> bool:
    """True if a question after functions, classes or files as such says something more of them."""
    if topic.measure and COMPARES.search(folded):
        return False
    said = LANGUAGE.sub(" ", folded).replace(MASK, " ")
    return any(word not in PLAIN_WORDS for word in re.findall(r"[^\W\d_]+", said))


def _all_are_meant(folded: str, topic: Topic) -> bool:
    """True for "are all of them so?"; whether something is documented is asked of all of it."""
    if topic.id == "docstrings":
        asks_for_lack = re.search(r"\b(?:no|without|lack\w*|miss\w*|undocumented|not)\b|n't\b", folded)
        asks_for_lack = asks_for_lack or REFERS.search(folded)
        return not asks_for_lack and re.search(r"\b(?:any|some|there)\b", folded) is None
    return not topic.standing and EVERY.search(folded) is not None


def _language(folded: str) -> str:
    """The language a question names before a noun ("python files"); empty for none."""
    found = LANGUAGE.search(folded)
    return found[1] if found else ""


def _with_noun(folded: str, before: str) -> str:
    """A part that names no kind of thing ("and which is the longest?") with that of the part before."""
    nouns = re.compile("|".join(rf"\b(?:{one})\b" for one in NOUNS.values()))
    if not before or nouns.search(folded):
        return folded
    found = nouns.search(fold(before))
    return f"{folded} {found[0].removesuffix('s')}" if found and not REFERS.search(folded) else folded


def _parts(goal: str) -> list[str]:
    parts = [one for one in PARTS.split(goal) if one and re.search(r"\w", one)]
    return parts or [goal]


def _inherited(scope: Scope, whole: Scope, first: str) -> Scope:
    """A part without a place of its own is about the place the goal begins with."""
    if scope.paths or not whole.paths or not OPENING.match(first):
        return scope
    return replace(scope, groups=whole.groups)


def _topics(folded: str, specialist: Specialist) -> Sequence[Topic]:
    """The topic a part means; several if it names several things that are so or not."""
    found = [topic for topic in specialist.topics if topic.meant_by(folded)]
    found = [one for one in found if one.id not in PLAIN or not _unexplained(folded, one)]
    if not found:
        return ()
    first, rest = found[0], found[1:]
    if len(re.findall(r"\btoo\b", folded)) > 1:
        return [one for one in found if one.limit is not None and one.noun == first.noun]
    joined = re.search(r"\b(?:and|or)\b|,", folded) is not None
    more = [
        one for one in rest if one.standing and one.id not in ("recommendations", "imports", "docstrings")
    ]
    return (first, *more) if first.standing and joined else (first,)
