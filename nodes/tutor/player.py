"""PLAYER: a model or a person sees the game as it stands, and gives one move. What is none is given on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from configs.settings import Role
from models.errors import ModelReplyInvalid
from models.roles import RoleModels
from models.usage import Usage
from nodes.reflective.context import RunContext
from nodes.reflective.emit import progress, thought
from nodes.reflective.services import services_of
from nodes.reflective.state import RoleUsage, dump
from nodes.tutor.asking import messages
from nodes.tutor.engine import Tutor
from nodes.tutor.flat_moves import FlatMove
from nodes.tutor.helping.menus import MenuItem
from nodes.tutor.open_games import tutor_of
from nodes.tutor.parsing import dumped
from nodes.tutor.state import TutorState

ROLE: Role = "worker"


class MenuMove(FlatMove):
    """A move, or the number of one of a menu.

    Attributes:
        choice: from 1; 0 for a move of the player's own.
    """

    choice: int = 0


async def player(state: TutorState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Ask for the next move.

    Raises:
        ModelError: the model could not be reached, found or finished; a reply that is no move is none such.
        ReflectError: settings cannot be used.
    """
    services = await services_of(runtime)
    tutor = await tutor_of(state, services)
    menu = tutor.menu()
    if menu:
        progress("tutor_menu", turn=len(state.turns) + 1, items=[item.label for item in menu])
    if state.settings.player == "person":
        return dump(move=_typed(interrupt(_question(tutor, menu)), menu))
    progress("model_call", role=ROLE, attempt=len(state.turns) + 1)
    given, usage, cut = await _asked(services.models, tutor, menu)
    return dump(move=given, usage=_spent(state.usage, usage), cut=max(state.cut, cut))


async def _asked(models: RoleModels, tutor: Tutor, menu: Sequence[MenuItem]) -> tuple[Any, Usage, int]:
    prompt = messages(tutor, menu)
    schema = MenuMove if menu else FlatMove
    try:
        reply = await models.structured(ROLE, prompt, schema, max_tokens=tutor.settings.max_tokens)
    except ModelReplyInvalid as invalid:
        return _chosen(invalid.raw, menu) or invalid.raw, invalid.usage, invalid.cut
    thought(ROLE, reply.thinking)
    choice = reply.value.choice if isinstance(reply.value, MenuMove) else 0
    if menu and choice:
        return _chosen(str(choice), menu) or f"{choice}", reply.usage, reply.cut
    return reply.value.whole(), reply.usage, reply.cut


def _question(tutor: Tutor, menu: Sequence[MenuItem]) -> dict[str, Any]:
    """What a person is asked; the answer is {"move": ...}: a move, or the number of one of the menu."""
    return {
        "kind": "move",
        "goal": tutor.game.goal,
        "turn": len(tutor.turns) + 1,
        "most_turns": tutor.most_turns,
        "message": tutor.turns[-1].message if tutor.turns else "",
        "menu": [{"label": item.label, "move": dumped(item.move)} for item in menu],
    }


def _typed(answer: Any, menu: Sequence[MenuItem]) -> Any:
    """The move in a person's answer, as it was given; what is more than {"move": ...} is one itself."""
    wrapped = isinstance(answer, Mapping) and set(answer) == {"move"} and answer["move"] != "PASS"
    given = answer["move"] if wrapped else answer
    return (_chosen(given, menu) or given) if isinstance(given, str) else given


def _chosen(text: str, menu: Sequence[MenuItem]) -> dict[str, Any] | None:
    """The move of a menu a number stands for; None for what is no number of it."""
    number = text.strip().rstrip(".")
    if number.isascii() and number.isdigit() and len(number) < 4 and 0 < int(number) <= len(menu):
        return dumped(menu[int(number) - 1].move)
    return None


def _spent(before: RoleUsage, usage: Usage) -> RoleUsage:
    return RoleUsage(
        calls=before.calls + usage.calls,
        prompt_tokens=before.prompt_tokens + usage.prompt_tokens,
        completion_tokens=before.completion_tokens + usage.completion_tokens,
        seconds=before.seconds + usage.seconds,
    )
