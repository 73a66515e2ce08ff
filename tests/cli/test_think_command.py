import argparse
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.main import parser
from cli.think_command import (
    LONGEST_CONTEXT,
    check_question,
    chosen_of,
    decoded,
    material_of,
    resume_line,
    resuming,
    start_of,
)
from cli.think_files import check_arguments, write_files
from configs.errors import SettingsError, UsageError
from nodes.contractive.mermaid import to_mermaid
from nodes.contractive.state import LONGEST_QUESTION
from nodes.contractive.trace_export import read_trace, trace_of, trace_text
from tests.cli.conftest import Reflect
from tests.cli.thinking import SUM, TOWERS, plain_project, script
from tests.nodes.contractive.trees import towers

PARSER = parser()


def arguments_of(*words: str) -> argparse.Namespace:
    return PARSER.parse_args(["think", *words])


def test_a_run_prints_the_answer_and_writes_what_is_asked(tmp_path: Path, reflect: Reflect) -> None:
    root, trace, diagram = plain_project(tmp_path), tmp_path / "t.json", tmp_path / "t.mmd"
    ran = reflect(
        "think", TOWERS, "--root", root, "--model", script(tmp_path, "towers"), "--thread", "t",
        "--export-trace", trace, "--export-mermaid", diagram,
    )  # fmt: skip
    answer, blank, facts = ran.out.splitlines()
    assert ran.code == 0 and (answer, blank) == ("12.5 m", "")
    assert facts.startswith("entropy 0.00, support 100%, 1 pass, 3 questions, ") and "confident" in facts
    assert "split into 2 parts" in ran.err and "--resume=t" in ran.err
    read = read_trace(trace)
    assert read.short_answer == "12.5 m" and set(read.tree) == {"0", "0.1", "0.2"}
    assert str(tmp_path) not in trace.read_text("utf-8")
    assert "112#46;5 m" in diagram.read_text("utf-8")
    again = reflect("resume", "t", "--root", root, "--quiet", "--json")
    result = json.loads(again.out)
    assert (again.code, result["answer"], result["thread_id"]) == (0, "12.5 m", "t")
    assert "think: By how many" in reflect("threads", "list", "--root", root).out
    assert "answered" in reflect("history", "t", "--root", root).out.splitlines()[-2]
    assert "1 journals of model calls" in reflect("threads", "delete", "t", "--root", root).out
    assert not list((root / ".reflect" / "contractive").iterdir())


def test_an_uncertain_answer_says_so_and_is_an_answer(tmp_path: Path, reflect: Reflect) -> None:
    root = plain_project(tmp_path)
    ran = reflect("think", SUM, "--root", root, "--model", script(tmp_path, "torn"), "--quiet")
    assert ran.code == 0 and ran.err == ""
    told = r"Uncertain: 1 of \d+ samples says this; others say \d+ \(1\), \d+ \(1\), \d+ \(1\)[,.;]"
    assert re.match(told, ran.out.splitlines()[1]), ran.out


VALUES: dict[str, st.SearchStrategy[str]] = {
    "--preset": st.sampled_from(["fast", "deep"]),
    "--max-depth": st.integers(0, 12).map(str),
    "--entropy-decompose-threshold": st.floats(0, 1).map(str),
    "--max-tokens": st.integers(1, 10**6).map(str),
    "--samples": st.integers(1, 32).map(str),
    "--peer": st.sampled_from(["none", "light", "full"]),
    "--peer-model": st.text(min_size=1, max_size=5),
    "--model": st.text(min_size=1, max_size=5),
    "--profile": st.sampled_from(["safe", "dev"]),
    "--root": st.text(min_size=1, max_size=5),
    "--export-trace": st.text(min_size=1, max_size=5),
}
FLAGS = st.sets(st.sampled_from(["--ask", "--print-events", "--json", "--quiet"]))


@settings(max_examples=40)
@given(st.fixed_dictionaries({}, optional=VALUES), FLAGS, st.text(min_size=1, max_size=5))
def test_the_line_that_goes_on_names_every_choice_once_more(
    values: dict[str, str], flags: set[str], thread: str
) -> None:
    begun = arguments_of("a question", *(f"{name}={value}" for name, value in values.items()), *flags)
    line = shlex.split(resume_line(thread, begun))
    gone_on = PARSER.parse_args(line[1:])
    wanted = vars(begun) | {"question": [], "resume": thread}
    assert line[0] == "reflect" and vars(gone_on) == wanted


