"""What a goal asks, read by code: facets, names, limits, and the words nothing explains.

A reading is the measure of every plan: a recipe is taken only when it covers all of it, so
"smallest" is never answered with the plan for "largest", and "not containing" never with "containing".
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache

from memory.recipes.beside_the_plan import beside_the_plan, states_limit
from memory.recipes.ground import QUOTED, Ground, Mark, written
from memory.recipes.lexicon import Lexicon, Relation, load_lexicon
from memory.recipes.mentions import Mention, MentionReader, Role, mark_paths, read_globs, read_kinds
from memory.recipes.people import read_person
from memory.recipes.quantities import Quantities, read_number, read_quantities
from memory.recipes.recency import current_day
from memory.recipes.revisions import Revisions, read_revisions
from memory.recipes.spelling import respell

METRIC_OF_THING = {"line": "lines", "word": "words", "character": "characters", "size": "bytes"}
# Words of any script: what no English word explains is left over, not passed by.
WORD = re.compile(r"[^\W\d][\w'-]*")
# Of names in code, this says where in a file they stand, not where the file does.
LEVEL_IN_FILE = re.compile(
    r"\b(?:at|on) (?:its|their) (?:very )?top[- ]?level\b"
    r"|\btop[- ]?level (?:functions?|methods?|class(?:es)?|definitions?|imports?|constants?|variables?)\b",
    re.IGNORECASE,
)
COUNTS_FILES = re.compile(
    r"\b(?:most|fewest|least|number of|count of|many) (?:of )?(?:files|scripts|modules|documents)\b",
    re.IGNORECASE,
)
# A word that only code would write: the wordings of relations between names in code are ordinary English too.
CODE_NAME = re.compile(r"\w*_\w*|\w*[a-z]\w*[A-Z]\w*|[A-Z][A-Za-z0-9]+|[\w.]+\(\)|\w+\.\w+")
JOINED = frozenset({"and", "or", "nor", "neither", "either", "both", "and/or", "but", "&"})
JOINED_NAME = re.compile(
    r"\s*,?\s*(?:and|or|nor|but|and/or)(?: not| no)? (?P<other>[A-Za-z_][\w.]*(?:\(\))?)(?![\w/-])",
    re.IGNORECASE,
)
SPACE_IN_NAME = re.compile(
    r"(?:a |any )?(?:spaces?|blanks?|white ?spaces?) in (?:the|its|their|thier) (?:file ?)?names?"
    r"|(?<=names )(?:that )?(?:contain|have|include|with) (?:an? |any )?(?:spaces?|blanks?|white ?spaces?)\b",
    re.IGNORECASE,
)
NAMED_FILE = re.compile(r"\b(?:file|script|module|document)s? (?:is |are )?(?:named|called)\b", re.IGNORECASE)
# The last word is the name of a file, even one that means something in a question.
FILE_AT_END = re.compile(
    r"(?:(?<=file named )|(?<=file called )|(?<=script named )|(?<=script called )|(?<=module named )"
    r"|(?<=module called ))(\w+)$",
    re.IGNORECASE,
)
IDENTIFIER = re.compile(
    r"(?<![\w«])(?:[A-Za-z_]\w*_\w+|[a-z]+[A-Z]\w*|[A-Z]\w*[a-z]\w*[A-Z]\w*|\w+\(\))(?![\w»])"
)


@dataclass(frozen=True)
class Reading:
    """One goal, read.

    Attributes:
        goal: the goal as written, white space normalised.
        facets: single-valued facts: rank, recency, metric, relation, group, negated, case, conceptual.
        asks: what form of answer is wanted: count, total, average, list, exists, when, who, where.
        things: what is asked about: line, function, commit ...
        filters: empty, hidden, executable, binary.
        literal: text the relation is about, or the only quoted text.
        globs, not_globs: kinds of file wanted and ruled out.
        mentions: files and directories named, not yet looked up.
        quantities: limits and numbers.
        revisions: tagged versions.
        person: a name that qualifies commits, or None.
        mentions_files: True if the goal says "file" or a word like it.
        sought: True if it asks whether or where something is, not what that holds, does or means.
        residue: content words that nothing above explains.
        weighty: words left over that say little in a question, but narrow or add to what is ordered.
    """

    goal: str
    facets: dict[str, str] = field(default_factory=dict)
    asks: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()
    filters: frozenset[str] = frozenset()
    literal: str | None = None
    globs: tuple[str, ...] = ()
    not_globs: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    quantities: Quantities = Quantities()
    revisions: Revisions = Revisions()
    person: str | None = None
    mentions_files: bool = False
    sought: bool = False
    residue: tuple[str, ...] = ()
    weighty: tuple[str, ...] = ()

    @property
    def about_files(self) -> bool:
        """True if the goal asks for a fact that only files or history can hold."""
        if "conceptual" in self.facets:
            return False
        kinds = (self.globs or self.not_globs) and (self.mentions_files or self.asks or self.facets)
        concrete = kinds or self.filters or self.facets.get("group")
        named = any(mention.role != "guess" for mention in self.mentions)
        things = self.things - {"deep", "content", "difference", "top", "name", "type", "tree", "test"}
        asked = (
            self.facets.get("relation") or self.facets.get("rank") or self.facets.get("recency") or self.asks
        )
        return bool(concrete or named or (things and asked))


def read_goal(goal: str, known: Container[str] = (), language: str = "en") -> Reading:
    """Read one goal. Pure: touches no file but the packaged lexicon.

    A word that nothing explains is taken for a slip of the keyboard if it nearly is one that means something.

    Args:
        goal: any text, as typed.
        known: names of files and directories that exist, so that "in docs" is read as a place.
        language: which lexicon reads it.
    """
    # Every node of a run reads the same goal, and nothing changes a reading but the day it speaks of.
    if isinstance(known, tuple | frozenset):
        return _read_once(goal, known, language, current_day())
    return _read_goal(goal, known, language)


def _read_goal(goal: str, known: Container[str], language: str) -> Reading:
    lexicon = load_lexicon(language)
    reading = _read(_with_pronouns_resolved(goal), known, lexicon)
    if reading.residue:
        reading = _without_asides(reading, known, lexicon)
    slips = {word: right for word in reading.residue if (right := respell(word, lexicon.words))}
    if not slips or any(word in known for word in slips):
        return reading
    corrected = re.sub(r"[A-Za-z]+", lambda match: slips.get(match.group(0), match.group(0)), goal)
    again = _read(corrected, known, lexicon)
    return replace(again, goal=reading.goal) if len(again.residue) < len(reading.residue) else reading


@lru_cache(maxsize=256)
def _read_once(goal: str, known: Container[str], language: str, _today: date) -> Reading:
    return _read_goal(goal, known, language)


# "I'm about to change save_state. Which file calls it?": a sentence that names one thing, then a question.
NAMED = (
    r"(?:[A-Za-z_]\w*_\w+|[a-z]+[A-Z]\w*|[A-Z]\w*[a-z]\w*[A-Z]\w*|\w+\(\)|[\w./-]+\.[a-z]\w{0,5})(?!\w|\.\w)"
)
CONTEXT = re.compile(
    rf"[^.?!]*?(?<![\w.])(?P<name>{NAMED})(?:(?!{NAMED})[^?!])*?[.!:;,]\s+(?P<question>[^.!]*\b"
    r"(?P<it>it|that (?:file|function|class|method|one)|this (?:file|function|class|method|one))\b[^.!]*)",
)


def _with_pronouns_resolved(goal: str) -> str:
    """The question alone, with the name of the sentence before it in the place of its one pronoun."""
    match = CONTEXT.fullmatch(goal.strip())
    if match is None or re.search(NAMED, match["question"]) or PERSONAL.match(goal.strip()) is None:
        return goal
    start, end = (place - match.start("question") for place in match.span("it"))
    return match["question"][:start] + match["name"] + match["question"][end:]


# Where one clause of a goal may end.
CLAUSE = re.compile(r"(?<=[.!?;:,])\s+|\s+(?=\()|\s+-+\s+")
PERSONAL = re.compile(
    r"\b(?:i|i'[a-z]+|we|we'[a-z]+|my|our|me|us|you|they|someone|somebody)\b", re.IGNORECASE
)
# A clause that begins so narrows what is asked, however little of it is understood.
NARROWS = re.compile(
    r"\W*(?:only|just|the ones?|those|that|which|who|whose|where|when|if|in|on|under|with|without|except|not"
    r"|no|but|about|for|from|of|and|or|to)\b",
    re.IGNORECASE,
)


def _without_asides(reading: Reading, known: Container[str], lexicon: Lexicon) -> Reading:
    """The goal without clauses that ask for nothing: why somebody wants to know, or who asked.

    Such a clause speaks of people, or is a sentence of its own; it does not narrow the others, and all
    that is understood of it is asked by the others anyway.
    """
    kept = reading
    clauses = _clauses(reading.goal)
    for clause in clauses if len(clauses) > 1 else []:
        sentence = clause[:1].isupper() or clause.endswith((".", "!", "?"))
        if NARROWS.match(clause) or not (sentence or PERSONAL.search(clause)):
            continue
        aside = _read(clause, known, lexicon)
        rest = _read(kept.goal.replace(clause, " ", 1), known, lexicon)
        if _says_nothing_beyond(aside, rest) and len(rest.residue) < len(kept.residue):
            kept = rest
    return replace(kept, goal=reading.goal)


def _clauses(goal: str) -> list[str]:
    """A goal cut where a clause may end; what is quoted is not cut."""
    quoted = [match.span() for match in QUOTED.finditer(goal)]
    clauses, start = [], 0
    for match in CLAUSE.finditer(goal):
        if not any(begin < match.start() < end for begin, end in quoted):
            clauses.append(goal[start : match.start()])
            start = match.end()
    return [*clauses, goal[start:]]


def _says_nothing_beyond(aside: Reading, kept: Reading) -> bool:
    named = [mention for mention in aside.mentions if mention.role != "guess"]
    if aside.literal or named or aside.person or aside.quantities != Quantities():
        return False
    return (
        aside.facets.items() <= kept.facets.items()
        and aside.asks <= kept.asks
        and aside.things <= kept.things
        and aside.filters <= kept.filters
        and set(aside.globs) <= set(kept.globs)
        and not aside.not_globs
    )


def _read(goal: str, known: Container[str], lexicon: Lexicon) -> Reading:
    ground = Ground.of(goal)
    text = ground.text
    _tidy(ground, lexicon)
    ground.replace(FILE_AT_END, "path", lambda match: match.group(0))
    globs = read_globs(ground, lexicon)
    mark_paths(ground, lexicon)
    case = bool(ground.take(lexicon.case))
    revisions = read_revisions(ground)
    quantities = read_quantities(ground)
    limited = states_limit(ground.text)
    early = {thing for thing, pattern in lexicon.early.items() if pattern.search(text)}
    relation, literal, thing = _read_relation(ground, lexicon)
    _take_root_words(ground, lexicon)
    mentions = MentionReader(ground, lexicon, known).read()
    if relation == "exact" and literal is not None:
        role: Role = "file" if NAMED_FILE.search(text) else "either"
        mentions, relation, literal = (*mentions, Mention(literal, role)), None, None
    speaks_of_files = bool(lexicon.file_nouns.search(ground.text))
    if relation == "define" and literal is not None and not thing and not CODE_NAME.fullmatch(literal):
        # "Where do the logs live?" asks for a directory, if there is one of that name.
        mentions = (*mentions, Mention(literal, "either" if literal in known else "guess"))
        relation, literal = (None, None) if literal in known else (relation, literal)
    if literal is None and SPACE_IN_NAME.search(ground.text):
        ground.take(SPACE_IN_NAME)
        relation, literal = "named", " "
    kinds, not_kinds = read_kinds(ground, lexicon)
    if literal is None:
        literal = _only_quoted(ground)
        relation = relation or ("contain" if literal is not None else None)
    quantities = replace(quantities, n=read_number(ground))
    counts_files = bool(COUNTS_FILES.search(ground.text))
    facets, asks, things, filters = _read_facets(ground, lexicon, relation)
    if counts_files and "rank" in facets:
        facets["metric"] = "files"
    residue = _residue(ground, lexicon)
    weighty = tuple(word for word in WORD.findall(ground.text) if word.lower() in lexicon.weighty)
    things |= early
    things, residue = _level_in_file(text, things, residue)
    things |= beside_the_plan(text, facets, limited)
    if "row" in things:
        # "How many ships does ships.csv list": a row of a table is called by the table's name.
        stems = {_singular(mention.text.rsplit("/", 1)[-1].split(".")[0]) for mention in mentions}
        residue = tuple(word for word in residue if _singular(word) not in stems)
    person, residue = read_person(written(goal), things, residue)
    if facets.get("relation") == "contain" and "commit" in things and not speaks_of_files:
        facets["relation"] = "message"
    if case:
        facets["case"] = "ignore"
    if lexicon.conceptual.search(text) and not any(map(_is_concrete, mentions)):
        facets["conceptual"] = "yes"
        mentions = ()
    return Reading(
        goal=written(goal),
        facets=facets,
        asks=asks,
        things=things | ({thing} if thing else set()),
        filters=filters,
        literal=literal,
        globs=_narrowest(globs, kinds),
        not_globs=not_kinds,
        mentions=mentions,
        quantities=quantities,
        revisions=revisions,
        person=person,
        mentions_files=speaks_of_files,
        sought=bool(lexicon.sought.search(written(goal))),
        residue=residue,
        weighty=weighty,
    )


def _singular(word: str) -> str:
    return word.lower().removesuffix("s")


def _tidy(ground: Ground, lexicon: Lexicon) -> None:
    """Write abbreviations in full and drop the words that change nothing about what is asked."""
    ground.write(lexicon.spellings.sub(lambda match: lexicon.spelled[match.group(0).lower()], ground.text))
    for pattern, plain in lexicon.rewrites:
        ground.write(pattern.sub(plain, ground.text))
    ground.take(lexicon.fillers)


def _narrowest(globs: tuple[str, ...], kinds: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The globs of all kinds named; of "JPEG pictures (.jpg)" only those of the narrower one."""
    groups = [*([globs] if globs else []), *kinds]
    kept = [group for group in groups if not any(set(other) < set(group) for other in groups)]
    return tuple(dict.fromkeys(glob for group in kept for glob in group))


