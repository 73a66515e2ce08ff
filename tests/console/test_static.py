"""The built page is the one its sources make, and asks nobody but its own server."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import console

HERE = Path(console.__file__).parent
WEB, STATIC = HERE / "web", HERE / "static"
BUILD = "run `make console-web` and commit what it writes"


def sources() -> list[Path]:
    return [path for path in WEB.rglob("*") if path.is_file() and "node_modules" not in path.parts]


def digest_of(paths: list[Path]) -> str:
    """As `console/web/bundle/fingerprint.js` makes it."""
    lines = [
        f"{path.relative_to(WEB).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}\n"
        for path in paths
    ]
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def test_the_built_page_is_that_of_the_sources() -> None:
    assert (STATIC / "sources.sha256").read_text().strip() == digest_of(sources()), BUILD


def test_a_changed_source_is_noticed() -> None:
    paths = sources()
    assert WEB / "src" / "main.tsx" in paths
    assert digest_of(paths) != digest_of(paths[1:])


def test_the_page_names_only_files_of_its_own_that_are_there() -> None:
    page = (STATIC / "index.html").read_text()
    named = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(named) >= 3
    assert all(name.startswith("./assets/") and (STATIC / name).is_file() for name in named)
    assert "<style" not in page and not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"\son\w+=|\sstyle=", page)


def test_styles_load_nothing() -> None:
    styles = "".join(path.read_text() for path in STATIC.glob("assets/*.css"))
    assert styles and "url(" not in styles and "@import" not in styles


def test_every_package_of_the_bundle_has_its_licence_beside_it() -> None:
    licences = (STATIC / "licences.txt").read_text()
    told = set(re.findall(r"^(\S+) [0-9][\w.-]* \(([\w.-]+)\)$", licences, re.MULTILINE))
    packages = json.loads((WEB / "package.json").read_text())["dependencies"]
    assert set(packages) <= {name for name, _ in told}
    assert {licence for _, licence in told} <= {"MIT", "Apache-2.0", "ISC", "BSD-3-Clause"}


def test_the_lock_names_no_registry() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text())
    assert len(lock["packages"]) > 5
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]
    ours = json.loads((WEB / "package.json").read_text())
    versions = [*ours["dependencies"].values(), *ours["devDependencies"].values()]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)


def test_the_page_stays_small() -> None:
    built = [path for path in STATIC.rglob("*") if path.suffix in (".js", ".css", ".html")]
    assert 0 < sum(path.stat().st_size for path in built) < 400_000
