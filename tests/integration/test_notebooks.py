"""Every notebook runs from top to bottom, shows what it says it shows, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest

from evals.fixture_repository import build_fixture_repository
from evals.report import wilson_interval
from tests.support.notebook_running import Shown, shown_by
from tests.support.processes import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
TIMED = {"01_reflective_graph": {1}}
"""Plots that show how long something took, and so differ from run to run."""
LONGEST_CELL = 21
SHARE = re.compile(r"(\d+) of +(\d+) +\[([\d.]+), ([\d.]+)\]")
UNQUIET = """
import socket, warnings
from pathlib import Path

Path("../../elsewhere").mkdir()
open("../../elsewhere/file", "w").write("x")
Path.home().joinpath("left").touch()
with socket.socket() as peer:
    peer.connect_ex(("127.0.0.1", 9))
warnings.warn("mind this")
1 / 0
"""
KERNEL_WARNINGS = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning",
    "ignore::ResourceWarning",
    "ignore::pytest.PytestUnraisableExceptionWarning",
)
"""The kernel's own libraries warn at start and leave sockets to the garbage collector; neither is ours."""


def reflective_graph(shown: Shown, place: Path) -> None:
    told = shown.printed("async for mode, chunk in graph.astream")
    assert re.findall(r"^[A-Z_]+$", told, re.M) == [
        "CLASSIFY", "PLAN", "EXECUTE", "REFLECT", "PLAN", "EXECUTE", "EXECUTE", "VERIFY", "RESPOND",
    ]  # fmt: skip
    assert "status: failed" in told and "No such file or directory" in told
    log = (build_fixture_repository(place / "truth") / "logs" / "app.log").read_text("utf-8").splitlines()
    days = {level: {line[:10] for line in log if f" {level} " in line} for level in ("WARNING", "ERROR")}
    answer = shown.printed('print(state["status"], "/"').partition("$")[0]
    assert (
        set(re.findall(r"2024-\d\d-\d\d", answer.partition("printed:")[2])) == days["WARNING"] - days["ERROR"]
    )
    spent = [int(one) for one in re.findall(r"(\d+) tokens of prompts", shown.printed("spent.append"))]
    assert len(spent) == 9 and sum(tokens > 0 for tokens in spent) >= 4
    assert "data/ships.csv" in shown.printed("aupdate_state")
    refused = shown.printed("zebra.py")
    assert "status: could_not" in refused and "zebra.py does not exist" in refused


def learning(shown: Shown, place: Path) -> None:
    rows = re.findall(
        r"^(.+?)\s+(on|off)\s+(\d)/6 +(\d+) +(\d+) +(\d+)$", shown.printed("for (memory, title)"), re.M
    )
    assert len(rows) == 8
    tokens = {(title, memory): int(cost) for title, memory, *_, cost in rows}
    right = {(title, memory): int(hits) for title, memory, hits, *_ in rows}
    titles = list(dict.fromkeys(title for title, *_ in rows))
    assert all(2 * tokens[title, "on"] < tokens[title, "off"] for title in titles[1:])
    assert tokens[titles[0], "on"] > 0.8 * tokens[titles[0], "off"]
    assert all(right[title, "on"] >= right[title, "off"] for title in titles)
    assert re.findall(r"planned by: (\w+)", shown.printed("for session, question in")) == [
        "model",
        "reused",
        "reused",
    ]
    scores = [float(one) for one in re.findall(r"\d\.\d+", shown.printed("for kind, asked in"))]
    assert len(scores) == 6 + 6 + 3 + 1 and all(0 <= score <= 1 for score in scores)
    assert shown.printed("for number, when in").count("could_not") == 3
    assert "harmful 1: the reflection of" in shown.printed("events by type")