def _is_concrete(mention: Mention) -> bool:
    """A path, or a word said to be a file or directory; "in LangGraph" may name a thing of the world."""
    written_out = "." in mention.text or "/" in mention.text
    return mention.role in ("file", "directory", "exclude") or (mention.role == "either" and written_out)


def _take_root_words(ground: Ground, lexicon: Lexicon) -> None:
    pattern = re.compile(
        r"(?<!\w)(?:(?:in|of|across|throughout|within|inside|from|at|for|on|under|over|to)\s+)?"
        rf"(?:the |this |my |our |that |whole |entire |current )*{lexicon.root_words.pattern}(?:'s)?",
        re.IGNORECASE,
    )
    ground.take(pattern)


def _read_relation(ground: Ground, lexicon: Lexicon) -> tuple[str | None, str | None, str | None]:
    """Name of the relation (":not" appended when denied), its text, and the thing its wording implies."""
    for relation in lexicon.relations:
        for match in relation.pattern.finditer(ground.text):
            literal = _literal(ground, lexicon, relation, match.group("x"))
            if literal is None:
                continue
            before, after = ground.text[: match.start()], ground.text[match.end() :]
            negated = lexicon.negation.search(
                before[-24:] + " " + match.group(0).replace(match.group("x"), "")
            )
            if negated:
                before = lexicon.negation.sub(" ", before[:-24] + before[-24:])
            if relation.names_code or not relation.captures_words:
                after = _with_joined_name_marked(ground, lexicon, after)
            ground.write(f"{before} {after}")
            return relation.name + (":not" if negated else ""), literal, relation.thing
    return None, None, None


