"""The part of git that reads: seven subcommands, harmless options, a repository that runs nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.errors import CommandRefused
from tools.policy.options import COUNT, SIMILARITY, WORD, Allowed, Check, anything
from tools.policy.paths import check_path
from tools.policy.vectors import normalise, refuse


def _none(names: str) -> dict[str, Check | None]:
    return dict.fromkeys(names.split())


def _git(flags: str, valued: dict[str, Check], long: dict[str, Check | None], **more: Any) -> Allowed:
    """Git resolves shortened options among all it knows, not among ours, so they must be written in full."""
    return Allowed(flags, valued, long, abbreviates=False, **more)


HISTORY = _git(
    "FiEPpuswbzmactg0R",
    {"n": COUNT, "S": anything, "G": anything, "U": COUNT, "L": anything},
    {
        **_none(
            "oneline shortstat numstat name-only name-status summary graph no-decorate all "
            "reverse follow first-parent merges no-merges fixed-strings regexp-ignore-case "
            "extended-regexp perl-regexp all-match invert-grep abbrev-commit no-abbrev-commit "
            "patch no-patch no-renames ignore-space-change ignore-all-space "
            "ignore-blank-lines no-color cached staged merge-base topo-order date-order "
            "author-date-order cc raw minimal patience histogram left-right boundary source "
            "simplify-by-decoration full-history quiet exit-code full-index pickaxe-all text "
            "root no-notes no-prefix relative-date parents children log-size compact-summary "
            "function-context check no-ext-diff no-textconv walk-reflogs cherry cherry-mark cherry-pick "
            "left-only right-only simplify-merges ancestry-path show-pulls topo-order remove-empty "
            "pickaxe-regex irreversible-delete patch-with-stat patch-with-raw no-expand-tabs "
            "no-mailmap indent-heuristic no-indent-heuristic ignore-cr-at-eol ignore-space-at-eol "
            "clear-decorations no-diff-merges bisect"
        ),
        **dict.fromkeys(
            (
                "decorate-refs decorate-refs-exclude since after until before author committer "
                "grep format date diff-filter glob exclude diff-algorithm word-diff-regex src-prefix "
                "dst-prefix line-prefix find-object max-age min-age encoding stat-width stat-count "
                "stat-name-width diff-merges"
            ).split(),
            anything,
        ),
        **dict.fromkeys("max-count skip unified min-parents max-parents inter-hunk-context".split(), COUNT),
    },
    optional=dict.fromkeys(
        (
            "decorate pretty stat branches tags remotes no-walk abbrev find-renames "
            "find-copies word-diff color color-words dirstat relative break-rewrites"
        ).split(),
        anything,
    ),
    attached=dict.fromkeys("MCB", SIMILARITY),
    counts=True,
)
STATUS = _git(
    "sbvz",
    {},
    _none("short branch long verbose show-stash no-renames ahead-behind no-ahead-behind"),
    optional=dict.fromkeys("porcelain ignored untracked-files find-renames column".split(), anything),
    attached={"u": WORD},
)
BLAME = _git(
    "lsewftncpb",
    {"L": anything},
    {
        **_none("porcelain line-porcelain show-name show-number show-email root incremental"),
        "date": anything,
        "since": anything,
        "ignore-rev": anything,
        "abbrev": COUNT,
    },
    attached=dict.fromkeys("MC", WORD),
)
GREP = _git(
    "niwvclLhHEFGPoaIzpWq",
    {"e": anything, "A": COUNT, "B": COUNT, "C": COUNT, "m": COUNT},
    {
        **_none(
            "line-number ignore-case word-regexp invert-match count files-with-matches "
            "name-only files-without-match extended-regexp fixed-strings perl-regexp "
            "basic-regexp only-matching cached untracked and or not all-match heading break "
            "full-name no-color text show-function function-context column null quiet recursive "
            "no-recursive no-exclude-standard no-textconv"
        ),
        **dict.fromkeys("max-depth context after-context before-context max-count".split(), COUNT),
    },
    optional={"color": anything},
    operands="pattern",
    counts=True,
    counted="C",
)
LS_FILES = _git(
    "cdmoisukztv",
    {"x": anything},
    {
        **_none(
            "cached deleted modified others ignored stage unmerged killed exclude-standard "
            "directory no-empty-directory full-name error-unmatch eol deduplicate"
        ),
        "exclude": anything,
    },
    optional={"abbrev": anything},
)
SUBCOMMANDS = {
    "log": HISTORY,
    "show": HISTORY,
    "diff": HISTORY,
    "status": STATUS,
    "blame": BLAME,
    "grep": GREP,
    "ls-files": LS_FILES,
}

# Options in front of the subcommand that every call gets anyway.
IN_FORCE = frozenset({"--no-pager", "-P", "--no-optional-locks"})

# Settings that keep git from running anything a repository names.
SAFE_CONFIG = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.quotePath=false",
    "core.untrackedCache=false",
    "gpg.program=false",
    "gpg.openpgp.program=false",
    "gpg.x509.program=false",
    "gpg.ssh.program=false",
    "log.showSignature=false",
    "diff.external=",
    "color.ui=never",
    "submodule.recurse=false",
    "status.submoduleSummary=false",
    "diff.ignoreSubmodules=all",
    "log.mailmap=false",
    "protocol.allow=never",
    "safe.directory=*",
)
# Keys by which a repository's own configuration could run a program or look elsewhere. A header and what
# belongs to it may stand on one line, so they are looked for behind a bracket as well.
RUNS = re.compile(
    r"(?:^|\])\s*(?:\[\s*(?:filter|include|includeif|diff\s+\"|diff\.)"
    r"|(?:worktree|textconv|clean|smudge|process|external|fsmonitor|attributesfile|command)\s*=)",
    re.IGNORECASE | re.MULTILINE,
)
# Files by which a repository names another one.
ELSEWHERE = ("commondir", "objects/info/alternates")


def check_git(root: Path, argv: Sequence[str]) -> list[str]:
    """A safe vector for git, with the settings that keep it from running anything.

    Raises:
        CommandRefused: another subcommand, an option that runs or writes or reads elsewhere, a path outside
            the root, or a repository whose configuration names programs.
    """
    words = list(argv)
    while words and words[0] in IN_FORCE:
        words.pop(0)
    argv = words
    if not argv or argv[0] not in SUBCOMMANDS:
        named = argv[0] if argv else "git"
        raise refuse(
            f"git {named}",
            "only log, show, diff, status, blame, grep and ls-files are read-only here",
            "Use one of them, without options in front.",
        )
    subcommand, rest = argv[0], list(argv[1:])
    allowed = SUBCOMMANDS[subcommand]
    split = rest.index("--") if "--" in rest else len(rest)
    options, operands = normalise(f"git {subcommand}", rest[:split], allowed)
    paths = [check_path(root, path) for path in rest[split + 1 :]]
    given = any(option.startswith("-e") for option in options)
    for number, operand in enumerate(operands):
        if subcommand == "grep" and number == 0 and not given:
            continue
        _check_revision_or_path(root, operand)
    check_repository(root)
    safe = [word for setting in SAFE_CONFIG for word in ("-c", setting)]
    drivers = ["--no-textconv"] if subcommand in ("log", "show", "diff", "grep") else []
    drivers += ["--no-ext-diff"] if subcommand in ("log", "show", "diff") else []
    # A submodule has a configuration of its own; the option, unlike the setting, holds against .gitmodules.
    drivers += ["--ignore-submodules=all"] if subcommand in ("log", "show", "diff", "status") else []
    # Its setting may name any file, and git prints the lines it does not understand.
    drivers += ["--no-ignore-revs-file"] if subcommand == "blame" else []
    tail = ["--", *paths] if split < len(rest) else []
    return ["--no-pager", "--no-optional-locks", *safe, subcommand, *drivers, *options, *operands, *tail]


def _check_revision_or_path(root: Path, operand: str) -> None:
    text = operand.rsplit(":", 1)[-1] if not operand.startswith(":") else operand.lstrip(":/!^")
    if text.startswith(("/", "~")) or ".." in text.split("/"):
        raise refuse(operand, "it leads outside the root", "Use a revision, or a path below the root.")
    for path in {text, operand} - {""}:
        if os.path.exists(root / path):
            check_path(root, path)


def check_repository(root: Path) -> None:
    """Refuse a repository that lies elsewhere, or whose configuration could run a program.

    Raises:
        CommandRefused: says what was found.
    """
    git = root / ".git"
    if git.is_symlink() or git.is_file() or any(os.path.lexists(git / name) for name in ELSEWHERE):
        raise refuse(
            ".git", "it points to a repository outside the root", "Use the main working tree as root."
        )
    if all(os.path.lexists(root / name) for name in ("HEAD", "objects", "refs")):
        raise refuse(
            "HEAD", "the root itself is laid out as a repository", "Use a working tree with .git as root."
        )
    for name in ("config", "config.worktree"):
        found = RUNS.search(_configuration(git / name))
        if found:
            raise refuse(
                found.group(0).strip("] \t\n"),
                "the repository's configuration names a program or another place",
                f"Look at .git/{name} and remove it if you trust the rest.",
            )


def _configuration(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            # Reading a pipe would wait for a writer, and reading a device need not end.
            raise CommandRefused(
                f"The repository's configuration cannot be read: .git/{path.name} is no ordinary file.",
                "Look at it, and remove it.",
            )
        return path.read_text("utf-8-sig", "replace") if path.exists() else ""
    except OSError as error:
        raise CommandRefused(
            f"The repository's configuration cannot be read: {error}.", "Check its permissions."
        ) from error
