from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.places import SECRET, Project
from tools.errors import CommandRefused
from tools.policy.git import ELSEWHERE, SAFE_CONFIG, SUBCOMMANDS, check_git

READING = [
    "git status",
    "git diff",
    "git show",
    "git log -p",
    "git blame notes.txt",
    "git grep alpha",
    "git ls-files -m",
]
WORDS = st.sampled_from(
    [
        "--",
        "HEAD",
        "HEAD~1",
        "notes.txt",
        "src",
        "alpha",
        "-p",
        "-5",
        "--stat",
        "--oneline",
        "-e",
        "-n",
        "--cached",
    ]
    + [
        "--output=pwned",
        "--ext-diff",
        "--textconv",
        "--no-index",
        "-O",
        "--open-files-in-pager=touch",
        "--contents",
    ]
    + [
        "--outp=pwned",
        "--ext",
        "--no-ind",
        "-c",
        "-C",
        "--git-dir=..",
        "--recurse-submodules",
        "-f",
        "-X",
        "link_out",
    ]
    + [
        "..",
        "../outside",
        "/etc/passwd",
        "HEAD:../x",
        ":/..",
        "HEAD:notes.txt",
        "--exclude-from=x",
        "--submodule=diff",
    ]
)


@pytest.fixture
def repository(project: Project) -> Project:
    """A project under git with one change, and a program that leaves a mark outside when it runs."""
    project.git("init", "-q", "-b", "main")
    evil = project.root / "evil.sh"
    evil.write_text(f"#!/bin/sh\ntouch {project.outside}/pwned\ncat\n")
    evil.chmod(0o755)
    (project.root / ".gitattributes").write_text("*.txt diff=x filter=x\n")
    project.git("add", ".")
    project.git("commit", "-qm", "first")
    (project.root / "notes.txt").write_text("alpha changed\n")
    return project


async def nothing_ran_or_leaked(repository: Project, *commands: str) -> None:
    for command in commands or READING:
        result = await repository.command(command)
        assert not (repository.outside / "pwned").exists(), command
        assert SECRET not in result.stdout + result.stderr, command


def configure(project: Project, text: str, name: str = "config") -> None:
    path = project.root / ".git" / name
    path.write_text((path.read_text() if path.exists() else "") + text)


async def test_the_mark_is_left_where_no_policy_holds_git_back(repository: Project) -> None:
    configure(repository, '[filter "x"]\nclean = ./evil.sh\n')
    # Git runs the filter on files that look changed since it last read them.
    for path in repository.root.iterdir():
        if path.is_file():
            os.utime(path, (0, 0))
    repository.git("status")
    assert (repository.outside / "pwned").exists()


@pytest.mark.parametrize(
    "text",
    [
        '[filter "x"]\nclean = ./evil.sh\n',
        '[FILTER "x"] clean = ./evil.sh\n',
        "[filter.x]\nprocess = ./evil.sh\n",
        '[diff "x"]\ntextconv = ./evil.sh\n',
        '[diff "x"]\ncommand = ./evil.sh\n',
        "[diff.x] textconv = ./evil.sh\n",
        "[diff]\nexternal = ./evil.sh\n",
        "[core]\n\tfsmonitor = ./evil.sh\n",
        "[core] fsmonitor = ./evil.sh\n",
        "[include]\npath = ../included\n",
        "[a] [include] path = ../included\n",
        '[includeIf "gitdir:/"]\npath = ../included\n',
        "[core] attributesFile = ../attributes\n",
    ],
)
async def test_a_configuration_that_names_a_program_is_refused(text: str, repository: Project) -> None:
    (repository.root / "included").write_text('[filter "x"]\nclean = ./evil.sh\n')
    configure(repository, text)
    await nothing_ran_or_leaked(repository)
    with pytest.raises(CommandRefused, match="names a program or another place") as refusal:
        check_git(repository.root, ["status"])
    assert ".git/config" in refusal.value.remedy


async def test_a_byte_order_mark_hides_no_section(repository: Project) -> None:
    (repository.root / "included").write_text('[filter "x"]\nclean = ./evil.sh\n')
    path = repository.root / ".git" / "config"
    path.write_bytes(b"\xef\xbb\xbf[include] path = ../included\n" + path.read_bytes())
    await nothing_ran_or_leaked(repository)


async def test_the_configuration_of_the_working_tree_counts_too(repository: Project) -> None:
    configure(repository, "[extensions]\nworktreeConfig = true\n")
    configure(repository, '[filter "x"]\nclean = ./evil.sh\n', "config.worktree")
    await nothing_ran_or_leaked(repository)
    with pytest.raises(CommandRefused):
        check_git(repository.root, ["status"])


