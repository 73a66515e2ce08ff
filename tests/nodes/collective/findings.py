"""Findings and assignments, drawn at random and made by hand."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from nodes.collective.exchange import Assignment, Cited, Edge, Finding, Happened
from nodes.reflective.state import Failure, RoleUsage

NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,12}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**31), 2**31) | st.floats(-1e6, 1e6) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
FACTS = st.dictionaries(TEXTS, JSON, max_size=2)
ASSIGNMENTS = st.builds(
    Assignment,
    id=NAMES,
    worker=st.sampled_from(["reflective", "contractive", "research", "tutor", "direct", "specialist"]),
    question=TEXTS,
    context=TEXTS,
    facts=st.lists(NAMES, max_size=2),
    settings=FACTS,
    run_id=TEXTS,
)
CITED = st.builds(
    Cited,
    kind=st.sampled_from(["tool", "kernel", "source", "samples", "proof"]),
    where=TEXTS,
    text=TEXTS,
)
FINDINGS = st.builds(
    Finding,
    id=NAMES,
    worker=st.sampled_from(["reflective", "contractive", "direct"]),
    question=TEXTS,
    status=st.sampled_from(["answered", "partial", "uncertain", "could_not", "error"]),
    answer=TEXTS,
    short=TEXTS,
    confidence=st.none() | st.floats(0, 1),
    grounded=st.booleans(),
    evidence=st.lists(CITED, max_size=2),
    figures=st.dictionaries(NAMES, st.floats(-1e6, 1e6), max_size=2),
    edges=st.lists(st.builds(Edge, source=NAMES, target=NAMES, label=TEXTS), max_size=2),
    vector=st.lists(st.floats(-1, 1), max_size=4),
    data=FACTS,
    data_schema=TEXTS,
    events=st.lists(st.builds(Happened, at=TEXTS, kind=TEXTS, facts=FACTS), max_size=2),
    usage=st.builds(RoleUsage, calls=st.integers(0, 9), seconds=st.floats(0, 9)),
    notes=st.lists(TEXTS, max_size=2),
    failure=st.none() | st.builds(Failure, node=TEXTS, kind=TEXTS, what=TEXTS),
)


def found(name: str, answer: str, **more: Any) -> Finding:
    """A finding that answers, by itself on no evidence."""
    fields: dict[str, Any] = {
        "worker": "direct",
        "question": "q",
        "status": "answered",
        "short": answer,
        **more,
    }
    return Finding(id=name, answer=answer, **fields)


def looked(answer: str, *evidence: tuple[str, str], **more: Any) -> Finding:
    """A finding of the reflective engine."""
    cited = [Cited(kind="tool", where=where, text=text) for where, text in evidence]
    fields: dict[str, Any] = {"short": "", "worker": "reflective", "figures": {"needs_files": 1.0}, **more}
    return found("reflective", answer, grounded=bool(cited), evidence=cited, **fields)
