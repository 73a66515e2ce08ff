"""The tutor: one move in, one turn out. Deterministic; all it needs of the world comes from its observer."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable
from typing import Literal

from configs.tutor import TutorSettings
from nodes.tutor.games.game import Game
from nodes.tutor.help import Help
from nodes.tutor.helping.justification import score_of
from nodes.tutor.helping.menus import MenuItem
from nodes.tutor.helping.synthesis import advice_of
from nodes.tutor.judging import Judging
from nodes.tutor.known import Knowledge
from nodes.tutor.legality import Legality, Refusal
from nodes.tutor.moves import Answer, Challenge, Move, Propose, Request
from nodes.tutor.observing_protocol import Observing
from nodes.tutor.parsing import NoMove, canonical, dumped, kept, kind_of, read_move, signature_of
from nodes.tutor.playing import Done, Made, Playing
from nodes.tutor.proof_graph import ProofGraph
from nodes.tutor.recording import Changes, Recording
from nodes.tutor.scoring import Scoring
from nodes.tutor.telling import joined
from nodes.tutor.turns import EndReason, Outcome, Turn
from tools.errors import ToolError

BROKEN = frozenset({"sandbox", "launch", "failed", "timeout"})
"""Kinds of tool errors that say nothing of the call: the tool could not run."""


OutsideEnd = Literal["player", "turns"]
"""Ends that are no turn: nobody comes to win by one."""


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
        ended: OutsideEnd | None = None,
    ) -> None:
        self.game, self.name, self.settings = game, name, settings
        self.turns: list[Turn] = list(turns)
        self._digest, self._digested = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest(), 0
        self._observer = observer
        self._ended: EndReason | None = ended
        self._record = Recording(game, graph or ProofGraph())
        credited = [one for turn in self.turns for one in turn.credited]
        scoring = Scoring(settings.points, game.par, credited)
        self._knowledge = Knowledge(self.graph)
        self.lost = [node.data["lost"] for node in self.graph.of_kind("observation") if "lost" in node.data]
        self._judging = Judging(self._record, name, self._knowledge.observations, observer.is_fresh)
        limits = settings.limits if settings.arm != "none" else None
        self._legality = Legality(self.graph, self._record.claims, limits)
        self._playing = Playing(
            game, self._record, self._judging, self._knowledge, scoring, settings.shown_chars
        )
        self._scoring = scoring
        self._help = Help(game, self.graph, self.turns, settings)
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
        return () if self.ended else self._help.menu()

    def justification(self) -> float:
        """How well the answer is justified, 0 to 1; 0 without one."""
        return score_of(self.game, self.graph, self.answer) if self.is_won else 0.0

    def give_up(self, reason: OutsideEnd) -> None:
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
        known = self._knowledge.of_call(request)
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
        turn = self.turns[-1] = self._help.added(turn, advice)
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
        if refusal is None and made.refused and not made.broken:
            refusal = Refusal("tools", made.refused)
        action = self._action(move, made, number)
        done = self._done(move, refusal, made, action, number)
        return self._added(
            Turn(
                number=number,
                given=given,
                move=kind_of(move),
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

    def _action(self, move: Move | NoMove, made: Made, number: int) -> str:
        """The node of a move, with its call and what became of that; its name."""
        data: dict[str, object] = {"move": kind_of(move)}
        request = None if isinstance(move, NoMove) else _call_of(move)
        if request is not None:
            data["request"] = dumped(request)
            if made.observation is not None:
                self._knowledge.called(request, made.observation.id)
        if made.refused:
            data |= {"refused": made.refused, "broken": made.broken}
        return self._record.add("action", number, data)

    def _done(
        self, move: Move | NoMove, refusal: Refusal | None, made: Made, action: str, number: int
    ) -> Done:
        if refusal is not None:
            self._record.join("blocks", self._record.rules[refusal.rule], action, number)
            return Done("illegal", refusal.message, credit=self._scoring.illegal())
        if made.broken:
            return Done("failed", made.refused, credit=self._scoring.failed())
        assert not isinstance(move, NoMove)
        return self._playing.play(move, action, made, number)

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
