"""Kinds of goals, and the engine that does each: the decision matrix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from nodes.collective.engines import Engine

Kind: TypeAlias = Literal[
    "greeting",
    "factual",
    "multi_step",
    "tool_workflow",
    "reasoning",
    "uncertain",
    "research",
    "proof",
    "slim_model",
    "benchmark",
    "audit",
    "second_opinion",
    "compound",
    "analyse_then_act",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

ENGINE_OF: Mapping[Kind, Engine] = {
    "greeting": "reflective",
    "factual": "reflective",
    "multi_step": "reflective",
    "tool_workflow": "reflective",
    "reasoning": "contractive",
    "uncertain": "contractive",
    "research": "research",
    "proof": "tutor",
    "slim_model": "tutor",
    "benchmark": "tutor",
    "audit": "specialists",
    "second_opinion": "ensemble",
    "compound": "hierarchy",
    "analyse_then_act": "hybrid",
}
MEANING: Mapping[Kind, str] = {
    "greeting": "it is talk, answered directly",
    "factual": "it asks for a fact",
    "multi_step": "it takes several looks at files",
    "tool_workflow": "it is work for tools",
    "reasoning": "it takes thought and no files",
    "uncertain": "it is open, and several answers can be defended",
    "research": "it asks for what sources say",
    "proof": "it asks for a proof about files",
    "slim_model": "a model must be kept to what it can prove",
    "benchmark": "it asks how good a model is",
    "audit": "it asks for the state of a code base",
    "second_opinion": "it asks for several independent answers",
    "compound": "it has many parts, each with facts of its own",
    "analyse_then_act": "it asks for a judgement and then for what follows from it",
}
"""What is said of a goal of each kind, to a person."""


def kinds_of(engine: Engine) -> tuple[Kind, ...]:
    """The kinds an engine does, the commonest first."""
    return tuple(kind for kind in KINDS if ENGINE_OF[kind] == engine)
