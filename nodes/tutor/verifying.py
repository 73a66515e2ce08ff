"""An exported game, proved again: replayed move by move, and every tool call of a generated game made again.

Nothing of the document is believed. Its observations are taken as they were recorded, if their seals hold;
facts, verdicts, statuses, edges, points and the end are made anew and have to be the same. Where the game can
be generated, its files are laid out anew, and each call has to print there what it printed then. The files of
a free game are not at hand: there the recorded output is what the proof rests on.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from pydantic import ValidationError

from nodes.errors import UnknownGame
from nodes.tutor.calling_again import called_again
from nodes.tutor.export import Document, played, put_together, seal_of_texts, texts_of, texts_of_game
from nodes.tutor.games.game import Game, Target
from nodes.tutor.games.generating import generate
from nodes.tutor.open_games import FREE, free_game
from nodes.tutor.replaying import LONGEST_TOLD, MOST_TOLD, replay_problems

LARGEST = 256 * 1024 * 1024
DEEPEST = 64
"""Levels; a move has at most 16, and an observation of it a few more."""


def verify(document: bytes) -> list[str]:
    """What is wrong with an exported game; empty if all of it is proved again.

    Blocking, and starts an event loop of its own; within one, use `verified`.
    """
    return asyncio.run(verified(document))


async def verified(document: bytes) -> list[str]:
    """What is wrong with an exported game; empty if all of it is proved again."""
    value, texts, problems = _read(document)
    if not isinstance(value, dict):
        return problems or ["It is no JSON object."]
    try:
        typed = Document.model_validate(value)
        if texts_of_game(typed) != texts:
            problems.append("It is not in the form in which games are written: a value has another type.")
        game = _game(typed)
    except ValidationError as error:
        return [*problems, *(_told(item) for item in error.errors(include_url=False)[:MOST_TOLD])]
    except UnknownGame as error:
        return [*problems, str(error)]
    if typed.seal != seal_of_texts(texts):
        problems.append("The seal is broken: something of it was changed.")
    if played(game) != typed.game:
        problems.append("The game generated from this id and seed is another one.")
    problems += await replay_problems(typed, texts, game)
    if game.id != FREE and not problems:
        problems += await called_again(typed, game)
    return problems


def _read(document: bytes) -> tuple[Any, dict[str, str], list[str]]:
    """The JSON value, the texts of its fields, and what is wrong if it is not written in its one form."""
    if len(document) > LARGEST:
        return "", {}, [f"It is larger than {LARGEST} bytes, more than any game is."]
    try:
        value = json.loads(document.decode("ascii"))
        if _depth(value) > DEEPEST:
            return "", {}, ["It has more levels of lists and objects than any game has."]
        texts = texts_of(value) if isinstance(value, dict) else {}
        canonical_form = put_together(texts) == document
    except (ValueError, RecursionError) as error:
        return "", {}, [f"It is no JSON document: {str(error)[:LONGEST_TOLD]}."]
    return value, texts, [] if canonical_form else ["It is not in canonical form."]


def _depth(value: object) -> int:
    """Levels of lists and objects; counted without recursion, since they are a stranger's."""
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [
            item
            for one in level
            if isinstance(one, dict | list)
            for item in (one.values() if isinstance(one, dict) else one)
        ]
    return depth


def _game(document: Document) -> Game:
    if document.game.id != FREE:
        return generate(document.game.id, document.game.seed)
    return free_game(document.game.goal, [Target.model_validate(target) for target in document.game.targets])


def _told(item: Any) -> str:
    return f"{'.'.join(map(str, item['loc']))}: {item['msg']}"[:LONGEST_TOLD]
