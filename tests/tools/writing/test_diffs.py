from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.writing import diffs
from tools.writing.diffs import unified

LINES = st.lists(st.sampled_from(["a", "b", "", "c\r", "x\x0cy", "\u2028", "- d", "+e", "@@"]), max_size=12)
TEXT = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))


def applied(place: Path, before: str, diff: str) -> str:
    """What GNU patch makes of it."""
    file = place / "file"
    file.write_bytes(before.encode())
    done = subprocess.run(
        ["patch", "--binary", "-s", "-f", "-r", "-", str(file)],
        input=diff.encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout, diff)
    return file.read_bytes().decode() if file.exists() else ""


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=TEXT, after=TEXT, compared=st.sampled_from([4_000_000, 3]))
def test_patch_makes_the_new_text_of_the_old(before: str, after: str, compared: int, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(diffs, "COMPARED", compared)
        diff = unified("file", before, after)
    assert (diff == "") == (before == after)
    if diff and after:
        assert applied(tmp_path, before, diff) == after


def test_a_new_file_and_a_missing_newline_are_told() -> None:
    assert unified("d/x", None, "a\nb") == (
        "--- /dev/null\n+++ b/d/x\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"
    )
    assert unified("x", None, "") == "--- /dev/null\n+++ b/x\n"


def test_a_name_cannot_forge_lines() -> None:
    assert unified("x\n+++ b/y", "", "a\n").count("\n") == 4


@pytest.mark.parametrize("kind", ["different", "equal", "mixed"])
def test_a_megabyte_takes_bounded_time(kind: str) -> None:
    before = "".join(f"{'x' if kind != 'different' else number}\n" for number in range(150_000))
    after = "".join(f"{number % (7 if kind == 'mixed' else 10**9)} y\nx\n" for number in range(75_000))
    start = time.perf_counter()
    unified("x", before, after)
    assert time.perf_counter() - start < 3


@pytest.mark.parametrize("alphabet", [1, 2, 3, 50, 4000])
def test_the_longest_compared_stretch_takes_bounded_time(alphabet: int) -> None:
    before = "".join(f"{number * 7919 % alphabet}\n" for number in range(2000))
    after = "q\n" + "".join(f"{number * 104729 % (alphabet + 1)}\n" for number in range(1990)) + "r\n"
    start = time.perf_counter()
    unified("x", before, after)
    assert time.perf_counter() - start < 3
