"""`reflect audit` from the outside: what it prints, what it writes, what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from cli.audit_command import KERNELS
from tests.cli.conftest import Reflect
from tools.audit.kernels import Kernel
from tools.audit.report import Audit

HARD = (
    "def hard(a, b):\n"
    + "".join(f"    if a == {n}:\n        return b\n" for n in range(12))
    + "    exec(b)\n"
)


@pytest.fixture
def tree(project: Path) -> Path:
    """A project with something to say of: the fixture's own files, and one that is hard and dangerous."""
    (project / "hard.py").write_text(HARD)
    (project / "broken.py").write_text("def f(:\n")
    return project


def audited(ran_out: str) -> Audit:
    return Audit.model_validate_json(ran_out)


def test_every_kernel_can_be_asked_for() -> None:
    assert set(KERNELS) == set(get_args(Kernel))


def test_it_tells_people_what_to_do_first_and_how_a_score_is_made(tree: Path, reflect: Reflect) -> None:
    ran = reflect("audit", tree)
    assert ran.code == 0
    assert "hard.py:1\n         Split hard: it has a cyclomatic complexity of 13 (limit 10)" in ran.out
    assert "hard.py:26\n         Look at 1 finding of bandit's B102" in ran.out
    assert "score = 30 * complexity / (complexity + 100)" in ran.out
    assert "Left out" in ran.out and "broken.py:1" in ran.out
    assert ran.err == ""


def test_json_is_the_report_and_nothing_else_and_the_same_each_time(tree: Path, reflect: Reflect) -> None:
    first, second = reflect("audit", tree, "--json"), reflect("audit", tree, "--json", "--quiet")
    assert (first.code, first.out) == (0, second.out)
    audit = audited(first.out)
    assert audit.to_json() == first.out
    assert audit.history.available and audit.recommendations
    lines = {path.name: path.read_text().count("\n") for path in tree.rglob("*.py")}
    for one in audit.recommendations:
        assert 1 <= one.place.line <= lines[Path(one.place.file).name]


def test_one_kernel_alone_is_shown_alone(tree: Path, reflect: Reflect) -> None:
    alone = audited(reflect("audit", tree, "--kernel", "security", "--json").out)
    assert [one.rule for one in alone.security if one.place.file == "hard.py"] == ["B102"]
    assert alone.model_copy(update={"security": (), "versions": {}, "skipped": (), "notes": ()}) == Audit()


def test_settings_hold_and_the_projects_own_are_told(tree: Path, reflect: Reflect) -> None:
    (tree / ".reflect").mkdir(exist_ok=True)
    (tree / ".reflect/config.yaml").write_text("audit:\n  exclude: ['hard.py']\n")
    ran = reflect("audit", tree, "--json", "--set", "audit.most_recommendations=1")
    assert "hard.py" not in {module.file for module in audited(ran.out).scan.modules}
    assert "Note: the project's own settings say audit.exclude." in ran.err
    loose = reflect("audit", tree, "--json", "--set", "audit.exclude=[]", "--set", "audit.most_cyclomatic=13")
    rules = {(one.rule, one.place.file) for one in audited(loose.out).recommendations}
    assert ("look_at_security", "hard.py") in rules
    assert not [
        one for one in audited(loose.out).recommendations if "cyclomatic" in one.what and "hard" in one.what
    ]


def test_one_file_alone_can_be_audited(tree: Path, reflect: Reflect) -> None:
    audit = audited(reflect("audit", tree / "hard.py", "--json").out)
    assert [module.file for module in audit.scan.modules] == ["hard.py"]
    assert audit.recommendations


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no-such"], "cannot be audited: No such file"),
        (["~no-such-user"], "~no-such-user cannot be audited"),
        (["--set", "audit.most_cyclomatic"], "sets nothing"),
        (["--set", "audit.no_such=1"], "no_such"),
        (["--set", "audit.most_cyclomatic=0"], "most_cyclomatic"),
        (["--set", "audit.top=1", "--set", "audit.top=1"], "twice"),
        (["--html", "no-such/a.html"], "--html no-such/a.html"),
        (["README.md"], "README.md"),
    ],
)
def test_what_cannot_be_done_is_refused(
    tree: Path, reflect: Reflect, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tree)
    ran = reflect("audit", *words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize("words", [["--top", "0"], ["--top", "x"], ["--kernel", "no-such"], ["a", "b"]])
def test_wrong_options_end_with_2(reflect: Reflect, words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        reflect("audit", *words)
    assert ended.value.code == 2


def test_the_page_is_written_and_nothing_of_anybody_else(tree: Path, reflect: Reflect) -> None:
    page, notes = tree / "audit.html", tree / "notes.html"
    notes.write_text("<!doctype html> mine")
    refused = reflect("audit", tree, "--html", notes)
    assert (refused.code, notes.read_text()) == (2, "<!doctype html> mine")
    ran = reflect("audit", tree, "--html", page, "--quiet")
    assert ran.code == 0 and ran.out
    first = page.read_bytes()
    assert b"hard.py:26" in first and first.startswith(b"<!doctype html>")
    assert reflect("audit", tree, "--html", page).code == 0
    assert page.read_bytes() == first


def test_names_of_the_tree_cannot_drive_the_terminal(tree: Path, reflect: Reflect) -> None:
    (tree / "a\x1b[2J\u202e[bold]\n.py").write_text(HARD)
    ran = reflect("audit", tree, "--top", "1")
    assert "(the first 1 of " in ran.out
    assert "\x1b" not in ran.out and "\u202e" not in ran.out
    assert "[bold]" in ran.out