def common_directory(project: Project) -> None:
    shutil.copytree(project.root / ".git", project.root / "common")
    (project.root / "common" / "config").write_text('[filter "x"]\nclean = ./evil.sh\n')
    (project.root / ".git" / "commondir").write_text("../common\n")


def bare_root(project: Project) -> None:
    for path in (project.root / ".git").iterdir():
        shutil.move(path, project.root / path.name)
    (project.root / ".git").rmdir()
    (project.root / "config").write_text(
        '[core]\nrepositoryformatversion = 0\nbare = false\nworktree = .\n[filter "x"]\nclean = ./evil.sh\n'
    )


def submodule(project: Project, mode: str = "none") -> None:
    inner = project.root / "inner"
    inner.mkdir()
    project.git("init", "-q", root=inner)
    (inner / "f.txt").write_text("one")
    (inner / ".gitattributes").write_text("* filter=x\n")
    project.git("add", ".", root=inner)
    project.git("commit", "-qm", "inner", root=inner)
    modules = f'[submodule "inner"]\npath = inner\nurl = ./inner\nignore = {mode}\n'
    (project.root / ".gitmodules").write_text(modules)
    project.git("add", "inner", ".gitmodules")
    project.git("commit", "-qm", "with inner")
    (inner / "f.txt").write_text("two")
    with (inner / ".git" / "config").open("a") as config:
        config.write(f'[filter "x"]\nclean = {project.root}/evil.sh\n')
    configure(project, "[diff]\nsubmodule = diff\n")


@pytest.mark.parametrize("prepare", [common_directory, bare_root, submodule])
async def test_a_repository_elsewhere_runs_nothing(
    prepare: Callable[[Project], None], repository: Project
) -> None:
    prepare(repository)
    await nothing_ran_or_leaked(repository)
    repository.git("status")
    assert (repository.outside / "pwned").exists(), "the trap does not work"


@pytest.mark.parametrize("link", [True, False])
def test_a_git_directory_outside_the_root_is_refused(link: bool, repository: Project) -> None:
    inside, elsewhere = repository.root / ".git", repository.outside / "git"
    inside.rename(elsewhere)
    if link:
        inside.symlink_to(elsewhere)
    else:
        inside.write_text(f"gitdir: {elsewhere}\n")
    with pytest.raises(CommandRefused, match="repository outside the root"):
        check_git(repository.root, ["status"])


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_repository_that_names_another_one_is_refused(name: str, repository: Project) -> None:
    (repository.root / ".git" / name).symlink_to("nowhere")
    with pytest.raises(CommandRefused, match="repository outside the root"):
        check_git(repository.root, ["log"])


async def test_objects_of_another_repository_are_not_shown(repository: Project) -> None:
    repository.git("init", "-q", root=repository.outside)
    repository.git("add", ".", root=repository.outside)
    repository.git("commit", "-qm", "secret", root=repository.outside)
    blob = repository.git("rev-parse", "HEAD:secret.txt", root=repository.outside).strip()
    (repository.root / ".git/objects/info/alternates").write_text(f"{repository.outside}/.git/objects\n")
    assert SECRET in repository.git("show", blob), "the trap does not work"
    await nothing_ran_or_leaked(repository, f"git show {blob}")


async def test_blame_reads_no_list_of_revisions_from_outside(repository: Project) -> None:
    configure(repository, f"[blame]\nignoreRevsFile = {repository.secret}\n")
    result = await repository.command("git blame a.py")
    assert result.ok and SECRET not in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("kind", "armour"), [("x509", "SIGNED MESSAGE"), ("ssh", "SSH SIGNATURE"), ("openpgp", "PGP SIGNATURE")]
)
async def test_no_program_checks_a_signature(kind: str, armour: str, repository: Project) -> None:
    tree = repository.git("rev-parse", "HEAD^{tree}").strip()
    person = "a <a> 1 +0000"
    raw = f"tree {tree}\nauthor {person}\ncommitter {person}\ngpgsig -----BEGIN {armour}-----\n \n x\n"
    done = subprocess.run(
        ["git", "hash-object", "-w", "-t", "commit", "--stdin"],
        input=f"{raw} -----END {armour}-----\n\nsigned\n".encode(),
        cwd=repository.root,
        capture_output=True,
        check=True,
    )
    repository.git("tag", "signed", done.stdout.decode().strip())
    (repository.root / "signers").write_text("a ssh-ed25519 AAAA\n")
    configure(repository, f'[gpg]\nprogram = ./evil.sh\n[gpg "{kind}"]\nprogram = ./evil.sh\n')
    configure(repository, '[log]\nshowSignature = true\n[gpg "ssh"]\nallowedSignersFile = ./signers\n')
    await nothing_ran_or_leaked(
        repository, "git log --format=%G? signed", "git show signed", "git log signed"
    )
    repository.git("log", "--format=%G?", "signed")
    assert (repository.outside / "pwned").exists(), "the trap does not work"


