"""Players that only follow menus: nobody should lose to them. Without a menu they pass."""

from __future__ import annotations

from random import Random

from evals.tutor.players import MoveJson, Player, Seen

PASS: MoveJson = {"move": "PASS"}
EAGER = ("ANSWER", "ASSERT", "LINK")


def first_item(seen: Seen) -> MoveJson:
    """The first move that is offered."""
    return seen.menu[0] if seen.menu else PASS


def eager_item(seen: Seen) -> MoveJson:
    """An answer if one is offered, else a claim, else more evidence for one, else whatever stands first."""
    for kind in EAGER:
        offered = [move for move in seen.menu if move["move"] == kind]
        if offered:
            return offered[0]
    return first_item(seen)


def random_item(seed: str) -> Player:
    """One of the moves that are offered, drawn by lot.

    Args:
        seed: of the lot; the same draws for the same seed.
    """
    lot = Random(seed)
    return lambda seen: lot.choice(seen.menu) if seen.menu else PASS
