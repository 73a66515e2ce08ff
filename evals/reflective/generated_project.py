"""A project that is written anew from a seed: names, sizes, history and contents all follow from it.

`python -m evals.reflective.generated_project DIR --seed 3` writes it for a look. The scenarios ask about it;
what is right is computed from the files themselves (`facts`), so no answer is typed in anywhere.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import shutil
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from evals.reflective import facts, source_text
from evals.reflective.changed_files import UNREADABLE

PACKAGES = ("granary", "foundry", "orchard", "bakery", "quarry", "tannery", "brewery", "sawmill")
MODULES = (
    "ledger", "parcel", "courier", "kiln", "harvest", "silo", "invoice", "roster", "pump", "gauge",
    "depot", "furnace", "barrel", "ticket", "weigher", "conveyor",
)  # fmt: skip
AUTHORS = (
    "Nora Lind", "Omar Haddad", "Paula Ruiz", "Quentin Roy", "Rosa Weber", "Sven Olsen", "Tilda Maas",
)  # fmt: skip
MESSAGES = (
    "Weigh before shipping", "Speed up the reader", "Mend the totals", "Explain the settings",
    "Round amounts to cents", "Drop an unused option", "Keep labels short", "Check totals twice",
)  # fmt: skip
WORDS = (
    "grain", "sack", "scale", "shift", "crate", "order", "label", "valve", "belt", "oven", "stone", "barrel",
    "weight", "summer", "winter", "night", "batch", "paper", "morning", "copper",
)  # fmt: skip
BINARY = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de") + b"\0\xff" * 40
MARKER = "zinnober"
IGNORED = ("node_modules", "build")


@dataclass
class Project:
    """A written project.

    Attributes:
        root: its directory.
        slots: names that goals and plans may hold, by the name of their slot.
    """

    root: Path
    slots: dict[str, str] = field(default_factory=dict)

    def copy_to(self, target: Path) -> Project:
        """A fresh copy, times and modes included; the unreadable file is unreadable in the copy."""
        shutil.copytree(self.root, target, symlinks=True)
        (target / UNREADABLE).chmod(0)
        return Project(target, self.slots)


def write_project(target: Path, seed: int) -> Project:
    """Write the project of a seed below an empty or missing directory.

    Raises:
        FileExistsError: the directory holds something.
        subprocess.CalledProcessError: git failed.
    """
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise FileExistsError(f"{target} is not empty")
    rng = random.Random(f"project/{seed}")
    package = rng.choice(PACKAGES)
    modules = rng.sample(MODULES, 7)
    authors = rng.sample(AUTHORS, 3)
    code = source_text.package_source(rng, package, modules)
    stages = _stages(rng, package, modules, code)
    _commit_stages(target, rng, authors, stages)
    _untracked(target, rng)
    _date_files(target, rng)
    slots = {
        "package": package,
        **{f"module{number}": name for number, name in enumerate(modules)},
        **{f"author{number}": name for number, name in enumerate(authors)},
        **{f"given{number}": name.split()[0] for number, name in enumerate(authors)},
        **code.slots,
        "marker": MARKER,
    }
    return Project(target, slots | _found_slots(target))


def _found_slots(root: Path) -> dict[str, str]:
    """Names that only the finished project tells."""
    longest = facts.FACTS["most"](root, glob="*.md", by="lines", under="docs")
    assert isinstance(longest, list)
    return {
        "longest_doc": longest[0],
        "stock_digest": hashlib.sha256((root / "data/stock.csv").read_bytes()).hexdigest(),
        "production_port": str(facts.FACTS["setting"](root, path="config/production.yaml", key="port")),
        "staging_port": str(facts.FACTS["setting"](root, path="config/staging.yaml", key="port")),
        "config_message": str(facts.FACTS["commit_message"](root, path="config")),
    }


def _stages(
    rng: random.Random, package: str, modules: list[str], code: source_text.PackageSource
) -> list[dict[str, str]]:
    """What each commit writes, in order."""
    base = {
        "README.md": source_text.prose(rng, package.title(), ["Install", "Usage", "Licence"], WORDS),
        "LICENSE": "Apache License\nVersion 2.0\n",
        ".gitignore": "node_modules/\nbuild/\n*.tmp\n",
        "pyproject.toml": f'[project]\nname = "{package}"\nversion = "1.{rng.randint(2, 9)}.0"\n'
        f'requires-python = ">=3.{rng.randint(9, 12)}"\n',
        "Makefile": "install:\n\tpip install -e .\n\ntest:\n\tpytest\n\nlint:\n\truff check src\n",
        f"src/{package}/__init__.py": f'"""The {package}."""\n',
    }
    sources = [{f"src/{package}/{name}.py": code.modules[name]} for name in modules]
    lengths = rng.sample(range(2, 9), 4)
    docs = {
        f"docs/{name}.md": source_text.prose(
            rng, name.title(), rng.sample(source_text.SECTIONS, length), WORDS
        )
        for name, length in zip(("guide", "api", "faq", "install"), lengths, strict=True)
    }
    tests = {
        f"tests/test_{name}.py": source_text.test_source(rng, package, name, code) for name in modules[:4]
    }
    return [
        base | sources[0] | sources[1],
        sources[2] | docs,
        tests,
        sources[3] | sources[4],
        source_text.data_files(rng, WORDS),
        sources[5] | sources[6],
        source_text.settings_files(rng, package) | source_text.scripts(package),
        {"CHANGELOG.md": source_text.changelog(rng, WORDS)},
    ]


def _commit_stages(
    target: Path, rng: random.Random, authors: list[str], stages: list[dict[str, str]]
) -> None:
    _git(target, {}, "init", "-q", "-b", "main")
    moment = datetime(2023, rng.randint(1, 12), rng.randint(1, 28), 9, 30, tzinfo=UTC)
    messages = rng.sample(MESSAGES, len(stages))
    # Every author has commits, and no two as many: 1, 2 and 5 of the eight.
    shares = [authors[0]] * 5 + [authors[1]] * 2 + [authors[2]]
    rng.shuffle(shares)
    for number, (files, message, author) in enumerate(zip(stages, messages, shares, strict=True)):
        for name, text in files.items():
            _write(target / name, text)
        moment += timedelta(days=rng.randint(1, 40), hours=rng.randint(0, 8))
        _commit(target, author, moment, message)
        if number in (3, 6):
            _git(target, {}, "tag", f"v1.{number // 3}")


def _commit(target: Path, author: str, moment: datetime, message: str) -> None:
    stamp = moment.isoformat()
    mail = f"{author.split()[0].lower()}@example.org"
    names = {"GIT_AUTHOR_NAME": author, "GIT_COMMITTER_NAME": author}
    mails = {"GIT_AUTHOR_EMAIL": mail, "GIT_COMMITTER_EMAIL": mail}
    dates = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
    _git(target, {}, "add", "-A")
    _git(target, names | mails | dates, "commit", "-q", "-m", message)


def _untracked(target: Path, rng: random.Random) -> None:
    """Logs, notes with odd names, binaries, an unreadable file, what git ignores."""
    for name, text in source_text.logs(rng).items():
        _write(target / name, text)
    for name in ("meeting notes.txt", "caf\u00e9 plan.txt", "two\nlines.txt"):
        _write(target / "notes" / name, source_text.sentences(rng, rng.randint(3, 9), WORDS))
    _write(target / "notes" / "empty.txt", "")
    _write(target / UNREADABLE, "nobody reads this\n")
    (target / "assets").mkdir()
    (target / "assets" / "logo.png").write_bytes(BINARY)
    (target / "assets" / "icons.bin").write_bytes(BINARY + MARKER.encode() + BINARY)
    (target / "spare").mkdir()
    for name in IGNORED:
        _write(target / name / "left_over.py", "def left_over():\n    return 1\n")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(0o755 if path.suffix == ".sh" else 0o644)


def _date_files(target: Path, rng: random.Random) -> None:
    """Each file has a time of its own, minutes apart, in an order drawn by lot."""
    start = datetime(2024, 3, 1, 12, tzinfo=UTC).timestamp()
    paths = sorted(p for p in target.rglob("*") if p.is_file() and ".git" not in p.relative_to(target).parts)
    rng.shuffle(paths)
    for number, path in enumerate(paths):
        os.utime(path, (start + 60 * number, start + 60 * number))


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
    """Write the project where asked, and print the names it is made of."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("target", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    for name, value in write_project(arguments.target, arguments.seed).slots.items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
