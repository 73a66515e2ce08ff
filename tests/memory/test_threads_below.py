"""What runs below a thread leave goes with it, and nothing of a thread with a name that looks like theirs."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.settings import Settings
from memory.call_journal import COLLECTIVE, PLACE, CallJournal, journal_path, new_run_id
from memory.effects import EffectJournal, Slot
from memory.effects.opening import FILE
from memory.errors import ThreadNameReserved
from memory.thread_deletion import delete_thread
from memory.threads import alone_on, artifact_directory, checked_thread
from memory.trace.session_trace import BELOW, BELOW_IN_FILES, SessionTrace, file_name_of

SETTINGS = Settings()
THREADS = st.one_of(
    st.sampled_from(
        ["a", "a--b", "a~b", "a-b", "a.b", "a~b~c", "~", "a" * 128, "a" * 128 + "b", "a/b", "é", "a b"]
    ),
    st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0" + BELOW), min_size=1, max_size=12
    ),
)
CHILDREN = st.lists(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", fullmatch=True), min_size=1, max_size=3)


@given(THREADS, THREADS, CHILDREN, CHILDREN)
def test_no_two_names_share_a_file(one: str, other: str, below: list[str], beside: list[str]) -> None:
    names = {one, other, BELOW.join([one, *below]), BELOW.join([other, *below]), BELOW.join([one, *beside])}
    files = {file_name_of(name) for name in names}
    assert len(files) == len(names) and all(len(f"{file}.jsonl.lock") < 200 + 40 for file in files)
    assert all("/" not in file and file not in (".", "..") for file in files)
    assert {BELOW_IN_FILES in file_name_of(name) for name in (one, other)} == {False}


async def leave(root: Path, thread: str) -> None:
    """What a run leaves: a stored output, a trace, an entry of the effect journal, journals of calls."""
    project = root / ".reflect"
    directory = artifact_directory(project, thread)
    directory.mkdir(parents=True)
    (directory / "output.txt").write_text("long")
    SessionTrace(root / SETTINGS.traces.path, thread).append({"event": 1})
    EffectJournal(project / FILE).begin(Slot(thread, f"task of {thread}", 1, "hash"), {"tool": "t"})
    for place in (PLACE, COLLECTIVE):
        await CallJournal(journal_path(project, new_run_id(thread), place)).began("key", 1)


def left(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


@settings(max_examples=8)
@given(THREADS, THREADS, CHILDREN)
async def test_a_thread_goes_with_what_ran_below_it_and_no_other_does(
    thread: str, other: str, below: list[str]
) -> None:
    if thread == other:
        return
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in (other, BELOW.join([other, *below])):
            await leave(root, name)
        kept = left(root)
        for name in (thread, BELOW.join([thread, *below]), f"{thread}{BELOW}direct"):
            await leave(root, name)
        deleted = await delete_thread(root, SETTINGS, thread)
        assert (deleted.artifacts, deleted.effects, deleted.calls, deleted.trace) == (3, 3, 6, True)
        assert {path for path in left(root) if "checkpoints" not in path} == kept
        assert len(EffectJournal(root / ".reflect" / FILE).of_thread(other)) == 1


async def test_a_name_of_a_run_below_is_no_name_for_a_thread(tmp_path: Path) -> None:
    with pytest.raises(ThreadNameReserved, match="cannot name a thread"):
        checked_thread(f"a{BELOW}b")
    with pytest.raises(ThreadNameReserved):
        async with alone_on(tmp_path, f"a{BELOW}b", Settings()):
            pass
    assert checked_thread("a~b--c") == "a~b--c"