def contractive(shown: Shown, place: Path) -> None:
    assert re.findall(r"^entropy ([\d.]+)", shown.printed("for asked, samples in"), re.M) == [
        "0.00",
        "0.75",
        "0.50",
    ]
    assert shown.printed("first = await").startswith("answered: 9300 litres  (confident")
    bounds = re.findall(
        r"step ([\d.]+), bound ([\d.]+), distance to the last answer ([\d.]+)", shown.printed("q / (1 - q)")
    )
    assert len(bounds) >= 3 and all(float(rest) <= float(bound) for _, bound, rest in bounds)
    wrong = shown.printed("second = await")
    assert "(confident" in wrong and "entropy 0.00" in wrong and "9300" not in wrong
    assert wrong.partition("never asked:")[2].count("?") == 3
    assert shown.printed("circles = await").startswith("uncertain: 4000 litres  (cycle")
    assert shown.printed("nothing = await").startswith("no_answer: no answer")


def proof_game(shown: Shown, place: Path) -> None:
    played = shown.printed('run = await play("B04"')
    outcomes = re.findall(r"^ ?\d+ \w+ +(\w+)", played, re.M)
    assert {name: outcomes.count(name) for name in set(outcomes)} == {
        "illegal": 3, "rejected": 2, "played": 8, "won": 1,
    }  # fmt: skip
    assert "leads outside the root" in played and "c1 is refuted" in played and "won (answered)" in played
    checked = shown.printed("document = export(tutor)")
    assert "as it was written: all of it holds" in checked and "The seal is broken" in checked
    arms = re.findall(
        r"^(\w+) +won (\d+)/(\d+) +moves (\d+) +illegal (\d+)", shown.printed("for arm, own in"), re.M
    )
    assert [arm for arm, *_ in arms] == ["none", "menu", "cards", "all"]
    won = {arm: int(hits) for arm, hits, *_ in arms}
    illegal = {arm: int(count) / int(moves) for arm, _, _, moves, count in arms}
    assert won["all"] > won["none"] and illegal["all"] < illegal["none"]
    statuses = re.findall(r"B\d\d: (\w+) in", shown.printed("player:dump-everything"))
    assert statuses == ["won"] * 3 + ["lost"] * 6


def research(shown: Shown, place: Path) -> None:
    assert (
        len(
            re.findall(
                r"^dropped: .*\(tier (?:\d|unknown)\): mode strict", shown.printed("discovered, _"), re.M
            )
        )
        == 4
    )
    rounds = re.findall(r"(\d+) of (\d+) sentences hold: (\w+)", shown.printed("in enumerate(rounds(state"))
    assert rounds and all(verdict == "REJECT" for held, of, verdict in rounds if int(held) < 0.66 * int(of))
    removed = shown.printed("for finding in removed")
    assert removed.count("dropped: ") == 4 and "borne by https://" in removed
    truth = shown.printed("judged = {name")
    borne = re.search(r"borne by their sources: (\d+) of (\d+)", truth)
    assert borne and borne[1] == borne[2] and int(borne[1]) >= 10
    assert "forbidden tier: 0" in truth
    last = shown.printed("disputed, _ = runs")
    assert (
        "supports" in last and "contradicts" in last and "no_data" in last and "Not enough evidence" in last
    )


def evaluation(shown: Shown, place: Path) -> None:
    right = [int(hits) for hits in re.findall(r"right (\d+)/30", shown.printed("register(rate=ERRS"))]
    assert len(right) == 3 and right[2] > right[0]
    suites = SHARE.findall(shown.printed("in enumerate(suites.items())"))
    assert len(suites) == 7
    for hits, of, low, high in suites:
        assert wilson_interval(int(hits), int(of)) == pytest.approx((float(low), float(high)), abs=5e-4)
    assert [int(hits) for hits, *_ in suites[4:]] == right
    bins = re.findall(r": +(\d+) answers, right ([\d.]+)", shown.printed("reliability_bins(shown"))
    assert sum(int(number) for number, _ in bins) <= 60 and len(bins) >= 3
    routing = suites[0]
    assert len(shown.printed("one.decision.source").splitlines()) == int(routing[1]) - int(routing[0])


