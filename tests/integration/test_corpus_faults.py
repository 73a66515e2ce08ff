"""What the experience corpus loses when processes are killed and files damaged: nothing, nothing twice."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from evals import corpus_fault_place, corpus_faults
from evals.corpus_fault_place import Corpus, append_many
from evals.corpus_faults import FAULTS
from evals.corpus_gigabyte import gigabyte

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("name", [name for name in FAULTS if not name.startswith("bad line")])
def test_no_fault_costs_an_event_or_counts_one_twice(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_faults, "KILLS", 4)
    # Not below pytest's own directory, which is closed to the other user some faults need.
    with tempfile.TemporaryDirectory() as place:
        report = FAULTS[name](Path(place)).report()
    assert (report["found"], report["lost"], report["duplicated"]) == (report["appended"], 0, 0), report
    assert report.get("old_left", 0) == 0 and report.get("litter", 0) <= 1
    assert report.get("appends_refused", 1) == 1 and report.get("refused_while_full", 3) == 3


@pytest.mark.parametrize("name", [name for name in FAULTS if name.startswith("bad line")])
def test_no_bad_line_hides_a_good_one(name: str, tmp_path: Path) -> None:
    report = FAULTS[name](tmp_path).report()
    assert (report["found"], report["lost"], report["duplicated"]) == (10, 0, 0)
    assert report["bad_line_kept"]


def test_memory_stays_flat_however_large_the_file(tmp_path: Path) -> None:
    report = gigabyte(tmp_path, 0.25).report()
    assert report["flat"], report
    assert (report["found"], report["lost"], report["duplicated"]) == (20, 0, 0)
    assert report["bytes_after_prune"] < report["bytes"] * 0.6


def test_the_count_sees_what_is_lost_or_there_twice(tmp_path: Path) -> None:
    corpus = Corpus(tmp_path)
    append_many(corpus, "a", 4)
    whole = corpus.path.read_bytes()
    corpus.path.write_bytes(b"".join(whole.splitlines(keepends=True)[1:]))
    assert corpus.count(corpus.names("a", 4)).lost == 1
    corpus.path.write_bytes(whole + whole.splitlines(keepends=True)[0])
    assert corpus.count(corpus.names("a", 4)).duplicated == 1
    assert corpus.count(corpus.names("a", 3)).duplicated >= 1, "a run nobody appended"
    assert corpus_fault_place.SAMPLE > 1