def _with_joined_name_marked(ground: Ground, lexicon: Lexicon, after: str) -> str:
    """What follows a name, with a second one ("json or csv", "os but not sys") left for the residue.

    Read on its own the second name would be a kind of file, or a file left out.
    """
    match = JOINED_NAME.match(after)
    if match is None or lexicon.knows(match["other"]):
        return after
    ground.marks.append(Mark("quoted", match["other"]))
    return f"{after[: match.start('other')]}«{len(ground.marks) - 1}»{after[match.end('other') :]}"


def _literal(ground: Ground, lexicon: Lexicon, relation: Relation, token: str) -> str | None:
    stripped = lexicon.literal_nouns.sub("", token.strip(), count=1)
    announced = stripped != token.strip()
    mark = ground.mark_of(stripped)
    if mark is not None:
        named = mark.kind == "path" and not announced
        return None if named and (relation.announced or not relation.takes_paths) else mark.text
    if mark is None and not announced and lexicon.described.fullmatch(stripped):
        return None  # "files with a URL": any such text is meant, not the word
    is_call = stripped.endswith(("(", "()"))
    words = stripped.removesuffix("()").removesuffix("(").split()
    if not words or "«" in stripped or (relation.announced and not announced):
        return None
    if not announced and not is_call and not _reads_as_text(words, lexicon, relation):
        return None
    return " ".join(words)


