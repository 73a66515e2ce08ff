from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import ROOT
from tests.tools.places import SECRET, Project, confinement
from tools.errors import SandboxUnavailable
from tools.process import Segment, run_segment
from tools.sandbox.protected import prepared

LEVELS = ("bwrap", "landlock")
ATTACKS = [
    "echo x > .git/hooks/pre-commit",
    "echo x > .git/hooks/pwned",
    "echo x >> .git/config",
    "echo x > .git/config.worktree",
    "echo x > .git/commondir",
    "echo x > .git/info/attributes",
    "rm -rf .git",
    "mv .git gone",
    "mv .git gone; mkdir -p .git/hooks; echo x > .git/hooks/pwned; false",
    "mv .git/hooks .git/gone",
    "ln .git/config src/pwned",
    "ln -s /tmp .git/hooks/pwned",
    "echo x > .git/modules/sub/config",
    "echo 'gitdir: /tmp' > sub/.git",
    "rm sub/.git",
    "mv sub gone",
    "mv sub gone; mkdir sub; echo 'gitdir: /tmp' > sub/.git; false",
    "mv deep/er/repo/.git/config deep/er/repo/.git/gone",
    "mv deep gone",
    "mv deep/er gone",
    "echo x > deep/er/repo/.git/hooks/pwned",
    "echo x > .reflect/config.yaml",
    "rm -rf .reflect",
    "mv .reflect gone",
    "echo x > ../outside/secret.txt",
    "echo x > dirlink/pwned",
    "cat ../outside/secret.txt",
    "cat link_out",
    "ls /home",
    "echo x > /usr/pwned",
    "chmod 777 ../outside/secret.txt",
    "mount -o remount,rw .git",
    "umount .git",
    "unshare -rm umount .git",
]


@pytest.fixture
def target(project: Project) -> Project:
    """A project with a repository, a submodule's `.git` file, a nested repository, and settings of ours."""
    root = project.root
    project.git("init", "-q", "-b", "main")
    for place in (".git/modules/sub", "sub", "deep/er/repo", ".reflect"):
        (root / place).mkdir(parents=True)
    (root / ".git/modules/sub/config").write_text("[core]\n")
    (root / "sub/.git").write_text("gitdir: ../.git/modules/sub\n")
    project.git("init", "-q", root=root / "deep/er/repo")
    (root / ".reflect/config.yaml").write_text("profile: dev\n")
    return project


async def shell(project: Project, level: str, script: str, **more: object) -> Segment:
    limits = confinement(project.root, level, writable=True, **more)  # type: ignore[arg-type]  # of Confinement
    return await run_segment([["sh", "-c", script]], None, limits, 100_000)


def kept(project: Project) -> dict[str, tuple[object, ...]]:
    """Status of everything that is protected, and of all outside."""
    found = project.snapshot()
    protected = ("root/.git", "root/.reflect", "root/sub/.git", "root/deep/er/repo/.git", "outside")
    # Of an inode, times of its directory change when another name of it is made; the content counts.
    return {name: status for name, status in found.items() if name.startswith(protected)}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("script", ATTACKS)
async def test_what_git_runs_next_time_is_never_written(script: str, level: str, target: Project) -> None:
    before = kept(target)
    segment = await shell(target, level, script)
    assert segment.returncodes != [0] and SECRET.encode() not in segment.stdout
    assert kept(target) == before


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", [".git", ".reflect"])
@pytest.mark.parametrize(
    "script",
    [
        "mkdir {0}",
        "mkdir -p {0}/hooks && echo x > {0}/hooks/pwned",
        "echo x > {0}",
        "ln -s src {0}",
        "mv src {0}",
        "rmdir {0}; mv src {0}",
        "echo x > {0}/config",
    ],
)
async def test_what_is_missing_cannot_be_made(script: str, name: str, level: str, project: Project) -> None:
    segment = await shell(project, level, script.format(name))
    assert segment.returncodes != [0]
    assert not os.path.lexists(project.root / name)


@pytest.mark.parametrize("level", LEVELS)
async def test_the_rest_of_the_root_is_written(level: str, target: Project) -> None:
    script = "echo a > src/new && mkdir src/dir && mv src/new src/dir/ && rm a.py && echo b >> notes.txt"
    if level == "landlock":
        script = script.replace("rm a.py", "rm src/b.py")
    segment = await shell(target, level, script)
    assert (segment.returncodes, segment.stderr) == ([0], b"")
    assert (target.root / "src/dir/new").read_text() == "a\n"
    assert (target.root / "notes.txt").read_text().endswith("b\n")


async def test_in_namespaces_a_new_file_stands_in_the_root_and_under_landlock_it_is_refused(
    target: Project,
) -> None:
    assert (await shell(target, "bwrap", "echo x > new && chmod 600 new")).returncodes == [0]
    assert (target.root / "new").read_text() == "x\n"
    assert (await shell(target, "landlock", "echo x > newer")).returncodes != [0]


@pytest.mark.parametrize("level", LEVELS)
async def test_runs_at_once_share_the_places_they_hold(level: str, project: Project) -> None:
    scripts = [f"sleep 0.{number}; mkdir -p .git/hooks" for number in range(4)]
    segments = await asyncio.gather(*(shell(project, level, script) for script in scripts))
    assert all(segment.returncodes != [0] for segment in segments)
    assert not (project.root / ".git").exists() and not (project.root / ".reflect").exists()


