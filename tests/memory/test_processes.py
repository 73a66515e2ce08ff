"""Several processes on one corpus, and processes that end in the middle."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from memory.json_lines import JsonLines
from tests.memory.places import Experience, event

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[2]

APPEND = """
import sys
from pathlib import Path
from memory.json_lines import JsonLines
file, writer = JsonLines(Path(sys.argv[1])), sys.argv[2]
for number in range(int(sys.argv[3])):
    file.append({"writer": writer, "number": number, "text": "x" * (number * 37 % 5000)})
"""

APPEND_FOREVER = """
import sys
from pathlib import Path
from memory.json_lines import JsonLines
file = JsonLines(Path(sys.argv[1]))
print("ready", flush=True)
number = 0
while True:
    file.append({"number": number, "text": "y" * 200_000})
    number += 1
"""

FILL = """
import resource, sys
from pathlib import Path
from memory.errors import CorpusUnwritable
from memory.json_lines import JsonLines
file = JsonLines(Path(sys.argv[1]))
file.append({"kept": True})
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    file.append({"text": "z" * 5000})
except CorpusUnwritable as error:
    print(error)
file.append({"short": True})
"""

SEARCH = """
import sys
from pathlib import Path
from tests.memory.places import Experience, event
corpus = Experience(Path(sys.argv[1]), Path(sys.argv[2])).open()
me = sys.argv[3]
for number in range(int(sys.argv[4])):
    corpus.append(event(f"goal of {me} number{number}"))
    found = corpus.search(f"goal of {me} number{number}", top_k=50)
print(len(found))
"""


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(processes: Sequence[subprocess.Popen[str]]) -> list[str]:
    outputs = []
    for process in processes:
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        outputs.append(output.strip())
    return outputs


def test_four_processes_append_and_nothing_is_lost_or_merged(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    finish([start(APPEND, path, writer, 250) for writer in "abcd"])
    lines = list(JsonLines(path).read())
    assert all(line.record is not None for line in lines)
    for writer in "abcd":
        mine = [line.record["number"] for line in lines if line.record and line.record["writer"] == writer]
        assert mine == list(range(250))


def test_a_killed_writer_leaves_a_file_that_is_read_and_appended_to(tmp_path: Path) -> None:
    file = JsonLines(tmp_path / "events.jsonl")
    for round in range(5):
        process = start(APPEND_FOREVER, file.path)
        with process:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
            while file.size() < 1_000_000 * (round + 1):
                assert process.poll() is None
            process.kill()
        file.append({"round": round})
    lines = list(file.read())
    assert sum(line.record is None for line in lines) <= 5
    assert [line.record["round"] for line in lines if line.record and "round" in line.record] == list(
        range(5)
    )


def test_a_line_there_is_no_room_for_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    [output] = finish([start(FILL, path)])
    assert "File too large" in output and "ulimit" in output
    assert [json.loads(line) for line in path.read_text().splitlines()] == [{"kept": True}, {"short": True}]


def test_processes_append_and_search_at_once_and_the_index_holds_everything(experience: Experience) -> None:
    finish([start(SEARCH, experience.root, experience.home, writer, 40) for writer in "abc"])
    corpus = experience.open()
    hits = corpus.search("goal of a number39", top_k=50)
    assert "goal of a number39" in [hit.goal for hit in hits]
    stats = corpus.stats()[0]
    assert (stats.events, stats.bad_lines, stats.indexed) == (120, 0, 120)
    assert stats.indexed_offset == stats.bytes


def test_what_another_process_indexed_is_seen_by_an_open_index(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(event("count tests"))
    assert len(corpus.search("count tests")) == 1
    finish([start(SEARCH, experience.root, experience.home, "other", 3)])
    assert "goal of other number2" in [hit.goal for hit in corpus.search("goal of other number2")]
    assert experience.embedder.embedded.count("goal of other number2") == 1, "as a query only"


def test_memory_stays_flat_however_long_the_file(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    line = json.dumps({"text": "t" * 5000}) + "\n"
    with path.open("w") as stream:
        for _ in range(200):
            stream.write(line * 200)
    code = """
import resource, sys
from pathlib import Path
from memory.json_lines import JsonLines
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
count = sum(1 for _ in JsonLines(Path(sys.argv[1])).read())
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    [output] = finish([start(code, path)])
    count, grown_kib = map(int, output.split())
    assert count == 40_000
    assert grown_kib < 20_000, "the file has 200,000 KiB"


def test_an_index_that_ends_the_process_is_replaced_by_the_next(experience: Experience) -> None:
    corpus = experience.open()
    for number in range(1100):  # Chroma writes its graph to disk from 1000 vectors on.
        corpus.append(event(f"goal number{number}"))
    assert corpus.project.reindex() == 1100
    [graph] = experience.generation().glob("*/data_level0.bin")
    graph.write_bytes(b"\xa5" * graph.stat().st_size)
    doomed = start(SEARCH, experience.root, experience.home, "doomed", 1)
    doomed.communicate(timeout=120)
    [output] = finish([start(SEARCH, experience.root, experience.home, "next", 1)])
    assert int(output) > 0
    assert experience.generation().name not in str(graph)
