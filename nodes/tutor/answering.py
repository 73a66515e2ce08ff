"""Whether claims answer a game: every target filled by one of them, and none left over. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nodes.tutor.claims import Claim
from nodes.tutor.games.game import Target
from nodes.tutor.identity import normalised


@dataclass(frozen=True)
class Matched:
    """Claims and the targets they fill.

    Attributes:
        filled: for each target the number of its claim, or None.
        beside: numbers of the claims that fill none.
    """

    filled: tuple[int | None, ...]
    beside: tuple[int, ...]

    @property
    def whole(self) -> bool:
        """True if every target has one claim and no claim is left."""
        return None not in self.filled and not self.beside


def fills(target: Target, claim: Claim) -> bool:
    """True if a claim settles a target, if it is so; "./a" is "a"."""
    return target.fits(claim) or target.fits(normalised(claim))


def has_form(target: Target, claim: Claim) -> bool:
    """True if a claim has the form of a target; nothing is said of its being the one wanted."""
    return target.has_form(claim) or target.has_form(normalised(claim))


def matched(
    targets: Sequence[Target], claims: Sequence[Claim], fitting: Callable[[Target, Claim], bool] = fills
) -> Matched:
    """Give each target one claim, so that as many as possible have one.

    Only whether the match by `fills` is whole may be told before the end: which claim fills which target
    would name the answer among many that are put at once. What else is told rests on `has_form`.

    Augmenting paths (Berge 1957, Kuhn 1955): a claim that fits two targets is given where it is needed.
    """
    fits = [[number for number, claim in enumerate(claims) if fitting(target, claim)] for target in targets]
    taken: dict[int, int] = {}

    def place(target: int, tried: set[int]) -> bool:
        for claim in fits[target]:
            if claim in tried:
                continue
            tried.add(claim)
            if claim not in taken or place(taken[claim], tried):
                taken[claim] = target
                return True
        return False

    for number in range(len(targets)):
        place(number, set())
    filled = {target: claim for claim, target in taken.items()}
    beside = tuple(number for number in range(len(claims)) if number not in taken)
    return Matched(tuple(filled.get(number) for number in range(len(targets))), beside)
