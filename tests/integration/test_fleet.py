"""One model on several real servers: what dies, hangs, lacks it or is late costs no call and no answer."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langchain_core.messages import HumanMessage
from langgraph.graph import END, START, StateGraph

from configs.settings import Settings
from models.errors import ModelError, ModelMissing, ModelRequestRefused, ModelTimeout, ModelUnavailable
from models.fleet.hosts import host_at
from models.fleet.survey import survey
from models.identifiers import ModelId
from models.ollama_health import ollama_status
from models.openai_health import openai_status
from models.reply import Reply
from models.roles import RoleModels
from models.selection import ModelChoice, choose_model
from models.shared_budget import Allowance, SharedBudget, Spent, spending
from models.telemetry import names
from models.telemetry.scope import Scope, attach, within
from tests.support.model_hosts import ModelHost, paced, started
from tests.support.ollama_server import MODEL
from tests.support.processes import free_port
from tests.support.telemetry import Kept

pytestmark = pytest.mark.integration
ASK = [HumanMessage("Report.")]
PROVIDERS = pytest.mark.parametrize("provider", ["ollama", "openai"])


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port may be that of a server of an earlier test, which is known to be away."""
    monkeypatch.setattr("models.fleet.hosts._HOSTS", {})


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return written(tmp_path, "crew", "roles: {bosun: ['Aye.']}")


def written(place: Path, name: str, text: str) -> Path:
    file = place / f"{name}.yaml"
    file.write_text(text)
    return file


@contextmanager
def three(script: Path, **pace: Any) -> Iterator[list[ModelHost]]:
    with ExitStack() as stack:
        yield [stack.enter_context(paced(script, **pace)) for _ in range(3)]


@asynccontextmanager
async def asking(
    provider: str, addresses: list[str], runs: int = 1, name: str = "bosun", **default: Any
) -> AsyncIterator[list[RoleModels]]:
    """Several runs, each with models of its own."""
    urls = [f"{address}/v1" if provider == "openai" else address for address in addresses]
    settings = Settings.model_validate({"models": {"default": {"base_urls": urls, **default}}})
    opened = [RoleModels(settings, ModelChoice(ModelId(provider, name), "test")) for _ in range(runs)]  # type: ignore[arg-type]  # one of the two
    try:
        yield opened
    finally:
        for one in opened:
            await one.aclose()


def addresses(hosts: list[ModelHost]) -> list[str]:
    return [host.address for host in hosts]


async def all_ask(runs: list[RoleModels], times: int = 1) -> list[Reply]:
    async def asks(run: RoleModels) -> list[Reply]:
        return [await run.text("worker", ASK) for _ in range(times)]

    return [reply for replies in await asyncio.gather(*map(asks, runs)) for reply in replies]


@PROVIDERS
async def test_calls_at_once_spread_over_the_servers(script: Path, provider: str) -> None:
    with three(script) as hosts:
        async with asking(provider, addresses(hosts), runs=9) as runs:
            replies = await all_ask(runs, times=2)
        counted = [host.calls() for host in hosts]
    assert [reply.text for reply in replies] == ["Aye."] * 18 and sum(counted) == 18
    assert max(counted) - min(counted) <= 3 and not any(run.remarks for run in runs)


async def test_calls_one_after_the_other_stay_with_the_server_that_knows_the_conversation(
    script: Path,
) -> None:
    with three(script, latency=0.0) as hosts:
        async with asking("ollama", addresses(hosts)) as (run,):
            await all_ask([run], times=6)
        assert sorted(host.calls() for host in hosts) == [0, 0, 6]


@PROVIDERS
async def test_a_server_killed_in_the_middle_of_calls_costs_neither_answers_nor_budget(
    script: Path, provider: str
) -> None:
    with three(script, latency=1.0) as hosts:
        async with asking(provider, addresses(hosts), runs=9) as runs:
            budget = SharedBudget(Allowance(calls=9), Spent())
            with spending(budget):
                asked = asyncio.ensure_future(all_ask(runs))
                await until(lambda: sum(under_way(provider, host) for host in hosts) == 9)
                hosts[0].kill()
                replies = await asked
        told = [remark for run in runs for remark in run.remarks if "instead" in remark]
        counted = [host.calls() for host in hosts[1:]]
    assert [(reply.text, reply.usage.calls) for reply in replies] == [("Aye.", 1)] * 9
    assert sum(counted) == 9, "each question was answered once"
    assert budget.spent.calls == 9
    assert budget.spent.tokens == sum(
        reply.usage.prompt_tokens + reply.usage.completion_tokens for reply in replies
    )
    assert len(told) == 3 and all(hosts[0].address in one and "answered instead" in one for one in told)


