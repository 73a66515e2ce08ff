"""The label of a goal without a model: recipes, then exemplars, and what is never answered from memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory.recipes.ballot import Vote, vote
from memory.recipes.changes import wants_change
from memory.recipes.match import Resemblance, match_recipes
from memory.recipes.orders import orders_change
from memory.recipes.places import locate
from memory.recipes.reading import Reading, read_goal
from memory.recipes.recipe import load_recipes
from memory.recipes.requests.marked import MARK, mark
from memory.recipes.requests.read import read_requests
from memory.recipes.signals import asks_for_change, is_english, names_own_material
from models.embeddings import Embedder
from nodes.reflective.state import TaskComplexity

# A label other than BYPASS is cheap to get wrong, so a plain majority of the vote decides it.
MAJORITY = 0.5
# Where a rule for English takes a goal for one about files and the goal names none, the exemplars may know
# better ("who wrote Hamlet?"), but only if they are as sure as this.
SURE = 0.97
# COMPLEX pays for a verifier and three reflections; every complex goal the vote was tuned on reaches 0.9.
COMPLEX_AT = 0.8
SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？；])|\n+")
MOST_SENTENCES = 8
# The rules for English were written for questions; on 18,000 characters they take 20 s.
LONGEST_QUESTION = 1000


@dataclass(frozen=True)
class Label:
    """A label, where it comes from and how sure that source is, 0 to 1."""

    complexity: TaskComplexity
    source: str
    score: float | None


@dataclass(frozen=True)
class Judgement:
    """What is known about a goal before a model is asked.

    Attributes:
        label: the label, or None where nothing is sure enough.
        may_bypass: False if no model may say that the goal needs no look.
    """

    label: Label | None
    may_bypass: bool


def judge(
    question: str, goal: str, embedder: Embedder, like: Callable[[], Resemblance], bypass_at: float
) -> Judgement:
    """Judge a goal by recipes and exemplars; reads no file but the packaged ones.

    Args:
        question: what is asked, without what the answer is to be done with.
        goal: the goal as written.
        embedder: what goals are compared with exemplars by.
        like: gives the likeness of goals and recipes; called for goals with words nothing explains.
        bypass_at: score a goal needs to be answered without tools.
    """
    understood = _by_request(question, goal)
    if understood is not None:
        return Judgement(understood, False)
    if orders_change(goal):
        return Judgement(Label(TaskComplexity.MODERATE, "change", None), False)
    # The recipes are read in English: of "supprime ancien.bak" only the name would be understood.
    english = is_english(question) and len(question) <= LONGEST_QUESTION
    reading = read_goal(question) if english else Reading(question)
    own = names_own_material(question) or (names_something(reading) and reading.about_files)
    kind_only = own and not names_own_material(question) and _names_a_kind_only(reading)
    ruled = _by_rules(reading, goal, like) if english else None
    if ruled is not None and own:
        return Judgement(ruled, False)
    votes = vote([question, *_sentences(question)], embedder)
    whole = votes[0]
    sure = whole.bypass >= max(bypass_at, SURE)
    # "In Python, what is a tuple?" names a language; whoever means their files says so.
    own = own and not (sure and kind_only)
    if ruled is not None and not (sure and not reading.mentions_files):
        return Judgement(ruled, False)
    # One sentence that asks for a look is enough, whatever is said around it.
    looks = any(sentence.bypass < MAJORITY for sentence in votes[1:])
    may_bypass = not (own or looks or (reading.about_files and not sure))
    unsure = whole.bypass >= MAJORITY or "conceptual" in reading.facets
    if may_bypass and whole.bypass >= bypass_at:
        label: Label | None = Label(TaskComplexity.BYPASS, "exemplars", whole.bypass)
    elif may_bypass and unsure:
        # The vote and the wording contradict each other: "What does status 404 mean?" resembles a look-up.
        label = None
    else:
        label = _size(whole, question)
    return Judgement(label, may_bypass)


def alike(text: str) -> str:
    """A goal without the names of its files: goals that differ by these only are judged alike.

    The ending of a name stays, and which names are the same; so do quoted texts, numbers and all words.
    """
    marked = mark(text)
    seen: dict[str, int] = {}

    def told(match: re.Match[str]) -> str:
        name = marked.value(match[0])
        if match[1] != "P" or name.strip("./") == "":
            return f"{match[1]}‹{name}›"
        base = name.rsplit("/", 1)[-1]
        return f"P‹{seen.setdefault(name, len(seen))}{'.' + base.rsplit('.', 1)[-1] if '.' in base else ''}›"

    return MARK.sub(told, marked.text)


def _size(whole: Vote, question: str) -> Label | None:
    if whole.share < MAJORITY:
        return None
    if whole.size == "simple" and asks_for_change(question):
        # A change takes steps that are shown and approved one by one, which DIRECT_EXEC does not do.
        return Label(TaskComplexity.MODERATE, "change", None)
    size = "moderate" if whole.size == "complex" and whole.share < COMPLEX_AT else whole.size
    return Label(TaskComplexity(size), "exemplars", whole.share)


def _by_request(question: str, goal: str) -> Label | None:
    """A request every word of which is understood is planned by code, whatever it resembles."""
    if not read_requests(question):
        return None
    changes = wants_change(goal)
    return Label(TaskComplexity.MODERATE, "change" if changes else "recipe", None if changes else 1.0)


def _by_rules(reading: Reading, goal: str, like: Callable[[], Resemblance]) -> Label | None:
    """A change, or the recipe that covers the goal, by the rules for English; PLAN looks names up later."""
    if wants_change(goal):
        if reading.about_files or names_something(reading):
            return Label(TaskComplexity.MODERATE, "change", None)
        return None
    resembles = like() if reading.residue and reading.about_files else None
    matches = match_recipes(reading, locate(reading, ()), load_recipes(), resembles)
    return Label(TaskComplexity(matches[0].recipe.complexity), "recipe", 1.0) if matches else None


def names_something(reading: Reading) -> bool:
    """True if a path, a text or a kind of file is named, as no request for a poem or a sum does."""
    named = any(mention.role != "guess" for mention in reading.mentions)
    return named or reading.literal is not None or bool(reading.globs) or reading.mentions_files


def _names_a_kind_only(reading: Reading) -> bool:
    """True if all that speaks of files is a word such as "Python", which is a language as well."""
    named = any(mention.role != "guess" for mention in reading.mentions)
    return bool(reading.globs) and not (named or reading.literal is not None or reading.mentions_files)


def _sentences(question: str) -> Sequence[str]:
    """The sentences of a goal that has several; of very many, the first and the last ones."""
    parts = [part for part in SENTENCE.split(question) if len(part.strip()) > 1]
    if len(parts) < 2:
        return []
    half = MOST_SENTENCES // 2
    return parts if len(parts) <= MOST_SENTENCES else [*parts[:half], *parts[-half:]]
