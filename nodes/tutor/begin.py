"""BEGIN: the game is generated, its files are laid out, its settings decided; the graph holds goal and rules.

What is made for a game lies in `.reflect/artifacts/<thread>/<name>/`, and goes when the thread is deleted.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import shutil
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime
from pydantic import ValidationError

from configs.errors import UsageError
from configs.root import resolve_root
from configs.work_limits import WorkLimits, limits_of
from memory.project_directory import ensure_project_directory, make_parent
from memory.threads import artifact_directory
from nodes.errors import GoalError
from nodes.reflective.context import RunContext
from nodes.reflective.emit import progress
from nodes.reflective.services import UNNAMED, Services, services_of, thread_id
from nodes.tutor.games.game import Game
from nodes.tutor.games.writing import write_files
from nodes.tutor.open_games import FREE, changes_of, game_of, tutor_of
from nodes.tutor.state import TutorState

FILES = "files"
PERSON = "person"
LONGEST_GOAL = 8000
_NAME_CHARS = 12


async def begin(state: TutorState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Begin a game; nothing of a game played in this thread before is kept.

    Raises:
        GoalError: a free game without a goal, or with a far too long one.
        UsageError: there is no such game, or a target is none.
        ReflectError: settings or models cannot be used, or the files cannot be written.
    """
    services = await services_of(runtime, fresh=True)
    game = _game(state)
    settings = services.settings.tutor
    model = PERSON if settings.player == "person" else services.models.model_name("worker")
    if settings.limits == WorkLimits() and settings.arm != "none":
        settings = settings.model_copy(update={"limits": await asyncio.to_thread(limits_of, model)})
    name = _name(game)
    place = await asyncio.to_thread(_place, services, name)
    own = await asyncio.to_thread(resolve_root, state.about) if state.about else services.root
    directory = own if game.id == FREE else place / FILES
    if game.id != FREE:
        await asyncio.to_thread(write_files, game, directory)
    fresh = TutorState(
        game=state.game,
        seed=state.seed,
        goal=state.goal,
        targets=state.targets,
        about=state.about,
        name=name,
        directory=str(directory),
        place=str(place),
        settings=settings,
        model=model,
    )
    tutor = await tutor_of(fresh, services)
    changes = await asyncio.to_thread(changes_of, tutor, fresh.place)
    progress("tutor", turn=0, move="", outcome="played", message=game.goal, score=0)
    return anew(fresh, **changes, digest=tutor.digest)


def anew(fresh: TutorState, **decided: Any) -> dict[str, Any]:
    """The state without anything of the game before.

    Args:
        fresh: what a game begins with.
        decided: fields that are JSON already.
    """
    plain = fresh.model_dump(mode="json", exclude={"remaining_steps", "settings"})
    # Dumped by itself, it keeps which of its fields were decided.
    plain["settings"] = fresh.settings.model_dump(mode="json")
    plain |= decided
    # These are joined with what was there before, unless told otherwise.
    return plain | {name: {"__overwrite__": plain[name]} for name in ("turns", "nodes", "edges")}


def _game(state: TutorState) -> Game:
    if state.game == FREE and not 0 < len(state.goal.strip()) <= LONGEST_GOAL:
        raise GoalError(
            f"A free game needs a goal of 1 to {LONGEST_GOAL} characters.",
            'Give {"game": "free", "goal": ...}.',
        )
    try:
        return game_of(state)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        what = f"A target is none: {'.'.join(map(str, first['loc']))}: {first['msg']}."
        raise UsageError(what, "See nodes/tutor/games/game.py for its form.") from error


def _name(game: Game) -> str:
    """The name of a game. With a thread it is the same when the node runs again, which then begins anew."""
    thread = thread_id()
    made = hashlib.sha256(thread.encode("utf-8", "replace")).hexdigest() if thread else secrets.token_hex(32)
    return f"{game.id}-{game.seed}-{made[:_NAME_CHARS]}"


def _place(services: Services, name: str) -> Path:
    """An empty directory for a game; what a game of the same name left there goes."""
    thread = thread_id() or UNNAMED
    place = artifact_directory(ensure_project_directory(services.root), thread) / name
    make_parent(place / FILES)
    shutil.rmtree(place)
    make_parent(place / FILES)
    return place
