import json
import os
import shlex
import sys
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from cli.main import main, parser
from cli.research_command import code_of, resuming, run, start_of
from cli.research_files import check_outputs
from cli.thread_kind import check_kind, resume_line
from configs.errors import UsageError
from graph.forking import fork_thread
from graph.research import build
from memory.thread_history import Kind, thread_history
from models.scripted import Script, register_script
from tests.nodes.research.corpus import DRAFT, ITEMS, PASS, QUERY, REPORT


def given(*arguments: str) -> object:
    return parser().parse_args(["research", *arguments])


def test_a_run_prints_the_report_and_writes_what_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    register_script("cli-research", Script(roles={"analyst": [DRAFT], "critic": [PASS], "writer": [REPORT]}))
    sources = tmp_path / "in.jsonl"
    sources.write_text("".join(json.dumps(one) + "\n" for one in ITEMS) + "broken\n", "utf-8")
    out, page = tmp_path / "out.jsonl", tmp_path / "page.html"
    code = main(
        ["research", QUERY, "--sources", str(sources), "--items", str(out), "--html", str(page),
         "--root", str(tmp_path),
         "--model", "scripted:cli-research"]
    )  # fmt: skip
    told = capsys.readouterr()
    assert code == 0 and "4.2 million tonnes of cargo in 2023 [1]" in told.out
    assert "in.jsonl:3" in told.err and "CRITIC" in told.err and "Logs:" in told.err
    (item,) = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert item["description"].strip() == told.out.strip() and "4.2 million" in page.read_text("utf-8")
    logs = Path(told.err.partition("Logs: ")[2].splitlines()[0])
    written = len(list(logs.iterdir()))
    assert main(["threads", "delete", logs.name, "--root", str(tmp_path)]) == 0
    assert f", {written} research logs\n" in capsys.readouterr().out and not logs.exists()


async def test_what_a_run_was_given_is_known_before_its_first_node(tmp_path: Path) -> None:
    saver = InMemorySaver()
    config = {"configurable": {"thread_id": "r"}}
    stream = build(saver).astream({"query": QUERY}, config, stream_mode="checkpoints", durability="sync")
    await anext(stream)
    await stream.aclose()
    (moment, *_) = await thread_history(saver, "r")
    assert (moment.kind, moment.asked, moment.standing) == (
        "research",
        QUERY,
        "stopped before its first node",
    )
    with pytest.raises(UsageError, match="cannot be forked"):
        await fork_thread(saver, tmp_path, "r", "-1", "new")


@pytest.mark.parametrize("wanted", ["ask", "research", "think"])
def test_a_command_keeps_to_its_own_threads(wanted: Kind) -> None:
    check_kind("t", None, wanted)
    check_kind("t", wanted, wanted)
    with pytest.raises(UsageError) as raised:
        check_kind("my thread", "think" if wanted == "research" else "research", wanted)
    assert "reflect resume 'my thread'" in raised.value.remedy


def test_the_line_that_goes_on_names_every_choice_once_more() -> None:
    chosen = given(QUERY, "--root", "/a b", "--model", "ollama:x", "--profile", "sovereign")
    line = resume_line("t", chosen)  # type: ignore[arg-type]
    read = parser().parse_args(shlex.split(line)[1:])
    assert (read.thread, read.root, read.model, read.profile) == ("t", "/a b", "ollama:x", "sovereign")
    resumed = resuming(read)
    assert (resumed.resume, resumed.root, resumed.model, resumed.query) == ("t", "/a b", "ollama:x", [])
    assert resumed.ask and not resumed.replay
    line = resume_line("-t", given(QUERY, "--html", "a b.html"))  # type: ignore[arg-type]
    read = parser().parse_args(shlex.split(line)[1:])
    assert (read.command, read.resume, read.html) == ("research", "-t", "a b.html")


def test_the_exit_code_tells_the_kind() -> None:
    kinds = ("ResearchReport", "NoDataReport", "ErrorReport")
    assert [code_of([{"schema_object": {"@type": kind}}]) for kind in kinds] == [0, 1, 2]
    assert code_of([]) == 1 and code_of([{"schema_object": {}}]) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "no query"),
        (("q", "--corpus", "a", "--sources", "b"), "both given"),
        (("q", "--html", "/nowhere/at/all.html"), "can be made"),
        (("q", "--items", __file__), "exists"),
    ],
)
def test_what_cannot_be_is_refused_before_the_run(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        check_outputs(given(*arguments))  # type: ignore[arg-type]  # argparse's own type


PAGE = '<!doctype html>\n<meta name="generator" content="reflective-graph research">'


@pytest.mark.parametrize(
    ("text", "kept"), [("my own page", True), ("{}\n", True), ("", False), (PAGE, False)]
)
def test_a_page_is_written_over_pages_of_reports_only(tmp_path: Path, text: str, kept: bool) -> None:
    page = tmp_path / "page.html"
    page.write_text(text, "utf-8")
    arguments = given("q", "--html", str(page))
    if kept:
        with pytest.raises(UsageError, match="no page of a report"):
            check_outputs(arguments)  # type: ignore[arg-type]  # argparse's own type
    else:
        check_outputs(arguments)  # type: ignore[arg-type]  # argparse's own type


@pytest.mark.parametrize(
    "pair", [("html", "items"), ("html", "sources"), ("items", "sources"), ("html", "corpus")]
)
@pytest.mark.parametrize("there", [False, True])
def test_no_two_outputs_and_sources_are_one_file(tmp_path: Path, pair: tuple[str, str], there: bool) -> None:
    (tmp_path / "way").mkdir()
    file = tmp_path / "one"
    if there:
        file.touch()
    winding = tmp_path / "way" / ".." / "one"
    arguments = given("q", f"--{pair[0]}", str(file), f"--{pair[1]}", str(winding))
    with pytest.raises(UsageError, match="are one file"):
        check_outputs(arguments)  # type: ignore[arg-type]  # argparse's own type


def test_a_closed_standard_output_loses_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources, out, page = tmp_path / "in.jsonl", tmp_path / "out.jsonl", tmp_path / "page.html"
    sources.write_text("".join(json.dumps(one) + "\n" for one in ITEMS), "utf-8")
    arguments = given(
        QUERY, "--sources", str(sources), "--items", str(out), "--html", str(page), "--root", str(tmp_path),
        "--model", "embedded", "--quiet",
    )  # fmt: skip
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        with pytest.raises(OSError, match="No space"):
            run(arguments)  # type: ignore[arg-type]  # argparse's own type
        monkeypatch.undo()
        # What lies in the buffer of the device would be written once more when it is closed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())
    assert "4.2 million" in out.read_text("utf-8") and "4.2 million" in page.read_text("utf-8")


def test_a_run_starts_with_what_is_given_and_nothing_of_an_earlier_one(tmp_path: Path) -> None:
    start = start_of(
        given("a", "b", "--mode", "strict", "--from", "2023-01-31", "--corpus", str(tmp_path)), "t"
    )  # type: ignore[arg-type]  # as above
    assert start["query"] == "a b" and start["mode"] == "strict" and start["corpus"] == str(tmp_path)
    assert start["temporal_context"] == {"start": "2023-01-31", "end": None}
    assert (start["items"], start["replay"]) == ([], "")
    with pytest.raises(UsageError, match="no date"):
        start_of(given("a", "--to", "soon"), "t")  # type: ignore[arg-type]  # as above
    assert start_of(given("a", "--corpus", "searxng"), "t")["corpus"] == "searxng"  # type: ignore[arg-type]  # as above
