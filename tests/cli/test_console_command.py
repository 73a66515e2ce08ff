"""What `reflect console` refuses before it begins, and where it finds what it serves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli import console_serving
from cli.console_serving import Place, configuration
from cli.main import parser
from configs.errors import UsageError
from tests.cli.conftest import Reflect
from tests.support.processes import ROOT


@pytest.mark.parametrize(
    ("flags", "variables", "told"),
    [
        (["--root", "nowhere"], {}, "does not exist"),
        (["--host", "0.0.0.0"], {}, "REFLECT_API_TOKEN"),
        (["--host", "192.168.1.20"], {}, "nothing would keep them out"),
        ([], {"REFLECT_API_TOKEN": "  "}, "is set, but empty"),
        ([], {"REFLECT_API_TOKEN": ""}, "is set, but empty"),
        (["--host", "0.0.0.0"], {"REFLECT_API_TOKEN": "two words"}, "holds a space"),
        ([], {"REFLECT_ALLOWED_HOSTS": "*"}, "REFLECT_ALLOWED_HOSTS"),
        ([], {"REFLECT_MODLE": "x"}, "REFLECT_MODLE"),
    ],
)
def test_what_must_not_be_served_is_one_message_before_anything_runs(
    reflect: Reflect,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    flags: list[str],
    variables: dict[str, str],
    told: str,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    ran = reflect(
        "console", "--no-browser", *(flags if "--root" in flags else ["--root", str(project), *flags])
    )
    assert ran.code == 2 and told in ran.err and ran.out == "" and "Traceback" not in ran.err


@pytest.mark.parametrize("port", ["-1", "65536", "http", "1.5", "²"])
def test_a_port_is_a_number_that_a_port_can_have(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(["console", f"--port={port}"])
    assert "65535" in capsys.readouterr().err


def test_the_variables_of_the_door_are_no_settings(
    project: Path, reflect: Reflect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFLECT_API_TOKEN", "x")
    monkeypatch.setenv("REFLECT_ALLOWED_HOSTS", "box.lan")
    assert reflect("config", "show", "--root", str(project)).code == 0


def test_what_is_served_stands_in_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert configuration() == json.loads((ROOT / "langgraph.json").read_text("utf-8"))
    (tmp_path / "langgraph.json").write_text('{"graphs": {}}', "utf-8")
    monkeypatch.setattr(console_serving, "PLACES", (tmp_path / "missing", tmp_path / "langgraph.json"))
    assert configuration() == {"graphs": {}}
    monkeypatch.setattr(console_serving, "PLACES", (tmp_path / "missing",))
    with pytest.raises(UsageError, match="again"):
        configuration()


def test_the_address_is_one_a_person_can_open() -> None:
    assert Place("0.0.0.0", 80).address == "http://127.0.0.1:80"
    assert Place("localhost", 2024).address == "http://localhost:2024"


def test_what_the_server_keeps_for_itself_lies_outside_of_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    one, other = (console_serving.own_directory(tmp_path / name / "same") for name in ("a", "b"))
    assert one != other and one == console_serving.own_directory(tmp_path / "a" / "same")
    assert one.parent.parent == home / ".reflect" and one.stat().st_mode & 0o777 == 0o700
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="HOME"):
        console_serving.own_directory(tmp_path)
