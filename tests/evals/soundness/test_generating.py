"""Generated probes are what they say they are, and can all be set up."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from evals.soundness import sandbox
from evals.soundness.generating import FALSE, generate
from evals.soundness.probes import Probe, probe_of
from evals.soundness.scoring import kind_of
from evals.soundness.tree import Tree
from evals.soundness.truth import holds
from nodes.tutor.claims import PREDICATES, Claim

ARGUMENTS = {
    "cat": {"path", "number"},
    "head": {"path", "lines"},
    "tail": {"path", "lines"},
    "grep": {
        *("pattern", "path", "recursive", "count", "ignore_case", "fixed", "word", "line_number"),
        *("invert", "files_with_matches"),
    },
    "wc": {"path", "paths", "lines", "words", "bytes"},
    "ls": {"path", "all", "long", "recursive"},
    "find": {"path", "name", "type", "maxdepth"},
    "stat": {"path"},
    "diff": {"paths", "brief"},
    "host:write": {"path", "content"},
    "host:delete": {"path"},
    "host:rename": {"path", "to"},
    "host:tamper": {"observation", "field", "old", "new"},
}
seeds = st.integers(0, 10**6)


def is_known(action: dict[str, Any]) -> bool:
    if set(action) == {"raw"}:
        return isinstance(action["raw"], str)
    return set(action) == {"tool", "args"} and set(action["args"]) <= ARGUMENTS[action["tool"]]


def is_cited(cite: object, probe: Probe) -> bool:
    return type(cite) is int and 0 <= cite < len(probe.actions)


@given(seeds)
@settings(max_examples=10)
def test_probes_are_true_or_false_as_they_say(seed: int) -> None:
    for content in generate(40, seed):
        probe = probe_of(json.dumps(content), 1)
        assert isinstance(probe, Probe), probe
        Claim.model_validate(probe.claim)
        tree = Tree(probe.files, probe.links).after(probe.actions)
        assert holds(probe.claim, tree) is (kind_of(probe) != "false"), probe
        assert all(map(is_known, probe.actions)), probe
        if kind_of(probe) == "true":
            assert any(is_cited(cite, probe) for cite in probe.cites)


@given(seeds)
@settings(max_examples=2)
def test_probes_can_be_set_up(seed: int) -> None:
    for content in generate(20, seed):
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory).resolve() / "sandbox"
            sandbox.build(root, content["files"], content.get("links", {}))
            assert {path for path in content["files"] if not (root / path).exists()} == set()


@given(seeds)
@settings(max_examples=3)
def test_the_same_seed_makes_the_same_probes(seed: int) -> None:
    first = generate(50, seed)
    assert first == generate(50, seed) and first != generate(50, seed + 1)
    assert len({probe["id"] for probe in first}) == 50


def test_every_predicate_is_probed_both_ways() -> None:
    probes = [Probe.model_validate(probe) for probe in generate(450, 1)]
    kinds = Counter((probe.claim["predicate"], kind_of(probe)) for probe in probes)
    for kind in ("true", "false", "insufficient"):
        assert {predicate for predicate in PREDICATES if not kinds[predicate, kind]} == set(), kind
    assert Counter(kind_of(probe) for probe in probes) == {"true": 180, "false": 180, "insufficient": 90}


def test_every_way_to_go_wrong_occurs() -> None:
    categories = {
        probe["category"].partition(": ")[2].partition(":")[0] for probe in generate(600, 2, (FALSE,))
    }
    wanted = {"stale", "another game", "tampered", "one more", "echoed", "a failed command", "other case"}
    wanted |= {"regular expression", "the decoy", "by written hours", "swapped", "any case"}
    assert wanted - categories == set()
