"""What people hand to `reflect research` by mistake: each is told, and what is good beside it is used."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from configs.research import SearchSettings
from tests.support.processes import ROOT, reflect
from tools.search.folder import FolderBackend

pytestmark = pytest.mark.integration

QUERY = "When does the ferry of Lindow open?"
FACT = "The ferry of Lindow opens in 2027."


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "good.md").write_text(FACT, "utf-8")
    return folder


def ran(folder: Path, query: str = QUERY, *options: str) -> subprocess.CompletedProcess[str]:
    arguments = ("research", query, "--corpus", str(folder), "--model", "embedded", *options)
    return reflect(*arguments, home=folder.parent)


def test_bad_files_are_told_by_name_beside_the_report_of_the_good_ones(docs: Path) -> None:
    import pypdf

    (docs / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    (docs / "empty.pdf").write_bytes(b"")
    locked = pypdf.PdfWriter()
    locked.add_blank_page(200, 200)
    locked.encrypt("secret")
    locked.write(str(docs / "locked.pdf"))
    (docs / "no.docx").write_bytes(b"no archive")
    with zipfile.ZipFile(docs / "hollow.docx", "w") as archive:
        archive.writestr("x.txt", "hi")
    (docs / "scripts.html").write_text("<html><script>var ferry = 'opens in 1900'</script></html>", "utf-8")
    (docs / "latin.txt").write_bytes("Le café de Lindow est fermé.".encode("latin-1"))
    (docs / "sjis.txt").write_bytes("林都駅は1987年に開業した。駅長は田中さんである。".encode("shift_jis"))
    (docs.parent / "outside.md").write_text("The ferry of Lindow opens in 1900.", "utf-8")
    (docs / "out.md").symlink_to(docs.parent / "outside.md")
    (docs / "loop").symlink_to(docs)
    os.mkfifo(docs / "pipe.md")
    done = ran(docs)
    assert done.returncode == 0, done.stderr
    assert "opens in 2027 [1]" in done.stdout and "1900" not in done.stdout
    for told in (
        "broken.pdf is no PDF",
        "empty.pdf is no PDF",
        "locked.pdf is encrypted",
        "no.docx is no Word file",
        "hollow.docx is no Word file",
        "scripts.html holds no text",
        "latin.txt is not UTF-8 and was read as cp1252",
        "sjis.txt is not UTF-8 and was read as cp932",
        "pipe.md is no ordinary file",
        "Links that were not followed: 2",
    ):
        assert f"Note: {told}" in done.stderr, told


def test_bad_lines_of_items_are_told_by_their_numbers(docs: Path) -> None:
    items = docs / "items.jsonl"
    good = {"url": "https://a.example/1", "description": FACT}
    lines = [json.dumps(one) for one in (good, good, {"description": FACT}, {**good, "score": "high"})]
    items.write_bytes("\n".join([*lines, "{broken", "null"]).encode() + b"\n\xff\n")
    done = ran(items)
    assert done.returncode == 0 and "opens in 2027 [1]" in done.stdout
    assert done.stdout.count("https://a.example/1") == 1
    assert [f"items.jsonl:{line}:" in done.stderr for line in range(1, 8)] == [False] * 2 + [True] * 5


@pytest.mark.parametrize(
    ("query", "code", "told"),
    [
        ("", 2, "the query is empty"),
        ("?!... —— 「」", 1, "Not enough evidence"),
        ("Когда открывается паром?", 1, "Not enough evidence"),
        ("ferry of Lindow." * 625, 2, "10,000 characters"),
    ],
)
def test_odd_queries(docs: Path, query: str, code: int, told: str) -> None:
    done = ran(docs, query)
    assert done.returncode == code and told in done.stdout, done.stderr
    assert "Traceback" not in done.stderr


def test_what_may_not_be_read_is_told(docs: Path) -> None:
    (docs / "closed.md").write_text(FACT.replace("2027", "1900"), "utf-8")
    (docs / "folder").mkdir()
    for path in (docs / "closed.md", docs / "folder"):
        path.chmod(0)
    # Root reads everything as long as it may override permissions.
    ordinary = []
    if os.geteuid() == 0:
        setpriv = shutil.which("setpriv") or pytest.skip("root reads everything")
        ordinary = [setpriv, "--bounding-set=-dac_override,-dac_read_search"]
    for corpus, code, told in (
        (docs, 0, ["folder cannot be listed", "closed.md cannot be read"]),
        (docs / "folder", 2, ["cannot be listed (Permission denied)", "Make it readable"]),
    ):
        command = [sys.executable, "-m", "cli.main", "research", QUERY, "--model", "embedded"]
        done = subprocess.run(
            [*ordinary, *command, "--corpus", str(corpus), "--root", str(docs.parent)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert all(words in done.stdout + done.stderr for words in told) and "1900" not in done.stdout
    (docs / "folder").chmod(0o700)


def test_a_page_that_cannot_be_written_does_not_cost_the_report(docs: Path) -> None:
    page = docs.parent / "page.html"
    page.symlink_to("/proc/nothing_can_be_made_here")
    done = ran(docs, QUERY, "--html", str(page))
    assert done.returncode == 2 and "opens in 2027" in done.stdout
    assert "cannot be written" in done.stderr and "--replay" in done.stderr


def test_files_that_change_and_go_while_they_are_indexed(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(200):
        (folder / f"{number:03}.md").write_text(f"Document number{number} is of the year old.", "utf-8")
    ended = threading.Event()

    def disturb() -> None:
        number = 199
        while not ended.is_set():
            path = folder / f"{number:03}.md"
            if number % 2:
                path.unlink(missing_ok=True)
            else:
                path.write_text(f"Document number{number} is of the year new.", "utf-8")
            number = number - 1 if number else 199

    disturber = threading.Thread(target=disturb)
    disturber.start()
    settings = SearchSettings(embedder="none")
    backend = FolderBackend(folder, tmp_path / "index", settings)
    try:
        found = asyncio.run(backend.search("number8", 5))
    finally:
        backend.close()
        ended.set()
        disturber.join()
    assert len(found) <= 1
    for number in range(200):
        path = folder / f"{number:03}.md"
        if number % 2:
            path.unlink(missing_ok=True)
        else:
            path.write_text(f"Document number{number} is of the year new.", "utf-8")
    after = FolderBackend(folder, tmp_path / "index", settings)
    try:
        for number in (0, 1, 100, 101, 198, 199):
            texts = [item.description for item in asyncio.run(after.search(f"number{number}", 5))]
            assert texts == ([] if number % 2 else [f"Document number{number} is of the year new."])
    finally:
        after.close()


def test_a_full_disk_is_told(docs: Path, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "none", str(full)]
    # In a name space of its own, so that nothing stays mounted.
    script = (
        f"{' '.join(mount)} && exec {sys.executable} -m cli.main research '{QUERY}' --model embedded"
        f" --corpus {docs} --root {full}"
    )
    unshare = shutil.which("unshare")
    alone = [unshare or "unshare", "--mount", "--", "sh", "-c"]
    if (
        unshare is None
        or subprocess.run([*alone, " ".join(mount)], capture_output=True, check=False).returncode
    ):
        pytest.skip("nothing can be mounted here")
    done = subprocess.run(
        [*alone, script], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 2 and "disk is full" in done.stderr and "Traceback" not in done.stderr
