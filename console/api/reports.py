"""The page of what came of a thread: the one its command writes, else that of its answer.

    research      the report, as `reflect research --html` writes it
    tutor         the game, as `reflect play --html`
    specialists   the audit, as `reflect audit --html`
    all others    answer, what it rests on, and how it was come by       answer_page.py

A state is read from a file that anybody may have written: what does not fit is no page of a command.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from pydantic import ValidationError
from starlette.requests import Request

from cli import audit_page, play_page, research_page
from configs.errors import ReflectError
from configs.settings import Settings
from console.api import answer_page
from console.api.answers.reading import answer_facts
from console.api.asked import root_of, thread_of
from console.api.graphs import graph_of_kind
from console.api.thread_places import check_not_linked_out
from console.api.threads import project_settings, thread_found
from console.errors import ConsoleError, NotThere
from memory.project_directory import DIRECTORY
from memory.thread_history import Moment
from memory.threads import ARTIFACTS, artifact_directory
from nodes.research.state import ResearchState
from nodes.specialists.state import SpecialistsState
from nodes.tutor.export import document_of
from nodes.tutor.open_games import FREE, stored_game
from nodes.tutor.state import TutorState
from tools.artifacts import read_back
from tools.audit.report import Audit

DAMAGE = (ValidationError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What reading a state may raise that somebody wrote by hand: its values have a form, but no meaning."""
_log = logging.getLogger(__name__)


def report_page(request: Request) -> str:
    """The page of a thread; blocking.

    Raises:
        NotThere: there is no such thread, or nothing has come of it yet.
    """
    root, thread = root_of(request), thread_of(request)
    place, moment = thread_found(root, thread)
    if not moment.values:
        raise NotThere(f"The thread {thread!r} has not begun.", "Go on with it.")
    settings = project_settings(root, place)
    notes: list[str] = []
    write = _WRITERS.get(graph_of_kind(moment.kind))
    if write is not None:
        try:
            return write(moment, settings, root, thread)
        except ReflectError as error:
            # Its answer can be shown all the same, and why there is no more.
            notes.append(str(error))
        except DAMAGE:
            _log.warning("The state of thread %s cannot be shown as its command does.", thread, exc_info=True)
            notes.append("The state is not of the form its command writes, so only this is shown of it.")
    return answer_page.page_of(answer_facts(moment), thread, notes)


def _research(moment: Moment, settings: Settings, root: Path, thread: str) -> str:
    result = ResearchState.model_validate(moment.values).result
    if not result:
        raise ConsoleError("There is no report yet.")
    return research_page.page_of(result[0])


def _game(moment: Moment, settings: Settings, root: Path, thread: str) -> str:
    state = TutorState.model_validate(moment.values)
    if not state.nodes:
        raise ConsoleError("The game has not begun.")
    kept = artifact_directory(root / DIRECTORY, thread)
    # Large observations are read from the place a state names.
    for named in (state.place, *([] if state.game == FREE else [state.directory])):
        if not Path(os.path.realpath(named)).is_relative_to(os.path.realpath(kept)):
            raise ConsoleError("The files of the game do not lie where its thread keeps them.")
    check_not_linked_out(root, os.path.join(DIRECTORY, ARTIFACTS, kept.name))
    tutor = stored_game(state, settings.tools)
    return play_page.page_of(document_of(tutor), state, tutor.game.title)


def _audit(moment: Moment, settings: Settings, root: Path, thread: str) -> str:
    state = SpecialistsState.model_validate(moment.values)
    if state.audit is None:
        raise ConsoleError("No audit was made.")
    kept = artifact_directory(root / DIRECTORY, thread) / Path(state.audit.name).name
    check_not_linked_out(root, os.fspath(kept.relative_to(root)))
    return audit_page.page_of(Audit.model_validate_json(read_back(kept)), root.name)


_WRITERS: Mapping[str, Callable[[Moment, Settings, Path, str], str]] = {
    "research": _research,
    "tutor": _game,
    "specialists": _audit,
}
