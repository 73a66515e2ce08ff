"""Argument vectors of every tool out of all its options, not only the allowed ones, and hostile operands."""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import Sequence
from functools import cache

from hypothesis import strategies as st

from evals.hostile.traces import differences, look
from tests.tools.places import SECRET, Project
from tools.policy.check import NAMES
from tools.policy.git import SUBCOMMANDS
from tools.process import program
from tools.protocol import ToolCall

Vector = tuple[str, list[str]]
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": "/nonexistent"}
VALUES = st.sampled_from(
    [
        "pwned",
        "notes.txt",
        "a.py",
        "src",
        ".",
        "..",
        "link_out",
        "dirlink",
        "dirlink/",
        "-",
        "1",
        "0",
        "x",
        "",
    ]
    + ["../outside/pwned", "../outside/secret.txt", "../outside", "/etc/shadow", "/dev/zero", "./evil.sh"]
    + ["touch pwned", "|touch pwned", "HEAD", "HEAD:notes.txt", "-o", "-exec", "{}", ";", "%p", "*", "always"]
)
# find says its actions in lines of several; these are those of find(1).
FIND = (
    "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -follow -files0-from -name -path -type "
    "-size -newer -print -print0 -printf -ls -prune -quit -o -a ! ( ) , -L -H -P -D -O3 -maxdepth -depth "
    "-samefile -perm -empty -regex -anewer -newermt -mtime -xtype -lname -fstype -context"
).split()


def options_of(tool: str) -> list[str]:
    """Every option the help of a tool names."""
    if tool == "find":
        return FIND
    done = subprocess.run(
        [program(tool), "--help"], env=ENVIRONMENT, capture_output=True, text=True, timeout=10, check=False
    )
    return sorted(set(re.findall(r"(?<![\w-])(--?[a-zA-Z0-9][\w-]*)", done.stdout))) or ["--help"]


def options_of_git(subcommand: str) -> list[str]:
    """Every option git completes for a subcommand, and the short ones."""
    done = subprocess.run(
        [program("git"), subcommand, "--git-completion-helper-all"],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=10,
        check=False,
    )
    words = [word.rstrip("=") for word in done.stdout.split() if word != "--"]
    return [*words, "--output", "--ext-diff", "--no-index", "--contents", *(f"-{c}" for c in "OoXfSpuLcnCMG")]


@cache
def _words(options: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    option = st.sampled_from(options)
    shortened = st.builds(lambda name, cut: name[: max(3, len(name) - cut)], option, st.integers(1, 6))
    joined = st.builds(lambda name, value: f"{name}={value}", st.one_of(option, shortened), VALUES)
    attached = st.builds(lambda name, value: name[:2] + value, option, VALUES)
    combined = st.builds(lambda a, b: f"-{a.lstrip('-')[:1]}{b.lstrip('-')[:1]}", option, option)
    word = st.one_of(option, VALUES, joined, attached, combined, shortened, st.just("--"))
    return st.lists(word, max_size=5)


@cache
def vectors() -> st.SearchStrategy[Vector]:
    """A tool and a vector of it; git with one of its reading subcommands."""

    def of(tool: str) -> st.SearchStrategy[Vector]:
        if tool != "git":
            return st.tuples(st.just(tool), _words(tuple(options_of(tool))))
        return st.sampled_from(sorted(SUBCOMMANDS)).flatmap(
            lambda name: _words(tuple(options_of_git(name))).map(lambda words: ("git", [name, *words]))
        )

    return st.sampled_from(sorted(NAMES)).flatmap(of)


async def harm(project: Project, batch: Sequence[Vector]) -> list[str]:
    """Run a batch side by side under the policy alone; what it changed on the disk or told of the secret."""
    toolbox = project.toolbox("policy")
    place = project.root.parent
    before = look([place])
    results = await asyncio.gather(
        *(
            toolbox.run(ToolCall(tool="pipeline", args={"stages": [{"tool": tool, "argv": argv}]}), timeout=5)
            for tool, argv in batch
        )
    )
    told = [
        f"{tool} {argv} told the secret"
        for (tool, argv), result in zip(batch, results, strict=True)
        if SECRET in result.stdout + result.stderr
    ]
    return [*differences(before, look([place])), *told]


def build(project: Project) -> Project:
    """A project with a history and a program that leaves a mark."""
    evil = project.root / "evil.sh"
    evil.write_text(f"#!/bin/sh\ntouch {project.outside}/pwned {project.root}/pwned\n")
    evil.chmod(0o755)
    project.git("init", "-q", "-b", "main")
    for message, text in (("first", "alpha\n"), ("second", "alpha beta\n")):
        (project.root / "a.py").write_text(text)
        project.git("add", ".")
        project.git("commit", "-qm", message)
    project.git("status")
    return project
