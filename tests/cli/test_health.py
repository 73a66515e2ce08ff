from __future__ import annotations

import asyncio
import platform
from pathlib import Path

import pytest

from cli.health import all_checks
from cli.health_check import Check
from memory.checkpoints import open_checkpointer
from tests.cli.conftest import NO_SERVER
from tests.tools.places import sandbox
from tools.sandbox.confinement import Sandbox

pytestmark = pytest.mark.usefixtures("home")
NAMES = [
    "python",
    "settings",
    "ollama",
    "embedded model",
    "model in use",
    "embeddings",
    "goal embeddings",
    "sandbox",
    "project corpus",
    "global corpus",
    "checkpoints",
]


@pytest.fixture
def root(home: Path) -> Path:
    root = home / "work"
    root.mkdir()
    return root


def look(root: Path, name: str) -> Check:
    return next(check for check in all_checks(str(root)) if check.name == name)


def configure(root: Path, text: str) -> Path:
    file = root / ".reflect" / "config.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


def test_everything_is_looked_at_in_the_order_a_run_meets_it(root: Path) -> None:
    assert [check.name for check in all_checks(str(root))] == NAMES


def test_looking_changes_nothing(root: Path, home: Path) -> None:
    all_checks(str(root))
    assert [path.name for path in home.rglob("*")] == ["work"]


def test_whatever_is_not_ok_says_what_to_do(root: Path) -> None:
    configure(root, "model: nonsense\nembeddings: {name: nonsense}\n")
    configure(root.parent, "tools: {sandbox: policy}\n")
    (root / ".reflect" / "checkpoints.sqlite").write_bytes(b"no database" * 20)
    checks = all_checks(str(root))
    verdicts = {check.name: check.verdict for check in checks}
    assert [verdicts[name] for name in ("model in use", "embeddings", "checkpoints")] == ["problem"] * 3
    assert verdicts["sandbox"] == "warning"
    assert [check.name for check in checks if (check.verdict == "ok") == bool(check.remedy)] == []


def test_one_problem_does_not_keep_the_rest_from_being_looked_at(root: Path) -> None:
    configure(root, "model: nonsense\n")
    assert [check.name for check in all_checks(str(root))] == NAMES


def test_python_is_the_one_that_runs(root: Path) -> None:
    assert look(root, "python").found.startswith(platform.python_version())


def test_settings_files_in_use_are_named(root: Path) -> None:
    assert look(root, "settings").found == "defaults only"
    file = configure(root, "profile: dev\n")
    assert look(root, "settings").found == str(file)


@pytest.mark.parametrize("text", ["profil: dev\n", "graph: [unclosed\n", "graph: {max_iterations: many}\n"])
def test_settings_that_are_wrong_end_the_looking(root: Path, text: str) -> None:
    file = configure(root, text)
    checks = all_checks(str(root))
    assert [(check.name, check.verdict) for check in checks] == [("python", "ok"), ("settings", "problem")]
    assert str(file) in checks[-1].found


def test_a_project_that_says_more_than_it_may_is_a_problem_until_it_is_trusted(root: Path) -> None:
    file = configure(root, "tools: {approval: 'yes'}\n")
    last = all_checks(str(root))[-1]
    assert (last.name, last.verdict) == ("settings", "problem")
    assert last.found.startswith(f"file {file}:1: `tools.approval` is ") and str(root) in last.remedy
    users = configure(root.parent, f"trusted_projects: [{root}]\n")
    check = look(root, "settings")
    assert check.verdict == "ok" and check.found.startswith(f"{users}, {file}; ")
    assert check.found.endswith(f"trusted by file {users}:1, the project's gives tools.approval")


def test_a_root_that_is_not_there_is_a_problem(root: Path) -> None:
    last = all_checks(str(root / "nowhere"))[-1]
    assert last.verdict == "problem" and "does not exist" in last.found and "--root" in last.remedy


def test_each_of_several_servers_is_looked_at(root: Path) -> None:
    servers = f"{{default: {{base_urls: [{NO_SERVER}, 'none://there']}}}}"
    configure(root.parent, f"model: 'ollama:a:7b'\nmodels: {servers}\n")
    checks = {check.name: check for check in all_checks(str(root))}
    assert [name for name in checks if name.startswith("host")] == ["host 1", "host 2"]
    for name, address in (("host 1", NO_SERVER), ("host 2", "none://there")):
        assert checks[name].verdict == "problem" and address in checks[name].found
        assert "base_urls" in checks[name].remedy
    assert "2 servers" in checks["ollama"].found
    assert checks["model in use"].verdict == "problem" and "none://there" in checks["model in use"].found


def test_servers_a_profile_forbids_are_not_looked_at(root: Path) -> None:
    servers = "{default: {base_urls: ['http://127.0.0.1:2', 'http://gpu.invalid:2']}}"
    configure(root.parent, f"profile: sovereign\nmodel: 'ollama:a:7b'\nmodels: {servers}\n")
    checks = {check.name: check for check in all_checks(str(root))}
    assert not [name for name in checks if name.startswith("host")]
    assert "sovereign" in checks["model in use"].found and "gpu.invalid" in checks["model in use"].found


