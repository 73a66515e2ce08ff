"""Research from the command line: real documents, the embedded model, kills, replays."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.nodes.research.corpus import DRAFT, ITEMS, PASS, QUERY, REPORT
from tests.support.processes import ROOT, reflect, wait_until

pytestmark = pytest.mark.integration


def command(root: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "cli.main", "research", *arguments, "--root", str(root)]


def ran(root: Path, *arguments: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(root)}
    environment.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    return subprocess.run(
        command(root, *arguments),
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def scripted(folder: Path, delay: float = 0.0) -> str:
    """A script whose critic takes its time, and the file of items; the model's name."""
    script = {"roles": {"analyst": [DRAFT], "critic": [{"delay": delay, "reply": PASS}], "writer": [REPORT]}}
    path = folder / "script.yaml"
    path.write_text(yaml.safe_dump(script, allow_unicode=True), "utf-8")
    (folder / "items.jsonl").write_text("".join(json.dumps(one) + "\n" for one in ITEMS), "utf-8")
    return f"scripted:{path}"


def logs(root: Path, thread: str) -> dict[str, Any]:
    directory = root / "data/reasoning/iterations" / thread
    return {path.name: json.loads(path.read_text("utf-8")) for path in directory.glob("*.json")}


def test_a_folder_of_documents_and_the_embedded_model_give_an_honest_report(tmp_path: Path) -> None:
    docs, root = tmp_path / "docs", tmp_path / "root"
    docs.mkdir()
    root.mkdir()
    (docs / "port.md").write_text(
        "# Lindow\n\nLindow harbour handled 4.2 million tonnes of cargo in 2023.\n", "utf-8"
    )
    (docs / "zh.txt").write_text("林都港務局公布，民國112年林都港貨物吞吐量為420萬公噸。", "utf-8")
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    (docs / "latin.txt").write_bytes("Le café de Lindow est fermé.".encode("latin-1"))
    page = tmp_path / "report.html"
    done = ran(root, QUERY, "--corpus", str(docs), "--model", "embedded", "--html", str(page), "--json")
    assert done.returncode == 0, done.stderr
    (item,) = json.loads(done.stdout)
    assert "4.2 million tonnes of cargo in 2023 [1]" in item["description"]
    told = item["schema_object"]
    assert told["extractive"] is True and told["confidence"] != "High"
    assert {one["verdict"] for one in told["sentences"]} == {"supported"}
    assert any("e5" in note or "minilm" in note.lower() for note in told["notes"])
    assert any("broken.pdf" in note for note in told["notes"])
    text = page.read_text("utf-8")
    assert "4.2 million" in text and 'href="#e1"' in text and "<script" not in text
    chinese = ran(root, "林都港2023年的貨物吞吐量是多少？", "--corpus", str(docs), "--model", "embedded")
    assert chinese.returncode == 0 and "420萬公噸" in chinese.stdout


def test_an_empty_folder_and_a_missing_one_are_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    empty = ran(tmp_path, QUERY, "--corpus", str(tmp_path / "empty"), "--model", "embedded")
    assert empty.returncode == 1 and "Not enough evidence" in empty.stdout
    missing = ran(tmp_path, QUERY, "--corpus", str(tmp_path / "none"), "--model", "embedded")
    assert missing.returncode == 2 and "does not exist" in missing.stdout


