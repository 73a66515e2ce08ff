"""What the words of a goal settle without any comparison. Pure.

A rule stands here only if it decides by what a goal is about, not by what it resembles, and if it is right
for every shipped exemplar it applies to (`tests/nodes/routing/test_rules.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from memory.recipes.requests.read import read_requests
from memory.recipes.signals import IN_QUOTES, fold, words_of
from nodes.collective.engines import ENGINES, Engine
from nodes.routing.cues import Cues, patterns
from nodes.routing.kinds import Kind, kinds_of

NAMED = re.compile(
    rf"\b(?:use|using|with|via|by|run|ask|through|let) the ({'|'.join(ENGINES)}) (?:engine|graph|reasoner)\b"
)
# "What is a fair rule" asks for a judgement.
JUDGED = r"(?!fair|good|better|best|right|wise|sensible|reasonable|realistic|likely|possible)"
NOTION = rf"(?:an? |the )?{JUDGED}[\w+#'/-]+(?: [\w+#'/-]+){{0,2}}"
DEFINITION = re.compile(
    rf"(?:what (?:is|are) (?:meant by |an? ){NOTION}(?: in [\w -]{{2,30}})?|define {NOTION}"
    rf"|what (?:is the (?:meaning|definition) of|do we mean by) {NOTION}"
    rf"|what does {NOTION} (?:mean|stand for)(?: in [\w -]{{2,30}})?)[?.! ]*"
)
SEARCHED = re.compile(
    r"(?:grep|search|find|list|count|show|print|which|how (?:many|often)|does|where|in (?:which|what))\b.*"
    r"(?:\bgrep\b|\bthe (?:words?|terms?|strings?|texts?|phrases?) \S)"
)
# "Who proved it?", "what does the README say about proofs?": a proof is mentioned, not asked for.
ABOUT_PROOFS = re.compile(
    r"(?:who|what|when|where|how|which|wer|was|wann|wie|qui|quand|quien|que|chi|come)\b"
)
PUNCTUATION = re.compile(r"[\W_]+")
# Cues of engines that a goal every word of which is understood as a look at files may need all the same.
OTHERS = ("several", "sources", "proof", "models", "games", "audit", "parts", "judgement_then_act")


@dataclass(frozen=True)
class Ruled:
    """A kind, and the words that settle it."""

    kind: Kind
    why: str


def by_rule(goal: str, cues: Cues) -> Ruled | None:
    """The kind a goal is of by its words alone; None where they leave it open."""
    return next((found for rule in RULES if (found := rule(goal, cues)) is not None), None)


def _engine_named(goal: str, _cues: Cues) -> Ruled | None:
    """A person who names an engine wants it."""
    named = {match.group(1) for match in NAMED.finditer(fold(IN_QUOTES.sub(" ", goal)))}
    if len(named) != 1:
        return None
    engine: Engine = next(one for one in ENGINES if one in named)
    return Ruled(kinds_of(engine)[0], f"the goal names the engine {engine}")


def _talk(goal: str, _cues: Cues) -> Ruled | None:
    bare = " ".join(PUNCTUATION.sub(" ", fold(goal).replace("'", "\0")).replace("\0", "'").split())
    if any(pattern.fullmatch(bare) for pattern in patterns()["greeting"].values()):
        return Ruled("greeting", "it is a greeting and nothing else")
    return None


def _definition(goal: str, cues: Cues) -> Ruled | None:
    """What a word means is a fact, whatever the word is: "what is a benchmark?"."""
    if not cues.own and DEFINITION.fullmatch(fold(goal)):
        return Ruled("factual", "it asks what something is or means")
    return None


def _searched_word(goal: str, cues: Cues) -> Ruled | None:
    """A word that is looked for says nothing about the work: "grep for proof"."""
    if SEARCHED.match(fold(IN_QUOTES.sub(" the text ", goal))) and not cues.has(*OTHERS):
        return Ruled("factual", "it looks for words in files")
    return None


def _proof(goal: str, cues: Cues) -> Ruled | None:
    """Claims about files are proved by the tutor, those of mathematics by thought."""
    if "proof" not in cues.words or cues.has("several", "judgement_then_act", "audit"):
        return None
    if ABOUT_PROOFS.match(fold(goal)):
        return None
    said = f'"{cues.words["proof"][0]}"'
    things = words_of("things", goal)
    if cues.own and "mathematics" not in cues.words:
        return Ruled("proof", f"{said} asks for a proof, and it names files")
    if things and "mathematics" not in cues.words:
        return Ruled("proof", f'{said} asks for a proof, and "{things[0]}" is about files')
    if "mathematics" in cues.words and not things and not cues.own:
        about = cues.words["mathematics"][0]
        return Ruled("reasoning", f'{said} asks for a proof, and "{about}" is mathematics, not files')
    return None


def _understood(goal: str, cues: Cues) -> Ruled | None:
    """A request every word of which code understands is carried out by code."""
    if cues.has(*OTHERS):
        return None
    read = [one for one in read_requests(goal) if not one.measures]
    if not read:
        return None
    kind: Kind = "tool_workflow" if any(one.changes for one in read) else "factual"
    return Ruled(kind, "every word of it is understood as a request about files")


RULES: tuple[Callable[[str, Cues], Ruled | None], ...] = (
    _engine_named,
    _talk,
    _definition,
    _proof,
    _searched_word,
    _understood,
)
