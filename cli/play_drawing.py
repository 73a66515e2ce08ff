"""The proof graph of a game as SVG: observations, the claims they show, and the goal these reach.

All text goes through `escaped`. Nothing is laid out by anybody but this module, so a page loads nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len

from cli.play_chart import TONES
from cli.play_live import counted
from cli.play_words import claim_words
from cli.trace_page import escaped
from nodes.tutor.proof_graph import Edge, Node

MOST_CLAIMS = 40
MOST_OBSERVATIONS = 60
LONGEST_TITLE = 600
COLUMNS: Mapping[str, tuple[int, int]] = {"left": (4, 250), "middle": (336, 280), "right": (700, 220)}
"""Left edge and width of each column, in the units of the drawing."""
WIDTH = 944
LINE, PADDING, GAP = 15, 8, 14
_CELL = 6.7
"""Width of a character of the drawing's fixed font."""


@dataclass(frozen=True)
class Box:
    """One node as it is drawn.

    Attributes:
        name: of the node.
        column: one of `COLUMNS`.
        lines: of text; the first one names it.
        tone: its colour.
        title: what it says in full.
        top: of the box.
    """

    name: str
    column: str
    lines: Sequence[str]
    tone: str
    title: str
    top: float = 0

    @property
    def height(self) -> float:
        """Of the box."""
        return len(self.lines) * LINE + 2 * PADDING

    @property
    def middle(self) -> float:
        """Of its sides."""
        return self.top + self.height / 2


@dataclass(frozen=True)
class Drawing:
    """A graph that is drawn.

    Attributes:
        svg: the picture; "" if there is nothing to draw.
        left_out: what is not in it, in words.
    """

    svg: str
    left_out: Sequence[str] = field(default=())


def drawing_of(nodes: Sequence[Node], edges: Sequence[Edge], answer: Sequence[str]) -> Drawing:
    """Draw a proof graph.

    Args:
        nodes: of the graph, in order.
        edges: of the graph.
        answer: names of the claims that were accepted.
    """
    claims, observations, further = _shown(nodes, edges, answer)
    if not claims:
        return Drawing("", further)
    left = _stacked(_observation(node) for node in observations)
    middle = _stacked(_claim(node) for node in claims)
    right = _stacked([*_goal(nodes, bool(answer)), *_wanted(nodes)])
    boxes = {box.name: box for box in (*left, *middle, *right)}
    height = max(box.top + box.height for box in boxes.values()) + 4
    lines = "".join([*_cited(claims, edges, boxes), *(_edge(edge, boxes) for edge in edges)])
    drawn = "".join(_box(box) for box in boxes.values())
    label = f"Proof graph: {len(observations)} observations, {len(claims)} claims and the goal"
    svg = (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escaped(label)}">\n'
        f"{lines}{drawn}</svg>\n"
    )
    return Drawing(svg, further)


def fitted(text: str, width: int, most: int = 1) -> list[str]:
    """Text in lines of a width; words stay whole where they fit, what is over is cut and marked.

    Args:
        text: any; white space is one blank.
        width: of the box, in the units of the drawing.
        most: lines.
    """
    room = int((width - 2 * PADDING) / _CELL)
    lines: list[str] = []
    rest = " ".join(text.split())
    while rest and len(lines) < most:
        size = _fits(rest, room)
        blank = rest.rfind(" ", 0, size + 1)
        # A word that would leave more than half of the line empty is parted.
        end = blank if size < len(rest) and blank > size / 2 else size
        lines.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    if rest:
        lines[-1] = f"{lines[-1][: _fits(lines[-1], room - 1)]}…"
    return lines


def _fits(text: str, room: int) -> int:
    """How many of the first characters of a text take at most so many cells."""
    taken = 0
    for place, char in enumerate(text):
        taken += cell_len(char)
        if taken > room:
            return max(1, place)
    return len(text)


def _shown(
    nodes: Sequence[Node], edges: Sequence[Edge], answer: Sequence[str]
) -> tuple[list[Node], list[Node], list[str]]:
    """Claims and the observations that matter to them, in order; and what is left out, in words."""
    put = [node for node in nodes if node.kind in ("claim", "assumption")]
    # Those of the answer come first where there is no room for all.
    first = sorted(put, key=lambda node: (node.id not in answer, node.status != "validated"))[:MOST_CLAIMS]
    chosen = {node.id for node in first}
    cited = {name for node in first for name in node.data.get("evidence", ())}
    cited |= {edge.source for edge in edges if edge.kind in ("supports", "refutes") and edge.target in chosen}
    seen = [node for node in nodes if node.kind == "observation"]
    used = [node for node in seen if node.id in cited]
    further = [
        (len(seen) - len(used), "observation", "no claim that is drawn cites"),
        (len(put) - len(first), "claim", "there is no room for"),
        (len(used[MOST_OBSERVATIONS:]), "observation", "there is no room for"),
    ]
    claims = [node for node in put if node.id in chosen]
    left_out = [f"{counted(number, word)} {why}" for number, word, why in further if number]
    return claims, used[:MOST_OBSERVATIONS], left_out


