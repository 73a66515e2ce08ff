"""What a goal of the tutor comes to: a game that can be played, or the command that measures. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.recipes.signals import fold, words_of
from nodes.routing.cues import cues_of, patterns
from nodes.routing.kinds import Kind

GAME = re.compile(r"\bb(0[1-9]|10)\b")
SEED = re.compile(r"\bseed (\d{1,9})\b")
# Words for models in general name none that could be run.
MODEL = re.compile(r"[a-z][\w.-]*\d[\w.-]*(?::[\w.-]+)?|[a-z][\w.-]*:\d[\w.-]*")
FREE = "free"


@dataclass(frozen=True)
class Game:
    """A game as `graph.tutor` takes it: a generated one by name and seed, or "free" with a goal."""

    game: str
    seed: int = 0
    goal: str = ""


@dataclass(frozen=True)
class Advice:
    """What to run instead, in words for the person."""

    text: str


def game_of(goal: str, kind: Kind) -> Game | Advice:
    """The game that answers a goal; advice where a single game would only look like an answer.

    Args:
        goal: as written.
        kind: of the goal, one of the tutor's.
    """
    folded = fold(goal)
    games = [f"B{number}" for number in dict.fromkeys(GAME.findall(folded))]
    seed = SEED.search(folded)
    if kind == "benchmark":
        return Advice(_measuring(folded, games))
    if len(games) == 1:
        return Game(games[0], int(seed[1]) if seed else 0)
    if games or not _about_something(goal):
        return Advice(
            "No single game is named. `reflect play --list` shows the games; play one with `reflect play "
            f'{games[0] if games else "B01"}`, or one of your own with `reflect play --goal "..."`.'
        )
    return Game(FREE, goal=goal)


def model_named(folded: str) -> str:
    """The model a folded goal names, such as "llama3.2:1b"; empty if it names none."""
    for pattern in patterns()["models"].values():
        for match in pattern.finditer(folded):
            word = match.group().rstrip(".:-")
            if MODEL.fullmatch(word):
                return word
    return ""


def _about_something(goal: str) -> bool:
    cues = cues_of(goal)
    return cues.own or "proof" in cues.words or bool(words_of("things", goal)) or bool(words_of("here", goal))


def _measuring(folded: str, games: list[str]) -> str:
    model = f"ollama:{model_named(folded)}" if model_named(folded) else "P:M"
    one = games[0] if games else "B01"
    named = "" if model != "P:M" else " (P:M is the model, such as ollama:NAME)"
    return (
        "A model is measured by many games, not by one answer. Run `reflect eval tutor --model "
        f"{model}` for the whole benchmark, or `reflect play {one} --model {model}` for one game{named}."
    )
