"""What an observation depends on, and what it does not."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nodes.tutor.moves import Request
from nodes.tutor.observations import Footprint, Observation
from nodes.tutor.observing.footprints import RACY, first_look, holds, stayed
from nodes.tutor.observing.meaning.pipelines import meaning_of
from nodes.tutor.observing.reading import facts_of
from nodes.tutor.observing.requests import stages_of
from tests.nodes.tutor.observing.conftest import Sandbox
from tools.stages import stage_vector

Change = Callable[[Path], object]


def rewritten(path: str, text: str) -> Change:
    """Another content of the same size, with the old times: only the content or the change time tells."""

    def change(root: Path) -> None:
        status = (root / path).stat()
        (root / path).write_text(text)
        os.utime(root / path, ns=(status.st_atime_ns, status.st_mtime_ns))

    return change


def replaced(path: str, text: str) -> Change:
    """Another file of the same size under the same name, with the old times."""

    def change(root: Path) -> None:
        status = (root / path).stat()
        (root / "fresh").write_text(text)
        os.utime(root / "fresh", ns=(status.st_atime_ns, status.st_mtime_ns))
        (root / "fresh").rename(root / path)

    return change


def linked(path: str) -> Change:
    """The directory is moved, and a link to it stands where it was."""

    def change(root: Path) -> None:
        (root / path).rename(root / "moved")
        (root / path).symlink_to(root / "moved")

    return change


STALE: list[tuple[str, Change]] = [
    ("cat a", rewritten("a", "two\n")),
    ("cat a", replaced("a", "two\n")),
    ("cat a", lambda root: (root / "a").unlink()),
    ("cat a", lambda root: (root / "a").rename(root / "z")),
    ("cat d/b", rewritten("d/b", "TOK\n")),
    ("cat d/b", linked("d")),
    ("cat d/b", lambda root: (shutil.copytree(root / "d", root / "copy"), shutil.rmtree(root / "d"),
                              (root / "copy").rename(root / "d"))),
    ("cat link", rewritten("a", "two\n")),
    ("cat link", lambda root: ((root / "link").unlink(), (root / "link").symlink_to("d/b"))),
    ("cat dl/b", lambda root: ((root / "dl").unlink(), (root / "dl").symlink_to("empty"))),
    ("cat missing", lambda root: (root / "missing").write_text("")),
    ("cat missing", lambda root: (root / "missing").symlink_to("nowhere")),
    ("cat no/where/at/all", lambda root: (root / "no").mkdir()),
    ("stat a", rewritten("a", "longer\n")),
    ("ls d", lambda root: (root / "d/new").write_text("")),
    ("ls", lambda root: ((root / "a").unlink(), (root / "a").mkdir())),
    ("ls -R", lambda root: (root / "empty/new").write_text("")),
    ("find . -name '*.lock'", lambda root: (root / "d/x.lock").write_text("")),
    ("find . -name '*.lock'", lambda root: (root / "d/b").rename(root / "d/b.lock")),
    ("find . -type d", lambda root: ((root / "empty").rmdir(), (root / "empty").write_text(""))),
    ("grep -rn tok .", rewritten("d/b", "kot\n")),
    ("grep -rn tok .", lambda root: (root / "empty/new").write_text("tok\n")),
    ("grep -rn nowhere .", rewritten("d/b", "TOK\n")),
    ("grep -c tok a d/b", rewritten("d/b", "kot\n")),
    ("wc -l a d/b", rewritten("d/b", "a\nb\n")),
    ("sha256sum a", rewritten("a", "two\n")),
    ("diff a d/b", rewritten("a", "tok\n")),
    ("diff -rq d e", rewritten("e/b", "kot\n")),
    ("diff -q d e", rewritten("e/b", "kot\n")),
    ("find d -maxdepth 1 -type f | xargs wc -l", rewritten("d/b", "a\nb\n")),
    ("find d -maxdepth 1 -type f | xargs cat | wc -l", rewritten("d/b", "\n\n\n\n")),
    ("cat a", lambda root: (root.rename(root.parent / "old"), shutil.copytree(root.parent / "old", root))),
    ("cat a", lambda root: root.rename(root.parent / "old root")),
]  # fmt: skip


@pytest.fixture
def planted(sandbox: Sandbox) -> Sandbox:
    sandbox.write(**{"a": "one\n", "d/b": "tok\n", "e/b": "tok\n"})
    (sandbox.root / "empty").mkdir()
    (sandbox.root / "link").symlink_to("a")
    (sandbox.root / "dl").symlink_to("d")
    return sandbox


def footprint(command: str, root: Path) -> Footprint:
    """What the observation of a command would have; nothing is run."""
    _, _, stages = stages_of(Request(raw=command), root)
    return first_look(root, meaning_of([stage_vector(stage, root) for stage in stages], root).depends)[0]


@pytest.mark.parametrize(("command", "change"), STALE)
def test_what_could_change_a_fact_is_noticed(command: str, change: Change, planted: Sandbox) -> None:
    taken = footprint(command, planted.root)
    assert holds(planted.root, taken)
    change(planted.root)
    assert not holds(planted.root, taken)


@pytest.mark.parametrize(
    ("command", "change"),
    [
        ("cat d/b", lambda root: (root / "d/other").write_text("")),
        ("cat d/b", lambda root: (root / "a").unlink()),
        ("cat missing", lambda root: (root / "other").write_text("")),
        ("find . -name '*.lock'", rewritten("d/b", "kot\n")),
        ("ls", rewritten("a", "two\n")),
        ("ls", lambda root: (root / "d/new").write_text("")),
        ("cat a", lambda root: (root / "a").read_text()),
        ("pwd", lambda root: (root / "a").unlink()),
    ],
)
def test_what_changes_no_fact_leaves_it_fresh(command: str, change: Change, planted: Sandbox) -> None:
    taken = footprint(command, planted.root)
    change(planted.root)
    assert holds(planted.root, taken)


def test_writes_within_one_tick_are_noticed(sandbox: Sandbox) -> None:
    """Each write is made at once after the state was taken, with the same size."""
    for number in range(100, 160):
        sandbox.put("a", f"{number}\n")
        taken = footprint("cat a", sandbox.root)
        with (sandbox.root / "a").open("r+") as file:
            file.write(f"{number + 1}")
        assert not holds(sandbox.root, taken)


def test_the_times_of_an_old_file_tell_of_a_change(planted: Sandbox) -> None:
    time.sleep(RACY / 1e9)
    taken = footprint("cat a", planted.root)
    rewritten("a", "two\n")(planted.root)
    assert not holds(planted.root, taken)


def test_an_observation_is_stale_once_its_files_changed(planted: Sandbox) -> None:
    seen = planted.raw("cat a")
    assert planted.observer.is_fresh(seen)
    planted.put("a", "two\n")
    assert not planted.observer.is_fresh(seen)


def test_what_changed_while_the_tool_ran_makes_no_facts(planted: Sandbox) -> None:
    seen = planted.raw("cat a")
    unstable = seen.footprint.model_copy(update={"stable": False})
    changed = seen.model_copy(update={"footprint": unstable}).sealed()
    assert facts_of(seen) and changed.intact
    assert facts_of(changed) == () and not planted.observer.is_fresh(changed)


def test_a_file_that_is_written_all_the_time_is_never_stable(planted: Sandbox) -> None:
    async def raced() -> list[Observation]:
        writing = True

        async def write() -> None:
            number = 0
            while writing:
                number += 1
                planted.put("a", f"{number}\n")
                await asyncio.sleep(0.001)

        task = asyncio.create_task(write())
        seen = [await planted.observer.observe(Request(raw="cat a"), id=f"o{n}", turn=n) for n in range(3)]
        writing = False
        await task
        return seen

    for seen in asyncio.run(raced()):
        assert not seen.footprint.stable and facts_of(seen) == ()


def put_and_taken(root: Path) -> None:
    (root / "d/new").write_text("")
    (root / "d/new").unlink()


def taken_and_put(root: Path) -> None:
    (root / "d/b").rename(root / "d/c")
    (root / "d/c").rename(root / "d/b")


def other_directory(root: Path) -> None:
    (root / "d").rename(root / "was")
    (root / "e").rename(root / "d")
    (root / "d").rename(root / "e")
    (root / "was").rename(root / "d")


def other_link(root: Path) -> None:
    for target in ("d/b", "a"):
        (root / "link").unlink()
        (root / "link").symlink_to(target)


@pytest.mark.parametrize(
    ("command", "change"),
    [
        ("find d", put_and_taken), ("stat d/new", put_and_taken), ("ls d", taken_and_put),
        ("find . -name b", taken_and_put), ("cat d/b", other_directory), ("cat link", other_link),
    ],
)  # fmt: skip
def test_what_changed_and_changed_back_while_a_tool_ran_is_noticed(
    command: str, change: Change, planted: Sandbox
) -> None:
    stages = stages_of(Request(raw=command), planted.root)[2]
    depends = meaning_of([stage_vector(stage, planted.root) for stage in stages], planted.root).depends
    time.sleep(RACY / 1e9)
    before, look = first_look(planted.root, depends)
    assert stayed(planted.root, before, look)
    change(planted.root)
    assert not stayed(planted.root, before, look)
