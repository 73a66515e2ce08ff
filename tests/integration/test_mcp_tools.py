"""Tools of real MCP servers in plans: over pipes and over HTTP, by profile, approved, cancelled, killed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from configs.settings import Strategy
from graph.reflective import build
from memory.effects import EffectJournal
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from nodes.reflective.state import ReasoningState
from tests.support.processes import ROOT, free_port, reflect, stop, wait_until
from tests.tools.mcp.test_liars import COUNT, LIAR, liar

pytestmark = pytest.mark.integration

SERVER = ROOT / "tests" / "support" / "mcp_tool_server.py"
READING = ["forecast", "table", "long", "broken", "stall", "surroundings"]
PASSED = {"passed": True, "reason": "it says so", "answer": "17 degrees", "confidence": 0.9}
ASK = "use weather.forecast to say how warm it is in Paris"
TICKET = "use weather.create_ticket to open a ticket with the title Leak"


def described(folder: Path, **more: Any) -> dict[str, Any]:
    command = [sys.executable, str(SERVER), str(folder)]
    return {"command": command, "read_only": READING, "timeout": 60, **more}


def look(*commands: str) -> dict[str, Any]:
    steps = [{"description": "ask", "command": command} for command in commands]
    return {"objective": "x", "steps": steps, "validation": "it says so", "confidence": 0.9}


def change(*calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    return {
        "objective": "x",
        "steps": [{"description": "do", "tool": tool, "args": args} for tool, args in calls],
    }


OPEN = change(("weather.create_ticket", {"title": "Leak"}))


@dataclass
class World:
    """A project, a server beside it, and a graph over both."""

    root: Path
    folder: Path
    name: str
    server: dict[str, Any]
    graph: Any = field(default_factory=lambda: build(InMemorySaver()))

    def context(self, **settings: Any) -> RunContext:
        chosen = {"experience.enabled": False, "mcp.servers.weather": self.server}
        chosen |= {key.replace("__", "."): value for key, value in settings.items()}
        profile, approval = chosen.pop("profile", None), chosen.pop("approval", "ask")
        return RunContext(
            root=str(self.root),
            model=f"scripted:{self.name}",
            profile=profile,
            approval=approval,
            settings=chosen,
        )

    async def ask(self, goal: str, plan: dict[str, Any], **settings: Any) -> dict[str, Any]:
        roles = {"planner": [plan], "worker": ["It is 17 degrees in Paris."], "verifier": [PASSED]}
        roles["critic"] = [{"diagnosis": "It failed.", "new_plan_summary": "Try it again."}]
        register_script(self.name, Script(roles=roles, repeat_last=True))
        return await self.run({"goal": goal}, **settings)

    async def run(self, given: Any, **settings: Any) -> dict[str, Any]:
        config = {"configurable": {"thread_id": self.name}}
        return dict(await self.graph.ainvoke(given, config, context=self.context(**settings)))

    @property
    def calls(self) -> list[Any]:
        log = self.folder / "calls"
        return [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []

    @property
    def is_alive(self) -> bool:
        try:
            os.kill(int((self.folder / "pid").read_text("utf-8")), 0)
        except (FileNotFoundError, ProcessLookupError):
            return False
        return True


def ended(values: dict[str, Any]) -> ReasoningState:
    assert "__interrupt__" not in values
    return ReasoningState.model_validate(values)


@pytest.fixture
def world(tmp_path: Path, request: pytest.FixtureRequest) -> World:
    for name in ("project", "server"):
        (tmp_path / name).mkdir()
    folder = tmp_path / "server"
    return World(tmp_path / "project", folder, request.node.name, described(folder))


@pytest.fixture
def over_http(world: World) -> Iterator[World]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, str(SERVER), str(world.folder), "http", str(port)],
        text=True,
        stderr=subprocess.DEVNULL,
    )

    def listens() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        assert wait_until(60, listens)
        world.server = {"url": f"http://127.0.0.1:{port}/mcp", "read_only": READING, "timeout": 60}
        yield world
    finally:
        stop(process)


@pytest.mark.parametrize("strategy", ["graph_v30", "graph_v2", "loop_v1"])
async def test_a_plan_asks_a_server_and_the_answer_rests_on_what_it_says(
    world: World, strategy: Strategy
) -> None:
    plan = look('weather.forecast {"city": "Paris"}')
    state = ended(await world.ask(ASK, plan, reasoning__strategy=strategy))
    assert (state.status, state.stop_reason) == ("answered", "success")
    assert state.final_answer == "It is 17 degrees in Paris."
    (evidence,) = state.evidence
    assert evidence.command == 'weather.forecast {"city": "Paris"}'
    assert evidence.text == "Paris: 17 degrees for 1 days"
    assert world.calls == [["forecast", {"city": "Paris", "days": 1}]] and not world.is_alive


async def test_what_no_server_said_is_not_answered(world: World) -> None:
    roles = {
        "planner": [look("weather.forecast city=Oslo")],
        "worker": ["It is 23 degrees."],
        "verifier": [PASSED],
    }
    register_script(world.name, Script(roles=roles, repeat_last=True))
    state = ended(await world.run({"goal": "use weather.forecast to say how warm it is in Oslo"}))
    assert "23" not in (state.final_answer or "") and "Oslo: 17 degrees" in (state.final_answer or "")


async def test_a_server_over_http_is_asked_like_any_other(over_http: World) -> None:
    state = ended(await over_http.ask(ASK, look("weather.forecast city=Paris days=2")))
    assert state.status == "answered" and "for 2 days" in state.evidence[0].text
    values = await over_http.ask(TICKET, OPEN)
    (asked,) = values["__interrupt__"]
    assert "http://127.0.0.1" in asked.value["summary"]
    assert ended(await over_http.run(Command(resume="approve"))).status == "answered"
    assert [call for call, _ in over_http.calls] == ["forecast", "create_ticket"]


async def test_a_hanging_server_over_http_is_left_after_its_time(over_http: World) -> None:
    over_http.server["timeout"] = 3
    state = ended(await over_http.ask("use weather.stall to wait", look("weather.stall")))
    assert state.status == "could_not" and "timed out after 3 seconds" in (state.final_answer or "")


async def test_a_server_that_is_not_there_is_told(world: World) -> None:
    world.server = {"url": f"http://127.0.0.1:{free_port()}/mcp", "timeout": 5}
    state = ended(await world.ask(ASK, look("weather.forecast city=Paris")))
    assert (state.status, state.stop_reason) == ("could_not", "no_plan")
    assert "'weather' cannot be used" in (state.final_answer or "")


async def test_a_call_that_may_change_something_is_shown_approved_and_made_once(world: World) -> None:
    (asked,) = (await world.ask(TICKET, OPEN))["__interrupt__"]
    assert world.calls == [] and not world.is_alive
    assert asked.value["tool"] == "weather.create_ticket" and '"title": "Leak"' in asked.value["preview"]
    assert "MCP server weather" in asked.value["summary"]
    (again,) = (await world.run(Command(resume={"decision": "edit", "args": {"title": "Big leak"}})))[
        "__interrupt__"
    ]
    assert '"Big leak"' in again.value["preview"] and world.calls == []
    # Other choices open everything anew, as another process would: nothing is known of the server.
    state = ended(await world.run(Command(resume="approve"), experience__top_k=4))
    assert world.calls == [["create_ticket", {"title": "Big leak", "body": ""}]]
    assert state.status == "answered" and "ticket 4711: Big leak" in (state.final_answer or "")
    (effect,) = EffectJournal(world.root / ".reflect" / "effects.sqlite").of_thread(world.name)
    assert effect.state == "done" and effect.call["tool"] == "weather.create_ticket"


async def test_a_server_that_hangs_is_a_note_of_a_run_that_does_not_need_it(world: World) -> None:
    (world.root / "ships.csv").write_text("name,length\nBoreas,240\n")
    command = [sys.executable, "-I", "-S", str(LIAR), str(world.folder), "hang"]
    world.server = {"command": command, "timeout": 1}
    roles = {
        "planner": [look("cat ships.csv") | {"command": "cat ships.csv"}],
        "worker": ["Boreas, 240"],
        "verifier": [PASSED | {"answer": "240"}],
    }
    register_script(world.name, Script(roles=roles, repeat_last=True))
    state = ended(await world.run({"goal": "which rows of ships.csv look odd to a sailor?"}))
    assert state.status == "answered" and state.final_answer == "Boreas, 240"
    assert any("'weather' did not list its tools within 1 s" in note for note in state.notes)


async def test_a_call_that_a_person_rejects_is_not_made(world: World) -> None:
    await world.ask(TICKET, OPEN)
    state = ended(await world.run(Command(resume={"decision": "reject", "reason": "not yet"})))
    assert state.stop_reason == "user_abort" and world.calls == []


async def test_a_dry_run_shows_the_call(world: World) -> None:
    state = ended(await world.ask(TICKET, OPEN, approval="dry_run"))
    assert (state.stop_reason, world.calls) == ("dry_run", []) and '"title": "Leak"' in (
        state.final_answer or ""
    )


@pytest.mark.parametrize(
    "goal", ["how many tickets has the weather server?", "what does weather.create_ticket do?"]
)
async def test_a_question_changes_nothing_whatever_the_planner_writes(world: World, goal: str) -> None:
    plan = look('weather.create_ticket {"title": "x"}')
    state = ended(await world.ask(goal, plan, approval="yes"))
    assert world.calls == [] and "Done" not in (state.final_answer or "")
    assert not EffectJournal(world.root / ".reflect" / "effects.sqlite").of_thread(world.name)


@pytest.mark.parametrize(
    ("profile", "local", "status", "told"),
    [
        ("safe", True, "error", "The profile 'safe' allows no tools"),
        ("dev", False, "answered", "17 degrees"),
        ("sovereign", False, "could_not", "may send something away"),
        ("sovereign", True, "answered", "17 degrees"),
    ],
)
async def test_a_profile_decides_which_servers_are_asked(
    world: World, profile: str, local: bool, status: str, told: str
) -> None:
    world.server["local"] = local
    state = ended(await world.ask(ASK, look("weather.forecast city=Paris"), profile=profile))
    assert state.status == status and told in (state.final_answer or "")
    assert bool(world.calls) is (status == "answered") is (world.folder / "pid").exists()


async def test_a_long_answer_is_kept_in_a_file(world: World) -> None:
    goal = "use weather.long to show a long text"
    state = ended(await world.ask(goal, look('weather.long {"chars": 50000}')))
    (evidence,) = state.evidence
    assert evidence.artifact is not None and len(evidence.text) < 5000
    assert (world.root / evidence.artifact).read_text("utf-8") == "x" * 50_000


async def test_a_change_without_an_answer_ends_the_run_and_is_not_tried_again(world: World) -> None:
    plan = change(("weather.crash_ticket", {"title": "Leak"}))
    goal = "use weather.crash_ticket to open a ticket with the title Leak"
    state = ended(await world.ask(goal, plan, approval="yes"))
    assert (state.status, state.stop_reason) == ("could_not", "interrupted")
    assert "whether it took effect is not known" in (state.final_answer or "")
    assert "(perhaps, or in part)" in (state.final_answer or "")
    assert [call for call, _ in world.calls] == ["crash_ticket"]


async def test_a_cancelled_run_tells_the_server_and_leaves_no_process(world: World) -> None:
    running = asyncio.create_task(world.ask("use weather.stall to wait", look("weather.stall")))
    while not world.calls:
        await asyncio.sleep(0.05)
    assert world.is_alive
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not world.is_alive and (world.folder / "cancelled").read_text("utf-8") == "stall"


async def test_a_cancelled_change_is_in_doubt_and_not_made_again(world: World) -> None:
    plan = change(("weather.slow_ticket", {"title": "Leak"}))
    goal = "use weather.slow_ticket to open a ticket with the title Leak"
    running = asyncio.create_task(world.ask(goal, plan, approval="yes"))
    while not world.calls:
        await asyncio.sleep(0.05)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not world.is_alive
    state = ended(await world.run(None, approval="yes"))
    assert state.stop_reason == "interrupted" and [call for call, _ in world.calls] == ["slow_ticket"]


def test_a_change_in_the_middle_of_which_we_are_killed_is_not_made_again(
    tmp_path: Path, machine_cache: Path
) -> None:
    for name in ("project", "home/.reflect"):
        (tmp_path / name).mkdir(parents=True)
    home, here = tmp_path / "home", liar(tmp_path, "stall")
    script = home / "script.yaml"
    plan = change(("liar.count", {"n": 4}))
    script.write_text(
        yaml.safe_dump({"roles": {"planner": [plan], "verifier": [PASSED]}, "repeat_last": True})
    )
    server = {"command": [sys.executable, "-I", "-S", str(LIAR), str(tmp_path), "stall"], "timeout": 600}
    settings = {
        "mcp": {"servers": {"liar": server}},
        "experience": {"enabled": False},
        "model": f"scripted:{script}",
    }
    (home / ".reflect" / "config.yaml").write_text(yaml.safe_dump(settings), "utf-8")
    root = ["--root", str(tmp_path / "project")]
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "cli.main",
            "ask",
            *root,
            "--thread",
            "killed",
            "--yes",
            "use liar.count to count to 4",
        ],
        cwd=home,
        env={"XDG_CACHE_HOME": str(machine_cache), **os.environ, "HOME": str(home), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert wait_until(180, lambda: bool(here.calls)) and here.living
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
    assert wait_until(20, lambda: not here.living)
    resumed = reflect("resume", "killed", *root, home=home, timeout=300)
    assert "could_not (interrupted)" in resumed.stderr and "took effect" in resumed.stdout
    assert here.calls == [["count", {"n": 4}]]


def test_the_doctor_says_which_servers_answer(world: World) -> None:
    home = world.root.parent / "home"
    (home / ".reflect").mkdir(parents=True)
    gone = {"command": ["no-such-program-here\x1b[2J"], "timeout": 5}
    settings = {"mcp": {"servers": {"weather": world.server, "gone": gone}}}
    (home / ".reflect" / "config.yaml").write_text(yaml.safe_dump(settings), "utf-8")
    done = reflect("doctor", "--root", str(world.root), "--json", home=home, timeout=300)
    checks = {check["name"]: check for check in json.loads(done.stdout) if check["name"].startswith("mcp ")}
    assert checks["mcp weather"]["verdict"] == "ok" and not world.is_alive and world.calls == []
    assert (
        "9 tools" in checks["mcp weather"]["found"]
        and "6 of them only read" in checks["mcp weather"]["found"]
    )
    assert checks["mcp gone"]["verdict"] == "warning" and "cannot be used" in checks["mcp gone"]["found"]
    assert "\x1b" not in json.dumps(checks, ensure_ascii=False)


async def test_a_program_starts_apart_from_the_project_and_with_what_it_was_given(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEATHER_KEY", "1")
    monkeypatch.setenv("OTHER_KEY", "2")
    monkeypatch.chdir(world.root)
    world.server["env"] = ["WEATHER_KEY"]
    state = ended(
        await world.ask("use weather.surroundings to show where it runs", look("weather.surroundings"))
    )
    seen = json.loads(state.evidence[0].text)
    assert seen["files"] == [] and not Path(seen["cwd"]).exists()
    assert not Path(seen["cwd"]).is_relative_to(world.root)
    assert "WEATHER_KEY" in seen["environment"] and "OTHER_KEY" not in seen["environment"]


@pytest.mark.parametrize(
    ("lie", "seconds", "told"),
    [("hang", 1, "did not list its tools within 1 s"), ("stall", 6, "timed out after 6 seconds")],
)
async def test_one_that_says_nothing_is_waited_for_no_longer_than_was_set(
    tmp_path: Path, lie: str, seconds: float, told: str
) -> None:
    result = await liar(tmp_path, lie, seconds=seconds).asked()
    assert not result.ok and told in (result.error or "")


async def test_a_cancelled_call_leaves_no_process_however_often_it_is_cancelled(tmp_path: Path) -> None:
    slow = liar(tmp_path, "stall")
    running = asyncio.create_task(slow.toolbox.run(COUNT))
    while not slow.calls:
        await asyncio.sleep(0.02)
    assert slow.living
    for _ in range(3):
        running.cancel()
        await asyncio.sleep(0.05)
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not slow.living and len(slow.calls) == 1