def test_what_resume_was_given_is_given_on() -> None:
    words = ["resume", "-t", "--root", "/a", "--model", "m:x", "--profile", "dev", "--json", "--quiet"]
    given = resuming(parser().parse_args([words[0], *words[2:], "--", "-t"]))
    assert (given.resume, given.root, given.model, given.profile) == ("-t", "/a", "m:x", "dev")
    assert given.json and given.quiet and not given.question
    check_arguments(given)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "no question"),
        (("q", "--resume", "t"), "both given"),
        (("q", "--chat"), "--chat goes with"),
        (("--chat", "--export-trace", "f"), "--chat goes with"),
        (("--chat", "--context", "-"), "standard input"),
        (("-", "--context", "-"), "standard input"),
        (("--resume", "t", "--context", "f"), "both given"),
        (("--resume", "t", "--thread", "u"), "both given"),
        (("q", "--reading", "1"), "--resume"),
        (("q", "--peer", "none", "--peer-model", "m"), "both given"),
        (("q", "--export-trace", "/nowhere/at/all.json"), "can be made"),
        (("q", "--export-mermaid", "/"), "can be made"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_the_run(words: tuple[str, ...], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        check_arguments(arguments_of(*words))


@pytest.mark.parametrize("name", ["trace", "mermaid"])
def test_nothing_but_an_earlier_one_is_written_over(tmp_path: Path, name: str) -> None:
    path, state = tmp_path / "out", towers()
    ours = trace_text(trace_of(state, tmp_path)) if name == "trace" else to_mermaid(state.tree)
    other = to_mermaid(state.tree) if name == "trace" else trace_text(trace_of(state, tmp_path))
    arguments = arguments_of("q", f"--export-{name}", str(path))
    for mine in ("my own\n", ours[:-9] if name == "trace" else f" {ours}", other, "\0", "flowchart TD\n"):
        path.write_text(mine, "utf-8")
        with pytest.raises(UsageError, match="would be lost"):
            check_arguments(arguments)
        # It may have come into being while the run went on.
        with pytest.raises(UsageError, match="would be lost"):
            write_files(arguments, state, tmp_path)
        assert path.read_text("utf-8") == mine
    for replaced in ("", ours):
        path.write_text(replaced, "utf-8")
        check_arguments(arguments)
        write_files(arguments, state, tmp_path)
        assert path.read_text("utf-8") == ours
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("leads_to", ["nowhere/at/all", "link", "."])
def test_a_link_to_where_nothing_can_be_is_refused(tmp_path: Path, leads_to: str) -> None:
    link = tmp_path / "link"
    link.symlink_to(leads_to)
    for words in (["--export-trace", str(link)], ["--export-mermaid", str(link), "--context", str(link)]):
        with pytest.raises(UsageError, match="can be made"):
            check_arguments(arguments_of("q", *words))
    with pytest.raises(UsageError, match="cannot be read"):
        material_of(str(link))


def test_a_link_keeps_leading_to_what_is_written(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("there")
    arguments = arguments_of("q", "--export-mermaid", str(link))
    for _ in range(2):
        check_arguments(arguments)
        write_files(arguments, towers(), tmp_path)
    assert link.is_symlink() and (tmp_path / "there").read_text("utf-8") == to_mermaid(towers().tree)


def test_one_file_that_cannot_be_written_does_not_cost_the_other(tmp_path: Path) -> None:
    good = tmp_path / "t.mmd"
    (tmp_path / "mine").write_text("mine", "utf-8")
    arguments = arguments_of("q", "--export-trace", str(tmp_path / "mine"), "--export-mermaid", str(good))
    with pytest.raises(UsageError, match="would be lost"):
        write_files(arguments, towers(), tmp_path)
    assert good.read_text("utf-8") == to_mermaid(towers().tree)


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("other", ["export-mermaid", "context"])
def test_no_two_files_of_the_command_are_one(tmp_path: Path, other: str, there: bool) -> None:
    (tmp_path / "way").mkdir()
    if there:
        (tmp_path / "one").touch()
        (tmp_path / "link").symlink_to("one")
    winding = tmp_path / ("link" if there else "way/../one")
    arguments = arguments_of("q", "--export-trace", str(tmp_path / "one"), f"--{other}", str(winding))
    with pytest.raises(UsageError, match="as well"):
        check_arguments(arguments)


def test_flags_are_settings_with_what_follows_from_them(tmp_path: Path) -> None:
    def chosen(*words: str) -> dict[str, Any]:
        return chosen_of(arguments_of("q", *words), tmp_path)[0]

    assert chosen() == {}
    assert chosen("--preset", "math", "--max-tokens", "9", "--max-depth", "0", "--ask") == {
        "contractive.preset": "math",
        "contractive.max_global_tokens": 9,
        "contractive.max_depth": 0,
        "contractive.clarify": True,
    }
    assert chosen("--samples", "5") == {"contractive.k_entropy_samples": 5}
    assert chosen("--samples", "12")["contractive.k_max_samples"] == 12
    assert chosen("--preset", "fast", "--samples", "6")["contractive.k_max_samples"] == 6
    named = {"models.critic.name": "openai:x"}
    assert chosen("--peer-model", "openai:x") == named | {"contractive.peer": "full"}
    assert chosen("--peer-model", "openai:x", "--peer", "light") == named | {"contractive.peer": "light"}
    assert chosen("--peer-model", "openai:x", "--preset", "deep") == named | {"contractive.preset": "deep"}
    for words in (["--max-depth=-1"], ["--preset", "nice"], ["--entropy-decompose-threshold", "nan"]):
        with pytest.raises(SettingsError):
            chosen(*words)


def test_material_is_text_of_a_bearable_length(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"\xef\xbb\xbfcaf\xe9 \xe5\xa1\x94")
    assert material_of(str(file)) == "caf\ufffd 塔" and material_of(None) == ""
    for data, told in ((b"\x7fELF\0", "zero byte"), (b"a" * (LONGEST_CONTEXT + 1), "characters")):
        file.write_bytes(data)
        with pytest.raises(UsageError, match=told):
            material_of(str(file))
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(UsageError, match="cannot be read"):
            material_of(str(path))


@given(st.binary())
def test_any_bytes_are_text_that_can_be_kept(data: bytes) -> None:
    text = decoded(data)
    assert text.encode("utf-8").decode("utf-8") == text


@pytest.mark.parametrize("question", ["", " ", "\n\t", "x" * (LONGEST_QUESTION + 1)])
def test_what_is_no_question_is_not_asked(question: str) -> None:
    with pytest.raises(UsageError):
        check_question(question)
    if not question.strip():
        with pytest.raises(UsageError, match="empty"):
            start_of(arguments_of(question))
