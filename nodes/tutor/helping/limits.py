"""Limits of work in progress: who has too much open has to finish something before beginning more."""

from __future__ import annotations

from configs.work_limits import WorkLimits
from nodes.tutor.helping.open_work import open_questions, unproved_claims, unused_observations
from nodes.tutor.moves import Ask, Assert, Move, Propose
from nodes.tutor.proof_graph import ProofGraph


def refusal_of(graph: ProofGraph, limits: WorkLimits, move: Move) -> str | None:
    """Why a move that begins something new has to wait, and what to do first; None if it need not.

    Only asking, asserting and proposing can be refused: linking, challenging, reformulating, answering and
    passing finish work, or begin none.
    """
    if isinstance(move, Ask):
        waiting, most = open_questions(graph), limits.open_questions
        told = "Too many questions are open ({}). Prove a claim before you ask another one."
    elif isinstance(move, Assert):
        waiting, most = unproved_claims(graph), limits.unproved_claims
        told = "Too many claims are unproved ({}). LINK evidence to one of them, or REFORMULATE it."
    elif isinstance(move, Propose):
        waiting, most = unused_observations(graph), limits.unused_observations
        told = "Nothing was said of the last observations ({}). ASSERT what one shows, or ASK what to find."
    else:
        return None
    return told.format(", ".join(waiting)) if most is not None and len(waiting) >= most else None
