"""A game while it is made: what its answer holds, and the moves that find it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nodes.tutor.claims import Claim
from nodes.tutor.games.game import SLOTS, Band, Game, Slot, Target, sealed
from nodes.tutor.moves import Answer, Assert, Propose, Request


class Draft:
    """What a solver looks at and says, in order; `game` makes a game of it.

    Args:
        id: of the game, B01 to B10.
        seed: it is made from.
        band: of the benchmark.
    """

    def __init__(self, id: str, seed: int, band: Band) -> None:
        self.id, self.seed, self.band = id, seed, band
        self._looks: list[Propose] = []
        self._claims: list[Assert] = []
        self._targets: list[Target] = []

    def look(self, tool: str, **args: Any) -> str:
        """Call a tool; the name of the observation."""
        self._looks.append(Propose(request=Request(tool=tool, args=args)))
        return f"o{len(self._looks)}"

    def want(
        self,
        claim: Claim,
        *evidence: str,
        find: Iterable[Slot],
        wanted: str,
        proof_decides: bool = False,
    ) -> None:
        """Make a claim a part of the answer.

        Args:
            claim: what is right.
            evidence: observations that show it.
            find: what the player has to find of it.
            wanted: what it tells, in words.
            proof_decides: True if no other claim of this form can be so; the target needs no seal then.
        """
        found = frozenset(find)
        given = {name: getattr(claim, name) for name in SLOTS if name not in found}
        seal = "" if proof_decides else sealed(claim)
        target = Target(predicate=claim.predicate, open=found, wanted=wanted, seal=seal, **given)
        self._targets.append(target)
        self._claims.append(Assert(claim=claim, evidence=evidence))

    def game(self, title: str, goal: str, files: Mapping[str, str], rules: Iterable[str] = ()) -> Game:
        """The game: all looks, then all claims, then the answer; twice as many turns as that, and eight.

        Where the search is the game (B01, B06) there are far more files than turns.
        """
        answer = Answer(claims=tuple(f"c{number}" for number in range(1, len(self._claims) + 1)))
        solution = (*self._looks, *self._claims, answer)
        return Game(
            id=self.id,
            seed=self.seed,
            band=self.band,
            title=title,
            goal=goal,
            rules=tuple(rules),
            files={path: files[path] for path in sorted(files)},
            targets=tuple(self._targets),
            expected=tuple(asserted.claim for asserted in self._claims),
            solution=solution,
            needed=tuple(need for look in self._cited() for need in _needs(look.request)),
            most_turns=2 * len(solution) + 8,
        )

    def _cited(self) -> list[Propose]:
        """The looks that are evidence; others only tell what to look for."""
        cited = {name for asserted in self._claims for name in asserted.evidence}
        return [look for number, look in enumerate(self._looks, 1) if f"o{number}" in cited]


def _needs(request: Request) -> list[tuple[str, str]]:
    """What a call shows, as (tool, path)."""
    paths = request.args.get("paths") or [request.args.get("path", ".")]
    return [(request.tool, path) for path in paths]
