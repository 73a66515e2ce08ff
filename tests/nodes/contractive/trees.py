"""Trees of questions for tests, made by hand."""

from __future__ import annotations

from typing import Any

from nodes.contractive.state import (
    Answer,
    ClusterSummary,
    ContractiveState,
    Event,
    Measured,
    Metrics,
    Pass,
    Question,
    Review,
)

AT = "2026-01-02T03:04:05.{:03d}+00:00"


def measured(answer: str, support: float = 0.75, **values: Any) -> Measured:
    """Samples most of which give an answer."""
    given = {"entropy": 0.25, "uncertainty": 0.25, "samples": 4, "kind": "answer", "text": answer}
    return Measured(answer=answer, support=support, **given | values)


def question(name: str, text: str, answer: str = "", **values: Any) -> Question:
    """A question with the answer it got, a part of the one its name says."""
    parent = name.rpartition(".")[0]
    best = Answer(measured=measured(answer)) if answer else None
    given = {"stage": "DONE" if answer else "NEW", "parent": parent, "depth": name.count("."), "best": best}
    return Question(id=name, text=text, **given | values)


def event(type: str, at: int, node: str = "", **facts: Any) -> Event:
    """Something that happened, so many milliseconds after the second."""
    return Event(type=type, at=AT.format(at), node=node, facts=facts)


def towers() -> ContractiveState:
    """A run with a question of three parts, one of which was left out, and one that has a part of its own."""
    clusters = [
        ClusterSummary(size=3, answer="12.5 m"),
        ClusterSummary(size=2, answer="12 m"),
        ClusterSummary(size=1, answer="15 m"),
        ClusterSummary(size=1, answer="", kind="refusal"),
    ]
    root = measured("12.5 m", 3 / 7, samples=7, clusters=clusters, entropy=0.64, uncertainty=0.64)
    tree = [
        question(
            "0",
            "By how much is tower A taller than tower B?",
            children=["0.1", "0.2", "0.3"],
            best=Answer(measured=root, source="merge"),
            stage="DONE",
            events=[event("node_created", 1, "0"), event("merged", 40, "0", kept=True)],
        ),
        question(
            "0.1",
            "How tall is tower A?",
            "112.5 m",
            reviews=[Review(by="code"), Review(by="peer", verdict="minor_revision", score=0.5)],
            events=[event("node_created", 10, "0.1"), event("reviewed", 30, "0.1", by="peer", score=0.5)],
        ),
        question("0.2", "How tall is tower B?", "100 m", depends_on=["0.1"], joint="OR", children=["0.2.1"]),
        question("0.3", "What colour is it?", pruned="relevance 0.08 below 0.15"),
        question("0.2.1", "Who built it?"),
    ]
    return ContractiveState(
        question="By how much is tower A taller than tower B?",
        run_id="think-1-ab",
        seed=7,
        model="scripted:/srv/people/anna/script.yaml",
        tree={one.id: one for one in tree},
        passes=[
            Pass(number=1, answer="12.5 m", kind="answer", entropy=0.64, uncertainty=0.64, support=3 / 7)
        ],
        stop_reason="fixed_point",
        status="uncertain",
        final_answer="Tower A is taller by 12.5 m.",
        short_answer="12.5 m",
        confidence=3 / 7,
        events=[event("started", 0), event("pass_ended", 40, number=1), event("finished", 40)],
        metrics=Metrics(calls=23, tokens=8123, seconds=12.34, depth=2, questions=5, split=2),
    )
