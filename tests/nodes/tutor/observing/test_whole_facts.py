"""The facts that honest calls have to bring, in every spelling of a call."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from nodes.tutor.facts import Entry, Fact, Measure, Search, Searched, Text, Walked
from nodes.tutor.moves import Request
from nodes.tutor.observations import Observation
from nodes.tutor.observing.reading import facts_of
from tests.nodes.tutor.observing.conftest import Sandbox
from tests.nodes.tutor.observing.direct import is_so
from tests.nodes.tutor.observing.said import FILES, SAID, SILENT, entry, matches


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    sandbox = Sandbox(tmp_path_factory.mktemp("whole") / "root")
    sandbox.write(**FILES)
    (sandbox.root / "link").symlink_to("a.txt")
    (sandbox.root / "linked").symlink_to("src/deep")
    return sandbox


def same(one: Fact, other: Fact) -> bool:
    """Equal; what a search found is in no order."""
    if isinstance(one, Search) and isinstance(other, Search):
        found = {entry.path: entry.kind for entry in one.found} == {
            entry.path: entry.kind for entry in other.found
        }
        return found and one.model_copy(update={"found": ()}) == other.model_copy(update={"found": ()})
    if isinstance(one, Searched) and isinstance(other, Searched):
        pairs = [dict(zip(each.files, each.counts or (), strict=True)) for each in (one, other)]
        gone = {"files": (), "counts": ()}
        return pairs[0] == pairs[1] and one.model_copy(update=gone) == other.model_copy(update=gone)
    return one == other


@pytest.fixture(scope="module")
def told(planted: Sandbox) -> dict[str, tuple[Fact, ...]]:
    """Facts of all the commands, which run side by side."""
    commands = [*(command for command, _ in SAID), *SILENT]

    async def observed() -> list[Observation]:
        observe = planted.observer.observe
        return await asyncio.gather(*(observe(Request(raw=each), id="o1", turn=1) for each in commands))

    return dict(zip(commands, map(facts_of, asyncio.run(observed())), strict=True))


@pytest.mark.parametrize(("command", "expected"), SAID)
def test_what_a_command_says(
    command: str, expected: list[Fact], planted: Sandbox, told: dict[str, tuple[Fact, ...]]
) -> None:
    facts = told[command]
    assert [fact for fact in expected if not any(same(fact, said) for said in facts)] == [], facts
    assert all(is_so(fact, planted.root) for fact in facts)


@pytest.mark.parametrize("command", SILENT)
def test_what_is_not_understood_exactly_says_nothing_of_contents(
    command: str, told: dict[str, tuple[Fact, ...]]
) -> None:
    assert [fact for fact in told[command] if not isinstance(fact, Entry | Search | Walked)] == []


@pytest.mark.parametrize(
    ("request_", "command"),
    [
        (Request(tool="cat", args={"path": "a.txt", "number": True}), "cat a.txt"),
        (Request(tool="head", args={"path": "a.txt", "lines": 2}), "head -n2 a.txt"),
        (Request(tool="head", args={"path": "a.txt"}), "head a.txt"),
        (Request(tool="tail", args={"path": "a.txt", "lines": 2}), "tail -2 a.txt"),
        (Request(tool="grep", args={"pattern": "tok", "recursive": True}), "grep -rnF -e tok ."),
        (
            Request(tool="grep", args={"pattern": "tok", "path": "a.txt", "count": True, "word": True}),
            "grep -cw tok a.txt",
        ),
        (Request(tool="wc", args={"paths": ["a.txt", "open"], "lines": True}), "wc -l a.txt open"),
        (Request(tool="wc", args={"path": "a.txt"}), "wc -clw a.txt"),
        (Request(tool="ls", args={"long": True}), "ls -l"),
        (Request(tool="ls", args={"path": "src", "recursive": True, "all": True}), "ls -1aR src/"),
        (
            Request(tool="find", args={"name": "*.py", "type": "f", "maxdepth": 2}),
            "find -maxdepth 2 -name '*.py' -type f",
        ),
        (Request(tool="stat", args={"path": "src"}), "stat -c %n src"),
        (Request(tool="diff", args={"paths": ["old/f", "new/f"]}), "diff -u old/f new/f"),
    ],
)
def test_a_command_line_says_what_the_typed_call_says(
    request_: Request, command: str, planted: Sandbox
) -> None:
    typed = facts_of(planted.see(request_))
    said = planted.facts(command)
    known = [fact for fact in said if fact != entry(".", "directory")]  # "." need not be named
    assert known and [fact for fact in known if not any(same(fact, other) for other in typed)] == []


def test_nothing_is_said_by_what_was_altered_or_cut(planted: Sandbox) -> None:
    seen = planted.raw("cat a.txt")
    assert facts_of(seen)
    assert facts_of(seen.model_copy(update={"stdout": "other\n"})) == ()
    assert facts_of(seen.model_copy(update={"truncated": True}).sealed()) == ()


@pytest.mark.parametrize("name", ["--", "-n", "-", "./plain", "a b"])
def test_a_file_that_is_printed_is_the_one_that_was_asked_for(name: str, tmp_path: Path) -> None:
    sandbox = Sandbox(tmp_path / "root")
    sandbox.put(name, f"this is {name}\n")
    seen = sandbox.raw(f"cat -- './{name}'")
    assert seen.stdout == f"this is {name}\n"
    assert Text(path=name.removeprefix("./"), text=seen.stdout) in facts_of(seen)


def test_a_name_that_is_no_text_can_be_sealed(planted: Sandbox) -> None:
    seen = planted.raw("cat a.txt")
    odd = seen.model_copy(update={"command": "cat \udcff", "args": {"path": "\udcff"}}).sealed()
    assert odd.intact and odd.seal != seen.seal
    assert not odd.model_copy(update={"command": "cat \udcfe"}).intact


def test_output_that_reached_the_cap_says_nothing(planted: Sandbox) -> None:
    planted.put("long/file", "x" * 1_100_000)
    seen = planted.raw("cat long/file")
    assert (seen.truncated, seen.returncode, facts_of(seen)) == (True, -1, ())
    assert Measure(path="long/file", unit="bytes", value=1_100_000) in planted.facts("wc -c long/file")


def test_bytes_that_are_no_text_make_no_text(planted: Sandbox) -> None:
    (planted.root / "bytes").write_bytes(b"tok\n\xff tok\n")
    assert planted.facts("cat bytes") == (entry("bytes"),)
    assert Measure(path="bytes", unit="lines", value=2) in planted.facts("wc -l bytes")
    assert matches(2, path="bytes") in planted.facts("grep -n tok bytes")
    (planted.root / "bytes").unlink()


def test_a_search_without_a_hit_tells_of_every_directory_and_of_the_patterns_own_text(
    tmp_path: Path,
) -> None:
    sandbox = Sandbox(tmp_path / "root")
    sandbox.write(**{"logs/deep/a.log": "10a1b5c\n", "logs/b.log": "fine\n", "top": "x\n"})

    async def observed(raw: str) -> tuple[Fact, ...]:
        return facts_of(await sandbox.observer.observe(Request(raw=raw), id="o1", turn=1))

    named, deep, none = [asyncio.run(observed(raw)) for raw in COMMANDS]
    for facts in (named, deep, none):
        assert [set(fact.paths) for fact in facts if isinstance(fact, Walked)] == [{"logs", "logs/deep"}]
    assert Searched(directory=".", literal="q.z", files=(), counts=()) in deep
    assert not [fact for fact in none if isinstance(fact, Searched)]


COMMANDS = ("find . -name '*.lock'", "grep -r q.z .", "grep -r 0.1 .")
