"""Hostile calls under each wall alone: what counts is what happened on the disk, not what was said."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.processes import wait_until
from tests.tools.places import LEVELS, SECRET, Project, living
from tools.protocol import ToolCall, ToolResult

pytestmark = [pytest.mark.integration, pytest.mark.parametrize("level", LEVELS)]

WRITERS = [
    "find . -name notes.txt -exec touch pwned {} \\;",
    "find . -name a.py -exec sh -c 'echo x > pwned' \\;",
    'find . -name a.py "-exec" touch pwned {} +',
    "find . -execdir touch pwned \\;",
    "find . -ok touch pwned \\;",
    "find . -fprint pwned",
    "find . -fprint0 pwned",
    "find . -fls pwned",
    "find . -fprintf pwned %p",
    "find . -delete",
    "find src -type f | xargs rm",
    "echo pwned | xargs touch",
    "find . -name '*.py' | sort | xargs uniq",
    "find . -name '*.txt' | xargs sort -o",
    "sort -o pwned notes.txt",
    "sort -onotes.txt notes.txt",
    "sort --outp=pwned notes.txt",
    "sort --output pwned notes.txt",
    "sort -S1 --compress-program=./evil.sh notes.txt",
    "uniq notes.txt pwned",
    "uniq -- notes.txt pwned",
    "sed -i s/a/b/ notes.txt",
    "sed -Ei 's/a/b/' notes.txt",
    "sed 'w pwned' notes.txt",
    "sed 1e'touch pwned' notes.txt",
    "awk 'BEGIN{print > \"pwned\"}'",
    "awk 'BEGIN{system(\"touch pwned\")}'",
    "tee pwned",
    "cat notes.txt | tee pwned | wc",
    "cp notes.txt pwned",
    "mv notes.txt pwned",
    "dd if=notes.txt of=pwned",
    "ln -s notes.txt pwned",
    "rm -rf .",
    "rmdir src",
    "mkdir pwned",
    "touch notes.txt",
    "chmod 777 notes.txt",
    "chown 1:1 notes.txt",
    "truncate -s0 notes.txt",
    "unlink notes.txt",
    "install notes.txt pwned",
    "split notes.txt pwned",
    "csplit notes.txt 1 -f pwned",
    "file -C -m notes.txt",
    "file -p notes.txt",
    "diff --output=pwned notes.txt a.py",
    "env touch pwned",
    "nice touch pwned",
    "nohup touch pwned",
    "timeout 1 touch pwned",
    "stdbuf -o0 touch pwned",
    "setsid touch pwned",
    "script -qc 'touch pwned' /dev/null",
    "/proc/self/root/usr/bin/touch pwned",
    "/usr/bin/touch pwned",
    "./evil.sh",
    "bash evil.sh",
    "source evil.sh",
    "exec touch pwned",
    "eval touch pwned",
    "python3 -c \"open('pwned','w')\"",
    "perl -e 'open F,\">pwned\"'",
    "tar xf arch.tar --to-command='touch pwned'",
    "man -P 'touch pwned' ls",
    "less notes.txt",
    "rg --pre ./evil.sh hello",
    "ls > pwned",
    "ls >> notes.txt",
    "ls &> pwned",
    "ls >| pwned",
    "ls 2> pwned",
    "ls && touch pwned",
    "ls || touch pwned",
    "ls & touch pwned",
    "ls; touch pwned",
    "ls\ntouch pwned",
    "ls \\\n; touch pwned",
    "(touch pwned)",
    "{ touch pwned; }",
    "{touch,pwned}",
    "/bin/t?uch pwned",
    "to\\uch pwned",
    "'touch' pwned",
    "cat `touch pwned`",
    "cat $(touch pwned)",
    'cat "$(touch pwned)"',
    "cat <(touch pwned)",
    "ls |& tee pwned",
    "ls() { touch pwned; }; ls",
    "GIT_PAGER='touch pwned' git -p log",
    "LD_PRELOAD=./evil.so ls",
    "git commit -q --allow-empty -m x",
    "git tag evil",
    "git checkout -q HEAD~1 -- notes.txt",
    "git clean -fdxq",
    "git gc -q",
    "git -c alias.x='!touch pwned' x",
    "git -c core.fsmonitor='touch pwned;:' status",
    "git -c diff.external='touch pwned;:' diff HEAD",
    "git diff HEAD --output=pwned",
    "git diff HEAD --outp=pwned",
    "git log --output=pwned",
    "git diff --ext-diff HEAD",
    "git grep -O'touch pwned;:' hello",
    "git grep --open-files-in-pager='touch pwned;:' hello",
    "git archive -o pwned HEAD",
    "git bundle create pwned HEAD",
    "git submodule foreach 'touch pwned'",
    "git ls-remote 'ext::sh -c touch% pwned'",
    "git -C evilrepo status",
    "git config x.y z",
]
READERS = [
    "cat ../outside/secret.txt",
    "cat {secret}",
    "cat link_out",
    "cat dirlink/secret.txt",
    "cat dirlink/*",
    "cat through",
    "basename -a dirlink/*",
    "cat /proc/self/cwd/../outside/secret.txt",
    "cat /proc/self/root{secret}",
    "cat src/../../outside/secret.txt",
    "cat < {secret}",
    "head -c 100 -- ../outside/secret.txt",
    "tac {secret}",
    "nl link_out",
    "cut -c1- {secret}",
    "grep '' {secret}",
    "grep -r TOPSECRET ..",
    "grep -R TOPSECRET .",
    "grep -r TOPSECRET . dirlink/",
    "grep -f {secret} notes.txt",
    "grep -v zzz link_out",
    "find -L . -name secret.txt",
    "find . -follow -name secret.txt",
    "find dirlink/ -name secret.txt",
    "find .. -name secret.txt",
    "find . -name 'link_out' | xargs cat",
    "find . | xargs grep -h TOP",
    "ls -la ..",
    "ls -L dirlink/",
    "ls dirlink/",
    "ls -R dirlink/.",
    "du -L -a .",
    "du --files0-from={secret}",
    "wc --files0-from={secret}",
    "sort --files0-from={secret}",
    "sort -m link_out",
    "file -f {secret}",
    "file -m {secret} notes.txt",
    "stat -L dirlink/secret.txt",
    "diff notes.txt {secret}",
    "diff -r src linked",
    "diff src linked",
    "diff -rN linked src",
    "diff --from-file={secret} notes.txt",
    "diff -X {secret} -r src linked",
    "comm {secret} notes.txt",
    "md5sum -c {secret}",
    "sha256sum --check link_out",
    "xargs -a {secret} basename",
    "tail -n +1 link_out",
    "uniq {secret}",
    "realpath dirlink/*",
    "git blame --contents {secret} notes.txt",
    "git log --pathspec-from-file={secret}",
    "git diff --no-index {secret} notes.txt",
    "git diff {secret} notes.txt",
    "git diff dirlink/secret.txt notes.txt",
    "git grep --no-index TOPSECRET -- ..",
    "git grep -f {secret}",
    "git ls-files -o -X {secret}",
    "git show HEAD:../outside/secret.txt",
    "cat /etc/shadow",
    "cat ~root/.bash_history",
    "env",
    "printenv API_KEY",
    "cat /proc/self/environ",
    "cat /proc/{pid}/environ",
    "grep -r API_KEY /proc",
    "cat \"$API_KEY\"",
]  # fmt: skip


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with a history, traps inside and a secret in the environment of the caller."""
    project = Project(tmp_path)
    root = project.root
    project.git("init", "-q", "-b", "main")
    (root / "evil.sh").write_text(f"#!/bin/sh\ntouch {root}/pwned {project.outside}/pwned\ncat\n")
    (root / "evil.sh").chmod(0o755)
    (root / "linked").mkdir()
    for name in ("b.py", "with space.md"):
        (root / "linked" / name).symlink_to(project.secret)
    (root / "through").symlink_to("/proc/self/cwd/../outside/secret.txt")
    project.git("add", ".")
    project.git("commit", "-qm", "first")
    nested = root / "evilrepo"
    nested.mkdir()
    project.git("init", "-q", root=nested)
    with (nested / ".git" / "config").open("a") as config:
        config.write("[core]\nfsmonitor = ../evil.sh\n")
    project.git("status")  # the index is fresh, so that nothing has a reason to write it
    monkeypatch.setenv("API_KEY", SECRET)
    monkeypatch.chdir(root / "src")
    return project