def under_way(provider: str, host: ModelHost) -> int:
    address = f"{host.address}/v1" if provider == "openai" else host.address
    known = host_at(provider, address)
    return known.view(ModelId.parse(f"{provider}:bosun"), 0.0, admits=True).under_way


async def until(ready: Any, seconds: float = 20.0) -> None:
    async with asyncio.timeout(seconds):
        while not ready():
            await asyncio.sleep(0.01)


class Nothing(TypedDict):
    nothing: str


async def test_a_live_model_killed_in_the_middle_of_its_words_is_followed_by_another() -> None:
    with started("tests.support.ollama_server") as one, started("tests.support.ollama_server") as other:
        hosts = {host.address: host for host in (one, other)}
        async with asking("ollama", list(hosts), name=MODEL, max_tokens=60) as (run,):
            said: list[Reply] = []

            async def node(_: Nothing) -> Nothing:
                said.append(await run.text("worker", [HumanMessage("Tell a long story about a ship.")]))
                return {"nothing": ""}

            graph = StateGraph(Nothing)
            graph.add_node("speaker", node)
            graph.add_edge(START, "speaker")
            graph.add_edge("speaker", END)
            killed, spoken = "", 0
            async for chunk, _told in graph.compile().astream({"nothing": ""}, stream_mode="messages"):  # type: ignore[misc]  # pairs in this mode
                spoken += bool(chunk.text)  # type: ignore[union-attr]  # as above
                if spoken == 3 and not killed:
                    (killed,) = [address for address, host in hosts.items() if under_way("ollama", host)]
                    hosts[killed].kill()
            (remark,) = run.remarks
    (reply,) = said
    assert killed in remark and "broke off" in remark
    assert reply.text and reply.usage.calls == 1 and reply.usage.completion_tokens > 0


@PROVIDERS
async def test_a_server_that_hangs_is_given_up_long_before_the_calls_own_time(
    script: Path, provider: str
) -> None:
    with paced(script, latency=3.0) as slow, paced(script, latency=3.0) as well:
        async with asking(provider, addresses([slow, well]), runs=2, timeout=100.0) as runs:
            asked = asyncio.ensure_future(all_ask(runs))
            await until(lambda: under_way(provider, slow) == 1)
            await until(lambda: host_at(provider, path(provider, slow)).answers_busy)
            slow.hang()
            async with asyncio.timeout(60):
                replies = await asked
        told = [remark for run in runs for remark in run.remarks if "instead" in remark]
    assert [reply.usage.calls for reply in replies] == [1, 1]
    assert len(told) == 1 and "fell silent" in told[0]


def path(provider: str, host: ModelHost) -> str:
    return f"{host.address}/v1" if provider == "openai" else host.address


async def test_a_server_that_hangs_from_the_beginning_is_not_asked(script: Path) -> None:
    with paced(script) as stuck, paced(script) as well:
        stuck.hang()
        async with asking("ollama", addresses([stuck, well]), runs=4) as runs:
            async with asyncio.timeout(20):
                assert len(await all_ask(runs)) == 4
        assert well.calls() == 4
        told = [run.remarks for run in runs]
    assert all(len(one) == 1 and stuck.address in one[0] and "was away" in one[0] for one in told)


async def test_a_model_that_is_slow_on_a_server_that_is_well_is_not_asked_of_another(script: Path) -> None:
    with paced(script, latency=30.0) as one, paced(script, latency=30.0) as other:
        async with asking("ollama", addresses([one, other]), timeout=1.0) as (run,):
            with pytest.raises(ModelTimeout, match="within 1 seconds"):
                await run.text("worker", ASK)
            assert sum(under_way("ollama", host) for host in (one, other)) == 0


@PROVIDERS
async def test_a_server_that_answers_with_an_error_of_its_own_is_passed_over(
    tmp_path: Path, script: Path, provider: str
) -> None:
    broken = written(tmp_path, "broken", "roles: {bosun: [{error: failed}]}")
    with paced(broken) as bad, paced(script) as good:
        async with asking(provider, addresses([bad, good]), runs=6) as runs:
            replies = await all_ask(runs)
        assert good.calls() == 6 and [reply.usage.calls for reply in replies] == [1] * 6
    told = [remark for run in runs for remark in run.remarks]
    assert told and all("500" in remark for remark in told)


