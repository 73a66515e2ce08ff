"""The tutor: one move in, one turn out. Deterministic; all it needs of the world comes from its observer."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable
from typing import Literal, Protocol

from configs.tutor import TutorSettings
from nodes.tutor.games.game import Game
from nodes.tutor.helping.cards import card_for
from nodes.tutor.helping.failures import detect
from nodes.tutor.helping.justification import score_of
from nodes.tutor.helping.menus import MenuItem, menu_of
from nodes.tutor.helping.synthesis import Advice, advice_of
from nodes.tutor.judging import Judging
from nodes.tutor.known import Knowledge
from nodes.tutor.legality import Legality, Refusal
from nodes.tutor.moves import Answer, Challenge, Move, Propose, Request
from nodes.tutor.observations import Observation
from nodes.tutor.parsing import NoMove, call_signature, canonical, dumped, kept, read_move, signature_of
from nodes.tutor.playing import Done, Made, Playing
from nodes.tutor.proof_graph import Node, ProofGraph
from nodes.tutor.recording import Changes, Recording
from nodes.tutor.scoring import Scoring
from nodes.tutor.telling import joined
from nodes.tutor.turns import EndReason, Outcome, Turn
from tools.errors import ToolError

NUDGE = "nudge"
BROKEN = frozenset({"sandbox", "launch", "failed", "timeout"})
"""Kinds of tool errors that say nothing of the call: the tool could not run."""


class Observing(Protocol):
    """What the tutor needs of an observer; `observing.observing.Observer` is the real one."""

    async def observe(self, request: Request, *, id: str, turn: int) -> Observation:
        """Make a call.

        Raises:
            ToolError: it is refused, or the tool cannot run.
        """
        ...

    def is_fresh(self, observation: Observation) -> bool:
        """False if what an observation depends on has changed since."""
        ...


class Tutor:
    """One game, from its first move to its end.

    A move takes well below a millisecond beside the time of tools, however long the game: everything is found
    through indexes. It is used by one task at a time.

    Args:
        game: what it is about.
        name: of this game; no other game has it, and observations belong to it.
        observer: runs tools in the sandbox of the game.
        settings: of the game; `limits` as they are, without a look at the table of models.
        graph: of a game that goes on.
        turns: of a game that goes on.
        ended: why a game ended that was ended from outside.

    Attributes:
        game, name, settings: as given.
        lost: why observations of a game that goes on do not count, since their records are lost.
        turns: in order.
    """

    def __init__(
        self,
        game: Game,
        name: str,
        observer: Observing,
        settings: TutorSettings,
        *,
        graph: ProofGraph | None = None,
        turns: Iterable[Turn] = (),
        ended: EndReason | None = None,
    ) -> None:
        self.game, self.name, self.settings = game, name, settings
        self.turns: list[Turn] = list(turns)
        self._digest, self._digested = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest(), 0
        self._observer = observer
        self._ended = ended
        self._record = Recording(game, graph or ProofGraph())
        credited = [one for turn in self.turns for one in turn.credited]
        scoring = Scoring(settings.points, game.par, credited)
        self._knowledge = Knowledge(*_observed(self.graph))
        self.lost = [node.data["lost"] for node in self.graph.of_kind("observation") if "lost" in node.data]
        self._judging = Judging(self._record, name, self._knowledge.observations, observer.is_fresh)
        limits = settings.limits if settings.arm != "none" else None
        self._legality = Legality(self.graph, self._record.claims, limits)
        self._playing = Playing(
            game, self._record, self._judging, self._knowledge, scoring, settings.shown_chars
        )
        self._scoring = scoring
        self._shown = [one for turn in self.turns for one in turn.helped if one != NUDGE]
        self._rejected = sum(_is_rejected_answer(turn) for turn in self.turns)
        self._composed = {turn.signature for turn in self.turns if turn.by == "tutor"}

    @property
    def graph(self) -> ProofGraph:
        """What was done, seen, said and proved."""
        return self._record.graph

    @property
    def digest(self) -> str:
        """SHA-256 over the game's name, all turns and their observations, in hexadecimal digits."""
        for turn in self.turns[self._digested :]:
            seal = self.graph.nodes[turn.observation].data["seal"] if turn.observation else ""
            told = f"{self._digest}\n{canonical(dumped(turn))}\n{seal}"
            self._digest = hashlib.sha256(told.encode("ascii")).hexdigest()
        self._digested = len(self.turns)
        return self._digest

    @property
    def ended(self) -> EndReason | None:
        """Why the game ended; None while it goes on."""
        return self.turns[-1].ended if self.turns and self.turns[-1].ended else self._ended

    @property
    def is_won(self) -> bool:
        """True for a game that ended with an answer that was accepted, and only then."""
        return self.ended in ("answered", "composed")

    @property
    def score(self) -> int:
        """Points until now."""
        return self.turns[-1].score if self.turns else 0

    @property
    def most_turns(self) -> int:
        """Turns after which the game is lost."""
        return self.settings.most_turns or self.game.most_turns

    @property
    def answer(self) -> list[str]:
        """Names of the claims that were accepted as the answer; empty unless it is won."""
        return self.graph.to_node("derives", "g") if self.is_won else []

    def menu(self) -> tuple[MenuItem, ...]:
        """The moves the player may choose from now; none in arms without menus."""
        if self.settings.arm not in ("menu", "all") or self.ended:
            return ()
        return menu_of(self.game, self.graph, self.turns, self.settings.menu_size)

    def justification(self) -> float:
        """How well the answer is justified, 0 to 1; 0 without one."""
        return score_of(self.game, self.graph, self.answer) if self.is_won else 0.0

    def give_up(self, reason: Literal["player", "turns"]) -> None:
        """End a game from outside, which is lost: its player is gone, or nobody may move any more."""
        if self.ended is None:
            self._ended = reason

    def drained(self) -> Changes:
        """What is new of the graph since the last time this was asked."""
        return self._record.drained()

    async def play(self, given: object) -> Turn:
        """Play one turn.

        Never raises for what a model wrote. A game that is over stays as it is: what is given then is
        refused, and is no turn of it.

        Args:
            given: the move, a JSON object, or the text a model wrote.

        Returns:
            The turn; where the tutor composes the answer after it, the turn in which it did.

        Raises:
            ReflectError: the observer met an error that is not the move's.
        """
        if self.ended is not None:
            return Turn(
                number=len(self.turns) + 1,
                given=kept(given),
                move="",
                signature="",
                outcome="illegal",
                message="The game is over.",
                score=self.score,
            )
        given = kept(given)
        move = read_move(given)
        self._judging.stale.clear()
        refusal = self._refusal_of(move)
        made = Made() if refusal is not None or isinstance(move, NoMove) else await self._made(move)
        return await asyncio.to_thread(self._turns, given, move, refusal, made)

    def _refusal_of(self, move: Move | NoMove) -> Refusal | None:
        return Refusal("move", move.message) if isinstance(move, NoMove) else self._legality.refusal_of(move)

    async def _made(self, move: Move) -> Made:
        """Make the call of a move, unless its result is known and still holds."""
        request = _call_of(move)
        if request is None:
            return Made()
        known = self._knowledge.of_call(call_signature(request))
        if known is not None and await asyncio.to_thread(self._judging.is_fresh, known):
            return Made(known, again=True)
        name = self._record.named("observation")
        try:
            observation = await self._observer.observe(request, id=name, turn=len(self.turns) + 1)
        except ToolError as error:
            return Made(refused=str(error), broken=error.kind in BROKEN)
        return Made(observation)

    def _turns(self, given: object, move: Move | NoMove, refusal: Refusal | None, made: Made) -> Turn:
        """The player's turn, and the tutor's own after it if it composes the answer."""
        turn = self._turn(given, move, refusal, made)
        if self.ended is not None or self.settings.arm == "none":
            return turn
        advice = advice_of(self.game, self.graph, self.turns)
        turn = self._helped(turn, advice)
        if advice.kind == "compose":
            answer = Answer(claims=advice.claims)
            if signature_of(answer, "") not in self._composed and self._refusal_of(answer) is None:
                turn = self._turn(dumped(answer), answer, None, Made(), by_tutor=True)
        return turn

    def _turn(
        self,
        given: object,
        move: Move | NoMove,
        refusal: Refusal | None,
        made: Made,
        *,
        by_tutor: bool = False,
    ) -> Turn:
        number = len(self.turns) + 1
        kind = move.kind if isinstance(move, NoMove) else move.move
        request = None if isinstance(move, NoMove) else _call_of(move)
        if refusal is None and made.refused and not made.broken:
            refusal = Refusal("tools", made.refused)
        data: dict[str, object] = {"move": kind}
        if request is not None:
            data["request"] = dumped(request)
        if made.refused:
            data["refused"] = made.refused
            data["broken"] = made.broken
        action = self._record.add("action", number, data)
        if refusal is not None:
            self._record.join("blocks", self._record.rules[refusal.rule], action, number)
            done = Done("illegal", refusal.message, credit=self._scoring.illegal())
        elif made.broken:
            done = Done("failed", made.refused, credit=self._scoring.failed())
        else:
            assert not isinstance(move, NoMove)
            done = self._playing.play(move, action, made, number)
        if request is not None and made.observation is not None:
            self._knowledge.called(call_signature(request), made.observation.id)
        return self._added(
            Turn(
                number=number,
                given=given,
                move=kind,
                signature=signature_of(move, given),
                outcome=done.outcome,
                by="tutor" if by_tutor else "player",
                message=done.message,
                action=action,
                observation=done.observation,
                claim=done.claim,
                question=done.question,
                status=done.status,
                credited=done.credit.names,
                gained=done.credit.gained,
                score=self.score + done.credit.gained,
                novel=done.novel,
                stale=tuple(sorted(self._judging.stale)),
            )
        )

    def _added(self, turn: Turn) -> Turn:
        """The turn as it is kept: with the end of the game, if it is one."""
        self._judging.stale.clear()
        self._rejected += _is_rejected_answer(turn)
        ended: EndReason | None = None
        if turn.outcome == "won":
            ended = "composed" if turn.by == "tutor" else "answered"
        elif self._rejected >= self.settings.most_answers:
            ended = "answers"
        elif turn.number >= self.most_turns:
            ended = "turns"
        if ended is not None:
            outcome: Outcome = "won" if turn.outcome == "won" else "lost"
            told = joined(turn.message, ENDS[ended])
            turn = turn.model_copy(
                update={"outcome": outcome, "otherwise": turn.outcome, "message": told, "ended": ended}
            )
        self.turns.append(turn)
        if turn.by == "tutor":
            self._composed.add(turn.signature)
        return turn

    def _helped(self, turn: Turn, advice: Advice) -> Turn:
        """The last turn, with a card and advice added to what it tells."""
        texts, helped = [], []
        if self.settings.arm in ("cards", "all"):
            card = card_for(detect(self.turns, self._shown), self.turns, self.graph, self._shown, self.game)
            if card is not None:
                texts.append(card.text)
                helped.append(card.name)
                self._shown.append(card.name)
        if advice.kind == "nudge":
            texts.append(advice.text)
            helped.append(NUDGE)
        if not helped:
            return turn
        told = {"message": joined(turn.message, *texts), "helped": tuple(helped)}
        self.turns[-1] = turn.model_copy(update=told)
        return self.turns[-1]


ENDS: dict[EndReason, str] = {
    "answered": "You have won.",
    "composed": "The tutor composed this answer from what you proved. The game is won.",
    "turns": "There is no turn left. The game is lost.",
    "answers": "Too many answers were not accepted. The game is lost.",
    "player": "The player does not answer. The game is lost.",
}


def _call_of(move: Move) -> Request | None:
    if isinstance(move, Propose):
        return move.request
    return move.falsifier if isinstance(move, Challenge) else None


def _is_rejected_answer(turn: Turn) -> bool:
    return turn.move == "ANSWER" and "rejected" in (turn.outcome, turn.otherwise)


def _observed(graph: ProofGraph) -> tuple[dict[str, Observation], dict[str, str]]:
    """The observations of a graph, and which call brought which; one whose record is lost is none."""
    observations = {
        node.id: Observation.model_validate(node.data)
        for node in graph.of_kind("observation")
        if is_whole(node)
    }
    calls = {}
    for node in graph.of_kind("action"):
        for name in graph.from_node("produces", node.id):
            calls[call_signature(Request.model_validate(node.data["request"]))] = name
    return observations, calls


def is_whole(node: Node) -> bool:
    """True for an observation node that holds its observation, rather than where it is kept."""
    return "stdout" in node.data
