"""Work in progress: how much may be open before something has to be settled."""

from __future__ import annotations

from configs.work_limits import WorkLimits
from nodes.tutor.moves import Move
from nodes.tutor.proof_graph import ProofGraph


def refusal_of(graph: ProofGraph, limits: WorkLimits, move: Move) -> str | None:
    """Why a move would open too much, and what to settle first; None if it may be made."""
    return None