async def test_a_server_that_starts_late_or_comes_back_is_asked_again(script: Path) -> None:
    port = free_port()
    with paced(script, latency=0.0) as early:
        async with asking("ollama", [f"http://127.0.0.1:{port}", early.address], runs=4) as runs:
            assert len(await all_ask(runs)) == 4 and early.calls() == 4
            for _ in range(2):
                with paced(script, latency=0.0, port=port) as late:
                    async with asyncio.timeout(30):
                        while not late.calls():
                            await all_ask(runs)
                            await asyncio.sleep(0.1)
                assert len(await all_ask(runs)) == 4, "it is gone again"


@PROVIDERS
async def test_a_model_that_one_of_three_does_not_have_is_asked_of_the_others(
    tmp_path: Path, script: Path, provider: str
) -> None:
    other = written(tmp_path, "other", "roles: {cook: ['Soup.']}")
    with paced(script) as one, paced(other) as without, paced(script) as two:
        async with asking(provider, addresses([one, without, two]), runs=8) as runs:
            replies = await all_ask(runs, times=2)
        if provider == "ollama":
            assert (one.calls() + two.calls(), without.calls()) == (16, 0)
            assert one.calls() and two.calls()
    # A server of the other kind may serve what it does not list; this one says it does not.
    assert len(replies) == 16 and {reply.text for reply in replies} == {"Aye."}


@PROVIDERS
async def test_when_all_are_away_each_is_named_with_what_it_said(script: Path, provider: str) -> None:
    gone = [f"http://127.0.0.1:{free_port()}" for _ in range(3)]
    async with asking(provider, gone) as (run,):
        with pytest.raises(ModelUnavailable) as raised:
            await run.text("worker", ASK)
    assert all(address in raised.value.what for address in gone) and "refused" in raised.value.what
    assert "reflect doctor" in raised.value.remedy


async def test_when_all_are_away_the_fallback_answers(tmp_path: Path) -> None:
    spare = written(tmp_path, "spare", "default: ['From the spare.']")
    gone = [f"http://127.0.0.1:{free_port()}" for _ in range(2)]
    async with asking("ollama", gone, fallback=f"scripted:{spare}") as (run,):
        reply = await run.text("worker", ASK)
    assert (reply.text, reply.usage.model) == ("From the spare.", f"scripted:{spare}")


async def test_a_model_that_nobody_has_is_missing(script: Path) -> None:
    with started("tests.support.ollama_server") as one, started("tests.support.ollama_server") as two:
        async with asking("ollama", addresses([one, two]), name="nothing:7b") as (run,):
            with pytest.raises(ModelMissing) as raised:
                await run.text("worker", ASK)
    assert all(host.address in raised.value.what for host in (one, two))
    assert "ollama pull nothing:7b" in raised.value.remedy


