"""What a player's model is shown: rules, goal, what was seen and proved, the last answer, and a menu."""

from __future__ import annotations

import json
from collections.abc import Sequence

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from configs.prompting import render
from nodes.contractive.asking import fence_of
from nodes.research.asking import disarmed_fence
from nodes.tutor.engine import Tutor
from nodes.tutor.flat_moves import flat
from nodes.tutor.games.game import Target
from nodes.tutor.helping.menus import MenuItem
from nodes.tutor.known import is_whole
from nodes.tutor.observations import Observation
from nodes.tutor.parsing import dumped
from nodes.tutor.proof_graph import Node
from nodes.tutor.telling import of_observation

RECENT = 12
"""Observations that are listed; of those before the last one only so many characters."""
EARLIER_CHARS = 600
MOST_CLAIMS = 20
LONGEST = 300


def messages(tutor: Tutor, menu: Sequence[MenuItem]) -> list[BaseMessage]:
    """Rules, then the game as it stands.

    Args:
        tutor: of the game.
        menu: the moves to choose from; empty without one.
    """
    fence = fence_of(tutor.name)
    turns = tutor.turns
    last = turns[-1] if turns else None
    told = last.message if last is not None else "Nothing was done yet."
    asked = render(
        "tutor_player",
        goal=tutor.game.goal,
        rules=_rules(tutor.game.rules),
        targets=_targets(tutor.game.targets),
        observations=_observations(tutor, last.observation if last is not None else ""),
        claims=_claims(tutor),
        turn=str(len(turns) + 1),
        most_turns=str(tutor.most_turns),
        message=told,
        menu=_menu(menu),
    )
    return [SystemMessage(render("tutor_player_rules", fence=fence)), HumanMessage(asked)]


def _rules(rules: Sequence[str]) -> str:
    return "".join(f"Rule: {rule}\n" for rule in rules)


def _targets(targets: Sequence[Target]) -> str:
    if not targets:
        return "- proved claims that say what the goal asks for"
    return "\n".join(f"- {target_words(target)}" for target in targets)


def target_words(target: Target) -> str:
    """What a claim of the answer has to look like: what is given, and "?" for what is to be found."""
    fields = ("subject", "value", "unit", "scope")
    shown = [
        f"{name} {'?' if name in target.open else json.dumps(getattr(target, name), ensure_ascii=False)}"
        for name in fields
        if name in target.open or getattr(target, name) not in (None, "")
    ]
    return f"{target.wanted or 'a claim'}: {target.predicate}, {', '.join(shown)}"


def _observations(tutor: Tutor, last: str) -> str:
    """The last observations; the very last one stands in the message whole."""
    nodes = tutor.graph.latest("observation", RECENT)
    if not nodes:
        return ""
    earlier = tutor.graph.count("observation") - len(nodes)
    parts = [f"Observations (o1 to o{earlier} are not shown again):" if earlier else "Observations:"]
    for node in nodes:
        if node.id == last:
            parts.append(f"{node.id}: see below")
        elif is_whole(node):
            parts.append(of_observation(Observation.model_validate(node.data), EARLIER_CHARS))
        else:
            parts.append(f"{node.id}: its record is lost; make the call again")
    return "\n".join(parts) + "\n"


def _claims(tutor: Tutor) -> str:
    nodes = [*tutor.graph.latest("assumption", MOST_CLAIMS), *tutor.graph.latest("claim", MOST_CLAIMS)]
    if not nodes:
        return ""
    fence = fence_of(tutor.name)
    return "\n".join(["Claims:", *(disarmed_fence(_claim(node), fence) for node in nodes)]) + "\n"


def _claim(node: Node) -> str:
    said = [node.data["predicate"], node.data["subject"], json.dumps(node.data["value"], ensure_ascii=False)]
    said += [str(node.data[name]) for name in ("unit", "scope") if node.data[name] is not None]
    evidence = ",".join(node.data["evidence"]) or "nothing"
    return f"{node.id} {node.status}: {' '.join(said)[:LONGEST]} (evidence: {evidence})"


def _menu(menu: Sequence[MenuItem]) -> str:
    if not menu:
        return ""
    items = [
        f"{number}. {item.label} {json.dumps(flat(dumped(item.move)), ensure_ascii=False)}"
        for number, item in enumerate(menu, 1)
    ]
    return "\n".join(["Choose one of these by its number in `choice`, or make your own:", *items]) + "\n"
