"""What each move does, once it is known to be legal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nodes.tutor.answering import has_form, matched
from nodes.tutor.claims import Claim
from nodes.tutor.games.game import Game
from nodes.tutor.judging import Judged, Judging
from nodes.tutor.known import Knowledge
from nodes.tutor.moves import Answer, Ask, Assert, Challenge, Link, Move, Pass, Propose, Reformulate
from nodes.tutor.observations import Observation
from nodes.tutor.recording import GOAL, Recording
from nodes.tutor.scoring import Credit, Scoring
from nodes.tutor.telling import joined, of_contradiction, of_observation, of_verdict, one_line
from nodes.tutor.turns import Outcome


@dataclass(frozen=True)
class Made:
    """What came of the tool call of a move.

    Attributes:
        observation: that was made; or one that was made before, and still holds.
        again: True if it was made before.
        refused: why there is none; "" if there is one.
        broken: True if the tool could not run, whatever was asked of it.
    """

    observation: Observation | None = None
    again: bool = False
    refused: str = ""
    broken: bool = False


@dataclass(frozen=True)
class Done:
    """What a move did; the fields are those of `Turn`."""

    outcome: Outcome
    message: str
    observation: str = ""
    claim: str = ""
    question: str = ""
    status: Any = None
    credit: Credit = Credit()
    novel: bool = False


class Playing:
    """Plays the moves of one game.

    Args:
        game: what it is about.
        record: its graph.
        judging: its claims.
        knowledge: its observations.
        scoring: its points.
        shown_chars: characters of an observation that are told at once.
    """

    def __init__(
        self,
        game: Game,
        record: Recording,
        judging: Judging,
        knowledge: Knowledge,
        scoring: Scoring,
        shown_chars: int,
    ) -> None:
        self._game = game
        self._record = record
        self._judging = judging
        self._knowledge = knowledge
        self._scoring = scoring
        self._shown_chars = shown_chars

    def play(self, move: Move, action: str, made: Made, turn: int) -> Done:
        """Do what a legal move says.

        Args:
            move: the move.
            action: its node.
            made: what came of its tool call, if it has one; it was not refused.
            turn: number of the turn.
        """
        match move:
            case Propose():
                return self._propose(made, action, turn)
            case Assert():
                return self._assert(move.claim, move.evidence, turn)
            case Challenge():
                return self._challenge(move, made, action, turn)
            case Reformulate():
                return self._reformulate(move, turn)
            case Link():
                name = self._record.put(self._record.claim(move.claim), move.evidence, turn)
                return self._settled(name, self._judging.judge(name, turn))
            case Ask():
                question = self._record.add("question", turn, {"text": move.question})
                self._record.join("targets", question, GOAL, turn)
                return Done(
                    "played", f"Noted as {question}. An observation may settle it.", question=question
                )
            case Answer():
                return self._answer(move.claims, action, turn)
            case Pass():
                return Done("played", "You passed.")

    def _propose(self, made: Made, action: str, turn: int) -> Done:
        observation = made.observation
        assert observation is not None
        told = of_observation(observation, self._shown_chars)
        if made.again:
            again = f"{observation.id} shows this already, and nothing of it has changed."
            return Done("played", joined(again, told), credit=self._scoring.repeated())
        novel = self._observed(observation, action, turn)
        if not novel and self._knowledge.is_empty(observation):
            return Done("failed", told, observation=observation.id, credit=self._scoring.failed())
        credit = self._scoring.observed(observation.id, novel=novel)
        nothing = "" if novel else "It shows no fact that was not known."
        return Done("played", joined(told, nothing), observation=observation.id, credit=credit, novel=novel)

    def _observed(self, observation: Observation, action: str, turn: int) -> bool:
        """Take an observation up; True if it shows a fact not known before."""
        self._record.observed(observation, action, turn)
        return self._knowledge.add(observation)

    def _assert(self, claim: Claim, evidence: Sequence[str], turn: int) -> Done:
        name = self._record.put(claim, evidence, turn)
        if not self._record.evidence(name):
            told = f"{name} is an assumption: nothing was cited for it. LINK observations that show it."
            return Done("rejected", told, claim=name, status="proposed", credit=self._scoring.unsupported())
        return self._asserted(name, turn)

    def _asserted(self, name: str, turn: int) -> Done:
        judged = self._judging.judge(name, turn)
        done = self._settled(name, judged)
        if judged.status == "validated":
            return done
        return Done(
            "rejected",
            done.message,
            claim=name,
            status=done.status,
            credit=self._scoring.unsupported(),
            novel=done.novel,
        )

    def _settled(self, name: str, judged: Judged) -> Done:
        """A claim was judged: what to tell, and what it brings."""
        told = joined(
            of_verdict(name, judged.verdict, judged.status, judged.ignored),
            of_contradiction(name, judged.against),
        )
        credit = Credit()
        if judged.status == "validated":
            credit = self._scoring.proved(name, self._record.targets_of(name))
        return Done("played", told, claim=name, status=judged.status, credit=credit, novel=judged.changed)

    def _challenge(self, move: Challenge, made: Made, action: str, turn: int) -> Done:
        evidence, seen, told, novel = list(move.evidence), "", "", False
        if made.observation is not None:
            evidence.append(made.observation.id)
            told = of_observation(made.observation, self._shown_chars)
            if not made.again:
                seen = made.observation.id
                novel = self._observed(made.observation, action, turn)
        name = self._record.put(self._record.claim(move.claim), evidence, turn)
        self._record.join("targets", action, name, turn)
        judged = self._judging.judge(name, turn)
        done = self._settled(name, judged)
        stands = "The challenge failed: it still holds." if judged.status == "validated" else ""
        return Done(
            "played",
            joined(told, done.message, stands),
            observation=seen,
            claim=name,
            status=judged.status,
            credit=done.credit,
            novel=novel or judged.changed,
        )

    def _reformulate(self, move: Reformulate, turn: int) -> Done:
        evidence = self._record.evidence(move.claim)
        name = self._record.put(move.into, evidence, turn)
        if name != move.claim:
            self._record.join("derives", move.claim, name, turn)
        if self._record.evidence(name):
            return self._asserted(name, turn)
        told = f"{name} is an assumption as {move.claim} was. LINK observations that show it."
        return Done("rejected", told, claim=name, status="proposed", credit=self._scoring.unsupported())

    def _answer(self, names: Sequence[str], action: str, turn: int) -> Done:
        """Prove every claim named again, by what is fresh at this moment, and match them with the targets."""
        graph = self._record.graph
        before = {name: graph.nodes[name].status for name in names}
        reasons = {
            name: self._judging.judge(name, turn).verdict.reason
            for name, status in before.items()
            if status == "validated"
        }
        # Looked at when all are judged: the proof of one may have brought down another.
        fallen = [name for name in names if graph.nodes[name].status != "validated"]
        wrong = [
            f"{name} cannot be proved any more. {one_line(reasons[name])}"
            if name in reasons
            else f"{name} is {before[name]}, not proved."
            for name in fallen
        ]
        wrong += self._unmatched(names, fallen, action, turn)
        if wrong:
            told = joined("The answer is not accepted.", *wrong)
            novel = any(name in reasons for name in fallen)
            return Done("rejected", told, credit=self._scoring.rejected(), novel=novel)
        for name in names:
            self._record.join("derives", name, GOAL, turn)
        told = "The answer is proved and complete. The goal is reached."
        return Done("won", told, credit=self._scoring.won(turn))

    def _unmatched(self, names: Sequence[str], fallen: Sequence[str], action: str, turn: int) -> list[str]:
        """What is wrong with an answer by the forms of its claims; of one that has them all, only that it is.

        Which of its claims is not the one asked for is never told, nor joined: an answer of all that can be
        proved would be told what to leave out.
        """
        targets, claims = self._game.targets, [self._record.claim(name) for name in names]
        if not targets:
            return []
        formed = matched(targets, claims, has_form)
        wrong = []
        for number, claim in enumerate(formed.filled):
            if claim is None or names[claim] in fallen:
                target = targets[number]
                wrong.append(f"Nothing proved answers: {target.wanted or target.predicate}.")
                self._record.join("blocks", f"k{number + 1}", action, turn)
        if formed.beside:
            wrong.append(self._too_many(names, claims))
        if not wrong and not fallen and not matched(targets, claims).whole:
            for number, target in enumerate(targets, 1):
                if target.seal:
                    self._record.join("blocks", f"k{number}", action, turn)
            wrong.append("Each of these is so and has the form wanted, but together they are not the answer.")
        return wrong

    def _too_many(self, names: Sequence[str], claims: Sequence[Claim]) -> str:
        """That an answer holds more than is asked for; claims are named only if they have no form wanted."""
        targets = self._game.targets
        formless = [
            name
            for name, claim in zip(names, claims, strict=True)
            if not any(has_form(target, claim) for target in targets)
        ]
        if formless:
            return f"Not asked for: {', '.join(formless)}."
        return f"It names {len(names)} claims; {len(targets)} are asked for, one for each target."
