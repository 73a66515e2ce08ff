"""Menus: moves a player may choose from, built from what the player could see.

A menu must never know more than the player. No item is chosen for being right: nothing here proves, compares
or computes. What a player gets who takes items blindly is bounded by three rules:

- Claims are offered only of what the last observation shows, at least three of a target's form at once or
  none, right ones among wrong ones.
- After three claims of a form that were not proved, the menu offers no more of that form: who guesses has to
  write.
- The order is drawn anew each turn, by the game and the number of the turn alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from random import Random

from nodes.tutor.claims import Claim
from nodes.tutor.games.game import Game, Target
from nodes.tutor.helping.filling import Filling, fillings
from nodes.tutor.helping.looking import Look, looks
from nodes.tutor.helping.node_data import claim_of, claims_for, evidence_of
from nodes.tutor.helping.open_work import unproved_claims
from nodes.tutor.helping.settling import settled_by
from nodes.tutor.helping.sightings import Sighting, seen_in, sighting_at
from nodes.tutor.moves import Answer, Assert, Link, Move, Propose, Request
from nodes.tutor.proof_graph import Node, ProofGraph
from nodes.tutor.proving.forms import problem_of
from nodes.tutor.turns import Turn

WINDOW = 12
"""Observations a menu draws on."""
FEWEST_CLAIMS = 3
MOST_CLAIMS = 4
MOST_LINKS = 2
MOST_MISSES = 3
_MOST_EVIDENCE = 4


@dataclass(frozen=True)
class MenuItem:
    """One move that is offered.

    Attributes:
        label: for the player.
        move: as it would be played.
    """

    label: str
    move: Move


def menu_of(game: Game, graph: ProofGraph, turns: Sequence[Turn], size: int = 8) -> tuple[MenuItem, ...]:
    """Moves for the next turn, at most `size` of them; none that was played with the same effect.

    Args:
        game: its goal and targets, as the player knows them.
        graph: of the game; the last twelve observations are drawn on.
        turns: all until now.
        size: of the menu.
    """
    draw = Random(f"{game.id} {game.seed} {len(turns)}")
    settled = settled_by(game, graph)
    nodes = graph.latest("observation", WINDOW)
    items = [
        *_answers(settled),
        *_claims(game, graph, turns, settled, nodes, draw),
        *_links(graph, nodes, draw),
    ]
    room = max(size - len(items), 0)
    items += islice(_calls(game, graph, seen_in(nodes), draw), room)
    return tuple(draw.sample(items, min(size, len(items))))


def _answers(settled: Sequence[str | None]) -> Iterator[MenuItem]:
    """The answer, once every target is settled."""
    claims = tuple(claim for claim in settled if claim is not None)
    if claims and len(claims) == len(settled):
        yield MenuItem(f"ANSWER with {', '.join(claims)}", Answer(claims=claims))


def _calls(game: Game, graph: ProofGraph, seen: Sighting, draw: Random) -> Iterator[MenuItem]:
    """Tool calls not made yet, one of each sort in turn."""
    sorts = ([*_new(sort, graph, draw)] for sort in looks(game, seen))
    for look in chain.from_iterable(zip_longest(*sorts)):
        if look is not None:
            request = Request(tool=look.tool, args=dict(look.args))
            yield MenuItem(f"PROPOSE: {look.label}", Propose(request=request))


def _new(sort: Sequence[Look], graph: ProofGraph, draw: Random) -> Iterator[Look]:
    drawn = draw.sample(sort, len(sort))
    return islice((look for look in drawn if not graph.has_call(look.tool, look.args)), MOST_CLAIMS)


def _claims(
    game: Game,
    graph: ProofGraph,
    turns: Sequence[Turn],
    settled: Sequence[str | None],
    nodes: Sequence[Node],
    draw: Random,
) -> Iterator[MenuItem]:
    """Claims of the form of one open target, of what the last turn showed, or none."""
    constraints = graph.of_kind("constraint")[: len(game.targets)]
    open_ones = [
        (target, constraint)
        for target, constraint, claim in zip(game.targets, constraints, settled, strict=False)
        if claim is None
    ]
    if not open_ones or not nodes or not turns or turns[-1].observation != nodes[-1].id:
        return
    target, constraint = draw.choice(open_ones)
    put = claims_for(graph, constraint.id)
    if sum(node.status != "validated" for node in put) >= MOST_MISSES:
        return
    made = {(node.data["subject"], json.dumps(node.data["value"])) for node in put}
    offered = [
        one for one in _drawn(target, game, nodes, draw) if (one.subject, json.dumps(one.value)) not in made
    ][:MOST_CLAIMS]
    for one in offered if len(offered) >= FEWEST_CLAIMS else ():
        claim = Claim(predicate=target.predicate, **one._asdict())
        if target.has_form(claim) and problem_of(claim) is None:
            evidence = _evidence(claim, nodes)
            yield MenuItem(
                f"ASSERT {_said(claim)}, by {', '.join(evidence)}", Assert(claim=claim, evidence=evidence)
            )


def _drawn(target: Target, game: Game, nodes: Sequence[Node], draw: Random) -> list[Filling]:
    """What the last observation fills the slots with; if that is little, what the others do beside it."""
    fresh = fillings(target, game, sighting_at(nodes[-1]))
    if not fresh:
        return []
    others = [one for one in fillings(target, game, seen_in(nodes)) if one not in fresh]
    fresh = draw.sample(fresh, min(len(fresh), 2 * MOST_CLAIMS))
    return fresh + draw.sample(others, min(len(others), MOST_CLAIMS))


def _evidence(claim: Claim, nodes: Sequence[Node]) -> tuple[str, ...]:
    """The last observation, and those before it that show a path the claim is about."""
    about = _paths(claim)
    beside = [node.id for node in nodes[:-1] if not about.isdisjoint(sighting_at(node).paths)]
    return (*beside[1 - _MOST_EVIDENCE :], nodes[-1].id)


def _paths(claim: Claim) -> set[str]:
    scopes = claim.scope if isinstance(claim.scope, tuple) else (claim.scope or "",)
    named = [claim.subject, *scopes, *(f"{scope}/{claim.subject}" for scope in scopes)]
    named += [claim.value] if isinstance(claim.value, str) else []
    plain = [text.removeprefix("corrected by ") for text in named]
    return {path for text in plain for path in (text, text.rpartition(":")[0]) if path not in ("", ".")}


def _links(graph: ProofGraph, nodes: Sequence[Node], draw: Random) -> list[MenuItem]:
    """Observations not cited yet for a claim that is not proved, though they show a path it is about."""
    pairs = []
    for name in unproved_claims(graph):
        claim = graph.nodes[name]
        about = _paths(claim_of(claim))
        pairs += [
            MenuItem(f"LINK {node.id} to {name}", Link(evidence=(node.id,), claim=name))
            for node in nodes
            if node.id not in evidence_of(claim) and not about.isdisjoint(sighting_at(node).paths)
        ]
    return draw.sample(pairs, min(len(pairs), MOST_LINKS))


def _said(claim: Claim) -> str:
    """A claim on one line."""
    slots = (("value", claim.value), ("unit", claim.unit), ("scope", claim.scope))
    beside = [f"{name} {json.dumps(value, ensure_ascii=False)}" for name, value in slots if value is not None]
    return ", ".join([f"{claim.predicate} {json.dumps(claim.subject, ensure_ascii=False)}", *beside])