async def test_hooks_and_pagers_of_the_repository_do_not_run(repository: Project) -> None:
    for hook in ("post-index-change", "fsmonitor-watchman", "post-checkout"):
        shutil.copy(repository.root / "evil.sh", repository.root / ".git" / "hooks" / hook)
    configure(
        repository,
        "[core]\npager = ./evil.sh\nhooksPath = .git/hooks\n[pager]\nlog = ./evil.sh\nstatus = true\n",
    )
    await nothing_ran_or_leaked(repository)


async def test_a_directory_whose_name_holds_a_colon_hides_no_link(project: Project) -> None:
    (project.root / "d:e").symlink_to(project.outside)
    result = await project.command("git diff d:e/secret.txt a.py")
    assert SECRET not in result.stdout and "outside the root" in (result.error or "")


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["commit", "-m", "x"],
        ["-c", "alias.x=!touch pwned", "x"],
        ["-C", "..", "status"],
        ["--git-dir=..", "log"],
        ["diff", "--output=pwned"],
        ["diff", "--no-index", "a", "b"],
        ["diff", "--ext"],
        ["log", "--textc"],
        ["grep", "-Otouch", "x"],
        ["grep", "-f", "link_out"],
        ["blame", "--contents", "link_out", "a.py"],
        ["blame", "-S", "link_out", "a.py"],
        ["ls-files", "-X", "link_out"],
        ["ls-files", "--recurse-submodules"],
        ["log", "--", "../outside"],
        ["show", "HEAD:../outside/secret.txt"],
        ["diff", "link_out", "a.py"],
        ["diff", "/etc/passwd", "a.py"],
        ["log", "~/x"],
        ["log", ":/../x"],
    ],
)
def test_what_writes_runs_or_reads_elsewhere_is_refused(argv: list[str], shared: Project) -> None:
    with pytest.raises(CommandRefused):
        check_git(shared.root, argv)


@settings(max_examples=200, deadline=None)
@given(subcommand=st.sampled_from(sorted(SUBCOMMANDS)), rest=st.lists(WORDS, max_size=5))
def test_a_vector_that_passes_holds_listed_options_in_full_only(
    subcommand: str, rest: list[str], shared: Project
) -> None:
    try:
        checked = check_git(shared.root, [subcommand, *rest])
    except CommandRefused:
        return
    assert checked[:2] == ["--no-pager", "--no-optional-locks"]
    assert [word for word in checked[: checked.index(subcommand)] if "=" in word] == list(SAFE_CONFIG)
    words = checked[checked.index(subcommand) + 1 :]
    words = words[: words.index("--")] if "--" in words else words
    allowed = SUBCOMMANDS[subcommand]
    ours = {"--no-textconv", "--no-ext-diff", "--ignore-submodules=all", "--no-ignore-revs-file"}
    for word in words:
        if word.startswith("--"):
            name = word[2:].partition("=")[0]
            assert word in ours or name in allowed.long or name in allowed.optional
        elif word.startswith("-"):
            assert word[1] in {*allowed.flags, *allowed.valued, *allowed.attached}


@pytest.mark.parametrize(
    "command",
    [
        "git log --oneline -5",
        "git log --format=%H%x09%an --since=2000-01-01 -- notes.txt",
        "git log -p --stat HEAD",
        "git show HEAD:notes.txt",
        "git show --stat",
        "git diff HEAD --stat",
        "git diff HEAD -- notes.txt",
        "git status --short --branch",
        "git blame -L1,1 a.py",
        "git grep -n hello -- src",
        "git grep -e hello",
        "git ls-files -s",
    ],
)
async def test_reading_history_works_as_in_a_shell(command: str, repository: Project) -> None:
    repository.git("add", ".")  # a fresh index, so that no run has a reason to refresh it
    result = await repository.command(command)
    expected = repository.shell(f"GIT_CONFIG_GLOBAL=/dev/null {command}")
    assert result.ok and result.stdout == expected.stdout.decode() != ""


@pytest.mark.parametrize("name", ["config", "config.worktree"])
def test_a_configuration_that_is_a_pipe_is_refused_and_not_waited_for(project: Project, name: str) -> None:
    (project.root / ".git").mkdir()
    os.mkfifo(project.root / ".git" / name)
    with pytest.raises(CommandRefused, match="no ordinary file"):
        check_git(project.root, ["status"])


def test_a_configuration_that_is_a_directory_is_refused(project: Project) -> None:
    Path(project.root / ".git" / "config").mkdir(parents=True)
    with pytest.raises(CommandRefused, match="cannot be read"):
        check_git(project.root, ["status"])
