"""What this process knows of each server: its calls under way, its breaker, what it said of itself.

There is one `Host` for a server however many runs and roles ask it. All of it is used under one lock, so that
choosing a server and beginning a call of it are one step, from any thread.
"""

from __future__ import annotations

import itertools
import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from models.fleet.breaker import Breaker
from models.fleet.health import HostHealth
from models.fleet.routing import HostView, choose
from models.identifiers import ModelId

Outcome: TypeAlias = Literal["answered", "failed", "missing", "untold"]

LOOK_EVERY = 10.0
"""Seconds after which a server that is asked is looked at again."""
MISSING_FOR = 30.0
"""Seconds for which a server that did not find a model is not asked for it."""
BUSY_SECONDS = 0.25
"""A call under way for this long has reached its server, which is then known to be busy."""
SILENT_LOOKS = 3
"""Looks in a row that a busy server may leave unanswered before it counts as hanging."""


@dataclass(frozen=True)
class Visit:
    """A call of a server, under way."""

    host: Host
    number: int
    began: float


@dataclass(eq=False)
class Host:
    """A server, as this process knows it; times are those of one monotonic clock, in seconds.

    Attributes:
        provider: whose protocol it speaks.
        address: its URL.
        health: what it said last; None before the first look.
        looked: when that look began.
        listed: when the last look began that asked for its models.
        answers_busy: True if it is known to answer a look while it answers a call. Ollama does; of others it
            has to be seen, because one that handles one request at a time does not hang when it is silent.
    """

    provider: str
    address: str
    answers_busy: bool = False
    health: HostHealth | None = None
    looked: float = float("-inf")
    listed: float = float("-inf")
    breaker: Breaker = field(default_factory=Breaker)
    _silent: int = 0
    _calls: dict[int, float] = field(default_factory=dict)
    _lacks: dict[str, float] = field(default_factory=dict)
    _loaded: frozenset[str] = frozenset()
    _chosen: int = field(default_factory=lambda: -random.randrange(1, 2**31))
    """At random and below every number of `_NUMBERS`: processes that make one call each share servers too."""

    @property
    def hangs(self) -> bool:
        """True if it left looks unanswered that it would have answered even while busy."""
        return self.answers_busy and self._silent >= SILENT_LOOKS

    def admits(self, now: float) -> bool:
        """True if it may be asked: it is not away, or it is its turn to show whether it still is."""
        state = self.breaker.state(now)
        back = self.health is not None and self.health.answers and self.looked >= self.breaker.until
        return state == "closed" or (state == "half_open" and not self.breaker.trying and back)

    def perhaps_answers(self) -> bool:
        """True if, by the last look, a call may be answered although the breaker is open."""
        health = self.health
        return health is not None and (health.answers or (health.silent and not self.answers_busy))

    def wants_look(self, now: float) -> bool:
        """True if what it said of itself is too old to go by, and it is not left alone just now."""
        state = self.breaker.state(now)
        if state == "half_open":
            return self.looked < self.breaker.until
        return state == "closed" and now - self.listed >= LOOK_EVERY

    def lacks(self, model: ModelId, now: float) -> bool:
        """True if it is known not to have a model."""
        noted = self._lacks.get(model.name)
        if noted is not None and now - noted < MISSING_FOR:
            return True
        listed = self.health.models if self.health is not None else None
        # What an OpenAI-compatible server lists need not be all it serves.
        return model.provider == "ollama" and listed is not None and not _names(model) & set(listed)

    def view(self, model: ModelId, now: float, *, admits: bool) -> HostView:
        """What routing goes by."""
        listed = self.health.models if self.health is not None else None
        unlisted = model.provider == "openai" and listed is None
        return HostView(
            self.address,
            under_way=len(self._calls),
            admits=admits,
            lacks=self.lacks(model, now),
            loaded=unlisted or bool(_names(model) & self._loaded),
            chosen=self._chosen,
        )

    def looked_at(self, health: HostHealth, began: float, now: float, *, briefly: bool = False) -> None:
        """Note what a look found that began at a time and ended now."""
        with STATE:
            busy = any(begun <= began - BUSY_SECONDS for begun in self._calls.values())
            self.looked, self.listed = began, self.listed if briefly else began
            if health.answers:
                self._silent = 0
                self.answers_busy = self.answers_busy or busy
                if health.models is not None:
                    self._loaded = frozenset(health.loaded)
                elif self.health is not None:
                    health = HostHealth(True, health.version, self.health.models, self.health.loaded)
                self.health = health
                return
            self.health = health
            self._silent += health.silent
            # A busy server may be slow to say so; one that hangs is given up after some looks.
            if not (health.silent and self._calls) or self.hangs:
                self.breaker = self.breaker.failed(began, now)

    def begin(self, now: float) -> Visit:
        """A call begins."""
        with STATE:
            number = next(_NUMBERS)
            self._calls[number] = now
            self._chosen = number
            if self.breaker.failures:
                self.breaker = self.breaker.tried()
            return Visit(self, number, now)

    def end(self, visit: Visit, outcome: Outcome, model: ModelId, now: float) -> None:
        """A call ended.

        Args:
            visit: the call.
            outcome: answered; failed for a reason that lies with the server; missing, the model; or untold,
                where its end says nothing of the server.
            model: that was asked.
            now: the time.
        """
        with STATE:
            del self._calls[visit.number]
            if outcome == "failed":
                self.breaker = self.breaker.failed(visit.began, now)
            elif outcome == "untold":
                self.breaker = self.breaker.let_go(visit.began)
            else:
                self.breaker = self.breaker.succeeded(visit.began)
                self._silent = 0
            if outcome == "missing":
                self._lacks[model.name] = now
            elif outcome == "answered":
                self._lacks.pop(model.name, None)
                self._loaded |= _names(model)


STATE = threading.RLock()
_NUMBERS = itertools.count(1)
_HOSTS: dict[tuple[str, str], Host] = {}


def host_at(provider: str, address: str) -> Host:
    """What this process knows of a server."""
    with STATE:
        return _HOSTS.setdefault(
            (provider, address), Host(provider, address, answers_busy=provider == "ollama")
        )


def take(
    hosts: Sequence[Host], model: ModelId, now: float, before: str | None, *, by_looks: bool = False
) -> Visit | None:
    """Choose a server and begin a call of it.

    Args:
        hosts: those that may be asked, in the order of the settings.
        model: that is asked.
        now: the time.
        before: address of the server that answered this run's last call of the model.
        by_looks: go by what the servers said when they were looked at last, whatever their breakers say; and
            where none has the model by what it said, ask one that may have it all the same.

    Returns:
        The call; None if none of them may be asked.
    """
    with STATE:
        views = [
            host.view(model, now, admits=host.perhaps_answers() if by_looks else host.admits(now))
            for host in hosts
        ]
        chosen = choose(views, before)
        if chosen is None and by_looks:
            chosen = choose([replace(view, lacks=False) for view in views], before)
        return next((host.begin(now) for host in hosts if host.address == chosen), None)


def _names(model: ModelId) -> frozenset[str]:
    """What a listing may call a model: Ollama's has a tag, `latest` where none is named."""
    return frozenset({model.name, f"{model.name}:latest"})
