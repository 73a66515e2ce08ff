"""The page of an audit: no text acts in it, nothing is loaded by it, and what it leaves out it says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.audit_drawing import MOST_IN_CYCLE, WIDTH, cycle_drawing, risk_bars, shortened
from cli.audit_page import MOST_BARS, MOST_ROWS, page_of
from configs.audit import AuditSettings
from tests.tools.audit.facts import audits
from tools.audit.hotspots import hotspots
from tools.audit.recommendations import recommendations
from tools.audit.report import Audit, Cycle, Function, Place, Scan, SecurityFinding, Skipped
from tools.audit.risk import risk

NASTY = "<script>alert(1)</script>\"'&{x}$title</svg></style>\x1b[31m\u202e"
TAGS = frozenset(
    "html head meta title style body main header h1 h3 p section div dl dt dd ul li span br code"
    " table thead tbody tr th td wbr svg g rect text path details summary".split()
)
VOID = frozenset({"meta", "br", "wbr"})
SETTINGS = AuditSettings()


class Seen(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, Mapping[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
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


def complete(audit: Audit) -> Audit:
    judged = audit.model_copy(
        update={
            "hotspots": hotspots(audit.metrics, audit.scan, audit.history),
            "risk": risk(audit.scan, audit.metrics, audit.history, audit.security, SETTINGS),
        }
    )
    return judged.model_copy(update={"recommendations": recommendations(judged, SETTINGS)})


@settings(max_examples=40)
@given(audits())
def test_every_fact_stands_on_the_page_with_its_place(audit: Audit) -> None:
    whole = complete(audit)
    page = seen(page_of(whole, "tree"))
    assert {tag for tag, _ in page.tags} <= TAGS
    for one in (*whole.recommendations, *whole.hotspots, *whole.security):
        assert f"{one.place.file}:{one.place.line}" in page.text
    for advice in whole.recommendations:
        assert advice.what in page.text
    for scored in whole.risk.files:
        assert f"{scored.score:.1f}" in page.text
    for line in whole.risk.formula.splitlines():
        assert line in page.text
    for left_out in whole.skipped:
        assert left_out.what in page.text


def test_no_text_of_a_tree_acts() -> None:
    place = Place(file=NASTY, line=1, end_line=1)
    finding = SecurityFinding(
        scanner=NASTY,
        rule=NASTY,
        cwe=1,
        severity="high",
        confidence="low",
        place=place,
        message=NASTY,
        code=NASTY,
    )
    hard = Function(name=NASTY, place=place, line=1, parameters=0, code_lines=1, cyclomatic=99, cognitive=1)
    audit = Audit(
        versions={NASTY: NASTY},
        scan=Scan(functions=(hard,)),
        security=(finding,),
        skipped=(Skipped(file=NASTY, kernel="ast_scan", reason="link", what=NASTY),),
        notes=(NASTY,),
    )
    cycle = Cycle(files=(NASTY,), imports=(place, place))
    metrics = audit.metrics.model_copy(update={"cycles": (cycle,)})
    page = page_of(complete(audit.model_copy(update={"metrics": metrics})), NASTY)
    found = seen(page)
    assert {tag for tag, _ in found.tags} <= TAGS
    assert "\x1b" not in page and "\u202e" not in page
    assert found.text.count("alert(1)") > 10
    for _, attributes in found.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("href", "src")]


def test_nothing_is_loaded_from_elsewhere() -> None:
    page = page_of(Audit(), "tree")
    policy = [attributes for tag, attributes in seen(page).tags if "http-equiv" in attributes]
    assert [one["content"] for one in policy] == ["default-src 'none'; style-src 'unsafe-inline'"]
    assert not re.search(r"https?:|url\(|@import", page)
    assert '<meta charset="utf-8">' in page[:200]


def test_what_there_is_no_room_for_is_counted() -> None:
    place = Place(file="a.py", line=1, end_line=1)
    skipped = Skipped(file="b.py", kernel="ast_scan", reason="link", what="A link.")
    page = page_of(Audit(skipped=(skipped,) * (MOST_ROWS + 7)), "tree")
    assert seen(page).text.count("A link.") == MOST_ROWS
    assert "7 more rows in the JSON." in page
    large = Cycle(files=("a.py",), imports=(place,) * (MOST_IN_CYCLE + 1))
    assert cycle_drawing(large) == ""
    shown = page_of(Audit(metrics=Audit().metrics.model_copy(update={"cycles": (large,)})), "tree")
    assert shown.count("a.py:1") == MOST_IN_CYCLE + 1


@settings(max_examples=40)
@given(audits())
def test_bars_are_as_long_as_their_points_and_stay_inside(audit: Audit) -> None:
    whole = complete(audit)
    drawn = seen(risk_bars(whole.risk.files[:MOST_BARS]))
    pieces = [attributes for tag, attributes in drawn.tags if tag == "rect"]
    unit = float(str(pieces[0]["width"])) / 100
    lengths = [float(str(one["width"])) for one in pieces if one["class"] != "ground"]
    points = [term.points for one in whole.risk.files[:MOST_BARS] for term in one.terms if term.points > 0]
    assert sum(lengths) == pytest.approx(sum(points) * unit, abs=0.06 * (len(points) + 1))
    for one in pieces:
        assert float(str(one["x"])) + float(str(one["width"])) <= WIDTH


@given(st.text(min_size=1, max_size=80), st.integers(60, 400))
def test_a_name_is_shortened_at_its_beginning(path: str, width: int) -> None:
    short = shortened(path, width)
    assert short == path or (short.startswith("…") and path.endswith(short[1:]))
