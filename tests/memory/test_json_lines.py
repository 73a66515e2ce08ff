from __future__ import annotations

import errno
import json
import os
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.errors import CorpusUnwritable
from memory.json_lines import LONGEST_LINE, TORN, JsonLines, append_whole, encode_line

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
records = st.dictionaries(st.text(), json_values, max_size=4)
garbage = st.binary(max_size=40).map(lambda raw: raw.replace(b"\n", b"")) | st.sampled_from(
    [b"", b"[]", b"42", b"null", b"\x00", b'{"a":', b"\xff\xfe", b"[" * 9000, b'"text"', b"\r", b"1" * 5000]
)


def is_object(raw: bytes) -> bool:
    try:
        return isinstance(json.loads(raw.decode()), dict)
    except (ValueError, RecursionError):
        return False


@settings(deadline=None)
@given(st.lists(records | garbage, max_size=12), st.booleans())
def test_every_good_line_is_read_between_garbage_with_right_offsets(
    parts: list[dict[str, Any] | bytes], end: bool
) -> None:
    raws = [part if isinstance(part, bytes) else encode_line(part).rstrip(b"\n") for part in parts]
    content = b"\n".join(raws) + (b"\n" if end and raws else b"")
    with tempfile.TemporaryDirectory() as folder:
        file = JsonLines(Path(folder) / "events.jsonl")
        file.path.write_bytes(content)
        lines = list(file.read())
        assert [line.record for line in lines if line.record is not None] == [
            json.loads(raw.decode()) for raw in raws if is_object(raw)
        ]
        assert len(lines) == sum(bool(raw.strip()) for raw in raws)
        for line in lines:
            assert (line.record is None) == (line.problem is not None)
            assert content[line.offset : line.end].count(b"\n") == (
                line.end < len(content) or content[-1:] == b"\n"
            )
            assert file.read_at(line.offset) == line
            assert [later.offset for later in file.read(line.end)] == [
                later.offset for later in lines if later.offset > line.offset
            ]


@settings(deadline=None)
@given(st.lists(records, min_size=1, max_size=4), st.binary(max_size=30))
def test_appending_after_any_torn_tail_merges_nothing(batch: list[dict[str, Any]], tail: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = JsonLines(Path(folder) / "events.jsonl")
        file.append({"first": 1})
        with file.path.open("ab") as stream:
            stream.write(tail)
        for record in batch:
            file.append(record)
        read = [line.record for line in file.read() if line.record is not None]
        assert read[0] == {"first": 1}
        assert read[-len(batch) :] == batch
        assert file.path.read_bytes().startswith(encode_line({"first": 1}) + tail)


def test_a_torn_last_line_is_told_from_a_bad_one(tmp_path: Path) -> None:
    file = JsonLines(tmp_path / "events.jsonl")
    file.path.write_bytes(b'{"a": 1}\nbad\n{"b": ')
    assert [line.problem for line in file.read()] == [None, "not JSON", TORN]
    file.append({"c": 3})
    assert [line.problem for line in file.read()] == [None, "not JSON", "not JSON", None]


def test_a_whole_last_line_without_newline_is_read(tmp_path: Path) -> None:
    file = JsonLines(tmp_path / "events.jsonl")
    file.path.write_bytes(b'{"a": 1}')
    [line] = file.read()
    file.append({"b": 2})
    assert line.record == {"a": 1}
    assert [later.record for later in file.read(line.end)] == [{"b": 2}]


def test_a_line_too_long_is_a_problem_and_the_next_is_read(tmp_path: Path) -> None:
    file = JsonLines(tmp_path / "events.jsonl")
    file.path.write_bytes(b"x" * (3 * LONGEST_LINE + 7) + b'\n{"a": 1}\n')
    long, good = file.read()
    assert long.problem is not None and "longer" in long.problem
    assert (long.end, good.record) == (3 * LONGEST_LINE + 8, {"a": 1})


def test_reading_a_missing_file_or_a_directory_gives_nothing(tmp_path: Path) -> None:
    (tmp_path / "directory").mkdir()
    for name in ("missing", "directory"):
        file = JsonLines(tmp_path / name)
        assert list(file.read()) == []
        assert (file.count_lines(), file.read_at(5)) == (0, None)


@pytest.mark.parametrize(
    ("content", "lines"), [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\n\nb", 3), (b"\n" * 2_000_000, 2_000_000)]
)
def test_lines_are_counted(tmp_path: Path, content: bytes, lines: int) -> None:
    (tmp_path / "events.jsonl").write_bytes(content)
    assert JsonLines(tmp_path / "events.jsonl").count_lines() == lines


def test_what_utf8_and_json_lack_is_written_all_the_same(tmp_path: Path) -> None:
    file = JsonLines(tmp_path / "events.jsonl")
    file.append({"text": "\ud800 ü 中", "score": float("nan"), "most": float("-inf")})
    [line] = file.read()
    assert line.record == {"text": "\ud800 ü 中", "score": None, "most": None}
    assert "ü 中".encode() in file.path.read_bytes()


def test_a_record_json_cannot_hold_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    file = JsonLines(tmp_path / "events.jsonl")
    with pytest.raises(TypeError):
        file.append({"path": tmp_path})
    assert not file.path.exists()


def test_a_full_disk_is_reported_by_the_write_itself() -> None:
    descriptor = os.open("/dev/full", os.O_RDWR)
    try:
        with pytest.raises(OSError) as caught:
            append_whole(descriptor, b"{}\n")
    finally:
        os.close(descriptor)
    assert caught.value.errno == errno.ENOSPC


@pytest.mark.parametrize(
    ("number", "help"),
    [(errno.ENOSPC, "disk space"), (errno.EROFS, "read-only"), (errno.EACCES, "permission")],
)
def test_the_error_names_the_file_and_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, help: str
) -> None:
    def refuse(descriptor: int, line: bytes) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("memory.json_lines.append_whole", refuse)
    with pytest.raises(CorpusUnwritable, match=help) as caught:
        JsonLines(tmp_path / "events.jsonl").append({})
    assert str(tmp_path / "events.jsonl") in caught.value.what


def test_a_directory_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CorpusUnwritable, match="Not a directory|File exists"):
        JsonLines(tmp_path / "file" / "events.jsonl").append({})