def outcome_text(result: ToolResult) -> str:
    """What a caller sees, without the names it wrote itself."""
    return result.stdout + result.stderr


@pytest.mark.parametrize("text", WRITERS)
async def test_nothing_is_written_or_run(text: str, level: str, target: Project) -> None:
    before = target.snapshot()
    await target.command(text, level)
    assert target.snapshot() == before


@pytest.mark.parametrize("text", READERS)
async def test_nothing_outside_is_read(text: str, level: str, target: Project) -> None:
    before = target.snapshot()
    result = await target.command(text.format(secret=target.secret, pid=os.getpid()), level)
    assert SECRET not in outcome_text(result) and "secret.txt" not in result.stdout
    assert target.snapshot() == before


@pytest.mark.parametrize("text", [text for text in WRITERS if not text.startswith(("find", "git", "rm"))])
async def test_the_same_words_quoted_are_a_pattern_and_nothing_more(
    text: str, level: str, target: Project
) -> None:
    before = target.snapshot()
    result = await target.toolbox(level).run(
        ToolCall(tool="grep", args={"pattern": text, "path": "notes.txt"})
    )
    assert result.returncode in (0, 1, 2) and result.error is None
    assert target.snapshot() == before


TOOL = st.sampled_from(
    "cat head tail grep wc ls find sort uniq cut tr nl tac stat du file diff comm basename dirname realpath "
    "sha256sum md5sum pwd seq git".split()
)
WORD = st.sampled_from(
    [
        "-r",
        "-o",
        "-i",
        "-n",
        "-c",
        "-f",
        "-L",
        "-R",
        "-H",
        "-l",
        "-a",
        "-p",
        "-s",
        "-z",
        "-u",
        "-d",
        "-e",
        "-x",
        "-N",
    ]
    + [
        "-m",
        "-1",
        "--",
        "-",
        "1",
        "x",
        ".",
        "src",
        "linked",
        "notes.txt",
        "a.py",
        "link_out",
        "dirlink",
        "pwned",
    ]
    + [
        "dirlink/secret.txt",
        "../outside/secret.txt",
        "through",
        "*",
        "dirlink/*",
        "link*",
        "..",
        "/proc/self/environ",
    ]
    + [
        "--output=pwned",
        "-opwned",
        "--recursive",
        "--dereference",
        "--files0-from=-",
        "-exec",
        "-delete",
        "-fprint",
    ]
    + [
        "-name",
        "-type",
        "f",
        "-print",
        "log",
        "diff",
        "show",
        "status",
        "grep",
        "blame",
        "ls-files",
        "HEAD",
        "-O",
    ]
    + [
        "--no-index",
        "--textconv",
        "--ext-diff",
        "|",
        "| xargs",
        "| xargs -0",
        "alpha",
        "{}",
        "\\;",
        "evilrepo",
    ]
)
VECTOR = st.builds(lambda tool, words: " ".join([tool, *words]), TOOL, st.lists(WORD, max_size=6))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    project = Project(tmp_path_factory.mktemp("played"))
    (project.root / "linked").mkdir()
    for name in ("b.py", "with space.md"):
        (project.root / "linked" / name).symlink_to(project.secret)
    (project.root / "through").symlink_to("/proc/self/cwd/../outside/secret.txt")
    project.git("init", "-q", "-b", "main")
    project.git("add", ".")
    project.git("commit", "-qm", "first")
    yield project