@pytest.mark.parametrize("level", LEVELS)
async def test_temporary_files_are_private_and_gone(level: str, project: Project) -> None:
    script = 'place=${TMPDIR:-/tmp}; echo x > "$place/private" && echo "$place"'
    segment = await shell(project, level, script)
    assert segment.returncodes == [0]
    assert not Path(segment.stdout.decode().strip(), "private").exists()


@pytest.mark.parametrize("level", LEVELS)
async def test_programs_of_the_root_run_and_those_outside_do_not(level: str, project: Project) -> None:
    tool = project.root / "src" / "tool.sh"
    tool.write_text("#!/bin/sh\necho ran $1\n")
    tool.chmod(0o755)
    limits = confinement(project.root, level, writable=True)
    for name in ("./src/tool.sh", "src/tool.sh", str(tool)):
        assert (await run_segment([[name, "it"]], None, limits, 1000)).stdout == b"ran it\n"
    (project.outside / "tool.sh").write_text("#!/bin/sh\n")
    (project.outside / "tool.sh").chmod(0o755)
    for name in (
        "../outside/tool.sh",
        "dirlink/tool.sh",
        "src/nothing",
        "./notes.txt",
        "/sbin/../etc/passwd",
    ):
        with pytest.raises(SandboxUnavailable, match="program"):
            await run_segment([[name]], None, limits, 1000)


@pytest.mark.parametrize("level", LEVELS)
async def test_an_interpreter_is_readable_when_it_is_named(level: str, project: Project) -> None:
    prefix = Path(sys.base_prefix).resolve()
    limits = confinement(project.root, level, writable=True, readable=(prefix,))
    command = [str(prefix / "bin" / "python3"), "-I", "-c", "open('src/x', 'w').write('y'); print('done')"]
    segment = await run_segment([command], None, limits, 1000)
    assert (segment.stdout, segment.stderr) == (b"done\n", b"")
    assert (project.root / "src/x").read_text() == "y"


@pytest.mark.parametrize("level", LEVELS)
async def test_a_readable_directory_inside_stays_read_only(level: str, project: Project) -> None:
    readable = (project.root / "src",)
    assert (await shell(project, level, "cat src/b.py", readable=readable)).returncodes == [0]
    assert (await shell(project, level, "echo x > src/b.py", readable=readable)).returncodes != [0]
    assert (await shell(project, level, "mv src gone", readable=readable)).returncodes != [0]


def test_a_writable_root_under_the_policy_alone_is_refused(project: Project) -> None:
    with pytest.raises(SandboxUnavailable, match="needs a sandbox"):
        prepared(confinement(project.root, "policy", writable=True))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", [".git", ".reflect", "src/.git"])
def test_a_link_that_cannot_be_protected_is_refused(level: str, name: str, project: Project) -> None:
    (project.root / name).symlink_to(project.outside)
    with pytest.raises(SandboxUnavailable, match="symbolic link"):
        prepared(confinement(project.root, level, writable=True))


HOLDER = """
import subprocess
import sys
from pathlib import Path
from tests.tools.places import confinement
from tools.sandbox.protected import prepared
ground = prepared(confinement(Path(sys.argv[1]), "bwrap", writable=True))
print("held", flush=True)
sys.stdin.readline()
ground.close()
print("let go", flush=True)
"""


@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_a_place_is_held_until_the_last_run_of_any_process_has_ended(project: Project, first: str) -> None:
    command = [sys.executable, "-c", HOLDER, str(project.root)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT}
    ours = prepared(confinement(project.root, "bwrap", writable=True))
    with subprocess.Popen(command, **pipes) as other:  # type: ignore[call-overload]  # a mapping of options
        assert other.stdout.readline() == "held\n"

        def let_go() -> None:
            other.stdin.write("\n")
            other.stdin.flush()
            assert other.stdout.readline() == "let go\n"

        for end in (ours.close, let_go) if first == "ours" else (let_go, ours.close):
            assert (project.root / ".git").is_dir(), "somebody still stands on it"
            end()
    assert not (project.root / ".git").exists()


def test_an_empty_directory_that_was_there_before_stays(project: Project) -> None:
    (project.root / ".git").mkdir()
    prepared(confinement(project.root, "bwrap", writable=True)).close()
    assert (project.root / ".git").is_dir()


def test_a_place_that_was_put_to_use_meanwhile_stays(project: Project) -> None:
    ground = prepared(confinement(project.root, "bwrap", writable=True))
    (project.root / ".git" / "config").write_text("mine\n")
    ground.close()
    assert (project.root / ".git" / "config").read_text() == "mine\n"


@pytest.mark.parametrize("content", [(), ("HEAD",)])
def test_what_somebody_put_in_a_place_stays_and_hinders_no_end(
    content: tuple[str, ...], project: Project
) -> None:
    place = project.root / ".git"
    ground = prepared(confinement(project.root, "bwrap", writable=True))
    place.rmdir()
    place.mkdir()
    for name in content:
        (place / name).touch()
    os.utime(place, (0, 0))
    ground.close()
    assert [path.name for path in place.iterdir()] == list(content)
    assert not (project.root / ".reflect").exists()


def test_a_place_that_cannot_be_closed_keeps_no_other_from_it(project: Project) -> None:
    ground = prepared(confinement(project.root, "bwrap", writable=True))
    first = ground.held[0]
    os.close(first.descriptor)
    with pytest.raises(OSError, match="Bad file descriptor"):
        ground.close()
    assert first.path.name == ".git" and not (project.root / ".reflect").exists()