CHECKS: dict[str, tuple[int, Callable[[Shown, Path], None]]] = {
    "01_reflective_graph": (2, reflective_graph),
    "02_learning_from_experience": (3, learning),
    "03_contractive_reasoning": (4, contractive),
    "04_proof_game": (3, proof_game),
    "05_deep_research": (3, research),
    "06_evaluation": (4, evaluation),
}
"""By notebook: its plots, and what is checked of what it showed."""


@pytest.fixture
def places() -> Iterator[list[Path]]:
    """Two directories with short names: those of pytest are too long for the kernel's sockets."""
    with (
        tempfile.TemporaryDirectory(prefix="nb1-") as one,
        tempfile.TemporaryDirectory(prefix="nb2-") as other,
    ):
        yield [Path(one).resolve(), Path(other).resolve()]


def test_there_is_a_check_for_every_notebook() -> None:
    assert [path.stem for path in NOTEBOOKS] == list(CHECKS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_committed_without_outputs_and_reads_as_a_tutorial(path: Path) -> None:
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert cells and all(cell.outputs == [] and cell.execution_count is None for cell in cells)
    assert [cell.id for cell in notebook.cells] == [
        f"cell-{number:02}" for number in range(len(notebook.cells))
    ]
    first = notebook.cells[0]
    assert first.cell_type == "markdown" and first.source.count(".") >= 3 and first.source.startswith("# ")
    assert all(len(cell.source.splitlines()) <= LONGEST_CELL for cell in cells)
    assert sum("MODEL = " in cell.source for cell in cells) == 1
    assert len(notebook.cells) - len(cells) >= len(cells) // 2


@pytest.mark.integration
@KERNEL_WARNINGS
async def test_a_notebook_that_strays_is_caught(places: list[Path]) -> None:
    place, beside = places[0] / "run", places[1]
    place.mkdir()
    cell = nbformat.v4.new_code_cell(UNQUIET, metadata={"tags": ["raises-exception"]})
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), beside / "unquiet.ipynb")
    shown = await shown_by(beside / "unquiet.ipynb", place)
    gc.collect()
    assert shown.left == ["home/left"]
    strayed = [f"os.mkdir {places[0]}/elsewhere", f"open {places[0]}/elsewhere/file"]
    assert shown.strayed == [*strayed, "socket.connect ('127.0.0.1', 9)"]
    assert any("division by zero" in said for said in shown.complaints)
    assert any("mind this" in said for said in shown.complaints)


@pytest.mark.integration
@KERNEL_WARNINGS
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
async def test_the_notebook_runs_clean_and_twice_the_same(
    path: Path, places: list[Path], tmp_path: Path
) -> None:
    runs = await asyncio.gather(*(shown_by(path, place) for place in places))
    # While their warnings are still passed over.
    gc.collect()
    least, check = CHECKS[path.stem]
    for shown in runs:
        assert shown.complaints == []
        assert shown.left == [] and shown.strayed == []
        assert not [
            text for text in (str(ROOT), str(Path.home()), "/tmp/", str(shown.place)) if text in shown.texts
        ]
        assert len(shown.plots) == least
        for plot in shown.plots:
            grey = plot.convert("L")
            inked = sum(grey.histogram()[:250]) / (plot.width * plot.height)
            assert (
                plot.width >= 400
                and plot.height >= 200
                and 0.01 < inked < 0.95
                and len(grey.getcolors() or []) > 20
            )
    first, second = runs
    assert first.printed() == second.printed()
    timed = TIMED.get(path.stem, set())
    for number, (one, other) in enumerate(zip(first.plots, second.plots, strict=True)):
        assert number in timed or one.tobytes() == other.tobytes(), f"plot {number} differs"
    check(first, tmp_path)
