"""What a host exchanges with the table that others share with it; the table is one in memory."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from memory.experience.forgotten import forgotten_lines
from memory.experience.mirror import Mirror
from memory.experience.open_indexes import close_indexes
from memory.experience.record_log import Entry, RecordLog
from memory.experience.record_table import RecordTable
from memory.json_lines import LONGEST_LINE, JsonLines
from tests.memory.places import event


class LogInMemory(RecordLog):
    """The table; like Postgres, it refuses to forget one identity twice in a statement."""

    def __init__(self) -> None:
        super().__init__("postgres://nowhere/records")
        self.rows: dict[tuple[str, str], tuple[int, str | None]] = {}
        self.fetched: list[str] = []
        self._numbers = itertools.count(1)

    def epoch(self) -> str:
        return "one"

    def held(self, scope: str, identities: Sequence[str]) -> dict[str, bool]:
        return {name: self.rows[scope, name][1] is None for name in identities if (scope, name) in self.rows}

    def add(self, scope: str, records: Sequence[tuple[str, str]], gone: Sequence[str] = ()) -> set[str]:
        assert len(gone) == len(set(gone)), "ON CONFLICT DO UPDATE command cannot affect row a second time"
        new = {name: text for name, text in records if (scope, name) not in self.rows}
        for name, text in [*new.items(), *((name, None) for name in gone)]:
            self.rows[scope, name] = (next(self._numbers), text)
        return set(new)

    def page(self, scope: str, after: int, most: int) -> list[Entry]:
        rows = sorted(
            (seq, name, None if text is None else len(text))
            for (of, name), (seq, text) in self.rows.items()
            if of == scope and seq > after
        )
        return [Entry(*row) for row in rows[:most]]

    def texts(self, scope: str, identities: Sequence[str]) -> dict[str, str]:
        self.fetched += identities
        return {name: text for name in identities if (text := self.rows[scope, name][1]) is not None}

    def names(self, scope: str) -> set[str]:
        return {name for (of, name), (_, text) in self.rows.items() if of == scope and text is not None}


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    close_indexes()


class OneHost:
    """A corpus in a directory, shared under a name."""

    def __init__(self, log: LogInMemory, scope: str, directory: Path) -> None:
        self.file = JsonLines(directory / "events.jsonl")
        self.mirror = Mirror(log, scope, self.file, RecordTable(self.file, directory / "index"))

    def append(self, name: str) -> None:
        self.file.append(event(f"goal {name}", event_id=name).model_dump(mode="json"))

    def names(self) -> set[str]:
        return {str(line.record["event_id"]) for line in self.file.read() if line.record}


def test_under_another_project_id_everything_is_exchanged_anew(tmp_path: Path) -> None:
    log = LogInMemory()
    other = OneHost(log, "project:ships", tmp_path / "other")
    other.append("theirs")
    other.mirror.sync()
    mistaken = OneHost(log, "project:ship", tmp_path / "one")
    for number in range(3):
        mistaken.append(f"mine{number}")
    mistaken.mirror.sync()
    corrected = OneHost(log, "project:ships", tmp_path / "one")
    assert corrected.mirror.waiting() == 3
    synced = corrected.mirror.sync()
    assert (synced.sent, synced.taken) == (3, 1)
    assert corrected.names() == log.names("project:ships") == {"theirs", "mine0", "mine1", "mine2"}


def test_a_record_that_was_forgotten_twice_holds_nothing_up(tmp_path: Path) -> None:
    log = LogInMemory()
    host = OneHost(log, "global", tmp_path)
    for _ in range(2):
        for line in forgotten_lines(["x"]):
            host.file.append(line)
    host.append("y")
    host.mirror.sync()
    assert log.names("global") == {"y"} and log.rows["global", "x"][1] is None


@pytest.mark.parametrize("depth", [201, 900, 960, 980, 990])
def test_a_row_too_deep_to_be_kept_is_passed_over(depth: int, tmp_path: Path) -> None:
    log = LogInMemory()
    deep = '{"event_id": "deep", "meta": ' + '{"a":' * depth + "1" + "}" * (depth + 1)
    log.add("global", [("deep", deep), ("flat", '{"event_id": "flat"}')])
    host = OneHost(log, "global", tmp_path)
    host.mirror.look()
    assert host.mirror.problem == "" and host.names() == {"flat"}


def test_a_row_too_long_for_a_line_is_not_fetched(tmp_path: Path) -> None:
    log = LogInMemory()
    log.add("global", [("long", "x" * (LONGEST_LINE + 1)), ("short", '{"event_id": "short"}')])
    host = OneHost(log, "global", tmp_path)
    host.mirror.sync()
    assert (log.fetched, host.names()) == (["short"], {"short"})