def _reads_as_text(words: list[str], lexicon: Lexicon, relation: Relation) -> bool:
    """A bare word is a text or a name unless it means something by itself in a question."""
    first = words[0]
    if any(word.lower() in JOINED for word in words):
        return False  # "cats or dogs" may be one text or two; quotation marks would say which
    if all(word.isdigit() for word in words) or first.lower() in lexicon.stopwords:
        return False
    if first.isupper() and len(first) > 1:
        return True
    if relation.name == "message":
        return first.lower() not in lexicon.meanings
    if relation.names_code and (not CODE_NAME.fullmatch(first) or lexicon.knows(first)):
        return False
    if relation.captures_words:
        return not lexicon.knows(first) and len(words) <= 5
    return (
        first.lower() not in lexicon.meanings
        or bool(re.search(r"[_.]|[a-z][A-Z]", first))
        or first[:1].isupper()
    )


def _only_quoted(ground: Ground) -> str | None:
    for index, mark in enumerate(ground.marks):
        if mark.kind == "quoted" and f"«{index}»" in ground.text:
            ground.used(f"«{index}»")
            return mark.text
    return None


def _read_facets(
    ground: Ground, lexicon: Lexicon, relation: str | None
) -> tuple[dict[str, str], frozenset[str], frozenset[str], frozenset[str]]:
    facets: dict[str, str] = {}
    metrics = [
        name for name, pattern in lexicon.facets["metric_words"].items() if pattern.search(ground.text)
    ]
    found: dict[str, set[str]] = {}
    for facet, values in _longest_first(ground, lexicon):
        found.setdefault(facet, set()).update(values)
    for name in ("group", "recency", "rank"):
        if found.get(name):
            facets[name] = sorted(found[name])[0] if name == "group" else next(iter(found[name]))
    things = frozenset(found.get("things", ()))
    if any(len(found.get(name, ())) > 1 for name in ("recency", "rank")):
        things |= {"both-ends"}  # "the largest and the smallest": a plan is for one of them
    measured = [METRIC_OF_THING[thing] for thing in sorted(things) if thing in METRIC_OF_THING]
    if facets.get("rank"):
        facets["metric"] = (measured or metrics or ["bytes"])[0]
    if relation:
        name, _, negated = relation.partition(":")
        facets["relation"] = name
        if negated:
            facets["negated"] = "yes"
    if "negated" not in facets and ground.take(lexicon.negation):
        facets["negated"] = "yes"
    return facets, frozenset(found.get("ask", ())), things, frozenset(found.get("filters", ()))


