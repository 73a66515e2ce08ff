"""Menus: moves a player may choose from, built from what the player could see.

A menu must never know more than the player. No item is chosen for being right: nothing here proves, compares
or computes. What a player gets who takes items blindly is bounded by three rules:

- Claims are offered only of what the last observation shows, at least three of a target's form at once or
  none, right ones among wrong ones.
- After two claims of a form that were not proved, the menu offers no more of that form: who guesses has to
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
from nodes.tutor.helping.settling import settled_by, untried_answer
from nodes.tutor.helping.sightings import Sighting, inside, outside, seen_in, sighting_at
from nodes.tutor.moves import Answer, Assert, Link, Move, Propose, Request
from nodes.tutor.proof_graph import Node, ProofGraph
from nodes.tutor.proving.forms import problem_of
from nodes.tutor.turns import Turn

WINDOW = 12
"""Observations a menu draws on."""
FEWEST_CLAIMS = 3
MOST_CLAIMS = 3
MOST_DECOYS = 6
MOST_OF_A_SORT = 3
MOST_LINKS = 2
MOST_MISSES = 2
_MOST_EVIDENCE = 4
_MOST_DRAWN = 10


@dataclass(frozen=True)
class _View:
    """The last observations, and what each of them and all together show."""

    nodes: Sequence[Node]
    each: Sequence[Sighting]
    together: Sighting

    def showing(self, about: set[str]) -> Iterator[str]:
        """Names of the observations that show one of some paths."""
        pairs = zip(self.nodes, self.each, strict=True)
        return (node.id for node, seen in pairs if not about.isdisjoint(seen.paths))


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
    answer = untried_answer(game, graph, turns)
    settled = settled_by(game, graph)
    nodes = graph.latest("observation", WINDOW)
    view = _View(nodes, [sighting_at(node) for node in nodes], seen_in(nodes))
    items = [
        *([MenuItem(f"ANSWER with {', '.join(answer)}", Answer(claims=answer))] if answer else []),
        *_claims(game, graph, turns, _open(settled, answer, graph), view, draw),
        *_links(graph, view, draw),
    ]
    room = max(size - len(items), 0)
    items += islice(_calls(game, graph, view.together, draw), room)
    return tuple(draw.sample(items, min(size, len(items))))


def _open(settled: Sequence[str | None], answer: tuple[str, ...], graph: ProofGraph) -> list[int]:
    """Numbers of the targets to claim something for: of all, if what they are settled by was rejected."""
    rejected = None not in settled and not answer
    known = settled[: graph.count("constraint")]
    return [number for number, claim in enumerate(known) if claim is None or rejected]


def _calls(game: Game, graph: ProofGraph, seen: Sighting, draw: Random) -> Iterator[MenuItem]:
    """Tool calls not made yet, one of each sort in turn."""
    sorts = ([*_new(sort, graph, draw)] for sort in looks(game, seen))
    for look in chain.from_iterable(zip_longest(*sorts)):
        if look is not None:
            request = Request(tool=look.tool, args=dict(look.args))
            yield MenuItem(f"PROPOSE: {look.label}", Propose(request=request))


def _new(sort: Sequence[Look], graph: ProofGraph, draw: Random) -> Iterator[Look]:
    drawn = draw.sample(sorted(sort, key=repr), min(len(sort), _MOST_DRAWN))
    return islice((look for look in drawn if not graph.has_call(look.tool, look.args)), MOST_OF_A_SORT)


def _claims(
    game: Game,
    graph: ProofGraph,
    turns: Sequence[Turn],
    wanting: Sequence[int],
    view: _View,
    draw: Random,
) -> Iterator[MenuItem]:
    """Claims of the form of one open target, of what the last turn showed, or none."""
    if not wanting or not view.nodes or not turns or turns[-1].observation != view.nodes[-1].id:
        return
    number = draw.choice(wanting)
    target, put = game.targets[number], claims_for(graph, graph.of_kind("constraint")[number].id)
    if sum(node.status != "validated" for node in put) >= MOST_MISSES:
        return
    made = {(node.data["subject"], json.dumps(node.data["value"])) for node in put}
    offered = [
        Claim(predicate=target.predicate, **one._asdict())
        for one in _drawn(target, game, view, draw)
        if (one.subject, json.dumps(one.value)) not in made
    ]
    offered = [claim for claim in offered if target.has_form(claim) and problem_of(claim) is None]
    for claim in offered[:MOST_CLAIMS] if len(offered) >= FEWEST_CLAIMS else ():
        evidence = _evidence(claim, view)
        label = f"ASSERT {_said(claim)}, by {', '.join(evidence)}"
        yield MenuItem(label, Assert(claim=claim, evidence=evidence))


def _drawn(target: Target, game: Game, view: _View, draw: Random) -> list[Filling]:
    """Fillings in any order: of what the last observation shows, and of files nobody has looked into."""
    fresh = fillings(target, game, inside(view.each[-1]))
    others = fillings(target, game, outside(view.together)) if fresh else []
    others = [one for one in others if one not in fresh]
    drawn = [*_some(fresh, MOST_CLAIMS, draw), *_some(others, MOST_DECOYS, draw)]
    return draw.sample(drawn, len(drawn))


def _some(of: list[Filling], most: int, draw: Random) -> list[Filling]:
    """Some of them; in which order a disk gives its names makes no difference."""
    return draw.sample(sorted(of, key=repr), min(len(of), most))


def _evidence(claim: Claim, view: _View) -> tuple[str, ...]:
    """The last observation, and those before it that show a path the claim is about."""
    last = view.nodes[-1].id
    beside = [name for name in view.showing(_paths(claim)) if name != last]
    return (*beside[1 - _MOST_EVIDENCE :], last)


def _paths(claim: Claim) -> set[str]:
    scopes = claim.scope if isinstance(claim.scope, tuple) else (claim.scope or "",)
    named = [claim.subject, *scopes, *(f"{scope}/{claim.subject}" for scope in scopes)]
    named += [claim.value] if isinstance(claim.value, str) else []
    plain = [text.removeprefix("corrected by ") for text in named]
    return {path for text in plain for path in (text, text.rpartition(":")[0]) if path not in ("", ".")}


def _links(graph: ProofGraph, view: _View, draw: Random) -> list[MenuItem]:
    """Observations not cited yet for a claim that is not proved, though they show a path it is about."""
    pairs = []
    for name in unproved_claims(graph):
        claim = graph.nodes[name]
        cited = evidence_of(claim)
        pairs += [
            MenuItem(f"LINK {one} to {name}", Link(evidence=(one,), claim=name))
            for one in view.showing(_paths(claim_of(claim)))
            if one not in cited
        ]
    return draw.sample(pairs, min(len(pairs), MOST_LINKS))


def _said(claim: Claim) -> str:
    """A claim on one line."""
    slots = (("value", claim.value), ("unit", claim.unit), ("scope", claim.scope))
    beside = [f"{name} {json.dumps(value, ensure_ascii=False)}" for name, value in slots if value is not None]
    return ", ".join([f"{claim.predicate} {json.dumps(claim.subject, ensure_ascii=False)}", *beside])
