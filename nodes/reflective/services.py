"""What nodes use: models, tools, memory, opened once per run from the caller's choices."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock

from langgraph.config import get_config
from langgraph.runtime import Runtime

from configs.loading import load_settings
from configs.locations import located
from configs.root import resolve_root
from configs.settings import Settings
from memory.corpus import HybridExperience
from memory.corpus_opening import open_experience
from memory.effects import EffectJournal
from memory.effects.opening import project_journal
from memory.project_directory import ensure_project_directory
from memory.telemetry.opening import open_recorder
from memory.threads import artifact_directory, checked_thread
from memory.trace.session_trace import BELOW, SessionTrace
from models.embeddings import Embedder, open_embedder
from models.profile_rules import check_models_allowed
from models.remembered_vectors import RememberedVectors
from models.roles import RoleModels
from models.selection import ModelChoice, choose_model
from models.telemetry import names
from models.telemetry.chat_calls import model_attributes
from models.telemetry.hashing import hash_of
from models.telemetry.scope import Recorder, Value, attach
from nodes.reflective.context import RunContext
from nodes.reflective.time_limits import settings_known
from tools.mcp.servers import ToolServers
from tools.toolbox import Toolbox

OPEN_RUNS = 64
# Runs without a thread keep their long outputs together.
UNNAMED = "no-thread"

_below: ContextVar[str] = ContextVar("run_below", default="")


@dataclass
class Written:
    """Which events of a run this process has begun to write, by which a second writing is noticed.

    Attributes:
        resumed: True if the run began elsewhere, or longer ago than this process remembers.
        first_task: the first task that wrote an event here.
        event_ids: events whose writing was begun here.
    """

    resumed: bool = False
    first_task: str = ""
    event_ids: set[str] = field(default_factory=set)

    def perhaps_before(self, task: str, event_id: str) -> bool:
        """Note that an event is about to be written; True if it may have been written before.

        Only the first task after a resume may repeat one that a killed process was at. In this process, a
        task that was cancelled or is retried names its events as it did the first time.
        """
        self.first_task = self.first_task or task
        known = event_id in self.event_ids or (self.resumed and task == self.first_task)
        self.event_ids.add(event_id)
        return known


@dataclass
class Seen:
    """What a run found out and need not look for again.

    Attributes:
        located: what goals were found to name, by goal, until a step runs.
        recalled: what past runs had to say, by kind and query.
        searched: True once the corpus was searched with all it held before the run; what the run itself
        writes
            is in its state.
    """

    located: dict[str, object] = field(default_factory=dict)
    recalled: dict[tuple[str, str], object] = field(default_factory=dict)
    searched: bool = False


@dataclass(frozen=True)
class Services:
    """The resources of one run.

    Attributes:
        root: directory the goal is about, resolved.
        settings: all settings.
        choice: the model in use and why.
        models: models by role.
        toolbox: typed tools, or None when the profile allows none.
        journal: where changes are written down before and after they are made.
        experience: the corpus, or None when memory is off.
        embedder: opens the embedding model at its first use.
        warnings: what could not be opened and what that means.
        recorder: records the run, or None when telemetry is off.
        written: the events written so far.
        seen: what the run found out already.
    """

    root: Path
    settings: Settings
    choice: ModelChoice
    models: RoleModels
    toolbox: Toolbox | None
    journal: EffectJournal
    experience: HybridExperience | None
    embedder: Callable[[], Embedder]
    warnings: tuple[str, ...] = field(default=())
    recorder: Recorder | None = None
    written: Written = field(default_factory=Written, compare=False)
    seen: Seen = field(default_factory=Seen, compare=False)

    @cached_property
    def told(self) -> dict[str, Value]:
        """What telemetry tells of the run: which model, and which project, by its hash."""
        if self.recorder is None:
            return {}
        return model_attributes(self.choice.model_id, self.recorder) | {
            names.PROJECT: hash_of(str(self.root))
        }

    def trace(self, session_id: str) -> SessionTrace | None:
        """The session's trace file, or None when traces or memory are off."""
        traces = self.settings.traces
        if not traces.enabled or self.experience is None:
            return None
        return SessionTrace(located(self.root, traces.path), session_id, traces.max_per_session)