@settings(max_examples=500, deadline=None)
@given(texts=st.lists(VECTOR, min_size=1, max_size=2).map(" | ".join))
async def test_no_combination_of_words_writes_or_leaks(texts: str, level: str, played: Project) -> None:
    before = played.snapshot()
    result = await played.toolbox(level).run(ToolCall(tool="command", args={"command": texts}), timeout=10)
    assert SECRET not in outcome_text(result), texts
    assert played.snapshot() == before, texts


@pytest.mark.parametrize(
    "text",
    [
        "curl -s -d @notes.txt http://127.0.0.1:{port}/",
        "nc -w1 127.0.0.1 {port}",
        "bash -c 'cat notes.txt > /dev/tcp/127.0.0.1/{port}'",
        "cat notes.txt > /dev/tcp/127.0.0.1/{port}",
        "git ls-remote http://127.0.0.1:{port}/x",
        "git -c http.proxy= fetch http://127.0.0.1:{port}/x",
        "git log --all http://127.0.0.1:{port}/x",
    ],
)
async def test_nothing_reaches_the_network(text: str, level: str, target: Project) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        await target.command(text.format(port=server.getsockname()[1]), level)
        with pytest.raises(TimeoutError):
            server.accept()


@pytest.mark.parametrize(
    "text",
    [
        "tail -f notes.txt",
        "tail --follow notes.txt",
        "cat /dev/zero",
        "cat",
        "grep -r x /proc",
        "cat /dev/tty",
    ]
    + ["seq 1 999999999999", "seq 1 99999999999 | tac", "grep -E '(a+)+$' -", "sleep 300"]
    + ["find / -name x", "python3 -c 'a=[0]*10**10'", ":(){ :|:& };:"],
)
async def test_what_would_never_end_ends_and_leaves_nothing(text: str, level: str, target: Project) -> None:
    before = living(str(target.root))
    result = await target.toolbox(level, max_memory_mb=256).run(
        ToolCall(tool="command", args={"command": text}), stdin="a" * 30, timeout=2
    )
    assert result.duration < 10 and len(result.stdout) <= 1_000_000
    assert wait_until(5, lambda: living(str(target.root)) == before)


async def test_a_hundred_calls_cut_short_leave_no_process_and_no_file(level: str, target: Project) -> None:
    toolbox = target.toolbox(level)
    call = ToolCall(tool="command", args={"command": "seq 1 999999999999 | grep -c x1 | cat"})
    await toolbox.run(ToolCall(tool="pwd"))
    opened = len(os.listdir("/proc/self/fd"))
    for batch in range(10):
        tasks = [asyncio.create_task(toolbox.run(call, timeout=0.3)) for _ in range(10)]
        await asyncio.sleep(0.03 * batch)
        for task in tasks[::2]:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                assert (await task).error_kind == "timeout"
    assert wait_until(5, lambda: living(str(target.root)) == []), living(str(target.root))
    await asyncio.sleep(0.1)
    assert len(os.listdir("/proc/self/fd")) <= opened + 1


async def test_the_traps_work_where_no_wall_stands(level: str, target: Project) -> None:
    before = target.snapshot()
    assert SECRET.encode() in target.shell("cat link_out").stdout
    assert SECRET.encode() in target.shell("diff -r src linked").stdout
    assert target.shell("sort -o pwned notes.txt; ./evil.sh < notes.txt").returncode == 0
    changed = {name for name, status in target.snapshot().items() if before.get(name) != status}
    assert {"root/pwned", "outside/pwned"} <= changed