def _stacked(boxes: Iterable[Box]) -> list[Box]:
    stacked, top = [], 4.0
    for box in boxes:
        placed = Box(box.name, box.column, box.lines, box.tone, box.title, top)
        stacked.append(placed)
        top += placed.height + GAP
    return stacked


def _observation(node: Node) -> Box:
    command = str(node.data.get("command", ""))
    head = f"{node.id}  turn {node.turn}, exit {node.data.get('returncode', '?')}"
    return Box(node.id, "left", [head, *fitted(command, COLUMNS["left"][1], 2)], "", command)


def _claim(node: Node) -> Box:
    words = claim_words(node.data)
    lines = [f"{node.id}  {node.status}", *fitted(words, COLUMNS["middle"][1], 3)]
    title = f"{words}\n{node.data.get('reason', '')}"
    return Box(node.id, "middle", lines, TONES.get(node.status, ""), title)


def _goal(nodes: Sequence[Node], reached: bool) -> Iterator[Box]:
    for node in nodes:
        if node.kind == "goal":
            head = f"goal  {'reached' if reached else 'not reached'}"
            lines = [head, *fitted(str(node.data.get("text", "")), COLUMNS["right"][1], 4)]
            yield Box(node.id, "right", lines, "good" if reached else "note", str(node.data.get("text", "")))


def _wanted(nodes: Sequence[Node]) -> Iterator[Box]:
    for node in nodes:
        if node.kind == "constraint":
            words = str(node.data.get("wanted") or claim_words(node.data))
            lines = [f"{node.id}  wanted", *fitted(words, COLUMNS["right"][1], 3)]
            yield Box(node.id, "right", lines, "", words)


def _box(box: Box) -> str:
    left, width = COLUMNS[box.column]
    first = box.top + PADDING + LINE - 4
    words = "".join(
        f'<text class="{"words" if number else "name"}" x="{left + PADDING}" '
        f'y="{first + number * LINE:.0f}">{escaped(line)}</text>'
        for number, line in enumerate(box.lines)
    )
    return (
        f'<g class="{box.tone or "plain"}"><title>{escaped(box.title[:LONGEST_TITLE])}</title>'
        f'<rect x="{left}" y="{box.top:.0f}" width="{width}" height="{box.height:.0f}" rx="7"/>{words}</g>\n'
    )


def _cited(claims: Iterable[Node], edges: Iterable[Edge], boxes: Mapping[str, Box]) -> Iterator[str]:
    """Lines from observations that were cited and that the verdict does not rest on."""
    resting = {(edge.source, edge.target) for edge in edges if edge.kind in ("supports", "refutes")}
    for node in claims:
        for name in node.data.get("evidence", ()):
            if (name, node.id) not in resting and name in boxes:
                yield _line("cited", boxes[name], boxes[node.id])


def _edge(edge: Edge, boxes: Mapping[str, Box]) -> str:
    drawn = edge.kind in ("supports", "refutes", "derives", "targets", "requires")
    if not drawn or edge.source not in boxes or edge.target not in boxes:
        return ""
    return _line(edge.kind, boxes[edge.source], boxes[edge.target])


def _line(kind: str, source: Box, target: Box) -> str:
    """A curve from the right of one box to the left of another, or beside boxes of one column."""
    left, width = COLUMNS[source.column]
    start, end = left + width, COLUMNS[target.column][0]
    bend, at = (start + end) / 2, end - 14
    if source.column == target.column:
        end, bend = start, start + (14 if kind == "requires" else 46)
        at = end + 10
    first, last = source.middle, target.middle
    way = f"M{start} {first:.0f}C{bend:.0f} {first:.0f} {bend:.0f} {last:.0f} {end} {last:.0f}"
    cross = f'<text class="cross" x="{at:.0f}" y="{last + 5:.0f}">✗</text>'
    return f'<path class="{kind}" d="{way}"/>{cross if kind == "refutes" else ""}\n'