def open_services(context: RunContext, thread: str = "") -> Services:
    """Open everything a run needs; blocking, so call it in a thread.

    Args:
        context: the caller's choices.
        thread: the run's thread, by which its long outputs are kept.

    Raises:
        UsageError: the root cannot be used.
        SettingsError: a settings source is wrong.
        ModelError: no model can be used, or the profile forbids the one that is set.
        MemoryStoreError: telemetry, or a server for experience, is asked for and cannot be used.
    """
    root = resolve_root(context.root)
    settings = load_settings(root, context.flags()).settings
    profile = getattr(settings.profiles, settings.profile)
    if profile.reflection == "simple":
        probing_off = settings.reflect.model_copy(update={"use_shell": False})
        settings = settings.model_copy(update={"reflect": probing_off})
    choice = choose_model(settings)
    check_models_allowed(settings, choice)
    project = ensure_project_directory(root)
    recorder = open_recorder(settings, root)
    embedder = _remembering(settings)
    return Services(
        root=root,
        settings=settings,
        choice=choice,
        models=RoleModels(settings, choice),
        toolbox=None
        if profile.tools == "none"
        else Toolbox(
            root,
            settings.tools,
            profile.tools,
            artifacts=artifact_directory(project, thread or UNNAMED),
            timeout=settings.graph.timeout_per_step,
            servers=ToolServers(settings.mcp.servers, settings.profile),
            audit=settings.audit,
        ),
        journal=project_journal(root, settings),
        experience=open_experience(settings, root, embedder)
        if profile.memory and settings.experience.enabled
        else None,
        embedder=embedder,
        recorder=recorder,
    )


def _remembering(settings: Settings) -> Callable[[], Embedder]:
    """Opens the embedding model, whose vectors all runs of this process share."""

    def opened() -> Embedder:
        embedder = open_embedder(settings)
        with _REMEMBERING:
            known = _REMEMBERED.get(embedder)
            if known is None:
                known = _REMEMBERED[embedder] = RememberedVectors(embedder)
            return known

    return opened


_REMEMBERED: dict[Embedder, RememberedVectors] = {}
_REMEMBERING = Lock()


class _OpenRuns:
    """Services of recent runs, by thread and choices; the oldest are dropped."""

    def __init__(self) -> None:
        self._runs: OrderedDict[tuple[str, str], Services] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[str, str], context: RunContext, *, fresh: bool) -> Services:
        with self._lock:
            found = None if fresh else self._runs.get(key)
        services = found or open_services(context, key[0])
        if found is None:
            services.written.resumed = not fresh
        with self._lock:
            self._runs[key] = services
            self._runs.move_to_end(key)
            while len(self._runs) > OPEN_RUNS:
                self._runs.popitem(last=False)
        return services

    def find(self, key: tuple[str, str]) -> Services | None:
        with self._lock:
            if key in self._runs:
                self._runs.move_to_end(key)
            return self._runs.get(key)


_OPEN = _OpenRuns()


def open_model_name(context: RunContext, thread: str) -> str:
    """provider:model of a run that is open in this process; empty if it never opened."""
    services = _OPEN.find((thread, context.model_dump_json()))
    return str(services.choice.model_id) if services else ""


def thread_id() -> str:
    """The name of the run a node belongs to: its thread, and within it the run below another.

    Runs below one another share the thread, but neither traces nor open services; empty when the caller named
    no thread.

    Raises:
        ThreadNameReserved: the caller's name is one that only a run below another may have.
    """
    thread = checked_thread(str(get_config().get("configurable", {}).get("thread_id") or ""))
    return f"{thread}{BELOW}{_below.get()}" if thread and _below.get() else thread


@contextmanager
def named_below(name: str) -> Iterator[None]:
    """Name the runs begun within, which share the thread of the run they are begun by.

    Args:
        name: stays the same when the thread is resumed.
    """
    above = _below.get()
    token = _below.set(f"{above}{BELOW}{name}" if above else name)
    try:
        yield
    finally:
        _below.reset(token)


def _key(context: RunContext) -> tuple[str, str]:
    return thread_id() or _below.get(), context.model_dump_json()


async def services_of(runtime: Runtime[RunContext], *, fresh: bool = False) -> Services:
    """The services of the run a node belongs to.

    Args:
        runtime: LangGraph's runtime; its context holds the caller's choices.
        fresh: open them anew, as the first node of a run does, so changed settings count.
    """
    context = runtime.context or RunContext()
    key = _key(context)
    services = None if fresh else _OPEN.find(key)
    if services is None:
        services = await asyncio.to_thread(_OPEN.get, key, context, fresh=fresh)
    settings_known(services.settings)
    attach(services.recorder, services.told)
    return services


async def close_models(runtime: Runtime[RunContext]) -> list[str]:
    """Close the model connections of a run that has answered.

    Returns:
        What the run should tell of its calls, of those since this process began or resumed it.
    """
    context = runtime.context or RunContext()
    await close_models_of(context)
    services = _OPEN.find(_key(context))
    return services.models.remarks if services is not None else []


async def close_models_of(context: RunContext) -> None:
    """Close the model connections of the run a node belongs to, as it was begun with these choices."""
    services = _OPEN.find(_key(context))
    if services is not None:
        await services.models.aclose()
