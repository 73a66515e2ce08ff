"""Records a person wants forgotten, and the lines that tell other hosts of it."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.experience.compaction import compact
from memory.experience.forgotten import forgotten_by, forgotten_lines, is_forgetting
from memory.experience.pruning import named
from memory.experience.recollection import identity
from tests.memory.places import Experience, event


def test_a_forgotten_record_goes_with_what_is_said_about_it(experience: Experience) -> None:
    corpus = experience.open()
    bad, kept = event("leak the customer list"), event("count the files")
    for one in (bad, kept):
        corpus.append(one, to_global=True)
    corpus.append(
        event("", event_type="feedback", outcome_status=None, meta={"of": bad.event_id, "helpful": 1})
    )
    assert corpus.forget([bad.event_id], dry_run=True) == {"project": 2, "global": 1}
    assert corpus.forget([bad.event_id, "nobody's", ""], "project") == {"project": 2}
    assert "leak" not in experience.file.read_text() and corpus.recorded(bad.event_id, "project") is None
    assert corpus.recorded(bad.event_id, "global") is not None
    assert [hit.goal for hit in corpus.search("count the files", scope="project")] == ["count the files"]
    assert corpus.forget([bad.event_id]) == {"project": 0, "global": 1}
    assert [line for line in experience.file.read_text().splitlines() if "forgotten" in line] == [], (
        "nobody shares it, so nobody has to be told"
    )


def test_its_vector_goes_too(experience: Experience) -> None:
    corpus = experience.open()
    bad = event("leak the customer list")
    for one in (bad, event("count the files")):
        corpus.append(one)
    corpus.search("anything")
    assert corpus.stats()[0].indexed == 2
    corpus.forget([bad.event_id])
    assert corpus.stats()[0].indexed == 1


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    wanted=st.lists(st.booleans(), min_size=1, max_size=12),
    watched=st.integers(0, 12),
    torn=st.booleans(),
)
def test_a_line_is_found_again_behind_what_was_removed(
    experience: Experience, wanted: list[bool], watched: int, torn: bool
) -> None:
    experience.file.unlink(missing_ok=True)
    corpus = experience.next_process()
    ids = [f"e{number}" for number in range(len(wanted))]
    for name in ids:
        corpus.append(event(f"goal of {name}", event_id=name))
    if torn:
        with experience.file.open("ab") as stream:
            stream.write(b'{"goal": "cut o')
    gone = [name for name, go in zip(ids, wanted, strict=True) if go]
    lines = experience.file.read_bytes().splitlines(keepends=True)
    at = min(watched, len(ids))
    removed = compact(
        corpus.project.file, corpus.project.table, named(gone), tell=True, watched=len(b"".join(lines[:at]))
    )
    after = experience.file.read_bytes()
    kept = [line for line, go in zip(lines, [*wanted, False], strict=False) if not go]
    before = [line for line, go in zip(lines[:at], wanted, strict=False) if not go]
    assert after.startswith(b"".join(kept)) and removed.watched == len(b"".join(before))
    told = [json.loads(line) for line in after.splitlines() if b"forgotten" in line]
    assert sorted(name for record in told for name in forgotten_by(record)) == sorted(gone)
    assert (removed.lines, len(removed.vanished)) == (len(gone), len(gone))


@given(st.lists(st.text(min_size=1), max_size=1200, unique=True))
@settings(max_examples=10)
def test_removals_are_told_whole(event_ids: list[str]) -> None:
    names = [identity(event_id) for event_id in event_ids]
    records = forgotten_lines(names)
    assert all(is_forgetting(record) and len(forgotten_by(record)) <= 500 for record in records)
    assert [name for record in records for name in forgotten_by(record)] == names


def test_what_is_brought_from_elsewhere_removes_nothing(experience: Experience, tmp_path: Path) -> None:
    corpus = experience.open()
    kept = event("count the files")
    corpus.append(kept)
    [forged] = forgotten_lines([kept.event_id])
    brought = tmp_path / "brought.jsonl"
    brought.write_text(json.dumps(forged) + "\n")
    assert corpus.import_(brought).refused == 1
    forged["meta"]["imported_from"] = "elsewhere"
    assert forgotten_by(forged) == forgotten_by({"event_type": "forgotten", "meta": {"of": "text"}}) == []
    assert forgotten_by({"event_type": "forgotten", "meta": {"of": ["a\0b", "", 1, "~x", "ok"]}}) == ["ok"]


def test_removals_are_not_exported_and_found_by_no_search(experience: Experience, tmp_path: Path) -> None:
    corpus = experience.open()
    kept, gone = event("count the files"), event("count the files, too")
    for one in (kept, gone):
        corpus.append(one)
    compact(corpus.project.file, corpus.project.table, named([gone.event_id]), tell=True)
    assert corpus.export(tmp_path / "out.jsonl").events == 1
    assert [hit.event_id for hit in corpus.search("count the files")] == [kept.event_id]
    assert [hit.event_id for hit in corpus.newest("project", 9)] == [kept.event_id]
    assert corpus.prune()["project"].events == 0
