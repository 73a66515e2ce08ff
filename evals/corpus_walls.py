"""Faults of the place a corpus is kept in: a disk that is full, a directory nobody may write."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from pathlib import Path

from evals.corpus_fault_place import Corpus, Counts, append_many, start_child
from memory.errors import MemoryStoreError
from memory.experience.open_indexes import close_indexes

_DISK_BYTES = 4_000_000


def disk_full(place: Path) -> Counts:
    """The disk fills up: a small tmpfs where one may be mounted, else a limit on the size of files."""
    disk = place / "project" / ".reflect"
    disk.mkdir(parents=True)
    size = f"size={_DISK_BYTES}"
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        return _limited(place)
    try:
        corpus = Corpus(place)
        append_many(corpus, "a", 20)
        corpus.search("goal of a1")
        filler = disk / "filler"
        _fill(filler)
        refused = _refused(corpus)
        while_full = len(corpus.experience.episodes("goal of <name>", most=100))
        filler.unlink()
        append_many(corpus, "b", 20)
        return corpus.count(
            [*corpus.names("a", 20), *corpus.names("b", 20)],
            by="tmpfs",
            refused_while_full=refused,
            found_while_full=while_full,
        )
    finally:
        close_indexes()
        subprocess.run(["umount", "--lazy", str(disk)], check=False)


def _fill(filler: Path) -> None:
    with filler.open("wb", buffering=0) as stream:
        for chunk in (65_536, 1_024, 1):
            try:
                while True:
                    stream.write(b"x" * chunk)
            except OSError:
                continue


def _refused(corpus: Corpus) -> int:
    """Try to append long events; how many were refused with an error that says so."""
    refused = 0
    for number in range(3):
        try:
            corpus.append(f"refused{number}" + "x" * 3_000)
        except MemoryStoreError as error:
            refused += "space" in str(error) or "large" in str(error)
    return refused


def _limited(place: Path) -> Counts:
    corpus = Corpus(place)
    append_many(corpus, "a", 20)
    corpus.search("goal of a1")
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    earlier = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (corpus.path.stat().st_size + 100, unlimited[1]))
        refused = _refused(corpus)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
        signal.signal(signal.SIGXFSZ, earlier)
    append_many(corpus, "b", 20)
    names = [*corpus.names("a", 20), *corpus.names("b", 20)]
    return corpus.count(names, by="RLIMIT_FSIZE", refused_while_full=refused)


def read_only(place: Path) -> Counts:
    """Nobody may write the directory: as root for a process that gave up its privileges, else by mode."""
    corpus = Corpus(place)
    append_many(corpus, "a", 20)
    corpus.search("goal of a1")
    close_indexes()
    _open_to_read(place)
    answer, _ = start_child(place, "read").communicate()
    for directory in (corpus.path.parent, corpus.index):
        directory.chmod(0o700)
    found, searched, refused = map(int, answer.split() or "000")
    counts = corpus.count(corpus.names("a", 20), found_by_reader=found, searched_by_reader=searched)
    counts.lost = max(counts.lost, 20 - found, int(not searched))
    counts.notes["appends_refused"] = refused
    counts.notes["by"] = "another user" if os.getuid() == 0 else "mode 0500"
    return counts


def _open_to_read(place: Path) -> None:
    for path in [place, *place.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