@pytest.mark.parametrize("kind", ["file", "directory"])
def test_links_are_not_followed(tmp_path: Path, kind: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "events.jsonl").write_text("precious\n")
    if kind == "directory":
        (tmp_path / "in").symlink_to(tmp_path / "outside")
    else:
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "events.jsonl").symlink_to(tmp_path / "outside" / "events.jsonl")
    with pytest.raises(CorpusUnwritable, match="link"):
        JsonLines(tmp_path / "in" / "events.jsonl").append({})
    assert os.listdir(tmp_path / "outside") == ["events.jsonl"]
    assert (tmp_path / "outside" / "events.jsonl").read_text() == "precious\n"


@given(st.lists(st.sampled_from("abcde"), max_size=12))
def test_a_record_of_an_id_is_appended_once(ids: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        file = JsonLines(Path(name) / "f.jsonl")
        for event_id in ids:
            # The id of another record inside a record is no record of that id.
            file.append({"event_id": event_id * 32, "of": "e" * 32}, unless=event_id * 32)
        kept = [line.record["event_id"][0] for line in file.read() if line.record]
    assert kept == list(dict.fromkeys(ids))


@pytest.mark.parametrize("torn", ['{"event_id": "abc"', '{"event_id": "abc"}', '[{"event_id": "abc"}]\n'])
def test_only_a_whole_record_counts_as_there(tmp_path: Path, torn: str) -> None:
    file = JsonLines(tmp_path / "f.jsonl")
    file.path.write_text(torn)
    file.append({"event_id": "abc"}, unless="abc")
    records = [line.record for line in file.read() if line.record]
    assert records == [{"event_id": "abc"}]


def test_a_file_below_a_file_is_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    file = JsonLines(tmp_path / "file" / "below" / "f.jsonl")
    assert file.size() == 0 and list(file.read()) == [] and not file.holds("abc")
    with pytest.raises(CorpusUnwritable, match="Not a directory"):
        file.append({})


def test_the_part_of_a_line_the_disk_took_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = JsonLines(tmp_path / "f.jsonl")
    file.append({"number": 1})
    before = file.path.read_bytes()
    write = os.write

    def full(descriptor: int, data: bytes) -> int:
        if len(data) < 5:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data[:-4])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(CorpusUnwritable, match="No space left"):
        file.append({"number": 2})
    assert file.path.read_bytes() == before


def test_threads_take_turns_and_none_waits_in_vain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # All together hold the lock for longer than one waits for another process.
    monkeypatch.setattr("memory.json_lines._LOCK_SECONDS", 0.2)

    def work(number: int) -> None:
        file = JsonLines(tmp_path / "events.jsonl")
        with file.locked():
            time.sleep(0.02)
            file.extend([{"event_id": str(number)}])

    with ThreadPoolExecutor(30) as pool:
        list(pool.map(work, range(30)))
    written = {line.record_id for line in JsonLines(tmp_path / "events.jsonl").read()}
    assert written == {str(number) for number in range(30)}


@pytest.mark.parametrize("writes", [True, False])
def test_who_holds_the_lock_and_gets_on_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: bool
) -> None:
    monkeypatch.setattr("memory.json_lines._LOCK_SECONDS", 0.4)
    file, other = JsonLines(tmp_path / "events.jsonl"), JsonLines(tmp_path / "events.jsonl")
    # Another object's lock keeps this one out as another process would.
    held, over = threading.Event(), threading.Event()

    def hold() -> None:
        with FileLock(f"{file.path}.lock"):
            held.set()
            for number in range(12):
                if writes:
                    other._write(encode_line({"number": number}))
                if over.wait(0.1):
                    break

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert held.wait(10)
        if writes:
            file.extend([{"number": "last"}])
        else:
            with pytest.raises(CorpusUnwritable, match="nothing was written"):
                file.extend([{"number": "last"}])
    finally:
        over.set()
        holder.join()
    kept = [line.record for line in file.read()]
    assert kept == ([*({"number": number} for number in range(12)), {"number": "last"}] if writes else [])
