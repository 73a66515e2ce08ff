from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.config_command import add_parser
from configs.errors import SettingsError
from configs.layers import leaves
from configs.settings import Settings

TOP = [["trust"], ["trusted_projects"], ["model"], ["profile"]]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("REFLECT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "40")
    root = tmp_path / "project"
    (root / ".reflect").mkdir(parents=True)
    return root


def _run(*argv: str | Path) -> int:
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers(required=True))
    args = parser.parse_args(["config", *map(str, argv)])
    code: int = args.run(args)
    return code


def _write(root: Path, text: str) -> Path:
    file = root / ".reflect" / "config.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_show_prints_every_key_value_and_origin_whole_when_piped(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = "x" * 150 + "/[red]checkpoints.sqlite"
    file = _write(root, f"checkpoints:\n  path: '{path}'\n")
    assert _run("show", "--root", root) == 0
    lines = capsys.readouterr().out.splitlines()
    line = next(line for line in lines if "checkpoints.path" in line)
    assert line.split() == ["checkpoints.path", f'"{path}"', "file", f"{file}:2"]
    told = sum("." in line or line.split()[:1] in TOP for line in lines)
    assert told == len(list(leaves(Settings.model_validate({}))))


def test_show_is_what_config_does_by_itself(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run("--root", root)
    alone = capsys.readouterr().out
    _run("show", "--root", root)
    assert capsys.readouterr().out == alone
    assert "graph.max_iterations" in alone


def test_show_json_gives_value_and_origin_by_key(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = _write(root, "model: ollama:a\nmodels: {tuning: {'ollama:a': {num_ctx: 999}}}\n")
    _run("show", "--json", "--root", root)
    shown = json.loads(capsys.readouterr().out)
    assert shown["model"] == {"value": "ollama:a", "origin": f"file {file}:1"}
    assert shown["models.tuning[ollama:a].num_ctx"] == {"value": 999, "origin": f"file {file}:2"}
    assert shown["graph.max_iterations"] == {"value": 50, "origin": "default"}
    assert shown["reflect.allowed_tools"]["value"][0] == "ls"


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_show_prints_no_secret(root: Path, form: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    (root.parent / "home" / ".reflect").mkdir(parents=True)
    _write(
        root.parent / "home",
        "models: {default: {api_key_env: sk-abcdefghijkl, base_url: 'http://me:hunter2@host'}}\n",
    )
    _run("show", "--root", root, *form)
    output = capsys.readouterr().out
    assert "abcdefghijkl" not in output
    assert "hunter2" not in output
    assert "http://[hidden]@host" in output


def test_what_a_project_may_not_say_is_told_with_the_reason(root: Path) -> None:
    file = _write(root, "tools:\n  approval: 'yes'\n  sandbox: policy\n")
    with pytest.raises(SettingsError) as raised:
        _run("show", "--root", root)
    lines = raised.value.what.splitlines()
    assert [line.split("`")[:2] for line in lines] == [
        [f"file {file}:2: ", "tools.approval"],
        [f"file {file}:3: ", "tools.sandbox"],
    ]
    assert all("your own settings allow no more than" in line for line in lines)
    assert str(root) in raised.value.remedy and "REFLECT_TRUST=1" in raised.value.remedy


def test_show_says_by_whose_leave_a_project_says_more_than_it_may(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = _write(root, "tools:\n  approval: 'yes'\n  max_memory_mb: 64\n")
    monkeypatch.setenv("REFLECT_TRUST", "1")
    _run("show", "--json", "--root", root)
    shown = json.loads(capsys.readouterr().out)
    assert shown["tools.approval"]["origin"] == f"file {file}:2, trusted by environment REFLECT_TRUST"
    assert shown["tools.max_memory_mb"]["origin"] == f"file {file}:3"


def test_show_lets_a_settings_error_through(root: Path) -> None:
    _write(root, "modle: x\n")
    with pytest.raises(SettingsError, match="Did you mean `model`"):
        _run("show", "--root", root)


def test_path_lists_the_files_in_order_even_when_one_is_broken(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = _write(root, "modle: x\n")
    _run("path", "--root", root, "--json")
    assert json.loads(capsys.readouterr().out) == [
        {"path": str(root.parent / "home" / ".reflect" / "config.yaml"), "exists": False},
        {"path": str(file), "exists": True},
    ]
    _run("path", "--root", root)
    assert capsys.readouterr().out.rstrip().splitlines()[-1].split() == [str(file), "yes"]


def test_schema_prints_the_json_schema(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("schema") == 0
    assert json.loads(capsys.readouterr().out) == Settings.model_json_schema()


def test_importing_the_command_imports_nothing_heavy() -> None:
    check = (
        "import sys, cli.config_command; "
        "print(sorted({'pydantic', 'configs.settings', 'rich', 'yaml'} & set(sys.modules)))"
    )
    repository = Path(__file__).parents[2]
    result = subprocess.run(
        [sys.executable, "-c", check], cwd=repository, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