def _longest_first(ground: Ground, lexicon: Lexicon) -> list[tuple[str, list[str]]]:
    """Take facet words out of the text, longest phrase first, so "most recent" is not read as "most"."""
    hits: list[tuple[int, int, str, str]] = []
    for facet in ("group", "filters", "things", "recency", "rank", "ask"):
        for value, pattern in lexicon.facets[facet].items():
            hits += [(m.start(), m.end(), facet, value) for m in pattern.finditer(ground.text)]
    order = {"group": 0, "things": 1, "filters": 2, "recency": 3, "rank": 4, "ask": 5}
    hits.sort(key=lambda hit: (hit[0] - hit[1], order[hit[2]], hit[0]))
    taken: list[tuple[int, int]] = []
    chosen: list[tuple[str, list[str]]] = []
    for start, end, facet, value in hits:
        if all(end <= a or start >= b for a, b in taken):
            taken.append((start, end))
            chosen.append((facet, [value]))
    characters = list(ground.text)
    for start, end in taken:
        characters[start:end] = " " * (end - start)
    ground.write("".join(characters))
    return chosen


def _residue(ground: Ground, lexicon: Lexicon) -> tuple[str, ...]:
    rest = lexicon.file_nouns.sub(" ", ground.text)
    words = WORD.findall(re.sub(r"«\d+»", " ", rest))
    # A quotation that nothing took up is a part of the goal like any word.
    left = (
        mark.text
        for token in re.findall(r"«\d+»", rest)
        if (mark := ground.mark_of(token)) is not None and mark.kind == "quoted"
    )
    return (*(word for word in words if word.lower() not in lexicon.stopwords and word != "N"), *left)


def _level_in_file(
    text: str, things: frozenset[str], residue: tuple[str, ...]
) -> tuple[frozenset[str], tuple[str, ...]]:
    """Functions "at its top level" select names in a file, which no selection of files does."""
    if "top" not in things or not LEVEL_IN_FILE.search(text):
        return things, residue
    return things - {"top"}, (*residue, "top-level")
