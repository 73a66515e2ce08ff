"""Runs of the command and of LangGraph's server, recorded in files or sent to a server that receives them."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client

from tests.support.langgraph_server import served
from tests.support.otlp_receiver import receiver
from tests.support.processes import ROOT, free_port, reflect, wait_until
from tests.support.telemetry import attributes_of, metrics_of, records_of, spans_of

pytestmark = pytest.mark.integration
GOAL = "how many python files are there?"
ANSWER = "There are 2 *.py files."
WORDS = ("zebra", "walrus", "penguin")
"""In a goal, in the name of a file, in what a model says."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    project = tmp_path / "project"
    project.mkdir()
    for name in ("a.py", "walrus.py"):
        (project / name).write_text("x = 1\n")
    (tmp_path / "script.yaml").write_text("default: ['The penguin says hello.']\nrepeat_last: true\n")
    (tmp_path / "slow.yaml").write_text("default: [{delay: 20, reply: hello}]\nrepeat_last: true\n")
    return tmp_path


def ask(home: Path, goal: str = GOAL, model: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    model = model or f"scripted:{home / 'script.yaml'}"
    command = ("ask", goal, "--root", str(home / "project"), "--model", model, "--quiet", "--json")
    return reflect(*command, home=home, **variables)


def tree_of(spans: list[dict[str, Any]]) -> Counter[tuple[str, str]]:
    """How often a span of a name lies below one of another name."""
    by_id = {span["spanId"]: span["name"] for span in spans}
    return Counter((by_id.get(span.get("parentSpanId", ""), ""), span["name"]) for span in spans)


def test_a_live_run_is_sent_to_a_server_whole_and_without_a_word(home: Path, ollama: str) -> None:
    with receiver(home / "sent.jsonl") as received:
        done = ask(
            home,
            "hello dear zebra",
            "ollama:smollm2:135m",
            OLLAMA_HOST=ollama,
            REFLECT_TELEMETRY__ENDPOINT=received.address,
            REFLECT_TELEMETRY__HEADERS_ENV="MY_HEADERS",
            REFLECT_PROFILE="sovereign",
            MY_HEADERS="x-team=reasoning, authorization=Bearer%20abc",
        )
        assert done.returncode == 0 and not done.stderr, done.stderr
        spans, requests = received.spans(), received.requests()
        assert {"reflect.runs", "gen_ai.client.token.usage"} <= received.metric_names()
    assert {request["path"] for request in requests} == {"/v1/traces", "/v1/metrics"}
    assert all(request["headers"]["x-team"] == "reasoning" for request in requests)
    tree = tree_of(spans)
    assert tree["", "invoke_agent reflective"] == 1
    assert tree["direct_exec", "chat smollm2:135m"] == 1
    assert tree["invoke_agent reflective", "respond"] == 1
    chat = attributes_of(next(span for span in spans if span["name"].startswith("chat")))
    assert (chat["gen_ai.provider.name"], chat["server.address"]) == ("ollama", "127.0.0.1")
    assert int(chat["gen_ai.usage.input_tokens"]) > 0 and int(chat["gen_ai.usage.output_tokens"]) > 0
    said = json.loads(done.stdout)["answer"]
    told = json.dumps(requests)
    assert "zebra" not in told and str(home) not in told and said[:30] not in told


@pytest.mark.parametrize("content", [False, True])
def test_a_file_holds_a_runs_words_only_where_that_is_asked_for(home: Path, content: bool) -> None:
    path = home / "project" / ".reflect" / "telemetry.jsonl"
    variables = {
        "REFLECT_TELEMETRY__FILE": ".reflect/telemetry.jsonl",
        "REFLECT_TELEMETRY__CONTENT": str(content).lower(),
    }
    assert ask(home, "hello zebra", **variables).returncode == 0
    assert ask(home, "how many lines does walrus.py have?", **variables).returncode == 0
    told = path.read_text()
    for word in WORDS:
        assert (word in told) == content, word
    assert not content or "gen_ai.input.messages" in told
    assert str(home / "script.yaml") not in told or content
    runs = sum(amount for name, _, amount in metrics_of(path) if name == "reflect.runs")
    assert runs == 2


def test_an_ensemble_is_one_trace_with_its_engines_side_by_side(home: Path) -> None:
    path = home / "t.jsonl"
    command = ("ensemble", GOAL, "--root", str(home / "project"), "--quiet", "--json")
    model = ("--model", f"scripted:{home / 'script.yaml'}")
    done = reflect(*command, *model, home=home, REFLECT_TELEMETRY__FILE=str(path))
    spans = spans_of(path)
    tree = tree_of(spans)
    assert len({span["traceId"] for span in spans}) == 1, done.stderr
    assert tree["", "invoke_agent ensemble"] == 1 and sum(tree[one] for one in tree if one[0] == "") == 1
    for engine in ("reflective", "contractive"):
        assert tree["invoke_agent ensemble", engine] == 1
        assert tree[engine, f"invoke_agent {engine}"] == 1
    assert any(above == "direct" and name.startswith("chat") for above, name in tree)
    assert any(name.startswith("execute_tool") for _, name in tree)


def test_a_step_that_fails_is_an_error_of_its_tool_and_the_run_says_could_not(home: Path) -> None:
    plan = {
        "objective": "look",
        "steps": [{"description": "look", "command": "grep x b.py"}],
        "validation": "",
        "confidence": 0.9,
    }
    roles = {
        "classifier": [{"complexity": "moderate"}],
        "planner": [plan],
        "critic": [{"diagnosis": "It is not there.", "new_plan_summary": "Give up."}],
    }
    (home / "failing.yaml").write_text(json.dumps({"roles": roles, "default": ["no"], "repeat_last": True}))
    path = home / "t.jsonl"
    goal = "which captain's ship is Boreas moored with, judging by flag, in a.py"
    done = ask(home, goal, f"scripted:{home / 'failing.yaml'}", REFLECT_TELEMETRY__FILE=str(path))
    status = json.loads(done.stdout)["status"]
    assert status == "could_not" and done.returncode == 1
    run = next(span for span in spans_of(path) if span["name"] == "invoke_agent reflective")
    assert attributes_of(run)["reflect.status"] == status and run["status"].get("code", 0) == 0


@pytest.mark.parametrize("trouble", ["down", "refuses", "redirects", "stalls"])
def test_a_server_in_trouble_fails_no_run_and_is_told_once(home: Path, trouble: str) -> None:
    with receiver(home / "elsewhere.jsonl") as elsewhere:
        options = {
            "down": (),
            "refuses": ("--status", "500"),
            "redirects": ("--status", "307", "--redirect", f"{elsewhere.address}/v1/traces"),
            "stalls": ("--stall", "60"),
        }
        with receiver(home / "sent.jsonl", *options[trouble]) as received:
            address = f"http://127.0.0.1:{free_port()}" if trouble == "down" else received.address
            done = ask(home, REFLECT_TELEMETRY__ENDPOINT=address)
        assert done.returncode == 0 and json.loads(done.stdout)["answer"].startswith(ANSWER)
        assert not elsewhere.requests()
    cannot, lost = done.stderr.splitlines()
    assert cannot.startswith(f"Telemetry cannot be kept in {address}")
    spans = int(lost.split()[1])
    assert lost == f"Telemetry: {spans} of {spans} spans never got to {address}." and spans > 3


def test_no_proxy_of_the_environment_is_sent_anything(home: Path) -> None:
    with receiver(home / "proxy.jsonl") as proxy, receiver(home / "sent.jsonl") as received:
        done = ask(
            home,
            REFLECT_TELEMETRY__ENDPOINT=received.address,
            HTTP_PROXY=proxy.address,
            http_proxy=proxy.address,
            ALL_PROXY=proxy.address,
        )
        assert done.returncode == 0 and received.spans() and not proxy.requests()


def test_in_profile_sovereign_no_other_machine_is_named_to_any_command(home: Path) -> None:
    variables = {"REFLECT_PROFILE": "sovereign", "REFLECT_TELEMETRY__ENDPOINT": "http://collector:4318"}
    done = ask(home, **variables)
    assert done.returncode == 2 and not done.stdout
    assert "telemetry.endpoint" in done.stderr and "sends nothing to other machines" in done.stderr


def begun(home: Path, path: Path) -> subprocess.Popen[str]:
    """A run that asks a slow model once it has looked at the goal."""
    command = [sys.executable, "-m", "cli.main", "ask", "hello there", "--root", str(home / "project")]
    return subprocess.Popen(
        [*command, "--model", f"scripted:{home / 'slow.yaml'}", "--quiet"],
        env=os.environ | {"HOME": str(home), "PYTHONPATH": str(ROOT), "REFLECT_TELEMETRY__FILE": str(path)},
        cwd=home,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def test_a_run_that_is_asked_to_end_is_told_as_interrupted(home: Path) -> None:
    path = home / "t.jsonl"
    process = begun(home, path)
    # The visit to CLASSIFY is written a second after its end, while the model is still asked.
    assert wait_until(90, lambda: path.exists() and spans_of(path))
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 143
    (run,) = [span for span in spans_of(path) if span["name"] == "invoke_agent reflective"]
    assert attributes_of(run)["reflect.status"] == "interrupted"
    assert {span["name"] for span in spans_of(path)} >= {"classify", "direct_exec"}


def test_processes_killed_at_any_moment_leave_lines_that_can_all_be_read(home: Path) -> None:
    path, rng = home / "t.jsonl", random.Random(7)
    for _ in range(2):
        processes = [begun(home, path) for _ in range(3)]
        wait_until(90, lambda: path.exists() and path.stat().st_size > 0)
        for process in processes:
            time.sleep(rng.uniform(0, 1.5))
            process.kill()
        for process in processes:
            process.wait(30)
    with path.open("a") as stream:
        stream.write('{"resourceSpans": [{"reso')
    assert ask(home, REFLECT_TELEMETRY__FILE=str(path)).returncode == 0
    assert [
        record for record in records_of(path) if not record.keys() <= {"resourceSpans", "resourceMetrics"}
    ] == []
    answered = [span for span in spans_of(path) if attributes_of(span).get("reflect.status") == "answered"]
    assert len(answered) == 1


async def test_a_run_under_langgraphs_server_is_recorded_by_its_own_settings(home: Path) -> None:
    (home / "server").mkdir()
    with served(home / "server") as running:
        path = home / "served.jsonl"
        async with get_client(url=running.url) as client:
            for recorded in (True, False):
                thread = await client.threads.create()
                settings = {"telemetry.file": str(path)} if recorded else {}
                context = {
                    "root": str(home / "project"),
                    "model": f"scripted:{home / 'script.yaml'}",
                    "settings": settings,
                }
                values = await client.runs.wait(
                    thread["thread_id"], "reflective", input={"goal": GOAL}, context=context
                )
                assert values["status"] == "answered", values
                if recorded:
                    known = thread["thread_id"]
        # No command ends here: the spans come with the next batch.
        assert wait_until(
            30, lambda: path.exists() and ("", "invoke_agent reflective") in tree_of(spans_of(path))
        )
        runs = [span for span in spans_of(path) if span["name"] == "invoke_agent reflective"]
        assert [attributes_of(run)["gen_ai.conversation.id"] for run in runs] == [known]
        assert tree_of(spans_of(path))["invoke_agent reflective", "respond"] == 1
