"""Bad input and bad surroundings: a clear message that says what to do, the right exit code, no traceback."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import free_port, reflect

pytestmark = pytest.mark.integration
QUESTION = "How many python files are there?"


def ask(project: Path, goal: str, *more: str, **variables: str) -> subprocess.CompletedProcess[str]:
    arguments = ["ask", goal, "--root", str(project), "--model", "embedded", *more]
    return reflect(*arguments, home=project.parent, **variables)


def told(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    everything = done.stdout + done.stderr
    assert "Traceback" not in everything, everything[-3000:]
    assert done.returncode == code, everything[-3000:]
    assert [word for word in words if word not in everything] == [], everything[-3000:]


def test_a_question_is_answered_as_text_and_as_json(project: Path) -> None:
    told(ask(project, QUESTION), 0, "There are 10 *.py files.", "Evidence:")
    done = ask(project, QUESTION, "--json", "--quiet")
    report = json.loads(done.stdout)
    assert done.returncode == 0 and done.stderr == ""
    assert set(report) >= {
        "answer",
        "status",
        "stop_reason",
        "complexity",
        "complexity_source",
        "plan_source",
        "confidence",
        "steps",
        "reflections",
        "evidence",
        "usage",
        "thread_id",
        "model",
        "sandbox_level",
    }
    assert set(report["steps"][0]) == {"num", "description", "tool_call", "status", "returncode"}
    assert set(report["usage"]) == {"calls", "prompt_tokens", "completion_tokens", "seconds", "by_role"}
    assert report["model"] == "embedded:gemma-3-270m" and report["answer"] == "There are 10 *.py files."


@pytest.mark.parametrize("goal", ["", "   "])
def test_an_empty_goal_is_a_usage_error(project: Path, goal: str) -> None:
    told(ask(project, goal), 2, "empty", "Say what you want to know")


def test_a_goal_of_100_kilobytes_is_refused_with_the_limit(project: Path) -> None:
    told(ask(project, "how many files " * 7000), 2, "characters", "Put long material in a file")


@pytest.mark.parametrize(("root", "said"), [("nowhere", "does not exist"), ("README.md", "is a file")])
def test_a_root_that_is_no_directory_is_a_usage_error(project: Path, root: str, said: str) -> None:
    done = reflect("ask", QUESTION, "--root", str(project / root), home=project.parent)
    told(done, 2, said, "--root")


def test_a_directory_that_does_not_exist_cannot_be_answered_about(project: Path) -> None:
    told(ask(project, "How many files are in the attic folder?"), 1, "attic does not exist")


def test_awkward_names_are_counted_and_listed(project: Path) -> None:
    for name in (b"new\nline.md", b"caf\xe9.md", b"-n.md", b"tab\tname.md", b"quote'.md"):
        (Path(os.fsdecode(os.fsencode(project) + b"/docs/" + name))).write_bytes(b"# Odd\nneedle\n")
    told(ask(project, "How many markdown files are in docs?"), 0, "There are 11 ")
    told(ask(project, 'Which files contain "needle"?'), 0, "5 of the files contain")


def test_binary_and_unreadable_files_do_not_stop_a_search(project: Path) -> None:
    (project / "blob.bin").write_bytes(bytes(range(256)) * 100)
    told(ask(project, "Which files are binary?"), 0, "blob.bin", "assets/logo.png")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("graph:\n  max_iteration: 5\n", ["config.yaml", "max_iteration", "max_iterations", "2"]),
        ("graph:\n  max_iterations: many\n", ["config.yaml", "graph.max_iterations", "2"]),
        ("graph: [unclosed\n", ["config.yaml"]),
    ],
)
def test_a_wrong_settings_file_is_told_by_file_line_and_key(
    project: Path, text: str, words: list[str]
) -> None:
    (project / ".reflect").mkdir()
    (project / ".reflect" / "config.yaml").write_text(text)
    told(ask(project, QUESTION), 2, *words)


def test_a_corrupt_checkpoint_database_is_told_and_left_alone(project: Path) -> None:
    (project / ".reflect").mkdir()
    path = project / ".reflect" / "checkpoints.sqlite"
    path.write_bytes(b"this is not a database" * 100)
    told(ask(project, QUESTION), 2, "checkpoints.sqlite", "mv ")
    assert path.read_bytes() == b"this is not a database" * 100


def test_a_locked_checkpoint_database_is_told(project: Path) -> None:
    told(ask(project, QUESTION), 0)
    path = project / ".reflect" / "checkpoints.sqlite"
    with sqlite3.connect(path, isolation_level=None) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        told(ask(project, QUESTION, REFLECT_CHECKPOINTS__BUSY_TIMEOUT="0.5"), 2, "locked", "busy_timeout")
    holder.close()


def test_a_corpus_with_bad_lines_is_read_counted_and_kept(project: Path) -> None:
    events = project / ".reflect" / "experience" / "events.jsonl"
    events.parent.mkdir(parents=True)
    bad = b'garbage\n[]\n42\n{"timestamp": null}\n\xff\xfe\x00\n{"goal": "torn'
    events.write_bytes(bad)
    told(ask(project, QUESTION), 0, "There are 10")
    assert events.read_bytes().startswith(bad)
    told(reflect("doctor", "--root", str(project), home=project.parent), 0, "unreadable lines")


def test_a_full_disk_is_told(project: Path) -> None:
    events = project / ".reflect" / "experience"
    events.mkdir(parents=True)
    done = subprocess.run(
        [
            "bash",
            "-c",
            f"ulimit -f 8; exec {sys.executable} -m cli.main ask '{QUESTION}' "
            f"--root {project} --model embedded",
        ],
        cwd=project.parent,
        env={**os.environ, "HOME": str(project.parent), "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr and done.returncode == 2, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("nonsense", ["names no model", "ollama:NAME"]),
        ("embedded:/nowhere/x.gguf", ["/nowhere/x.gguf"]),
        ("scripted:/nowhere.yaml", ["/nowhere.yaml"]),
    ],
)
def test_a_model_that_cannot_be_used_is_told(project: Path, model: str, words: list[str]) -> None:
    done = reflect("ask", "what is a closure?", "--root", str(project), "--model", model, home=project.parent)
    told(done, 2, *words)


def test_an_ollama_that_is_down_is_told(project: Path) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    done = reflect(
        "ask",
        "what is a closure?",
        "--root",
        str(project),
        "--model",
        "ollama:qwen2.5:7b",
        home=project.parent,
        OLLAMA_HOST=address,
    )
    told(done, 2, address, "ollama serve")


def test_a_missing_ollama_model_is_told(project: Path, ollama: str) -> None:
    done = reflect(
        "ask",
        "what is a closure?",
        "--root",
        str(project),
        "--model",
        "ollama:nothing:7b",
        home=project.parent,
        OLLAMA_HOST=ollama,
    )
    told(done, 2, "ollama pull nothing:7b")


def test_ollama_is_used_when_it_answers(project: Path, ollama: str) -> None:
    done = reflect("ask", "hello", "--root", str(project), "--json", home=project.parent, OLLAMA_HOST=ollama)
    report = json.loads(done.stdout)
    assert done.returncode == 0 and report["model"] == "ollama:smollm2:135m" and report["usage"]["calls"] == 1


def test_the_sovereign_profile_refuses_a_remote_address(project: Path) -> None:
    done = reflect(
        "ask",
        QUESTION,
        "--root",
        str(project),
        "--model",
        "ollama:x",
        "--profile",
        "sovereign",
        home=project.parent,
        OLLAMA_HOST="http://192.0.2.7:11434",
    )
    told(done, 2, "sovereign", "192.0.2.7")


def test_an_unknown_strategy_and_profile_are_usage_errors(project: Path) -> None:
    told(ask(project, QUESTION, "--strategy", "graph_v99"), 2, "graph_v30")
    told(ask(project, QUESTION, "--profile", "cautious"), 2, "sovereign")


def test_two_runs_at_once_both_answer(project: Path) -> None:
    environment = {**os.environ, "HOME": str(project.parent), "PYTHONPATH": os.getcwd()}
    command = [
        sys.executable,
        "-m",
        "cli.main",
        "ask",
        QUESTION,
        "--root",
        str(project),
        "--model",
        "embedded",
        "--quiet",
    ]
    running = [
        subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for _ in range(4)
    ]
    outputs = [process.communicate(timeout=120)[0] for process in running]
    assert [process.returncode for process in running] == [0] * 4, outputs
    assert all("There are 10 *.py files." in output for output in outputs)
