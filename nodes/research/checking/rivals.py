"""Could another be meant than the one a claim names? Pure."""

from __future__ import annotations

from nodes.research.checking.facts import Facts
from nodes.research.checking.names import held, tokens
from nodes.research.checking.roster import PERSON, Entity, same


def rival(mine: Entity, other: Entity, claim: Facts, unnamed: bool) -> bool:
    """True if another of the same kind, that the claim does not name.

    Args:
        mine: of the claim.
        other: of the source.
        claim: the claim.
        unnamed: the source's clause does not name the other; then a name that may be anything is no rival.
    """
    if same(mine.name, other.name) or held(other.name, claim.low):
        return False
    if any(_shortens(name.text, other) for name in claim.names):
        return False
    if len(other.kinds) == 3 and unnamed:
        return False
    return bool(mine.kinds & other.kinds)


def _shortens(name: str, entity: Entity) -> bool:
    """True if a name is a shorter form: a person's last word, another's first."""
    if not entity.name.isascii() or not name.isascii():
        return same(name, entity.name)
    mine, full = tokens(name), tokens(entity.name)
    return bool(mine and full) and (mine[-1] == full[-1] if PERSON in entity.kinds else mine[0] == full[0])
