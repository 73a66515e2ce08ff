"""Cards: short advice for a player who is stuck, of the state's own facts; nothing of the answer is in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from configs.prompting import render
from nodes.tutor.games.game import Game, Target
from nodes.tutor.helping.card_table import CardName, cards_left
from nodes.tutor.helping.open_work import open_questions, unproved_claims, unused_observations
from nodes.tutor.helping.settling import settled_by
from nodes.tutor.proof_graph import Node, ProofGraph
from nodes.tutor.turns import Turn

_LISTINGS = ("ls", "find")
_LONGEST = 300
_MOST_NAMED = 8
_OPEN = "<open>"


@dataclass(frozen=True)
class Card:
    """Advice.

    Attributes:
        name: of `card_table.CARDS`.
        text: for the player.
    """

    name: str
    text: str


@dataclass(frozen=True)
class _State:
    """What a card's slots are filled from."""

    game: Game
    graph: ProofGraph
    turns: Sequence[Turn]

    def open_targets(self) -> list[Target]:
        settled = settled_by(self.game, self.graph)
        return [target for target, claim in zip(self.game.targets, settled, strict=True) if claim is None]


def card_for(
    patterns: Sequence[str], turns: Sequence[Turn], graph: ProofGraph, shown: Collection[str], game: Game
) -> Card | None:
    """The next card for the patterns `failures.detect` found; None without patterns, or if all are used up.

    Of the cards the table has for the patterns, those that speak of something the state has come first, then
    those shown less often. None is shown twice in a row, nor more than twice.

    Args:
        patterns: most telling first.
        turns: all until now.
        graph: of the game.
        shown: names of the cards that were shown, oldest first, with repeats.
        game: what is played.
    """
    left = cards_left(patterns, shown)
    if not left:
        return None
    state = _State(game, graph, turns)
    name = next((card for card in left if _speaks(card, state)), left[0])
    return Card(name, render(f"tutor_card_{name}", **_SLOTS[name](state)))


def _speaks(card: CardName, state: _State) -> bool:
    """False for a card about something that is not the case."""
    if card == "open_actions":
        return bool(unproved_claims(state.graph) or open_questions(state.graph))
    if card == "list_first":
        tools = [node.data.get("tool") for node in state.graph.latest("observation", _MOST_NAMED)]
        return not any(tool in _LISTINGS for tool in tools)
    if card in ("criterion", "split"):
        return bool(state.open_targets())
    return True


def _break_loop(state: _State) -> dict[str, str]:
    last = list(dict.fromkeys(turn.signature for turn in state.turns[-3:]))
    return {"played": ", ".join(map(_quoted, last)) or "nothing"}


def _compass(state: _State) -> dict[str, str]:
    looked = dict.fromkeys(
        str(node.data.get("command") or node.data.get("tool", "")) for node in _observations(state)
    )
    return {
        "goal": state.game.goal,
        "open": _wanted(state),
        "looked": _named(map(_quoted, looked)),
    }


def _analyse_error(state: _State) -> dict[str, str]:
    last = state.turns[-1] if state.turns else None
    return {
        "move": (last.move if last else "") or "no move",
        "error": _quoted(last.message if last else ""),
    }


def _progress(state: _State) -> dict[str, str]:
    targets = len(state.game.targets)
    return {
        "turn": str(len(state.turns)),
        "observations": str(state.graph.count("observation")),
        "proved": _proved(state),
        "settled": str(targets - len(state.open_targets())),
        "targets": str(targets),
        "open": _wanted(state),
    }


def _reset(state: _State) -> dict[str, str]:
    return {"proved": _proved(state), "first": _first(state)}


def _split(state: _State) -> dict[str, str]:
    return {"first": _first(state)}


def _criterion(state: _State) -> dict[str, str]:
    targets = state.open_targets() or list(state.game.targets)
    return {"form": _form(targets[0]) if targets else "one of the predicates, with what it is said of"}


def _list_first(state: _State) -> dict[str, str]:
    paths = (node.data for node in reversed(state.graph.latest("entity", 3 * _MOST_NAMED)))
    return {"seen": _named(_quoted(str(data.get("text"))) for data in paths if data.get("kind") == "path")}


def _open_actions(state: _State) -> dict[str, str]:
    return {
        "questions": _named(open_questions(state.graph)),
        "claims": _named(unproved_claims(state.graph)),
        "observations": _named(unused_observations(state.graph)),
    }


_SLOTS: Mapping[CardName, Callable[[_State], dict[str, str]]] = {
    "break_loop": _break_loop,
    "compass": _compass,
    "analyse_error": _analyse_error,
    "progress": _progress,
    "reset": _reset,
    "split": _split,
    "criterion": _criterion,
    "list_first": _list_first,
    "open_actions": _open_actions,
}


def _wanted(state: _State) -> str:
    """The open parts, in the game's words."""
    return "; ".join(target.wanted or _form(target) for target in state.open_targets()) or "nothing"


def _first(state: _State) -> str:
    return next((target.wanted or _form(target) for target in state.open_targets()), "the answer itself")


def _form(target: Target) -> str:
    """A target as the claim it asks for: what is given as it is, what is open marked."""
    slots = ((name, getattr(target, name)) for name in ("subject", "value", "unit", "scope"))
    said = {
        name: _OPEN if name in target.open else value
        for name, value in slots
        if name in target.open or value is not None
    }
    return json.dumps({"predicate": target.predicate, **said}, ensure_ascii=False)


def _proved(state: _State) -> str:
    """Claims proved, of the last ones put."""
    return _named(
        node.id for node in state.graph.latest("claim", 5 * _MOST_NAMED) if node.status == "validated"
    )


def _observations(state: _State) -> list[Node]:
    return state.graph.latest("observation", _MOST_NAMED)


def _named(names: Iterable[str]) -> str:
    """At most eight of them."""
    return ", ".join(islice(dict.fromkeys(names), _MOST_NAMED)) or "none"


def _quoted(text: str) -> str:
    """Text of others on one line, which cannot end its own quotation marks."""
    return json.dumps(text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ...", ensure_ascii=False)