class Answering(BaseHTTPRequestHandler):
    """Answers every chat with one status, and says that it has the model."""

    status: int
    asked: list[dict[str, str]]

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
        """Keep standard error for real problems."""

    def do_GET(self) -> None:  # noqa: N802  # the base class finds methods by this name
        self.asked.append(dict(self.headers))
        self._answer(self.status if self.status < 400 else 200, {"data": [{"id": "bosun"}]})

    def do_POST(self) -> None:  # noqa: N802  # as above
        self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append({"post": self.path})
        self._answer(self.status, {"error": {"message": "not today"}})

    def _answer(self, status: int, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        if status in (301, 302, 307):
            self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/elsewhere")  # type: ignore[attr-defined]  # an HTTP server has one
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(data)


@contextmanager
def answering(status: int) -> Iterator[tuple[str, list[dict[str, str]]]]:
    handler = type("Handler", (Answering,), {"status": status, "asked": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", handler.asked  # type: ignore[attr-defined]  # made above
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 502, 503])
async def test_whatever_a_server_says_of_itself_another_one_answers(script: Path, status: int) -> None:
    with answering(status) as (address, asked), paced(script) as well:
        async with asking("openai", [address, well.address], runs=6) as runs:
            assert {reply.text for reply in await all_ask(runs)} == {"Aye."}
        assert well.calls() == 6 and [one for one in asked if "post" in one]


async def test_a_question_that_is_refused_is_not_asked_of_others() -> None:
    with answering(400) as (one, first), answering(400) as (other, second):
        async with asking("openai", [one, other]) as (run,):
            with pytest.raises(ModelRequestRefused, match="not today"):
                await run.text("worker", ASK)
    assert len([asked for asked in (*first, *second) if "post" in asked]) == 1


async def test_a_key_that_is_not_set_is_no_failure_of_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FLEET_KEY", raising=False)
    with answering(200) as (one, first), answering(200) as (other, second):
        async with asking("openai", [one, other], api_key_env="FLEET_KEY") as (run,):
            with pytest.raises(ModelUnavailable, match="FLEET_KEY"):
                await run.text("worker", ASK)
    assert first == second == []


def test_a_look_sends_the_key_to_its_server_and_to_no_other() -> None:
    with answering(200) as (address, asked):
        assert openai_status(address, "secret", 2.0).models == ("bosun",)
    assert [one["Authorization"] for one in asked] == ["Bearer secret"]
    with answering(200) as (address, asked):
        behind_a_login = address.replace("//", "//me:p%40ss@")
        assert openai_status(behind_a_login, "", 2.0).reachable
        ollama_status(behind_a_login, 2.0)
    login = "Basic " + base64.b64encode(b"me:p@ss").decode()
    assert {one["Authorization"] for one in asked} == {login}
    with answering(307) as (address, asked):
        openai_status(address, "secret", 2.0)
    assert len(asked) == 1, "it does not follow"


def test_a_run_that_names_no_model_takes_one_of_a_server_that_answers() -> None:
    with started("tests.support.ollama_server") as host:
        away = f"http://127.0.0.1:{free_port()}"
        settings = Settings.model_validate({"models": {"default": {"base_urls": [away, host.address]}}})
        choice = choose_model(settings)
        reports = survey(settings, 2.0)
    assert str(choice.model_id) == f"ollama:{MODEL}" and host.address in choice.reason
    assert [(one.address, one.health.answers, one.others) for one in reports] == [
        (away, False, 1),
        (host.address, True, 0),
    ]


async def test_two_processes_share_servers(tmp_path: Path, script: Path) -> None:
    """State is each process's own; together they still get every answer, once."""
    with three(script) as hosts:
        urls = json.dumps(addresses(hosts))
        code = (
            "import asyncio\n"
            "from tests.integration.test_fleet import all_ask, asking\n"
            "async def main():\n"
            f"    async with asking('ollama', {urls}, runs=6) as runs:\n"
            "        print(len(await all_ask(runs, times=3)))\n"
            "asyncio.run(main())\n"
        )
        processes = [
            await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
            for _ in range(2)
        ]
        said = [(await process.communicate())[0].decode().strip() for process in processes]
        counted = [host.calls() for host in hosts]
    assert said == ["18", "18"] and sum(counted) == 36 and min(counted) > 0


async def test_errors_are_our_own_however_a_server_ends(script: Path) -> None:
    """One after the other dies while it is asked; the last death is told as one of the models' errors."""
    with three(script, latency=5.0) as hosts:
        async with asking("ollama", addresses(hosts)) as (run,):
            asked = asyncio.ensure_future(run.text("worker", ASK))
            for _ in hosts:
                await until(lambda: any(under_way("ollama", host) for host in hosts))
                (busy,) = [host for host in hosts if under_way("ollama", host)]
                busy.kill()
                await until(lambda busy=busy: not under_way("ollama", busy))
            with pytest.raises(ModelError) as raised:
                await asked
    assert all(host.address in raised.value.what for host in hosts)
    assert raised.value.usage is not None and raised.value.usage.calls == 1


async def test_telemetry_counts_each_question_once_and_names_who_answered(
    tmp_path: Path, script: Path
) -> None:
    broken = written(tmp_path, "broken", "roles: {bosun: [{error: failed}]}")
    kept = Kept.anew()
    with paced(broken) as bad, paced(script) as good:
        async with asking("ollama", addresses([bad, good]), runs=6) as runs:
            with within(Scope("run")):
                attach(kept.recorder, {})
                await all_ask(runs)
    moved = sum(any("instead" in line for line in run.remarks) for run in runs)
    kinds = {dict(key)[names.RECOVERY]: amount for key, amount in kept.sums(names.RECOVERIES).items()}
    assert moved and kinds == {"host_failover": moved}
    assert sum(kept.sums(names.MODEL_CALLS).values()) == 6
    spans = [dict(span.attributes or {}) for span in kept.spans() if span.name.startswith("chat ")]
    assert [span[names.SERVER_PORT] for span in spans] == [int(good.address.rpartition(":")[2])] * 6