def test_a_killed_run_goes_on_without_asking_anything_twice(tmp_path: Path) -> None:
    model = scripted(tmp_path, delay=60)
    start = command(
        tmp_path, QUERY, "--sources", str(tmp_path / "items.jsonl"), "--model", model, "--thread", "t1"
    )
    running = subprocess.Popen(start, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 60
        while "iteration_1_analyst.json" not in logs(tmp_path, "t1") and time.monotonic() < end:
            time.sleep(0.1)
        # The critic waits by now, or the step before it is being written.
        time.sleep(1.0)
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    assert "iteration_1_critic.json" not in logs(tmp_path, "t1")
    model = scripted(tmp_path)
    done = ran(tmp_path, "--resume", "t1", "--model", model, "--json")
    assert done.returncode == 0, done.stderr
    kept = logs(tmp_path, "t1")
    asked = [name for name in kept if name.startswith("iteration_")]
    assert sorted(asked) == ["iteration_1_analyst.json", "iteration_1_critic.json", "iteration_1_writer.json"]
    whole = ran(tmp_path, QUERY, "--sources", str(tmp_path / "items.jsonl"), "--model", model, "--json")
    (resumed,), (straight,) = json.loads(done.stdout), json.loads(whole.stdout)
    assert resumed == straight
    urls = [source["url"] for source in resumed["schema_object"]["sources"]]
    assert len(urls) == len(set(urls))


def test_a_replay_gives_the_recorded_report_when_the_model_is_gone(tmp_path: Path) -> None:
    model = scripted(tmp_path)
    items = str(tmp_path / "items.jsonl")
    first = ran(tmp_path, QUERY, "--sources", items, "--model", model, "--thread", "one", "--json")
    (tmp_path / "script.yaml").unlink()
    (tmp_path / "items.jsonl").unlink()
    manifest = tmp_path / "data/reasoning/iterations/one/manifest.json"
    again = ran(tmp_path, "--replay", str(manifest), "--json")
    assert again.returncode == 0, again.stderr
    assert "is the recorded one" in again.stderr and json.loads(again.stdout) == json.loads(first.stdout)
    changed = json.loads(manifest.read_text("utf-8"))
    changed["exchanges"][0]["prompt_sha256"] = "0" * 64
    manifest.write_text(json.dumps(changed), "utf-8")
    other = ran(tmp_path, "--replay", str(manifest))
    assert other.returncode == 1 and "asks something else" in other.stdout


def test_what_cannot_be_done_is_told_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text("{}\n", "utf-8")
    cases = {
        (): "no query",
        (QUERY, "--items", str(tmp_path / "mine.jsonl")): "exists",
        (QUERY, "--from", "yesterday"): "is no date",
        (QUERY, "--sources", str(tmp_path / "none.jsonl")): "cannot be read",
        (QUERY, "--sources", str(tmp_path / "mine.jsonl")): "holds no item",
        ("--replay", str(tmp_path / "mine.jsonl")): "no manifest",
        ("--resume", "never"): "There is no research run",
    }
    for arguments, words in cases.items():
        done = ran(tmp_path, *arguments, "--model", "embedded")
        assert done.returncode == 2 and words in done.stderr, (arguments, done.stdout, done.stderr)
    assert (tmp_path / "mine.jsonl").read_text("utf-8") == "{}\n"


def test_a_killed_run_goes_on_by_the_command_it_named(tmp_path: Path) -> None:
    model = scripted(tmp_path, delay=60)
    items = str(tmp_path / "items.jsonl")
    errors = tmp_path / "errors.txt"
    with errors.open("w") as stream:
        running = subprocess.Popen(
            command(tmp_path, QUERY, "--sources", items, "--model", model),
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=stream,
        )
        try:
            assert wait_until(90, lambda: "ANALYST" in errors.read_text())
        finally:
            running.kill()
            running.wait()
    (line,) = [line for line in errors.read_text("utf-8").splitlines() if "go on with: " in line]
    words = shlex.split(line.split("go on with: ")[1])
    assert words[:2] == ["reflect", "resume"]
    thread = words[2]
    (listed,) = json.loads(
        reflect("threads", "list", "--json", "--root", str(tmp_path), home=tmp_path).stdout
    )
    assert (listed["thread"], listed["kind"], listed["goal"]) == (thread, "research", QUERY)
    assert listed["standing"] == "stopped before critic"
    scripted(tmp_path)
    refused = reflect(*words[1:], "--yes", home=tmp_path)
    assert refused.returncode == 2 and "--yes" in refused.stderr
    done = reflect(*words[1:], "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    asked = [name for name in logs(tmp_path, thread) if name.startswith("iteration_")]
    assert sorted(asked) == ["iteration_1_analyst.json", "iteration_1_critic.json", "iteration_1_writer.json"]
    (item,) = json.loads(done.stdout)
    urls = [source["url"] for source in item["schema_object"]["sources"]]
    assert urls and len(urls) == len(set(urls))
    again = reflect(*words[1:], "--json", home=tmp_path)
    assert again.returncode == 0 and json.loads(again.stdout) == [item]
    assert len(logs(tmp_path, thread)) == len(asked) + 3
    mixed = reflect("ask", "how many files?", "--thread", thread, "--root", str(tmp_path), home=tmp_path)
    assert mixed.returncode == 2 and "is a research run" in mixed.stderr
