"""The page of a game: no text acts in it, nothing is loaded by it, nothing is missing."""

import re
from html.parser import HTMLParser
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cli.play_chart import chart_of
from cli.play_drawing import MOST_CLAIMS, WIDTH, drawing_of, fitted
from cli.play_page import page_of
from configs.tutor import TutorSettings
from nodes.tutor.export import Document, Played
from nodes.tutor.proof_graph import Edge, Node
from nodes.tutor.state import TutorState
from nodes.tutor.turns import Turn

NASTY = "<script>alert(1)</script>\"'&{x}$title</svg></style>\x1b[31m\u202e"
TAGS = frozenset(
    "html head meta title style body main header h1 h2 h3 p section div span dl dt dd ul ol li strong"
    " svg g rect text path line polyline details summary pre".split()
)
TEXTS = st.text(max_size=40) | st.just(NASTY)


class Seen(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta",):
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self._open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


def seen(page: str) -> Seen:
    parser = Seen()
    parser.feed(page)
    parser.close()
    return parser


def check(page: str) -> Seen:
    """Only our own tags and attributes stand there, and nothing is fetched."""
    found = seen(page)
    assert {tag for tag, _ in found.tags} <= TAGS
    names = {name for _, attributes in found.tags for name in attributes}
    assert not {name for name in names if name.startswith("on")} and not names & {"src", "href", "style"}
    assert found._open == [] and "http" not in page.replace("http-equiv", "")
    assert "default-src 'none'" in page
    return found


def document(text: str, *, won: bool = True) -> Document:
    """A game in which everything that may be text is the same text."""
    claim: dict[str, Any] = {
        "predicate": "contains",
        "subject": text,
        "value": text,
        "unit": None,
        "scope": text,
    }
    rests: dict[str, Any] = {**claim, "reason": text, "evidence": ["o1", "o2"]}
    shown: dict[str, Any] = {"command": text, "returncode": 0, "stdout": text, "stderr": text}
    nodes = (
        Node(id="g", kind="goal", turn=0, data={"text": text}),
        Node(id="k1", kind="constraint", turn=0, data={"wanted": text}),
        Node(id="o1", kind="observation", turn=1, data=shown),
        Node(id="o2", kind="observation", turn=2, data=shown),
        Node(id="o3", kind="observation", turn=2, data=shown),
        Node(id="c1", kind="claim", turn=3, status="validated", data=rests),
        Node(id="c2", kind="claim", turn=4, status="refuted", data=rests),
        Node(id="s1", kind="assumption", turn=4, status="proposed", data={**claim, "evidence": []}),
    )
    edges = (
        Edge(kind="requires", source="g", target="k1", turn=0),
        Edge(kind="supports", source="o1", target="c1", turn=3),
        Edge(kind="refutes", source="o2", target="c2", turn=4),
        Edge(kind="refutes", source="c1", target="c2", turn=4),
        Edge(kind="targets", source="c1", target="k1", turn=4),
        *([Edge(kind="derives", source="c1", target="g", turn=5)] if won else []),
    )
    turn = Turn(
        number=1, given={"move": "ASSERT", "claim": claim, text: text}, move="ASSERT", signature=text,
        outcome="rejected", message=text, claim="c2", status="refuted", gained=-3, score=-3, helped=(text,),
    )  # fmt: skip
    prose = turn.model_copy(
        update={"number": 2, "given": text, "move": "", "observation": "o1", "status": None}
    )
    return Document(
        game=Played(id="free", seed=0, goal=text), name="free-0-x", settings=TutorSettings(),
        turns=(turn, prose), nodes=nodes, edges=edges, ended="answered" if won else None, won=won,
        answer=("c1",) if won else (), score=-3, justification=0.5, digest="",
    )  # fmt: skip


@settings(max_examples=30)
@given(TEXTS, st.booleans())
def test_no_text_of_a_game_acts_in_its_page(text: str, won: bool) -> None:
    state = TutorState(model=text, notes=[text])
    found = check(page_of(document(text, won=won), state, text))
    assert not any("\x1b" in word or "\u202e" in word for word in found.words)


def test_the_page_shows_what_was_played_and_what_it_rests_on() -> None:
    page = page_of(document("needle"), TutorState(model="scripted:x"), "Title")
    found = check(page)
    assert [tag for tag, _ in found.tags].count("svg") == 2
    for words in (
        "Title",
        "won",
        "Rests on o1.",
        "c2  refuted",
        "scripted:x",
        "no model judges",
    ):
        assert words in found.text, words
    paths = [attributes["class"] for tag, attributes in found.tags if tag == "path"]
    assert sorted(filter(None, paths)) == sorted(
        ["cited", "cited", "requires", "supports", "refutes", "refutes", "targets", "derives"]
    )
    assert found.text.count("✗") == 2 and "1 observation no claim that is drawn cites" in found.text
    tones = [attributes["class"] for tag, attributes in found.tags if tag == "g"]
    assert tones.count("bad") == 1 and tones.count("good") == 2


def test_a_game_that_goes_on_or_is_lost_says_so() -> None:
    lost = document("x", won=False).model_copy(update={"ended": "turns"})
    for game, words in ((document("x", won=False), "goes on"), (lost, "no turn is left")):
        found = check(page_of(game, TutorState(), "T"))
        assert words in found.text and "Rests on" not in found.text


def test_a_large_graph_keeps_the_answer_and_tells_what_is_left_out() -> None:
    claim = {"predicate": "exists", "subject": "a", "value": True, "unit": None, "scope": None}
    nodes = [Node(id="g", kind="goal", turn=0, data={"text": "t"})]
    nodes += [
        Node(
            id=f"c{number}",
            kind="claim",
            turn=1,
            status="undecidable",
            data={**claim, "evidence": [f"o{number}"]},
        )
        for number in range(1, 100)
    ]
    nodes += [Node(id=f"o{number}", kind="observation", turn=1, data={}) for number in range(1, 101)]
    drawing = drawing_of(nodes, [], ["c99"])
    assert "c99  undecidable" in drawing.svg and drawing.svg.count("<rect") == 1 + 2 * MOST_CLAIMS
    assert drawing.left_out == [
        "60 observations no claim that is drawn cites",
        "59 claims there is no room for",
    ]
    assert drawing_of(nodes[:1], [], []).svg == ""


@given(st.text(max_size=300), st.integers(60, 300), st.integers(1, 4))
def test_text_in_a_box_is_cut_only_where_it_does_not_fit(text: str, width: int, most: int) -> None:
    lines, plain = fitted(text, width, most), " ".join(text.split())
    assert len(lines) <= most
    whole = "".join(lines).replace(" ", "")
    if not whole.endswith("…") or "…" in text:
        return
    assert plain.replace(" ", "").startswith(whole[:-1])


@given(st.text(alphabet="ab c塔", max_size=60))
def test_text_that_fits_stands_there_whole(text: str) -> None:
    assert "".join(fitted(text, 2000, 1)) == " ".join(text.split())


@given(st.lists(st.integers(-500, 500), max_size=30))
def test_the_line_of_the_score_stays_in_its_frame(scores: list[int]) -> None:
    chart = chart_of(scores, ["" for _ in scores])
    if not scores:
        assert chart == ""
        return
    found = seen(chart)
    points = next(attributes["points"] for tag, attributes in found.tags if tag == "polyline") or ""
    places = [tuple(map(float, point.split(","))) for point in points.split()]
    assert len(places) == len(scores)
    assert all(0 <= x <= 1000.1 and -0.1 <= y <= 200.1 for x, y in places)
    heights = [y for _, y in places]
    assert all(
        (a < b) == (one > other)
        for (a, one), (b, other) in zip(
            zip(heights, scores, strict=True), list(zip(heights, scores, strict=True))[1:], strict=False
        )
        if abs(one - other) > 1
    )


def test_everything_is_drawn_within_the_picture() -> None:
    svg = drawing_of(document("x" * 400).nodes, document("x").edges, ["c1"]).svg
    right = [int(x) + int(width) for x, width in re.findall(r'<rect x="(\d+)" y="\d+" width="(\d+)"', svg)]
    assert right and max(right) <= WIDTH
