"""A small project with a history, the same bytes every time: what recipes and evaluations are run against.

`python -m evals.fixture_repository DIR` writes it for a look. Authors, dates, contents and modification times
are fixed; nothing of the machine's git configuration is used.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100"
    "18dd8db00000000049454e44ae426082"
)


def load_fixture() -> dict[str, Any]:
    """The description of the project: files by commit, authors, dates."""
    data = yaml.safe_load((files("evals") / "fixture_repository.yaml").read_text("utf-8"))
    assert isinstance(data, dict)
    return data


def build_fixture_repository(target: Path) -> Path:
    """Write the project below `target`, which must be empty or missing, and return it.

    Raises:
        FileExistsError: the target holds something.
        subprocess.CalledProcessError: git failed.
    """
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise FileExistsError(f"{target} is not empty")
    data = load_fixture()
    # Templates are this machine's; a history in one file is copied fifty times faster than in a hundred.
    _git(target, {}, "init", "-q", "-b", "main", "--template=")
    for commit in data["commits"]:
        _commit(target, commit, data["authors"])
    _git(target, {}, "branch", *data["branch"])
    _git(target, {}, "-c", "pack.threads=1", "gc", "--quiet", "--prune=now")
    _write_all(target, data["uncommitted"])
    for name in data["empty_directories"]:
        (target / name).mkdir(parents=True)
    (target / "assets" / "logo.png").write_bytes(PNG)
    _date_files(target, data["modified"])
    return target


def _commit(target: Path, commit: dict[str, Any], authors: dict[str, str]) -> None:
    name = commit["author"]
    environment = {
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": authors[name],
        "GIT_AUTHOR_DATE": commit["date"],
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": authors[name],
        "GIT_COMMITTER_DATE": commit["date"],
    }
    _write_all(target, commit.get("write", {}))
    for path, line in commit.get("append", {}).items():
        with (target / path).open("a", encoding="utf-8") as file:
            file.write(line + "\n")
    for path in commit.get("remove", []):
        (target / path).unlink()
    for old, new in commit.get("rename", {}).items():
        _git(target, {}, "mv", old, new)
    if commit.get("binary"):
        (target / commit["binary"]).parent.mkdir(parents=True, exist_ok=True)
        (target / commit["binary"]).write_bytes(PNG)
    _git(target, {}, "add", "-A")
    _git(target, environment, "commit", "-q", "-m", commit["message"])
    if commit.get("tag"):
        _git(target, environment, "tag", commit["tag"])


def _write_all(target: Path, contents: dict[str, str]) -> None:
    for name, text in contents.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(0o755 if name.endswith(".sh") else 0o644)


def _date_files(target: Path, modified: dict[str, str]) -> None:
    """Fixed times: the listed ones, and for the rest one minute apart on a day in 2024, in order of name."""
    start = datetime(2024, 3, 1, 12, tzinfo=UTC).timestamp()
    paths = sorted(p for p in target.rglob("*") if p.is_file() and ".git" not in p.relative_to(target).parts)
    for number, path in enumerate(paths):
        os.utime(path, (start + 60 * number, start + 60 * number))
    for name, text in modified.items():
        moment = datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
        os.utime(target / name, (moment, moment))


def _git(target: Path, extra: dict[str, str], *arguments: str) -> None:
    environment = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": str(target),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "LC_ALL": "C.UTF-8",
        **extra,
    }
    subprocess.run(["git", *arguments], cwd=target, env=environment, check=True, capture_output=True)


def main() -> None:
    """Write the project where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    print(build_fixture_repository(parser.parse_args().target))


if __name__ == "__main__":
    main()
