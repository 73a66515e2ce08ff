"""What becomes of a claim: examined, given its status, and held against the claims that hold already."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from nodes.tutor.contradictions import Contradictions
from nodes.tutor.examining import Examined, examine
from nodes.tutor.observations import Observation
from nodes.tutor.proof_graph import EdgeKind
from nodes.tutor.recording import Recording
from nodes.tutor.verdicts import Verdict


@dataclass(frozen=True)
class Judged:
    """What came of a claim.

    Attributes:
        verdict: on it, by all that is cited for it.
        status: it has now.
        changed: True if it had another status before.
        ignored: why a citation supports nothing, by its name.
        against: claims it cannot be so beside, with the status they have now.
    """

    verdict: Verdict
    status: str
    changed: bool
    ignored: Mapping[str, str]
    against: Mapping[str, str]


class Judging:
    """Judges the claims of one game.

    Args:
        record: of the game.
        game: its name.
        observations: by name.
        is_fresh: False for an observation that tells of the past.

    Attributes:
        stale: names of the observations found to tell of the past, since this was last emptied.
    """

    def __init__(
        self,
        record: Recording,
        game: str,
        observations: Mapping[str, Observation],
        is_fresh: Callable[[Observation], bool],
    ) -> None:
        self._record = record
        self._game = game
        self._observations = observations
        self._is_fresh = is_fresh
        self._holding = Contradictions()
        self.stale: set[str] = set()
        for node in record.graph.of_kind("claim"):
            if node.status == "validated":
                self._holding.add(node.id, record.claim(node.id))

    def judge(self, name: str, turn: int) -> Judged:
        """Examine a claim by all that is cited for it, and write what follows.

        One that held and cannot be proved any more is only proposed. One that contradicts others that hold is
        proved again with them, each by its own evidence and beside that of the other: what is not, falls.
        """
        before = self._status(name)
        examined = self._examined(name)
        verdict = examined.verdict
        self._write(name, verdict, turn, before)
        against: dict[str, str] = {}
        if verdict.status == "validated":
            claim = self._record.claim(name)
            against = self._contradicted(name, self._holding.of(name, claim), turn)
        status = self._status(name)
        return Judged(verdict, status, status != before, examined.ignored, against)

    def is_fresh(self, observation: Observation) -> bool:
        """False if an observation tells of the past, which is noted."""
        fresh = self._is_fresh(observation)
        if not fresh:
            self.stale.add(observation.id)
        return fresh

    def _examined(self, name: str, beside: Iterable[str] = ()) -> Examined:
        cites = list(dict.fromkeys([*self._record.evidence(name), *beside]))
        return examine(self._record.claim(name), cites, self._observations, self._game, self.is_fresh)

    def _write(self, name: str, verdict: Verdict, turn: int, before: str) -> None:
        """Status and edges of a verdict."""
        status: str = verdict.status
        if status == "undecidable" and before == "validated":
            status = "proposed"
        self._set(name, status, verdict.reason)
        if verdict.status != "undecidable":
            kind: EdgeKind = "supports" if verdict.status == "validated" else "refutes"
            for used in sorted(verdict.used):
                self._record.join(kind, used, name, turn)

    def _contradicted(self, name: str, others: list[str], turn: int) -> dict[str, str]:
        """Demote a claim and those it contradicts, and leave standing what is proved again."""
        if not others:
            return {}
        for other in others:
            self._record.join("refutes", name, other, turn)
            self._record.join("refutes", other, name, turn)
        reason = f"It contradicts {', '.join(others)}."
        standing = all(self._is_proved_beside(name, other) for other in others)
        proved = [other for other in others if self._is_proved_beside(other, name)]
        if not standing:
            self._set(name, "proposed", reason)
        for other in others:
            if other not in proved:
                self._set(other, "proposed", f"It contradicts {name}.")
        return {other: self._status(other) for other in others}

    def _is_proved_beside(self, name: str, other: str) -> bool:
        """True if a claim is proved by its own evidence, and still beside that of another."""
        alone = self._examined(name).verdict.status == "validated"
        beside = self._record.evidence(other)
        return alone and self._examined(name, beside).verdict.status == "validated"

    def _status(self, name: str) -> str:
        return self._record.graph.nodes[name].status

    def _set(self, name: str, status: str, reason: str) -> None:
        if status == "validated":
            self._holding.add(name, self._record.claim(name))
        else:
            self._holding.remove(name)
        self._record.set_status(name, status, reason)
