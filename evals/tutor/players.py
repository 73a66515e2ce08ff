"""Players that are no models: one that knows the solution, and two that nobody should lose to.

A player is a function of what it is shown, and gives its next move as the game takes it: a JSON object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, product, zip_longest
from typing import Any

from nodes.tutor.games.game import Game, Target

PATH = re.compile(r"[\w.][\w./-]*\.\w+")
WORD = re.compile(r"[\w.-]*\w")
LINES = ("equals", "before", "after", "causes")
"""Predicates that may be about one line of a file."""
MOST_FILLINGS = 4000
"""Of one target; far more than there are turns."""

ROUND_NUMBERS = range(10, 500, 10)
"""What one says who has seen no number."""

MoveJson = dict[str, Any]


@dataclass(frozen=True)
class Seen:
    """What a player is shown, and remembers of its own moves.

    Attributes:
        goal: of the game.
        targets: forms of the claims that are wanted.
        most_turns: after which the game is lost.
        rules: of this game.
        menu: moves it is offered, as JSON objects.
        card: help it is given, or "".
        message: what came of its last move, or "".
        moves: its moves until now, the first one first.
        shown: texts of the observations, by name, in order.
        claims: names of the claims it has put, in order.
    """

    goal: str
    targets: tuple[Target, ...]
    most_turns: int
    rules: tuple[str, ...] = ()
    menu: tuple[MoveJson, ...] = ()
    card: str = ""
    message: str = ""
    moves: tuple[MoveJson, ...] = ()
    shown: Mapping[str, str] = field(default_factory=dict)
    claims: tuple[str, ...] = ()

    @property
    def turns_left(self) -> int:
        """Moves it may still make."""
        return self.most_turns - len(self.moves)


Player = Callable[[Seen], MoveJson]


def oracle(game: Game) -> Player:
    """Plays the solution of a game, and passes when that is over."""
    solution = [move.model_dump(mode="json") for move in game.solution]
    return lambda seen: solution[len(seen.moves)] if len(seen.moves) < len(solution) else {"move": "PASS"}


def cards_only(seen: Seen) -> MoveJson:
    """Never reads: does what card and menu say where that is no reading, and else asserts guesses.

    It guesses from the goal, one target after the other, and answers with all it said when a card or the
    end of the turns tells it to.
    """
    if seen.claims and (seen.turns_left <= 1 or _last(seen) != "ANSWER" and "ANSWER" in seen.card):
        return {"move": "ANSWER", "claims": list(seen.claims)}
    offered = [move for move in seen.menu if move["move"] != "PROPOSE" and move not in seen.moves]
    if offered:
        return offered[0]
    material = Material(tuple(PATH.findall(seen.goal)), [("", seen.goal)])
    return _assertion(seen, material, evidence=()) or {"move": "PASS"}


def dump_everything(seen: Seen) -> MoveJson:
    """Lists, and reads one file after the other; then says what it has seen in every form, and all of it.

    Half of the turns are for reading: with more, nothing would be left to assert anything.
    """
    if not seen.moves:
        return _proposal("find", path=".", type="f")
    if seen.turns_left <= 1:
        return {"move": "ANSWER", "claims": list(seen.claims)}
    listing = next(iter(seen.shown.values()), "")
    paths = tuple(line.removeprefix("./") for line in listing.splitlines())
    read = [move["request"]["args"]["path"] for move in seen.moves if move["move"] == "PROPOSE"][1:]
    unread = [path for path in paths if path not in read]
    if unread and len(seen.moves) < seen.most_turns // 2:
        return _proposal("cat", path=unread[0])
    texts = list(zip(read, islice(seen.shown.values(), 1, None), strict=False))
    evidence = tuple(seen.shown)
    fallback: MoveJson = {"move": "ANSWER", "claims": list(seen.claims)}
    return _assertion(seen, Material(tuple(read), texts), evidence) or fallback


@dataclass(frozen=True)
class Material:
    """What a filling may be made of.

    Attributes:
        paths: of files.
        texts: path and text, or "" and a text that is no file's.
    """

    paths: tuple[str, ...]
    texts: list[tuple[str, str]]

    def lines(self) -> Iterator[tuple[str, str]]:
        """Every line as `path:line`, and its text."""
        for path, text in self.texts:
            for number, line in enumerate(text.splitlines(), 1):
                yield f"{path}:{number}", line

    def words(self) -> list[str]:
        """Different words, in order."""
        return list(dict.fromkeys(word for _, text in self.texts for word in WORD.findall(text)))


def fillings(target: Target, material: Material) -> Iterator[dict[str, Any]]:
    """Claims of a target's form, its open fields filled with whatever is there."""
    words = material.words()
    places = [place for place, _ in material.lines()]
    whole = dict(material.lines())
    subjects: list[str] = [target.subject]
    if "subject" in target.open:
        subjects = places if target.predicate in LINES else [*material.paths, *words]
    values: list[Any] = [target.value]
    if "value" in target.open:
        # The text of a line follows from its place.
        values = (
            [""] if target.predicate == "equals" else _values(target, words, places, list(whole.values()))
        )
    scope = list(target.scope) if isinstance(target.scope, tuple) else target.scope
    for subject, value in islice(product(subjects, values), MOST_FILLINGS):
        stated = whole[subject] if target.predicate == "equals" and subject in whole else value
        yield {
            "predicate": target.predicate,
            "subject": subject,
            "value": stated,
            "unit": target.unit,
            "scope": scope,
        }


def _values(target: Target, words: list[str], places: list[str], lines: list[str]) -> list[Any]:
    if target.predicate == "count":
        return [*(int(word) for word in words if word.isdecimal()), *ROUND_NUMBERS]
    if target.predicate == "cycle":
        return [words[at : at + 3] for at in range(0, len(words), 3)]
    if target.predicate == "changed_between":
        return [[old, new] for old, new in zip(lines, lines[1:], strict=False) if old != new]
    if target.predicate in LINES:
        return places
    return [int(word) if word.isdecimal() else word for word in words]


def _assertion(seen: Seen, material: Material, evidence: tuple[str, ...]) -> MoveJson | None:
    """The next filling that was not said yet: of every target the first, then of every target the second."""
    said = [move["claim"] for move in seen.moves if move["move"] == "ASSERT"]
    for row in zip_longest(*(fillings(target, material) for target in seen.targets)):
        for claim in row:
            if claim is not None and claim not in said:
                return {"move": "ASSERT", "claim": claim, "evidence": list(evidence)}
    return None


def _proposal(tool: str, **args: Any) -> MoveJson:
    return {"move": "PROPOSE", "request": {"tool": tool, "args": args}}


def _last(seen: Seen) -> str:
    return str(seen.moves[-1]["move"]) if seen.moves else ""
