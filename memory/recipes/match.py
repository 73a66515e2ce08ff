"""Which recipe answers a goal: the one that covers everything the goal asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

from memory.recipes.places import Whereabouts
from memory.recipes.reading import Reading
from memory.recipes.recipe import Recipe

# A selection of files is described by these; a recipe with `files: true` hands them to `find`.
FILE_TOKENS = frozenset(
    "scope exclude kind not-kind size-limit age filter=empty filter=nonempty filter=hidden filter=ignored "
    "filter=executable thing=top relation=start relation=end relation=named literal".split()
)
NAME_RELATIONS = frozenset({"start", "end", "named"})
# "functions that start with load" are chosen by their own names, which no selection of files does.
NAMED_IN_CODE = frozenset({"function", "class", "method", "test", "constant", "import", "decorator"})
# What stands on the lines found is counted as lines and files, not as the functions they are in.
USES = frozenset({"use", "raise", "import", "contain"})
DEFINED = frozenset({"function", "class", "method", "test"})
# More than the one who made a first commit or a last one.
PEOPLE = re.compile(r"\b(?:authors|contributors|committers|developers|people|persons)\b", re.IGNORECASE)
# These colour a question without changing which facts answer it.
SOFT = frozenset(
    {
        "mentions-files",
        "several",
        "missing",
        "unsought",
        "changed-anytime",
        "people",
        "ask=list",
        "ask=exists",
        "ask=where",
        "thing=name",
        "thing=content",
        # Searches go into directories below; what does not refuses this.
        "thing=deep",
    }
)
# A goal with this many unexplained words is not understood well enough for a ready plan.
MAX_RESIDUE = 2
# With unexplained words, the goal must still resemble a phrasing of the recipe: cosine of MiniLM. Paraphrases
# of one question score above about 0.6, other questions about the same things below about 0.5.
RESEMBLES = 0.7


Resemblance = Callable[[str, Recipe], float]


@dataclass(frozen=True)
class Match:
    """A recipe that fits.

    Attributes:
        recipe: the recipe.
        specificity: how many demands of the goal it names itself.
        unexplained: words of the goal that nothing explains.
    """

    recipe: Recipe
    specificity: int
    unexplained: tuple[str, ...]


def demands(reading: Reading, whereabouts: Whereabouts) -> frozenset[str]:
    """Everything a goal asks for, as tokens a recipe must name."""
    q = reading.quantities
    present = {
        "literal": reading.literal is not None,
        "file": bool(whereabouts.files),
        "several": len(whereabouts.files) > 1,
        "missing": bool(whereabouts.missing),
        # Nobody looks outside the root, so no recipe can say what is there.
        "outside": any(_is_outside(name) for name in whereabouts.missing),
        "scope": bool(whereabouts.directories),
        "exclude": bool(whereabouts.excluded),
        "kind": bool(reading.globs) and not _names_a_file(reading, whereabouts),
        "not-kind": bool(reading.not_globs),
        "n": q.n is not None,
        "nth": q.nth is not None,
        "size-limit": q.min_bytes is not None or q.max_bytes is not None,
        "count-limit": q.min_count is not None or q.max_count is not None,
        "age": q.span is not None or q.recent,
        "dates": not q.recent and (q.since is not None or q.until is not None),
        "span": q.first_line is not None,
        "people": PEOPLE.search(reading.goal) is not None,
        "changed-anytime": "changed" in reading.things and not (q.span or q.since or q.until),
        "person": reading.person is not None,
        "revision": reading.revisions.one is not None,
        "revisions": reading.revisions.span is not None,
        "mentions-files": reading.mentions_files,
        "unsought": not (reading.sought or reading.asks & {"where", "exists"}),
    }
    tokens = {name for name, here in present.items() if here}
    tokens |= {f"{name}={value}" for name, value in reading.facets.items() if name != "negated"}
    tokens |= {f"thing={thing}" for thing in reading.things}
    tokens |= {f"ask={ask}" for ask in reading.asks}
    tokens |= {f"filter={name}" for name in reading.filters}
    if reading.facets.get("relation") in USES and "count" in reading.asks and reading.things & DEFINED:
        tokens.add("count-of-definitions")
    if {"people", "file"} <= tokens and "count" in reading.asks:
        tokens.add("count-of-people")
    if "heading" in reading.things and not all(map(_may_have_headings, whereabouts.files)):
        tokens.add("other-sections")
    if reading.facets.get("relation") in NAME_RELATIONS and not reading.mentions_files:
        tokens |= {"name-in-code"} if reading.things & NAMED_IN_CODE else set()
    if "negated" in reading.facets and not reading.not_globs and not whereabouts.excluded:
        tokens.add("negated")
    return frozenset(tokens)


def _may_have_headings(path: str) -> bool:
    """False for "sections of setup.cfg": nothing looks for those of configuration or code."""
    _, dot, suffix = path.rpartition("/")[2].rpartition(".")
    return not dot or suffix.lower() in ("md", "markdown", "mdx", "txt", "rst", "adoc")


def _names_a_file(reading: Reading, whereabouts: Whereabouts) -> bool:
    """True for "the logo png": the kind says which file, and the file is known."""
    files = whereabouts.files
    return bool(files) and all(any(fnmatch(path, glob) for glob in reading.globs) for path in files)


def _satisfies(need: str, tokens: frozenset[str]) -> str | None:
    return next((option for option in _options(need) if option in tokens), None)


def fits(recipe: Recipe, tokens: frozenset[str]) -> int | None:
    """Number of needs met when the recipe covers all tokens, else None."""
    met = [_satisfies(need, tokens) for need in recipe.needs]
    if any(token is None for token in met) or tokens & set(recipe.refuses):
        return None
    tolerated = {option for need in recipe.may for option in _options(need)}
    selects_by_name = any(f"relation={name}" in tokens for name in NAME_RELATIONS)
    selection = FILE_TOKENS if selects_by_name else FILE_TOKENS - {"literal"}
    covered = set(met) | tolerated | SOFT | (selection if recipe.files else set())
    return len(met) if tokens <= covered else None


def _options(need: str) -> list[str]:
    """The tokens a need accepts: "a=x|y" means a=x or a=y; "a|b=x" means a or b=x."""
    options: list[str] = []
    name = ""
    for part in need.split("|"):
        if "=" in part:
            name = part.partition("=")[0]
            options.append(part)
        else:
            options.append(f"{name}={part}" if name else part)
    return options


def match_recipes(
    reading: Reading,
    whereabouts: Whereabouts,
    recipes: Sequence[Recipe],
    resemblance: Resemblance | None = None,
    *,
    last_resort: bool = False,
) -> list[Match]:
    """Recipes that cover the whole goal, the most specific first.

    Args:
        reading: the goal, read.
        whereabouts: what its names are.
        recipes: what may be chosen.
        resemblance: likeness of a goal to a recipe's phrasings; asked only about goals with unexplained
            words, which select nothing without it.
        last_resort: choose among the recipes for goals that nothing else answers, instead of the others.
    """
    tokens = demands(reading, whereabouts)
    recipes = [recipe for recipe in recipes if recipe.last_resort is last_resort]
    matches = []
    if not reading.residue or _may_be_explained(reading, resemblance):
        for recipe in recipes:
            met = None if recipe.unexplained else fits(recipe, tokens)
            if met is not None and _resembles(reading, recipe, resemblance):
                matches.append(Match(recipe, met, reading.residue))
    return sorted(matches, key=lambda match: -match.specificity) or _by_words(reading, tokens, recipes)


def _by_words(reading: Reading, tokens: frozenset[str], recipes: Sequence[Recipe]) -> list[Match]:
    """Recipes that show where the unexplained words stand: no conclusion is drawn from them."""
    if not 0 < len(reading.residue) <= MAX_SOUGHT or reading.literal is not None:
        return []
    tokens |= {"unexplained"}
    if unexplained_name(reading) is not None and len(set(reading.residue)) <= MAX_RESIDUE:
        tokens |= {"unexplained-name"}
    matches = []
    for recipe in recipes:
        met = fits(recipe, tokens - (set() if "unexplained" in recipe.needs else {"unexplained"}))
        if recipe.unexplained and met is not None:
            matches.append(Match(recipe, met, reading.residue))
    return sorted(matches, key=lambda match: -match.specificity)


def unexplained_name(reading: Reading) -> str | None:
    """The one word among the unexplained that only code or configuration would write, or None."""
    names = {word.removesuffix("()") for word in reading.residue if WRITTEN_IN_CODE.fullmatch(word)}
    return names.pop() if len(names) == 1 else None


# A goal with more unexplained words than this is about something else than lines that hold them.
MAX_SOUGHT = 4
WRITTEN_IN_CODE = re.compile(r"\w*_\w*|[a-z]+[A-Z]\w*|[A-Z]\w*[a-z]\w*[A-Z]\w*|\w+\(\)|[A-Z][A-Z0-9]{2,}")
# A name in code is never filler: a goal that holds one and is not understood by it asks for something else.
NAME_IN_CODE = re.compile(r"\w*_\w*|[a-z]+[A-Z]\w*|\w+\(\)|\w*\d\w*")


def _may_be_explained(reading: Reading, resemblance: Resemblance | None) -> bool:
    if resemblance is None or len(reading.residue) > MAX_RESIDUE:
        return False
    return not any(NAME_IN_CODE.fullmatch(word) for word in reading.residue)


def _resembles(reading: Reading, recipe: Recipe, resemblance: Resemblance | None) -> bool:
    if not reading.residue or resemblance is None:
        return True
    return resemblance(reading.goal, recipe) >= RESEMBLES


def _is_outside(name: str) -> bool:
    return name.startswith(("/", "~")) or ".." in name.split("/")
