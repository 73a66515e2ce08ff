"""Writing tools where things go wrong for real: racing threads, SIGKILL, full and read-only disks."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import ROOT
from tests.tools.writing.worlds import World, call, leftovers, state
from tools.errors import PartlyDone, ToolError
from tools.writing.effects import effect_of
from tools.writing.plan import execute

pytestmark = pytest.mark.integration
RACE_SECONDS = 4.0
KILLS = 20


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


SWAPPER = """
import ctypes, os, sys
swap = ctypes.CDLL(None, use_errno=True).renameat2
names = os.fsencode(sys.argv[1]), os.fsencode(sys.argv[2])
RENAME_EXCHANGE = 2
if swap(-100, names[0], -100, names[1], RENAME_EXCHANGE) != 0:
    sys.exit("names cannot be exchanged here")
print("swapping", flush=True)
while os.getppid() != 1:
    swap(-100, names[0], -100, names[1], RENAME_EXCHANGE)
"""


@contextmanager
def swapping(directory: Path, decoy: Path) -> Iterator[None]:
    """A process that exchanges a directory for a link to the decoy and back, as fast as it can."""
    link = directory.with_name("link")
    link.symlink_to(decoy)
    process = subprocess.Popen(
        [sys.executable, "-c", SWAPPER, str(directory), str(link)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        if process.stdout.readline() != "swapping\n":
            pytest.skip("the file system does not exchange names")
        yield
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def test_without_the_descent_the_race_is_lost(world: World) -> None:
    """The control: writing by path escapes within the same time, so the next test races for real."""
    (world.root / "d").mkdir()
    before = state(world.outside)
    end = time.monotonic() + RACE_SECONDS
    with swapping(world.root / "d", world.outside):
        while state(world.outside) == before and time.monotonic() < end:
            path = world.root / "d/x"
            with suppress(OSError):
                if Path(os.path.realpath(path)).is_relative_to(world.root):
                    path.write_text("escaped")
    assert state(world.outside) != before


def test_a_directory_swapped_for_a_link_redirects_nothing(world: World) -> None:
    (world.root / "d").mkdir()
    for name in ("secret.txt", "x"):
        (world.root / "d" / name).write_text("inside\n")
    (world.outside / "x").write_text("outside\n")
    guarded = world.guarded()
    calls = [
        call("write_file", path="d/x", content="new\n", overwrite=True),
        call("write_file", path="d/n/e/w", content="new\n", overwrite=True),
        call("edit_file", path="d/x", old="new", new="newer"),
        call("edit_file", path="d/secret.txt", old="secret", new="public"),
        call("make_dir", path="d/made/here"),
        call("move", source="d/x", target="d/y"),
        call("move", source="d/y", target="moved"),
        call("move", source="moved", target="d/x"),
        call("delete", path="d/n"),
        call("delete", path="d/secret.txt"),
        call("write_file", path="d/secret.txt", content="inside\n"),
        call("delete", path="d/sub"),
    ]
    counts = {"done": 0, "refused": 0, "partial": 0}
    end = time.monotonic() + RACE_SECONDS
    with swapping(world.root / "d", world.outside):
        while time.monotonic() < end:
            for one in calls:
                try:
                    execute(world.root, one)
                    counts["done"] += 1
                except PartlyDone:
                    counts["partial"] += 1
                except ToolError:
                    counts["refused"] += 1
    assert world.guarded() == guarded
    assert leftovers(world.root) == []
    assert counts["done"] > 20 and counts["refused"] > 20, counts


def test_a_name_swapped_for_a_link_redirects_nothing(world: World) -> None:
    """The last component alternates between a file, a link out and nothing."""
    over, guarded = threading.Event(), world.guarded()
    thread = threading.Thread(target=lambda: swap_names(world, over))
    thread.start()
    done = 0
    end = time.monotonic() + RACE_SECONDS / 2
    while time.monotonic() < end:
        for one in (
            call("write_file", path="f", content="mine\n", overwrite=True),
            call("edit_file", path="f", old="s", new="S", replace_all=True),
        ):
            with suppress(ToolError):
                execute(world.root, one)
                done += 1
    over.set()
    thread.join()
    assert world.guarded() == guarded and done > 10 and leftovers(world.root) == []


def swap_names(world: World, over: threading.Event) -> None:
    target, link, plain = world.root / "f", world.root / "l", world.root / "p"
    while not over.is_set():
        link.symlink_to(world.outside / "secret.txt")
        link.rename(target)
        plain.write_text("secret\n")
        plain.rename(target)
        with suppress(OSError):
            target.unlink()


WRITER = """
import sys
from pathlib import Path
from tools.protocol import ToolCall
from tools.writing.plan import execute
root = Path(sys.argv[1])
number = int(sys.argv[2])
print("ready", flush=True)
while True:
    number += 1
    content = f"{number}\\n" * (300_000 // (len(str(number)) + 1))
    execute(root, ToolCall(tool="write_file", args={"path": "a.txt", "content": content, "overwrite": True}))
    execute(root, ToolCall(tool="write_file", args={"path": f"n/{number}/x", "content": content}))
    execute(root, ToolCall(tool="delete", args={"path": f"n/{number}"}))
    print(number, flush=True)
"""


def test_a_killed_writer_leaves_old_or_new_and_never_half(world: World) -> None:
    chance, remains, number, last = random.Random(7), 0, 1000, 0
    for _ in range(KILLS):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(world.root), str(number)],
            cwd=ROOT, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0.0, 0.06))
        process.kill()
        told = process.stdout.read().split()
        process.stdout.close()
        process.wait()
        number = int(told[-1]) if told else number
        text = (world.root / "a.txt").read_text()
        lines = set(text.splitlines())
        if text != "one\ntwo\nthree\n":
            assert len(lines) == 1 and len(text) > 299_000
            found = int(lines.pop())
            assert found in (number if told else last, number + 1)  # what it told is there, or the next
            last = found
        check_effects(world, number + 1)
        remains += len(leftovers(world.root))
        for path in leftovers(world.root):
            path.unlink()
        number += 10
    assert remains <= 2  # between two system calls only, and by a name that says what it is


def check_effects(world: World, number: int) -> None:
    content = f"{number}\n" * (300_000 // (len(str(number)) + 1))
    new = call("write_file", path=f"n/{number}/x", content=content)
    path = world.root / f"n/{number}/x"
    assert effect_of(world.root, new) == ("done" if path.exists() else "not_done")
    if path.exists():
        assert path.read_text() == content
    if path.parent.exists():
        assert effect_of(world.root, call("delete", path=f"n/{number}")) in ("not_done", "unknown")


FULL = """
import json, sys
from pathlib import Path
from tools.errors import ToolError
from tools.protocol import ToolCall
from tools.writing.plan import execute
told = []
for one in json.load(sys.stdin):
    try:
        told.append(["done", execute(Path(sys.argv[1]), ToolCall(**one))])
    except ToolError as error:
        told.append([error.kind, str(error)])
print(json.dumps(told))
"""


def elsewhere(prepare: str, root: Path, calls: list[Any], look: str = "true") -> tuple[list[list[str]], str]:
    """Run calls in a mount namespace of their own after a shell script prepared it; `look` runs there too."""
    script = f'set -e; cd "$1"; {prepare}; cd "$2"; "$3" -c "$4" "$1"; cd "$1"; {look}'
    done = subprocess.run(
        [
            "unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", str(root), str(ROOT),
            sys.executable, FULL,
        ],
        input=json.dumps([one.model_dump() for one in calls]),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    if done.returncode != 0 and ("unshare" in done.stderr or "mount:" in done.stderr):
        pytest.skip(f"no mount namespace here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    first, _, rest = done.stdout.partition("\n")
    return json.loads(first), rest


def test_a_full_disk_changes_nothing_and_says_so(tmp_path: Path) -> None:
    told, seen = elsewhere(
        "mount -t tmpfs -o size=128k none . && cd $1 && head -c 60000 /dev/zero | tr '\\0' a > old && "
        "printf '\\n' >> old && chmod 640 old",
        tmp_path,
        [
            call("write_file", path="new/deep/file", content="x" * 200_000),
            call("write_file", path="old", content="x" * 100_000, overwrite=True),
            call("edit_file", path="old", old="a\n", new="b" * 90_000),
            call("write_file", path="small", content="fits"),
        ],
        "find . | sort; wc -c old; tr -d a < old | wc -c; stat -c %a old",
    )
    assert [kind for kind, _ in told] == ["failed", "failed", "failed", "done"]
    assert all("Nothing was done" in text and "No space left" in text for _, text in told[:3])
    assert seen.split("\n") == [".", "./old", "./small", "60001 old", "1", "640", ""]


def test_a_disk_without_room_for_names_changes_nothing(tmp_path: Path) -> None:
    told, seen = elsewhere(
        "mount -t tmpfs -o nr_inodes=4 none . && cd $1 && touch a b && mkdir c",
        tmp_path,
        [
            call("write_file", path="new", content=""),
            call("make_dir", path="x/y"),
            call("delete", path="a"),
            call("move", source="a", target="x/y"),
            call("move", source="a", target="c/a"),
        ],
        "find . | sort",
    )
    assert [kind for kind, _ in told] == ["failed"] * 4 + ["done"]
    assert seen.split() == [".", "./b", "./c", "./c/a"]


def test_a_read_only_disk_changes_nothing(tmp_path: Path) -> None:
    told, seen = elsewhere(
        "mount -t tmpfs none . && cd $1 && echo one > a && mkdir d && mount -o remount,ro .",
        tmp_path,
        [
            call("write_file", path="d/new", content=""),
            call("edit_file", path="a", old="one", new="two"),
            call("make_dir", path="x"),
            call("make_dir", path="d"),
            call("delete", path="a"),
            call("move", source="a", target="d/a"),
        ],
        "find . | sort; cat a",
    )
    assert [kind for kind, _ in told] == ["failed", "failed", "failed", "done", "failed", "failed"]
    assert all("Read-only" in text for kind, text in told if kind == "failed")
    assert seen.split() == [".", "./a", "./d", "one"]


def test_another_file_system_below_the_root_is_written_but_not_moved_from(tmp_path: Path) -> None:
    told, seen = elsewhere(
        "mkdir m && mount -t tmpfs none m && echo one > m/a && mkdir m/d",
        tmp_path,
        [
            call("edit_file", path="m/a", old="one", new="two"),
            call("delete", path="m/a"),
            call("move", source="m/d", target="d"),
            call("delete", path="m"),
        ],
        "find . -path ./.reflect -prune -o -print | sort; cat m/a; ls .reflect/trash",
    )
    assert [kind for kind, _ in told] == ["done", "failed", "failed", "failed"]
    assert seen.split() == [".", "./m", "./m/a", "./m/d", "two"]


def test_a_limit_on_the_size_of_files_is_an_error_like_a_full_disk(world: World) -> None:
    calls = [call("write_file", path="a.txt", content="x" * 5000, overwrite=True)]
    before = world.inside()
    done = subprocess.run(
        ["prlimit", "--fsize=4096:4096", "--", sys.executable, "-c", FULL, str(world.root)],
        input=json.dumps([one.model_dump() for one in calls]),
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    ((kind, text),) = json.loads(done.stdout)
    assert kind == "failed" and "File too large" in text and world.inside() == before


def test_what_its_user_may_not_write_or_read(world: World) -> None:
    """Root without the capabilities that override rights has those of any owner."""
    (world.root / "src").chmod(0o555)
    (world.root / "hidden").write_text("secret")
    (world.root / "hidden").chmod(0)
    (world.root / "closed").mkdir(0)
    before = world.inside() if os.geteuid() == 0 else {}
    calls = [
        call("write_file", path="src/new", content=""),
        call("edit_file", path="src/b.txt", old="beta", new="x"),
        call("make_dir", path="src/x/y"),
        call("delete", path="src/b.txt"),
        call("move", source="src/b.txt", target="b"),
        call("write_file", path="closed/x", content=""),
        call("edit_file", path="hidden", old="secret", new="x"),
        call("delete", path="hidden"),
    ]
    lowered = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"] if os.geteuid() == 0 else []
    done = subprocess.run(
        [*lowered, sys.executable, "-c", FULL, str(world.root)],
        input=json.dumps([one.model_dump() for one in calls]),
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    if lowered and "setpriv:" in done.stderr:
        pytest.skip(f"capabilities cannot be lowered: {done.stderr.strip()}")
    told = json.loads(done.stdout)
    assert [kind for kind, _ in told] == ["failed"] * 5 + ["refused", "refused", "done"]
    assert all("Permission denied" in text for _, text in told[:6])
    assert (world.root / "src/b.txt").read_text() == "alpha\nbeta\n" and not (world.root / "hidden").exists()
    if before:
        after = world.inside()
        assert {path for path in before if before[path] != after.get(path)} == {
            os.fsencode(world.root / "hidden")
        }
