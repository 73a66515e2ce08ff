"""The reader of logs: backwards it counts what a history told forwards holds."""

from __future__ import annotations

import io
from collections import defaultdict
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.audit.history_log import Wanted, read_log
from tools.audit.labels import label


@dataclass
class Past:
    commits: set[int] = field(default_factory=set)
    lines: list[tuple[int, int]] = field(default_factory=list)
    authors: set[str] = field(default_factory=set)


Record = tuple[str, str, int, int]
PATHS = ["a", "b", "@c d", "1\t2\tx", "é", "\n", "\\n"]


@st.composite
def logs(draw: st.DrawFn) -> list[tuple[str, list[Record]]]:
    """Commits, the oldest first: an author, and records of former path, path, lines added and deleted."""
    log = []
    for _ in range(draw(st.integers(1, 6))):
        present = draw(st.lists(st.sampled_from(PATHS), unique=True, max_size=4))
        former = draw(st.permutations(present)) if draw(st.booleans()) else present
        counts = draw(
            st.lists(
                st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=len(present), max_size=len(present)
            )
        )
        records = [(old, new, *count) for old, new, count in zip(former, present, counts, strict=True)]
        log.append((draw(st.sampled_from(["a@x", "A@x", "", "b c@x"])), records))
    return log


def forwards(log: list[tuple[str, list[Record]]]) -> dict[str, Past]:
    """The same, counted from the oldest commit on, each file carrying its past along."""
    pasts: defaultdict[str, Past] = defaultdict(Past)
    for number, (author, records) in enumerate(log):
        before = {old: pasts.pop(old) for old, new, *_ in records if old != new and old in pasts}
        for old, new, added, deleted in records:
            past, carried = pasts[new], before.get(old, Past())
            past.commits |= carried.commits | {number}
            past.lines += [*carried.lines, (added, deleted)]
            past.authors |= carried.authors | {author.lower()}
    return pasts


def written(log: list[tuple[str, list[Record]]]) -> bytes:
    parts = []
    for number, (author, records) in reversed(list(enumerate(log))):
        body = "".join(
            f"{added}\t{deleted}\t{new}\0" if old == new else f"{added}\t{deleted}\t\0{old}\0{new}\0"
            for old, new, added, deleted in records
        )
        parts.append(f"@{number:040x} {number} {author}\0" + (f"\n{body}" if body else ""))
    return "\0".join(parts).encode()


@settings(max_examples=150)
@given(logs())
def test_a_log_read_backwards_is_the_history_told_forwards(log: list[tuple[str, list[Record]]]) -> None:
    expected = forwards(log)
    found = read_log(io.BytesIO(written(log)), Wanted(b"", set(map(label, PATHS))), [], 100)
    assert (found.seen, found.counted, found.newest) == (len(log), len(log), len(log) - 1)
    assert {
        path: (tally.commits, tally.added, tally.deleted, len(tally.authors))
        for path, tally in found.files.items()
    } == {
        label(path): (
            len(past.commits),
            sum(added for added, _ in past.lines),
            sum(deleted for _, deleted in past.lines),
            len(past.authors),
        )
        for path, past in expected.items()
        if past.commits
    }


@pytest.mark.parametrize("log", [b"@x", b"@h 1 a\0\n1\t2", b"@h 1 a\0\n1\0", b"@h x a\0", b"1\t2\t\0old\0"])
def test_what_is_no_log_is_refused(log: bytes) -> None:
    with pytest.raises(ValueError):
        read_log(io.BytesIO(log), Wanted(b"", {"a"}), [], 10)