def test_an_ollama_that_does_not_answer_is_a_warning(root: Path) -> None:
    check = look(root, "ollama")
    assert check.verdict == "warning" and NO_SERVER in check.found and "ollama serve" in check.remedy


def test_the_model_in_use_says_why(root: Path) -> None:
    configure(root, "model: scripted:nothing\n")
    assert look(root, "model in use").found == "scripted:nothing (as set)"


def test_a_model_that_is_set_but_not_there_is_a_problem(root: Path) -> None:
    configure(root, "model: ollama:a:7b\n")
    check = look(root, "model in use")
    assert check.verdict == "problem" and NO_SERVER in check.found and "ollama pull a:7b" in check.remedy


@pytest.mark.parametrize("model", ["model: ollama:a:7b\n", ""])
def test_a_login_in_an_address_is_shown_nowhere(
    root: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "none://bob:hunter2@192.0.2.7")
    configure(root, model)
    checks = all_checks(str(root))
    assert "hunter2" not in str(checks)
    assert "[hidden]@192.0.2.7" in look(root, "ollama").found


def test_a_model_the_profile_forbids_is_a_problem(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "none://192.0.2.7")
    configure(root, "model: ollama:x\nprofile: sovereign\n")
    check = look(root, "model in use")
    assert check.verdict == "problem" and "192.0.2.7" in check.found and check.remedy


def test_embeddings_are_tried_out(root: Path) -> None:
    check = look(root, "embeddings")
    assert (check.verdict, check.found) == ("ok", "minilm-l6-v2-int8, 384 dimensions")


def test_calls_that_are_not_isolated_are_a_warning(root: Path) -> None:
    configure(root.parent, "tools: {sandbox: policy}\n")
    check = look(root, "sandbox")
    assert check.verdict == "warning" and check.found.startswith("policy") and "bubblewrap" in check.remedy


def test_the_level_of_isolation_is_named(root: Path) -> None:
    for level, name in (("bwrap", "bubblewrap"), ("landlock", "Landlock and seccomp")):
        sandbox(level)
        configure(root, f"tools: {{sandbox: {level}}}\n")
        check = look(root, "sandbox")
        assert (check.verdict, check.found) == ("ok", name)


def test_a_level_below_the_highest_says_why(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Sandbox("landlock", reason="bubblewrap is not installed", filtered=True)
    monkeypatch.setattr("tools.toolbox.choose", lambda setting: found)
    check = look(root, "sandbox")
    assert (check.verdict, check.found) == ("ok", "Landlock and seccomp (bubblewrap is not installed)")
    monkeypatch.setattr("tools.toolbox.choose", lambda setting: Sandbox("bwrap", filtered=False))
    check = look(root, "sandbox")
    assert check.verdict == "warning" and "without a system-call filter" in check.found and check.remedy


def test_a_level_that_does_not_work_is_a_problem(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    none = Sandbox("policy", reason="bubblewrap is not installed")
    monkeypatch.setattr("tools.sandbox.probe.probe_bwrap", lambda: none)
    configure(root, "tools: {sandbox: bwrap}\n")
    check = look(root, "sandbox")
    assert check.verdict == "problem" and "bubblewrap is not installed" in check.found and check.remedy


@pytest.mark.parametrize("name", ["project corpus", "global corpus"])
def test_a_corpus_counts_its_events_and_the_lines_nobody_can_read(root: Path, home: Path, name: str) -> None:
    place = root if name == "project corpus" else home
    events = place / ".reflect" / "experience" / "events.jsonl"
    assert look(root, name).found == f"0 events, 0 unreadable lines ({events})"
    events.parent.mkdir(parents=True)
    events.write_text("garbage\n[]\n")
    check = look(root, name)
    assert (check.verdict, check.found) == ("warning", f"0 events, 2 unreadable lines ({events})")
    assert events.read_text() == "garbage\n[]\n"


@pytest.mark.parametrize("text", ["experience: {enabled: false}\n", "profile: safe\nmodel: scripted:x\n"])
def test_a_corpus_that_is_off_is_no_problem(root: Path, text: str) -> None:
    configure(root, text)
    assert [look(root, name).found for name in ("project corpus", "global corpus")] == ["off", "off"]


async def make_database(path: Path) -> None:
    async with open_checkpointer(path, 1):
        pass


def test_checkpoints_tell_their_size(root: Path) -> None:
    assert look(root, "checkpoints").found == "none yet (.reflect/checkpoints.sqlite)"
    path = root / ".reflect" / "checkpoints.sqlite"
    asyncio.run(make_database(path))
    assert (
        look(root, "checkpoints").found
        == f"{path.stat().st_size} bytes (.reflect/checkpoints.sqlite), 0 threads, in the clear"
    )


def test_checkpoints_that_cannot_be_read_are_a_problem_and_left_alone(root: Path) -> None:
    path = root / ".reflect" / "checkpoints.sqlite"
    path.parent.mkdir()
    path.write_bytes(b"no database" * 20)
    check = look(root, "checkpoints")
    assert check.verdict == "problem" and str(path) in check.found and "mv " in check.remedy
    assert path.read_bytes() == b"no database" * 20
