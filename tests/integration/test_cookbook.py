"""Every recipe of docs/cookbook.md does what it says, in a project of its own.

A comment before a block says what is special about it:

    <!-- exit 3 -->          its last command ends with that code
    <!-- file: PATH -->      it is a file; /home/me stands for the home directory
    <!-- prints -->          lines that the block before it printed, among others
    <!-- not run: why -->    it needs what a test cannot have
"""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from tests.docs.pages import Fence, Page
from tests.support.processes import ROOT

pytestmark = pytest.mark.integration

PAGE = Page(ROOT / "docs" / "cookbook.md")
MOST_NOT_RUN = 4


def _recipes() -> dict[str, list[Fence]]:
    """Blocks by the heading above them; those above the first heading make the project."""
    headings = {
        number: line.removeprefix("## ")
        for number, line in enumerate(PAGE.text.splitlines(), start=1)
        if line.startswith("## ")
    }

    def heading(fence: Fence) -> str:
        return headings[max((line for line in headings if line < fence.line), default=0)]

    headings[0] = ""
    return {name: list(fences) for name, fences in groupby(PAGE.fences, heading)}


RECIPES = _recipes()
(PROJECT,) = RECIPES.pop("")


def _is_run(fence: Fence) -> bool:
    return fence.language == "sh" and not fence.comment.startswith(("not run", "file:"))


RUN = [name for name, fences in RECIPES.items() if any(map(_is_run, fences))]


def _pdf(lines: list[str]) -> bytes:
    """A document of one page, as small as PDF allows."""
    shown = " ".join(f"({line}) Tj T*" for line in lines)
    text = f"BT /F1 12 Tf 72 720 Td 14 TL {shown} ET"
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    document, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(document))
        document += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    return (
        document
        + (
            f"xref\n0 {size}\n0000000000 65535 f \n{table}"
            f"trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{len(document)}\n%%EOF\n"
        ).encode()
    )


def _script(fences: list[Fence], home: Path, printed: Path) -> Iterator[str]:
    """One bash script of a recipe; what block N prints goes to `printed/N`."""
    yield "set -euo pipefail"
    for number, fence in enumerate(fences):
        text = fence.text.replace("/home/me", str(home))
        kind, _, given = fence.comment.partition(" ")
        if kind == "file:":
            place = shlex.quote(given.replace("/home/me", str(home)))
            yield f"mkdir -p \"$(dirname {place})\"\ncat > {place} <<'END_OF_BLOCK'\n{text}END_OF_BLOCK"
        elif kind == "exit":
            yield f"code=0\n( set -e\n{text}) > {printed}/{number} || code=$?\ntest $code -eq {given}"
        elif _is_run(fence):
            yield f"exec > {printed}/{number}\n{text}"


@pytest.fixture
def environment(tmp_path: Path, machine_cache: Path) -> dict[str, str]:
    """A home of its own, with the command `reflect` that runs these sources."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (tmp_path / "home").mkdir()
    command = programs / "reflect"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m cli.main "$@"\n')
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("REFLECT_", "GIT_"))}
    person = {"NAME": "a", "EMAIL": "a@example.org"}
    return kept | {
        "HOME": str(tmp_path / "home"),
        "XDG_CACHE_HOME": str(machine_cache),
        "PYTHONPATH": str(ROOT),
        "PATH": f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        **{f"GIT_{who}_{what}": told for who in ("AUTHOR", "COMMITTER") for what, told in person.items()},
    }


@pytest.mark.parametrize("name", RUN)
def test_the_recipe_does_what_it_says(name: str, tmp_path: Path, environment: dict[str, str]) -> None:
    papers, printed = tmp_path / "shop" / "papers", tmp_path / "printed"
    for directory in (papers, printed):
        directory.mkdir(parents=True)
    (papers / "harbour.pdf").write_bytes(_pdf(["The harbour of Marle handled 4,200 containers in 2023."]))
    script = "\n".join([PROJECT.text, *_script(RECIPES[name], tmp_path / "home", printed)])
    ran = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    told = {number.name: number.read_text("utf-8") for number in printed.iterdir()}
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}\n{told}"
    for number, fence in enumerate(RECIPES[name]):
        if fence.comment == "prints":
            missing = [line for line in fence.text.splitlines() if line not in told[str(number - 1)]]
            assert missing == [], told[str(number - 1)]


def test_few_blocks_are_not_run_and_each_says_why() -> None:
    skipped = [
        fence for fences in RECIPES.values() for fence in fences if fence.comment.startswith("not run")
    ]
    assert len(skipped) <= MOST_NOT_RUN
    assert all(fence.comment.removeprefix("not run:").strip() for fence in skipped)


def test_every_block_is_run_written_compared_or_said_to_be_neither() -> None:
    plain = [fence for fences in RECIPES.values() for fence in fences if not fence.comment]
    assert {fence.language for fence in plain} == {"sh", "text"}
    assert [fence.text.split()[0] for fence in plain if fence.language == "text"] == ["0"], (
        "the crontab's line"
    )
    known = ("exit ", "file: ", "prints", "not run: ")
    said = [fence.comment for fences in RECIPES.values() for fence in fences if fence.comment]
    assert all(comment.startswith(known) for comment in said)
    assert len(RUN) >= 12
