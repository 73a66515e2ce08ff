from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from cli.doctor_command import MARKS
from cli.health import all_checks
from cli.health_check import Check
from tests.cli.conftest import Reflect


@pytest.fixture
def root(home: Path) -> Path:
    root = home / "work"
    (root / ".reflect").mkdir(parents=True)
    return root


def break_checkpoints(root: Path) -> None:
    (root / ".reflect" / "checkpoints.sqlite").write_bytes(b"no database" * 20)


def test_a_note_is_no_problem(root: Path, reflect: Reflect) -> None:
    ran = reflect("doctor", "--root", root)
    assert ran.code == 0 and ran.err == ""
    assert re.search(r"^note +ollama", ran.out, re.MULTILINE)


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_problem_gives_2(root: Path, reflect: Reflect, form: list[str]) -> None:
    break_checkpoints(root)
    ran = reflect("doctor", "--root", root, *form)
    assert ran.code == 2 and "problem" in ran.out and "checkpoints.sqlite" in ran.out


def test_json_is_the_list_of_checks(root: Path, reflect: Reflect) -> None:
    checks = [asdict(check) for check in all_checks(str(root))]
    assert json.loads(reflect("doctor", "--root", root, "--json").out) == checks


def test_every_check_is_a_line_and_every_remedy_the_next(root: Path, reflect: Reflect) -> None:
    checks = all_checks(str(root))
    lines = [line.strip() for line in reflect("doctor", "--root", root).out.splitlines()]
    expected = [text for check in checks for text in (check.found, check.remedy) if text]
    assert len(lines) == len(expected)
    assert [text for line, text in zip(lines, expected, strict=True) if not line.endswith(text)] == []


def test_names_stand_in_one_column_and_findings_in_another(root: Path, reflect: Reflect) -> None:
    break_checkpoints(root)
    lines = reflect("doctor", "--root", root).out.splitlines()
    checks = all_checks(str(root))
    assert {check.verdict for check in checks} == set(MARKS)
    heads = {check.found: line for check in checks for line in lines if line.endswith(check.found)}
    assert len({line.index(check.name) for check in checks for line in [heads[check.found]]}) == 1
    assert len({line.rindex(found) for found, line in heads.items()}) == 1


def test_every_line_of_a_finding_stands_in_its_column(root: Path, reflect: Reflect) -> None:
    (root / ".reflect" / "config.yaml").write_text("tools: {approval: 'yes', sandbox: policy}\n")
    lines = reflect("doctor", "--root", root).out.splitlines()
    told = [line for line in lines if "your own settings allow" in line]
    assert len(told) == 2 and len({line.index("file ") for line in told}) == 1


def test_a_path_in_brackets_is_not_read_as_markup(home: Path, reflect: Reflect) -> None:
    root = home / "[red]work[/]"
    (root / ".reflect").mkdir(parents=True)
    file = root / ".reflect" / "config.yaml"
    file.write_text("profile: dev\n")
    assert str(file) in reflect("doctor", "--root", root).out


def test_a_long_finding_is_not_broken_when_the_terminal_is_narrow(
    root: Path, reflect: Reflect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    place = str(root / ".reflect" / "experience" / "events.jsonl")
    assert place in reflect("doctor", "--root", root).out


def test_the_root_is_here_unless_it_is_named(
    root: Path, reflect: Reflect, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / ".reflect" / "config.yaml").write_text("profile: dev\n")
    monkeypatch.chdir(root)
    found = json.loads(reflect("doctor", "--json").out)
    assert Check(**found[1]) == Check("settings", "ok", str(root / ".reflect" / "config.yaml"))
