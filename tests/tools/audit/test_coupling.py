"""Coupling and cycles, against what following every import says."""

from hypothesis import given
from hypothesis import strategies as st

from tools.audit.coupling import components, couplings, cycles
from tools.audit.report import Import

FILES = ["a.py", "b.py", "c.py", "d.py", "e.py"]
EDGES = st.lists(
    st.tuples(st.sampled_from(FILES), st.sampled_from([*FILES, None]), st.booleans()), max_size=14
)


def imports(edges: list[tuple[str, str | None, bool]]) -> list[Import]:
    return [
        Import(file=file, line=number, module=target or "os", target=target, lazy=lazy)
        for number, (file, target, lazy) in enumerate(edges, 1)
    ]


def reached(graph: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def mutual(edges: list[tuple[str, str | None, bool]]) -> set[tuple[str, ...]]:
    """Groups of files each of which reaches each, by trying all pairs."""
    graph: dict[str, set[str]] = {}
    for file, target, _ in edges:
        if target is not None and target != file:
            graph.setdefault(file, set()).add(target)
    groups = {
        tuple(sorted(o for o in FILES if o == f or (o in reached(graph, f) and f in reached(graph, o))))
        for f in FILES
    }
    return {group for group in groups if len(group) > 1}


@given(EDGES)
def test_cycles_are_the_groups_that_import_one_another(edges: list[tuple[str, str | None, bool]]) -> None:
    found = cycles(imports(edges))
    loaded = mutual([edge for edge in edges if not edge[2]])
    assert {one.files for one in found if not one.lazy} == loaded
    assert {one.files for one in found if one.lazy} == mutual(edges) - loaded
    assert [one.files for one in found] == sorted(one.files for one in found)


@given(EDGES)
def test_a_round_is_closed_by_the_imports_it_names(edges: list[tuple[str, str | None, bool]]) -> None:
    asked = imports(edges)
    for cycle in cycles(asked):
        steps = [asked[place.line - 1] for place in cycle.imports]
        assert [step.file for step in steps] == [place.file for place in cycle.imports]
        assert [step.target for step in steps] == [*(step.file for step in steps[1:]), steps[0].file]
        assert steps[0].file == cycle.files[0]
        assert any(step.lazy for step in steps) <= cycle.lazy


@given(EDGES)
def test_coupling_counts_files_and_not_imports(edges: list[tuple[str, str | None, bool]]) -> None:
    pairs = {(file, target) for file, target, _ in edges if target and target != file}
    for one in couplings(FILES, imports(edges)):
        assert one.efferent == len({target for file, target in pairs if file == one.file})
        assert one.afferent == len({file for file, target in pairs if target == one.file})
        both = one.afferent + one.efferent
        assert one.instability == (round(one.efferent / both, 4) if both else None)


def test_a_long_chain_needs_no_recursion() -> None:
    graph = {str(number): [str(number + 1)] for number in range(5_000)}
    assert list(components(graph)) == []
    graph["5000"] = ["0"]
    [whole] = components(graph)
    assert len(whole) == 5_001
