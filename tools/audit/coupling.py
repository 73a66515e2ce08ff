"""How the modules of a tree hang together: coupling (R. C. Martin 1994) and import cycles."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from tools.audit.report import Coupling, Cycle, Import, Place

Graph = Mapping[str, Mapping[str, Import]]
"""By importing file and imported file, the import that stands for the edge."""


def couplings(files: Sequence[str], imports: Sequence[Import]) -> tuple[Coupling, ...]:
    """Coupling of each file, sorted; several imports of one file count once, lazy ones like all others."""
    edges = {(one.file, one.target) for one in imports if one.target not in (None, one.file)}
    efferent = dict.fromkeys(files, 0)
    afferent = dict.fromkeys(files, 0)
    for importing, imported in edges:
        efferent[importing] += 1
        afferent[str(imported)] += 1
    return tuple(
        Coupling(
            file=file,
            afferent=afferent[file],
            efferent=efferent[file],
            instability=_instability(afferent[file], efferent[file]),
        )
        for file in sorted(files)
    )


def _instability(afferent: int, efferent: int) -> float | None:
    return round(efferent / (afferent + efferent), 4) if afferent + efferent else None


def cycles(imports: Sequence[Import]) -> tuple[Cycle, ...]:
    """Strongly connected components of two modules or more, sorted by their files.

    First those of imports that run when a module is loaded. A component that needs lazy imports is there as
    well, marked as such, if it is larger than one of those.
    """
    loaded = _graph([one for one in imports if not one.lazy])
    every = _graph(imports)
    found = {component: False for component in components(loaded)}
    for component in components(every):
        found.setdefault(component, True)
    return tuple(
        Cycle(files=files, imports=tuple(_round(every if lazy else loaded, files)), lazy=lazy)
        for files, lazy in sorted(found.items())
    )


def _graph(imports: Sequence[Import]) -> dict[str, dict[str, Import]]:
    """The first eager import stands for an edge, or else the first of all."""
    graph: dict[str, dict[str, Import]] = {}
    for one in sorted(imports, key=lambda one: (one.file, one.target or "", one.lazy, one.line, one.module)):
        if one.target is not None and one.target != one.file:
            graph.setdefault(one.file, {}).setdefault(one.target, one)
    return graph


def components(graph: Mapping[str, Collection[str]]) -> Iterator[tuple[str, ...]]:
    """Strongly connected components of two nodes or more, each sorted (Sharir 1981), without recursion."""
    backward: dict[str, list[str]] = {}
    for node in graph:
        for successor in graph[node]:
            backward.setdefault(successor, []).append(node)
    seen: set[str] = set()
    for start in reversed(_finished(graph)):
        if start in seen:
            continue
        seen.add(start)
        component = [start]
        for node in component:
            new = [one for one in backward.get(node, ()) if one not in seen]
            seen.update(new)
            component.extend(new)
        if len(component) > 1:
            yield tuple(sorted(component))


def _finished(graph: Mapping[str, Collection[str]]) -> list[str]:
    """Nodes in the order in which a search by depth leaves them."""
    left: list[str] = []
    seen: set[str] = set()
    for start in graph:
        path = [(start, iter(graph[start]))] if start not in seen else []
        seen.add(start)
        while path:
            node, successors = path[-1]
            following = next((one for one in successors if one not in seen), None)
            if following is None:
                left.append(node)
                path.pop()
            else:
                seen.add(following)
                path.append((following, iter(graph.get(following, ()))))
    return left


def _round(graph: Graph, files: tuple[str, ...]) -> Iterator[Place]:
    """The shortest round from the first file back to it."""
    start, within = files[0], frozenset(files)
    before: dict[str, str] = {}
    waiting = deque([start])
    while start not in before:
        node = waiting.popleft()
        for successor in sorted(within.intersection(graph.get(node, ()))):
            if successor not in before:
                before[successor] = node
                waiting.append(successor)
    path = [start]
    while before[path[-1]] != start:
        path.append(before[path[-1]])
    path.append(start)
    for importing, imported in pairwise(reversed(path)):
        line = graph[importing][imported].line
        yield Place(file=importing, line=line, end_line=line)
