"""One reply of several servers: the best one is asked, and another when it fails.

A question is asked of one server at a time, so it is answered once; a server that failed is not asked the
same question again.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass

from langchain_core.messages import AIMessage

from configs.redaction import without_secrets
from models.errors import (
    ModelError,
    ModelFailed,
    ModelMissing,
    ModelRequestRefused,
    ModelTimeout,
    ModelUnavailable,
)
from models.fleet.hosts import Host, Outcome, Visit, host_at, take
from models.fleet.looking import begin_look, looked
from models.fleet.watching import watched
from models.identifiers import ModelId
from models.role_settings import ResolvedModel

LOOK_AGAIN = 1.0
"""Seconds for which a look is believed where no server may be asked: as long as the shortest back-off."""

Ask = Callable[[ResolvedModel], Awaitable[AIMessage]]


@dataclass(frozen=True)
class FleetReply:
    """A reply, and what it took to get it.

    Attributes:
        message: the reply.
        address: of the server that gave it.
        failed: what kept the servers from answering that were asked before, by address.
        away: why others are known not to answer and were not asked, by address.
    """

    message: AIMessage
    address: str
    failed: dict[str, ModelError]
    away: dict[str, str]


class Fleet:
    """The servers of one model.

    Args:
        model: with the addresses of all of them.
    """

    def __init__(self, model: ResolvedModel) -> None:
        self._model = model
        self._hosts = [host_at(model.model_id.provider, address) for address in model.addresses]

    async def reply(self, ask: Ask, before: str | None = None) -> FleetReply:
        """The reply of the first server that gives one.

        Args:
            ask: asks the model at its `address`; a server's failure is a `ModelError`.
            before: address of the server that answered this run's last call of the model.

        Raises:
            ModelUnavailable: no server answers; each is named with what it said.
            ModelMissing: no server has the model.
            ModelError: the question is at fault, or takes too long; others would do no better.
        """
        failed: dict[str, ModelError] = {}
        await looked(self._at(host) for host in self._hosts if host.health is None)
        while (visit := await self._next(failed, before)) is not None:
            reply = await self._asked(visit, ask)
            if isinstance(reply, AIMessage):
                return FleetReply(reply, visit.host.address, failed, self._away(failed))
            failed[visit.host.address] = reply
        raise self._nobody(failed)

    def _at(self, host: Host) -> ResolvedModel:
        return self._model.at(host.address)

    async def _next(self, failed: Collection[str], before: str | None) -> Visit | None:
        """A call of the best server that is left; None if none may be asked, even after a look at each."""
        left = [host for host in self._hosts if host.address not in failed]
        now = time.monotonic()
        for host in left:
            if host.wants_look(now):
                begin_look(self._at(host))
        visit = take(left, self._model.model_id, now, before)
        if visit is not None or not left:
            return visit
        await looked(self._at(host) for host in left if now - host.looked >= LOOK_AGAIN)
        return take(left, self._model.model_id, time.monotonic(), before, by_looks=True)

    async def _asked(self, visit: Visit, ask: Ask) -> AIMessage | ModelError:
        """A server's reply, or why another one is to be asked; raises what no other one would do better."""
        at = self._at(visit.host)
        outcome: Outcome = "untold"
        try:
            async with watched(visit.host, at):
                message = await ask(at)
            outcome = "answered"
            return message
        except ModelError as error:
            outcome = await _meant(visit.host, at, error)
            if outcome in ("failed", "missing"):
                return error
            raise
        finally:
            visit.host.end(visit, outcome, self._model.model_id, time.monotonic())

    def _away(self, failed: Collection[str]) -> dict[str, str]:
        return {
            host.address: host.health.problem
            for host in self._hosts
            if host.address not in failed and host.breaker.failures and host.health and host.health.problem
        }

    def _nobody(self, failed: Mapping[str, ModelError]) -> ModelError:
        """That no server answered, with what each of them said."""
        name, now = self._model.model_id, time.monotonic()
        missing = [
            isinstance(failed[host.address], ModelMissing)
            if host.address in failed
            else host.lacks(name, now)
            for host in self._hosts
        ]
        said = [
            failed[host.address].what if host.address in failed else _why(host, name, lacks=lacks)
            for host, lacks in zip(self._hosts, missing, strict=True)
        ]
        what = without_secrets("", f"None of the {len(said)} servers of {name} answered. {' '.join(said)}")
        error: ModelError
        if all(missing):
            pull = f"Run `ollama pull {name.name}` on one of them."
            error = ModelMissing(what, pull if name.provider == "ollama" else "Check the model's name.")
        else:
            error = ModelUnavailable(
                what, "Start one of them; `reflect doctor` shows each. Or choose another model with --model."
            )
        error.transient = any(problem.transient for problem in failed.values())
        return error


async def _meant(host: Host, at: ResolvedModel, error: ModelError) -> Outcome:
    """What an error tells of the server."""
    if isinstance(error, ModelMissing):
        return "missing"
    if isinstance(error, ModelRequestRefused):
        return "answered"
    if isinstance(error, ModelTimeout):
        # A model that is too slow is so elsewhere; a server that hangs is not.
        await looked([at], briefly=True)
        return "untold" if host.health is not None and host.health.answers else "failed"
    return "failed" if isinstance(error, (ModelUnavailable, ModelFailed)) else "untold"


def _why(host: Host, model: ModelId, *, lacks: bool) -> str:
    """Why a server was not asked."""
    if lacks:
        return f"{host.address} does not have {model.name}."
    problem = host.health.problem if host.health is not None else ""
    return f"{problem[:1].upper()}{problem[1:]}." if problem else f"{host.address} did not say how it is."
